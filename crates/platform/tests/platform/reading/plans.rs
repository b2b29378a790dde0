//! Plans: what grants and filters ask of an indexed property, the engines answer by its index, without a cast.

use super::world::{World, pairs};
use accounts::users::{NewUser, create, create_key};
use context::caller_key::CallerKey;
use context::passwords::PasswordHash;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use model::error::Result;
use query::request::ListRequest;
use resources::list::statements;
use serde_json::{Value as Json, json};
use testing::{Engine, run};

/// Conditions of grants, each of a type of its own, and the column that they ask about.
const GRANTS: &[(&str, &str)] = &[
    ("state == 'late'", "p109"),
    ("state in ['late', 'lost']", "p109"),
    ("count == 7", "p101"),
    ("count in [3, 7]", "p101"),
    ("number === 'A-7'", "p100"),
    ("price == 7.5", "p102"),
    ("day == '2026-11-20'", "p105"),
    ("day > '2026-11-20'", "p105"),
    ("day > date('Y-m-d') - 5.days", "p105"),
    ("day != null and day > '2026-11-20'", "p105"),
    ("at > '2026-11-20T12:00:00Z'", "p108"),
    ("until == null", "p115"),
    ("state == 'late' and price > 3", "p109"),
    ("owner.id == 1", "p111"),
];

