//! What is not seen cannot be changed, unless a grant says `unseen: true` (D-13).

use super::Office;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Engine;

/// Sees open invoices, and may change and delete those that are paid.
fn role(unseen: &str) -> String {
    format!(
        "role: clerk\nsystem: [restApi, manageTags]\ntypes:\n  invoice:\n    show: {{where: \"{{=state == 'open'}}\"}}\n    \
         edit: {{where: \"{{=state == 'paid' or amount == 5}}\"{unseen}}}\n    create: false\n"
    )
}

async fn tag(office: &Office) -> Json {
    office.admin.create("tags", json!({"name": "Urgent"})).await["id"].clone()
}

#[spec("D-13", "D-3")]
async fn what_is_not_seen_is_missing_to_every_change(engine: Engine) {
    let office = Office::with(engine, &role("")).await;
    let Office { admin, clerk, .. } = &office;
    let tag = tag(&office).await;
    let uuid = admin.get("collection/invoice/2").await.at("/uuid");
    let before = admin.get("collection/invoice/2?showFields=version,number,state").await.is(200).text;
    let assign = |item: &Json| json!({"type": "invoice", "item": item, "operation": "add", "tags": [tag]});
    let missing = clerk.patch("collection/invoice/99", json!({"number": "x"})).await.is(404).text;
    for item in [json!(2), uuid] {
        let path = format!("collection/invoice/{}", item.to_string().trim_matches('"'));
        for body in [json!({"number": "x"}), json!({}), json!({"amount+=": 1}), json!({"number": "two"})] {
            assert_eq!(clerk.patch(&path, body).await.is(404).text, missing);
        }
        let conditional = clerk.request("PATCH", &path).header("if-match", "*").json(&json!({})).send().await;
        assert_eq!(conditional.is(404).text, missing);
        assert_eq!(clerk.put(&path, json!({"number": "x"})).await.is(404).text, missing);
        assert_eq!(clerk.delete(&path).await.is(404).text, missing);
        clerk.post("app/tags.assign", assign(&item)).await.is(404);
    }
    assert_eq!(admin.get("collection/invoice/2?showFields=version,number,state").await.is(200).text, before);
    // What is seen may be changed, and be out of sight then.
    clerk.patch("collection/invoice/5", json!({"number": "x"})).await.is(200);
    clerk.post("app/tags.assign", assign(&json!(5))).await.is(200);
    clerk.patch("collection/invoice/1", json!({"number": "x"})).await.is(403);
    // The row was taken out of sight: the next change finds nothing.
    let gone = clerk.patch("collection/invoice/5", json!({"state": "paid"})).await.is(200).json();
    assert_eq!(gone.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid"]);
    clerk.delete("collection/invoice/5").await.is(404);
}

#[spec("D-13", "D-3")]
async fn a_grant_for_rows_that_are_not_seen_shows_two_fields(engine: Engine) {
    let office = Office::with(engine, &role(", unseen: true")).await;
    let Office { admin, clerk, .. } = &office;
    let tag = tag(&office).await;
    let uuid = admin.get("collection/invoice/2").await.at("/uuid");
    let only = json!({"id": 2, "uuid": uuid});
    assert_eq!(clerk.patch("collection/invoice/2", json!({"number": "x"})).await.is(200).json(), only);
    assert_eq!(clerk.put("collection/invoice/2", json!({"number": "y", "state": "paid"})).await.is(200).json(), only);
    // What is added to is not known: its errors would tell of it.
    clerk.patch("collection/invoice/2", json!({"amount+=": 1})).await.is(403);
    let given = json!({"type": "invoice", "item": 2, "operation": "add", "tags": [tag]});
    admin.post("app/tags.assign", given.clone()).await.is(200);
    assert_eq!(clerk.post("app/tags.assign", given).await.is(200).at("/tags"), json!([tag]));
    clerk.get("collection/invoice/2").await.is(404);
    // A row that neither grant is for is missing, as ever.
    admin.patch("collection/invoice/3", json!({"state": "sealed"})).await.is(200);
    clerk.patch("collection/invoice/3", json!({"number": "x"})).await.is(404);
    // To delete follows.
    clerk.delete("collection/invoice/2").await.is(204);
    let told =
        admin.query("/api/ext/v1/explain", &[("user", "clerk@acme.test"), ("type", "invoice")]).await.is(200).json();
    let unseen = told["grants"].as_array().unwrap().iter().map(|grant| grant.get("unseen").cloned());
    assert_eq!(unseen.collect::<Vec<_>>(), [None, Some(json!(true)), Some(json!(true))]);
}

#[spec("D-13")]
async fn explain_says_what_the_api_answers(engine: Engine) {
    let office = Office::with(engine, &role("")).await;
    let explained = async |item: &str| {
        let asked = [("user", "clerk@acme.test"), ("type", "invoice"), ("item", item)];
        office.admin.query("/api/ext/v1/explain", &asked).await.is(200).json()
    };
    let two = explained("2").await;
    for index in [1, 3] {
        assert_eq!(two["actions"][index]["refusal"]["kind"], "missing", "{two}");
    }
    let held: Vec<&Json> = two["grants"].as_array().unwrap().iter().map(|grant| &grant["holds"]).collect();
    assert_eq!(held, [false, false, false], "the grants to edit and delete are for rows that are seen");
    let body = json!({"user": "clerk@acme.test", "type": "invoice", "item": 2, "set": {"number": "x"}});
    let tried = office.admin.post("/api/ext/v1/explain", body).await.is(200).json();
    assert_eq!(tried["actions"][1]["refusal"]["kind"], "missing", "{tried}");
    assert_eq!(explained("5").await["grants"][1]["holds"], true);
}

#[spec("D-13", "D-11")]
async fn who_sees_nothing_changes_nothing_and_may_create(engine: Engine) {
    let office = Office::with(engine, "role: clerk\nsystem: [restApi]\ntypes:\n  invoice: {edit: true}\n").await;
    let Office { server, admin, clerk, .. } = &office;
    clerk.patch("collection/invoice/1", json!({"number": "x"})).await.is(404);
    clerk.delete("collection/invoice/1").await.is(404);
    let made = clerk.post("collection/invoice", json!({"number": "new"})).await.is(201).json();
    assert_eq!(made.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid"]);
    let blind = "role: blind\nsystem: [restApi]\ntypes:\n  invoice: {edit: {unseen: true}}\n";
    let blind = server.role("blind", blind).await;
    let written = blind.patch("collection/invoice/1", json!({"number": "x"})).await.is(200).json();
    assert_eq!(written.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid"]);
    assert_eq!(admin.get("collection/invoice/1").await.at("/number"), "x");
    blind.delete("collection/invoice/1").await.is(204);
}

/// A key that may change alone is for rows that its owner sees.
#[spec("D-13", "D-9")]
async fn scopes_hide_no_row_from_changes(engine: Engine) {
    let office = Office::with(engine, &role("")).await;
    let login = office.server.login("clerk").await;
    let form = [
        ("user", login.user.as_str()),
        ("password", login.password.as_str()),
        ("permissions", "collection:invoice:edit"),
    ];
    let made = office.server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
    let key = office.server.client().with("key", made.as_str().unwrap());
    key.get("collection/invoice/5").await.is(403);
    let written = key.patch("collection/invoice/5", json!({"number": "x"})).await.is(200).json();
    assert_eq!(written.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid"]);
    for hidden in [2, 99] {
        key.patch(&format!("collection/invoice/{hidden}"), json!({"number": "x"})).await.is(404);
    }
}
