//! Other ends of relations: shown, filtered, counted, sorted by, limited; with the rights on each row and field.

mod groups;
mod many;
mod totals;

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server, Subject};

const COMPANY: &str = "\
id: 60
name: company
properties:
  name: {id: 601, kind: pString, required: true}
";
const TICKET: &str = "\
id: 61
name: ticket
properties:
  subject: {id: 611, kind: pString, required: true}
  status: {id: 612, kind: pEnum, options: [open, solved]}
  minutes: {id: 613, kind: pInteger}
  price: {id: 614, kind: pDecimal, scale: 2}
  company: {id: 615, kind: pRelation, type: company, onDelete: setNull, inverse: tickets}
  watchers: {id: 616, kind: pRelations, type: company, onDelete: setNull, inverse: {name: watched, orderBy: -subject}}
";
const COMMENT: &str = "\
id: 62
name: comment
properties:
  text: {id: 621, kind: pString, required: true}
  internal: {id: 622, kind: pBoolean}
  weight: {id: 623, kind: pFloat}
  ticket: {id: 624, kind: pRelation, type: ticket, onDelete: cascade, inverse: {name: comments, title: Comments, orderBy: [-text]}}
";
const PROFILE: &str = "\
id: 63
name: profile
properties:
  city: {id: 631, kind: pString, required: true}
  company: {id: 632, kind: pRelation, type: company, unique: true, onDelete: cascade, inverse: profile}
