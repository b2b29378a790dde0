//! The tasks, each as every engine writes it. None: the engine's expressions cannot say it.

/// The tasks that are also compiled, and evaluated on a record that is bound anew, each time.
pub const COMPILED: [&str; 2] = ["arithmetic on 4 properties", "membership and comparison with `and`"];

/// The tasks with a scalar result: Plinth is at least three times as fast as QuickJS at each.
pub const SCALAR: [&str; 7] = [
    "arithmetic on 4 properties",
    "membership and comparison with `and`",
    "string of 4 parts",
    "nested if of 5",
    "date comparison",
    "date comparison, of texts",
    "path of 4 with a null",
];

/// A task.
pub struct Task {
    pub name: &'static str,
    pub ours: &'static str,
    pub cel: Option<&'static str>,
    pub rhai: Option<&'static str>,
    pub evalexpr: Option<&'static str>,
    pub minijinja: Option<&'static str>,
    pub zen: Option<&'static str>,
    pub quickjs: Option<&'static str>,
}

/// Where engines have no dates they compare the texts, which is less work.
pub const TASKS: &[Task] = &[
    Task {
        name: "arithmetic on 4 properties",
        ours: "price * quantity + tax - discount",
        cel: Some("price * quantity + tax - discount"),
        rhai: Some("price * quantity + tax - discount"),
        evalexpr: Some("price * quantity + tax - discount"),
        minijinja: Some("price * quantity + tax - discount"),
        zen: Some("price * quantity + tax - discount"),
        quickjs: Some("price * quantity + tax - discount"),
    },
    Task {
        name: "membership and comparison with `and`",
        ours: "status in ['open', 'new', 'held'] && total > 1000",
        cel: Some("status in ['open', 'new', 'held'] && total > 1000"),
        rhai: Some("status in [\"open\", \"new\", \"held\"] && total > 1000"),
        evalexpr: Some("contains((\"open\", \"new\", \"held\"), status) && total > 1000"),
        minijinja: Some("status in ['open', 'new', 'held'] and total > 1000"),
        zen: Some("status in ['open', 'new', 'held'] and total > 1000"),
        quickjs: Some("['open', 'new', 'held'].includes(status) && total > 1000"),
    },
    Task {
        name: "string of 4 parts",
        ours: "first ~ ' ' ~ last ~ city",
        cel: Some("first + ' ' + last + city"),
        rhai: Some("first + \" \" + last + city"),
        evalexpr: Some("first + \" \" + last + city"),
        minijinja: Some("first ~ ' ' ~ last ~ city"),
        zen: Some("first + ' ' + last + city"),
        quickjs: Some("first + ' ' + last + city"),
    },
    Task {
        name: "map of 100 to 3 fields",
        ours: "map(lines, {id: 'id', name: 'name', price: 'price'})",
        cel: Some("lines.map(l, {'id': l.id, 'name': l.name, 'price': l.price})"),
        rhai: Some("lines.map(|l| #{id: l.id, name: l.name, price: l.price})"),
        evalexpr: None,
        minijinja: None,
        zen: Some("map(lines, {id: #.id, name: #.name, price: #.price})"),
        quickjs: Some("lines.map(l => ({id: l.id, name: l.name, price: l.price}))"),
    },
    Task {
        name: "search among 1,000 by a field",
        ours: "in_array(wanted + 1, map(orders, 'price'))",
        cel: Some("(wanted + 1) in orders.map(o, o.price)"),
        rhai: Some("orders.map(|o| o.price).contains(wanted + 1)"),
        evalexpr: None,
        minijinja: Some("(wanted + 1) in (orders | map(attribute='price') | list)"),
        zen: Some("(wanted + 1) in map(orders, #.price)"),
        quickjs: Some("orders.map(o => o.price).includes(wanted + 1)"),
    },
    Task {
        name: "nested if of 5",
        ours: "if(total < 10, 'a', if(total < 100, 'b', if(total < 500, 'c', if(total < 1000, 'd', if(total < 2000, 'e', 'f')))))",
        cel: Some(
            "total < 10 ? 'a' : total < 100 ? 'b' : total < 500 ? 'c' : total < 1000 ? 'd' : total < 2000 ? 'e' : 'f'",
        ),
        rhai: Some(
            "if total < 10 { \"a\" } else if total < 100 { \"b\" } else if total < 500 { \"c\" } else if total < 1000 { \"d\" } else if total < 2000 { \"e\" } else { \"f\" }",
        ),
        evalexpr: Some(
            "if(total < 10, \"a\", if(total < 100, \"b\", if(total < 500, \"c\", if(total < 1000, \"d\", if(total < 2000, \"e\", \"f\")))))",
        ),
        minijinja: Some(
            "'a' if total < 10 else ('b' if total < 100 else ('c' if total < 500 else ('d' if total < 1000 else ('e' if total < 2000 else 'f'))))",
        ),
        zen: Some(
            "total < 10 ? 'a' : total < 100 ? 'b' : total < 500 ? 'c' : total < 1000 ? 'd' : total < 2000 ? 'e' : 'f'",
        ),
        quickjs: Some(
            "total < 10 ? 'a' : total < 100 ? 'b' : total < 500 ? 'c' : total < 1000 ? 'd' : total < 2000 ? 'e' : 'f'",
        ),
    },
    Task {
        name: "date comparison",
        ours: "compareDates(dueAt, '<', untilAt)",
        cel: Some("dueAt < untilAt"),
        rhai: Some("dueAt < untilAt"),
        evalexpr: Some("dueAt < untilAt"),
        minijinja: Some("dueAt < untilAt"),
        zen: Some("date(dueAt) < date(untilAt)"),
        quickjs: Some("dueAt < untilAt"),
    },
    Task {
        name: "date comparison, of texts",
        ours: "compareDates(due, '<', until)",
        cel: Some("timestamp(due) < timestamp(until)"),
        rhai: None,
        evalexpr: None,
        minijinja: None,
        zen: Some("date(due) < date(until)"),
        quickjs: Some("new Date(due) < new Date(until)"),
    },
    Task {
        name: "path of 4 with a null",
        ours: "customer.contract.owner.name",
        cel: Some("customer.contract == null ? null : customer.contract.owner.name"),
        rhai: Some("customer?.contract?.owner?.name"),
        evalexpr: None,
        minijinja: Some("customer.contract.owner.name"),
        zen: Some("customer.contract.owner.name"),
        quickjs: Some("customer?.contract?.owner?.name"),
    },
    Task {
        name: "template of 5 parts",
        ours: "Dear {=first} {=last}, order {=id} of {=total} is {=status}.",
        cel: Some(
            "'Dear ' + first + ' ' + last + ', order ' + string(id) + ' of ' + string(total) + ' is ' + status + '.'",
        ),
        rhai: Some("`Dear ${first} ${last}, order ${id} of ${total} is ${status}.`"),
        evalexpr: None,
        minijinja: Some("Dear {{ first }} {{ last }}, order {{ id }} of {{ total }} is {{ status }}."),
        zen: Some("`Dear ${first} ${last}, order ${id} of ${total} is ${status}.`"),
        quickjs: Some("`Dear ${first} ${last}, order ${id} of ${total} is ${status}.`"),
    },
];