/// Filters of requests, and the column that they ask about.
const FILTERS: &[(&str, &str)] = &[
    (r#"{"property": "state", "type": "eq", "param": "late"}"#, "p109"),
    (r#"{"property": "count", "type": "eq", "param": 7}"#, "p101"),
    (r#"{"property": "number", "type": "eq", "param": "A-7"}"#, "p100"),
    (r#"{"property": "day", "type": "gt", "param": "2026-11-20"}"#, "p105"),
    (r#"{"property": "at", "type": "gt", "param": "2026-11-20T12:00:00Z"}"#, "p108"),
    (r#"{"property": "until", "type": "eq", "param": null}"#, "p115"),
    (r#"{"property": "owner", "type": "eq", "param": 1}"#, "p111"),
];

const PERSON: &str = "id: 11\nname: person\nproperties:\n  name: {id: 130, kind: pString}\n";

/// The rows of each type: so many that an index is worth it.
const ROWS: i64 = 120;

/// The type of a condition. Ids of properties are the same in each, but for a digit in front.
fn type_file(place: usize) -> (String, String) {
    let id = |number: usize| 1_000 * (place + 1) + number;
    let property =
        |name: &str, number: usize, kind: &str| format!("  {name}: {{id: {}, {kind}, index: true}}\n", id(number));
    let properties = [
        property("number", 100, "kind: pString"),
        property("count", 101, "kind: pInteger"),
        property("price", 102, "kind: pDecimal, scale: 2"),
        property("day", 105, "kind: pDate"),
        property("at", 108, "kind: pDateTime"),
        property("state", 109, "kind: pEnum, options: {open: {}, late: {}, lost: {}}"),
        property("owner", 111, "kind: pRelation, type: person"),
        property("until", 115, "kind: pDate"),
    ];
    let text = format!("id: {}\nname: bill{place}\nproperties:\n{}", id(0), properties.concat());
    (format!("types/bill{place}.yaml"), text)
}

/// The column of a property in the type of a condition.
fn column(place: usize, column: &str) -> String {
    format!("p{}{}", place + 1, &column[1..])
}

fn row(number: i64) -> Json {
    let day = |number: i64| format!("2026-{:02}-{:02}", 1 + number % 11, 1 + number % 28);
    let is_late = number % 40 == 7;
    json!({
        "number": format!("A-{number}"), "count": number, "price": format!("{number}.5"), "day": day(number),
        "at": format!("{} 08:00:00", day(number)), "state": if is_late { "late" } else { "open" },
        "owner": 1 + number % 60, "until": if is_late { Json::Null } else { json!(day(number)) },
    })
}

fn world(engine: Engine) -> World {
    let mut files: Vec<(String, String)> = vec![
        ("tenant.yaml".to_owned(), "tenant: acme\ntimezone: Europe/Prague\n".to_owned()),
        ("types/person.yaml".to_owned(), PERSON.to_owned()),
    ];
    let mut role = "role: clerk\nsystem: [restApi]\ntypes:\n  person: {show: true}\n".to_owned();
    for (place, (condition, _)) in GRANTS.iter().enumerate() {
        files.push(type_file(place));
        role += &format!("  bill{place}: {{show: {{where: \"{{={condition}}}\"}}}}\n");
    }
    files.push(("roles/clerk.yaml".to_owned(), role));
    let texts: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let world = World::with(engine, &texts);
    world.put("person", &(0..60).map(|number| json!({"name": format!("P{number}")})).collect::<Vec<_>>());
    for place in 0..GRANTS.len() {
        world.put(&format!("bill{place}"), &(0..ROWS).map(row).collect::<Vec<_>>());
    }
    world
}

/// The key of a user with the role.
fn key(world: &World) -> CallerKey {
    let user = NewUser {
        login: "clerk@example.com".into(),
        name: "Clerk".into(),
        password: PasswordHash::new("a long enough one 7", world.tenant.environment().random.as_ref()).unwrap(),
        roles: vec!["clerk".into()],
    };
    let text = tokio::task::block_in_place(|| {
        world.tenant.write_as_administrator(|tx, context| {
            create(tx, context, &user)?;
            create_key(tx, context, &user.login, None)
        })
    });
    CallerKey::parse(&text.unwrap().text.unwrap()).unwrap()
}

/// The statement of the total, and its plan. PostgreSQL would read a small table as a whole: that is forbidden.
fn planned(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    engine: Engine,
    name: &str,
    request: &ListRequest,
) -> Result<[String; 2]> {
    if engine == Engine::Postgres {
        // The setting is that of a transaction.
        tx.snapshot()?;
        let mut sql = tx.sql();
        sql.push("SELECT set_config('enable_seqscan', 'off', true)");
        tx.query(&sql, &mut |_| Ok(()))?;
    }
    let [total, _] = statements(tx, context, name, request)?;
    let plan = tx.plan(&total)?.join("\n");
    Ok([total.text().to_owned(), plan])
}

/// Says what is wrong with a statement or its plan.
fn fault(case: &str, column: &str, [sql, plan]: &[String; 2]) -> Option<String> {
    let casts = [format!("CAST(r0.{column}"), format!("r0.{column}::"), format!("r0.{column})::")];
    let is_cast = casts.iter().any(|cast| sql.contains(cast));
    let by_index = plan.lines().any(|line| {
        // Rows with an option, and rows that refer to a resource, are counted beside the table.
        let tallied = line.contains("SEARCH plinth_tally USING PRIMARY KEY (property=? AND value=?)")
            || line.contains("Index Scan using plinth_tally_pkey");
        let sqlite = line.contains("SEARCH") && line.contains("INDEX") && line.contains(&format!("({column}"));
        let postgres = line.contains("Index Cond") && line.contains(column);
        tallied || sqlite || postgres
    });
    (is_cast || !by_index).then(|| format!("{case}\n  {sql}\n{plan}"))
}

async fn check(engine: Engine) {
    let world = tokio::task::block_in_place(|| world(engine));
    let key = key(&world);
    let mut wrong = Vec::new();
    for (place, (condition, asked)) in GRANTS.iter().enumerate() {
        let name = format!("bill{place}");
        let read = move |tx: &mut Tx<'_>, context: &RequestContext| {
            planned(tx, context, engine, &name, &ListRequest::default())
        };
        let found = world.tenant.read(ReadCost::Scan, &key, read).await.unwrap();
        wrong.extend(fault(condition, &column(place, asked), &found));
    }
    for (filter, asked) in FILTERS {
        let filters = format!("[{filter}]");
        let request = ListRequest::parse(&pairs(&[("filters", &filters)]), None).unwrap();
        let read = |tx: &mut Tx<'_>, context: &RequestContext| planned(tx, context, engine, "bill0", &request);
        let found = tokio::task::block_in_place(|| world.tenant.read_as_administrator(read)).unwrap();
        wrong.extend(fault(filter, &column(0, asked), &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn sqlite_answers_conditions_by_an_index() {
    run(Engine::Sqlite, "plans", check);
}

#[test]
fn postgres_answers_conditions_by_an_index() {
    run(Engine::Postgres, "plans", check);
}