";
/// Sees open tickets and comments that are not internal; of solved tickets no company.
const CUSTOMER: &str = "\
role: customer
system: [restApi]
types:
  company: {show: true}
  ticket:
    show:
      - {where: \"{=status == 'open'}\"}
      - {where: \"{=status == 'solved'}\", fields: [subject, status]}
  comment:
    show:
      - {where: \"{=internal == false}\", fields: [text, ticket, weight]}
";
/// Sees tickets without their companies.
const BLIND: &str = "\
role: blind
system: [restApi]
types:
  company: {show: true}
  ticket: {show: {fields: [subject]}}
";

/// A tenant with three companies, four tickets and their comments.
struct Desk {
    server: Server,
    admin: Client,
}

impl Subject for Desk {
    async fn on(engine: Engine) -> Self {
        let files = [
            ("types/company.yaml", COMPANY),
            ("types/ticket.yaml", TICKET),
            ("types/comment.yaml", COMMENT),
            ("types/profile.yaml", PROFILE),
        ];
        let server = Server::with(engine, &files).await;
        let admin = server.admin();
        for name in ["Ada", "Bob", "Cyd"] {
            admin.create("company", json!({"name": name})).await;
        }
        for ticket in [
            json!({"subject": "a", "status": "open", "minutes": 10, "price": "0.10", "company": 1, "watchers": [2, 3]}),
            json!({"subject": "b", "status": "open", "minutes": 20, "price": "0.20", "company": 1, "watchers": [2]}),
            json!({"subject": "c", "status": "solved", "minutes": 40, "price": "10", "company": 1}),
            json!({"subject": "d", "status": "solved", "company": 2, "watchers": [1, 2]}),
        ] {
            admin.create("ticket", ticket).await;
        }
        for (text, internal, ticket) in [("x", false, 1), ("y", true, 1), ("z", false, 1), ("w", false, 3)] {
            admin.create("comment", json!({"text": text, "internal": internal, "ticket": ticket, "weight": 0.5})).await;
        }
        admin.create("profile", json!({"city": "Brno", "company": 2})).await;
        Desk { server, admin }
    }
}

impl Desk {
    async fn list(&self, of: &str, body: Json) -> Vec<Json> {
        list(&self.admin, of, body).await
    }

    async fn ids(&self, of: &str, filters: Json) -> Vec<i64> {
        ids(&self.admin, of, filters).await
    }
}

async fn list(client: &Client, of: &str, body: Json) -> Vec<Json> {
    let reply = client.post(&format!("/api/ext/v1/collection/{of}/search"), body).await;
    reply.is(200).at("/data").as_array().unwrap().clone()
}

async fn ids(client: &Client, of: &str, filters: Json) -> Vec<i64> {
    let rows = list(client, of, json!({"filters": filters, "showFields": ["id"], "orderBy": "id"})).await;
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

fn code(reply: Reply) -> Json {
    reply.is(400).at("/code")
}

fn filter(property: &str, name: &str, param: impl Into<Json>) -> Json {
    json!([{"property": property, "type": name, "param": param.into()}])
}

#[spec("E-070")]
async fn inverses_are_shown_where_they_are_named(desk: Desk) {
    let rows = desk.list("company", json!({"orderBy": "id"})).await;
    assert!(rows[0].get("tickets").is_none(), "an inverse comes only where it is named: {}", rows[0]);
    let rows = desk.list("company", json!({"showFields": ["tickets", "profile", "watched"], "orderBy": "id"})).await;
    assert_eq!(rows[0], json!({"id": 1, "tickets": [1, 2, 3], "profile": null, "watched": [4]}));
    assert_eq!(rows[1], json!({"id": 2, "tickets": [4], "profile": 1, "watched": [4, 2, 1]}));
    assert_eq!(rows[2], json!({"id": 3, "tickets": [], "profile": null, "watched": [1]}));
    let shown =
        json!({"showFields": ["name", "tickets.comments.text", "tickets.subject", "profile.city"], "orderBy": "id"});
    let rows = desk.list("company", shown).await;
    let comments = json!([{"id": 3, "text": "z"}, {"id": 2, "text": "y"}, {"id": 1, "text": "x"}]);
    assert_eq!(rows[0]["tickets"][0], json!({"id": 1, "subject": "a", "comments": comments}));
    assert_eq!(rows[0]["tickets"][1], json!({"id": 2, "subject": "b", "comments": []}));
    assert_eq!(rows[1]["profile"], json!({"id": 1, "city": "Brno"}));
    // A relation that is expanded shows inverses, too, and one resource like a list.
    let one = desk.admin.get("/api/v1/collection/ticket/4?showFields=company.watched.subject,company.profile").await;
    let watched = json!([{"id": 4, "subject": "d"}, {"id": 2, "subject": "b"}, {"id": 1, "subject": "a"}]);
    assert_eq!(one.is(200).json(), json!({"id": 4, "company": {"id": 2, "profile": 1, "watched": watched}}));
    // A way back is at most three relations long.
    let far = desk.admin.get("/api/ext/v1/collection/company?showFields=tickets.comments.ticket.comments.text").await;
    assert_eq!(code(far), "property_too_far");
}

#[spec("E-071")]
async fn a_list_that_is_cut_says_so(desk: Desk) {
    let asked = json!({"showFields": ["tickets.subject"], "_related": {"tickets": {"limit": 2, "orderBy": "-subject"}}, "orderBy": "id"});
    let rows = desk.list("company", asked).await;
    let tickets = json!([{"id": 3, "subject": "c"}, {"id": 2, "subject": "b"}]);
    assert_eq!(rows[0], json!({"id": 1, "tickets": tickets, "tickets.$more": true}));
    assert_eq!(rows[1], json!({"id": 2, "tickets": [{"id": 4, "subject": "d"}]}));
    let filters = filter("status", "eq", "open");
    let asked = json!({"showFields": ["tickets", "tickets.$count"], "_related": {"tickets": {"limit": 2, "filters": filters}}, "orderBy": "id"});
    let rows = desk.list("company", asked).await;
    assert_eq!(rows[0], json!({"id": 1, "tickets": [1, 2], "tickets.$count": 2}));
    assert_eq!(rows[1], json!({"id": 2, "tickets": [], "tickets.$count": 0}));
    // In an address it is JSON, as filters are; a path names an inverse further away.
    let related = json!({"tickets.comments": {"limit": 1}}).to_string();
    let parameters = [("showFields", "tickets.comments"), ("_related", &related[..])];
    let one = desk.admin.query("collection/company/1", &parameters).await.is(200).json();
    assert_eq!(one["tickets"][0], json!({"id": 1, "comments": [3], "comments.$more": true}));
    let refusals = [
        (json!({"tickets": {}}), "neither shown nor counted"),
        (json!([]), "needs an object"),
        (json!({"watched": {"limit": 0}}), "from 1 to 1000"),
        (json!({"watched": {"limit": 1001}}), "from 1 to 1000"),
        (json!({"watched": {"page": 2}}), "has no member \\\"page"),
        (json!({"watched": 5}), "needs an object for"),
        (json!({"watched": {"orderBy": vec!["id"; 17]}}), "up to 16 names"),
        (json!({"profile": {"orderBy": "city"}}), "neither shown nor counted"),
    ];
    for (related, message) in refusals {
        let body = json!({"showFields": ["watched"], "_related": related});
        let reply = desk.admin.post("/api/ext/v1/collection/company/search", body).await;
        assert_eq!(code(reply.says(message)), "parameter_invalid");
    }
}

#[spec("E-071")]
async fn options_are_for_what_they_change(desk: Desk) {
    for (shown, related, code) in [
        ("watched.$count", json!({"watched": {"orderBy": "subject"}}), "parameter_invalid"),
        ("tickets.subject", json!({"tickets": {"orderBy": "-comments.$count"}}), "property_unsortable"),
        ("tickets.subject", json!({"tickets": {"orderBy": "watchers"}}), "property_unsortable"),
        ("tickets.comments.ticket.comments", json!({}), "property_too_far"),
        ("tickets.comments.ticket.comments.$count", json!({}), "property_too_far"),
    ] {
        let body = json!({"showFields": [shown], "_related": related});
        let reply = desk.admin.post("/api/ext/v1/collection/company/search", body).await;
        assert_eq!(self::code(reply), code, "{shown} {related}");
    }
    let hidden = json!({"hideFields": ["tickets"], "_related": {"tickets": {"limit": 1}}});
    assert_eq!(self::code(desk.admin.post("/api/ext/v1/collection/company/search", hidden).await), "parameter_invalid");
    for name in ["tickets", "tickets.$count"] {
        let reply = desk.admin.patch("/api/ext/v1/collection/company/1", json!({name: [1]})).await.is(400);
        assert_eq!(reply.at("/errors/0/code"), "read_only", "{name}");
    }
}

#[spec("E-072")]
async fn lists_are_filtered_by_what_refers(desk: Desk) {
    let open = filter("status", "eq", "open");
    for (name, param, expected) in [
        ("some", open.clone(), vec![1]),
        ("none", open.clone(), vec![2, 3]),
        ("every", open.clone(), vec![3]),
        ("size", json!(0), vec![3]),
        ("size", json!({"gte": 1}), vec![1, 2]),
        ("size", json!({"gt": 1, "lt": 4}), vec![1]),
        ("size", json!({"neq": 1}), vec![1, 3]),
        ("size", json!({"lte": 1}), vec![2, 3]),
        ("anyOf", json!([4, 1]), vec![1, 2]),
        ("allOf", json!([1, 2]), vec![1]),
        ("allOf", json!([1, 4]), vec![]),
        ("noneOf", json!([4]), vec![1, 3]),
    ] {
        assert_eq!(desk.ids("company", filter("tickets", name, param.clone())).await, expected, "{name} {param}");
    }
    for (property, name, expected) in [
        ("tickets", "isEmpty", vec![3]),
        ("tickets", "isNotNull", vec![1, 2]),
        ("profile", "isNull", vec![1, 3]),
        ("profile.city", "isNull", vec![1, 3]),
        ("watched", "isNotEmpty", vec![1, 2, 3]),
    ] {
        let filters = json!([{"property": property, "type": name}]);
        assert_eq!(desk.ids("company", filters).await, expected, "{property} {name}");
    }
    for (property, name, param, expected) in [
        ("tickets.subject", "eq", json!("a"), vec![1]),
        ("tickets.comments.text", "in", json!(["w", "y"]), vec![1]),
        ("tickets.subject", "neq", json!("a"), vec![1, 2]),
        ("watched", "size", json!({"gte": 2}), vec![2]),
        ("watched", "some", open, vec![2, 3]),
        ("watched.company.name", "eq", json!("Bob"), vec![1, 2]),
        ("profile", "eq", json!(1), vec![2]),
        ("profile", "neq", json!(1), vec![1, 3]),
        ("profile.city", "startsWith", json!("Br"), vec![2]),
    ] {
        assert_eq!(desk.ids("company", filter(property, name, param)).await, expected, "{property} {name}");
    }
    let many: Vec<i64> = (1..=1_000).collect();
    assert_eq!(desk.ids("company", filter("tickets", "allOf", json!(many))).await, [0_i64; 0]);
    let of_company = filter("company.tickets", "size", json!({"gte": 2}));
    assert_eq!(desk.ids("ticket", of_company).await, [1, 2, 3]);
    // Groups take conditions on what refers, and a unique inverse as part of a key.
    let body = json!({"groupBy": ["company.profile.city"], "filters": filter("comments", "size", 0)});
    let groups = desk.admin.post("/api/ext/v1/aggregate/ticket", body).await.is(200).at("/data");
    assert_eq!(
        groups,
        json!([{"company.profile.city": "Brno", "count": 1}, {"company.profile.city": null, "count": 1}])
    );
    let key = json!({"groupBy": ["tickets"]});
    assert_eq!(code(desk.admin.post("/api/ext/v1/aggregate/company", key).await), "property_unsuitable");
}

#[spec("E-074")]
async fn a_member_counts_where_its_row_shows_the_relation(desk: Desk) {
    let customer = desk.server.role("customer", CUSTOMER).await;
    let fields = ["tickets", "tickets.$count", "tickets.$sum.minutes", "tickets.comments", "tickets.comments.$count"];
    let rows = list(&customer, "company", json!({"showFields": fields, "orderBy": "id"})).await;
    let [first, second] = [
        json!({"id": 1, "comments": [3, 1], "comments.$count": 2}),
        json!({"id": 2, "comments": [], "comments.$count": 0}),
    ];
    // The company of the third ticket does not show: it is solved.
    assert_eq!(rows[0], json!({"id": 1, "tickets": [first, second], "tickets.$count": 2, "tickets.$sum.minutes": 30}));
    assert_eq!(rows[1]["tickets.$count"], 0);
    assert_eq!(ids(&customer, "company", filter("tickets", "size", 2)).await, [1]);
    assert_eq!(ids(&customer, "company", filter("tickets", "size", 0)).await, [2, 3]);
    assert_eq!(ids(&customer, "company", filter("tickets.subject", "in", json!(["c", "d"]))).await, [0_i64; 0]);
    assert_eq!(ids(&customer, "ticket", filter("comments", "size", 2)).await, [1]);
    assert_eq!(ids(&customer, "ticket", filter("comments.text", "eq", "y")).await, [0_i64; 0]);
    let order = list(&customer, "ticket", json!({"orderBy": ["-comments.$count", "id"]})).await;
    let order: Vec<&Json> = order.iter().map(|row| &row["id"]).collect();
    assert_eq!(order, [1, 3, 2, 4]);
    // Without the right to the type, or to the relation on any of its rows, the name is none.
    let blind = desk.server.role("blind", BLIND).await;
    for name in ["tickets", "tickets.$count", "tickets.subject", "watched", "profile", "nothing"] {
        let reply = blind.get(&format!("/api/ext/v1/collection/company?showFields={name}")).await;
        let path = name.split(".$").next().unwrap();
        assert_eq!(code(reply.says(&format!("There is no property \\\"{path}\\\"."))), "property_unknown", "{name}");
    }
}

#[spec("E-075")]
async fn kept_answers_follow_what_refers(desk: Desk) {
    let path = "/api/ext/v1/collection/company?showFields=tickets.subject,tickets.$count&orderBy=-tickets.$count,id";
    let first = desk.admin.get(path).await.is(200);
    assert_eq!(desk.admin.get(path).await.is(200).text, first.text);
    let made = desk.admin.create("ticket", json!({"subject": "e", "company": 3})).await["id"].clone();
    let rows = desk.admin.get(path).await.is(200).at("/data");
    assert_eq!(rows[2], json!({"id": 3, "tickets": [{"id": made, "subject": "e"}], "tickets.$count": 1}));
    let one = "/api/v1/collection/company/3?showFields=tickets.subject";
    let before = desk.admin.get(one).await.is(200);
    desk.admin.patch(&format!("collection/ticket/{made}"), json!({"subject": "f"})).await.is(200);
    let after = desk.admin.get(one).await.is(200);
    assert_eq!(after.at("/tickets/0/subject"), "f");
    assert_ne!(before.header("etag"), after.header("etag"));
}
