//! Which grant, and which part of it, decided: `plinth explain` and `/api/ext/v1/explain`.

use super::Office;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Client;

const CLERK: &str = "clerk@acme.test";

async fn explained(admin: &Client, parameters: &[(&str, &str)]) -> Json {
    admin
        .query("/api/ext/v1/explain", &[&[("user", CLERK), ("type", "invoice")], parameters].concat())
        .await
        .is(200)
        .json()
}

async fn tried(admin: &Client, mut body: Json, set: Json) -> Json {
    body["user"] = json!(CLERK);
    body["type"] = json!("invoice");
    body["set"] = set;
    admin.post("/api/ext/v1/explain", body).await.is(200).json()
}

fn action<'j>(explained: &'j Json, name: &str) -> &'j Json {
    explained["actions"].as_array().unwrap().iter().find(|action| action["action"] == name).unwrap()
}

fn grants<'j>(explained: &'j Json, action: &str) -> Vec<&'j Json> {
    explained["grants"].as_array().unwrap().iter().filter(|grant| grant["action"] == action).collect()
}

#[spec("D-12", "D-13")]
async fn the_grant_and_the_part_that_decide_are_named(Office { admin, clerk, user, .. }: Office) {
    let one = explained(&admin, &[("item", "1")]).await;
    assert_eq!(one["user"], json!({"id": user, "login": CLERK, "roles": ["clerk"]}));
    assert_eq!((&one["type"], &one["id"]), (&json!("invoice"), &json!(1)));
    let show = action(&one, "show");
    assert_eq!(show["allowed"], true);
    assert!(show["fields"].as_array().unwrap().contains(&json!("number")), "{show}");
    assert!(show["others"].as_array().unwrap().contains(&json!("amount")), "{show}");
    // It is seen and is nobody's to change: 403, as the API says it.
    let refusal = &action(&one, "edit")["refusal"];
    assert_eq!((&refusal["kind"], &refusal["code"]), (&json!("forbidden"), &json!("permission_missing")));
    clerk.patch("collection/invoice/1", json!({"amount": 1})).await.is(403).says(refusal["message"].as_str().unwrap());
    let held: Vec<Json> = grants(&one, "show").iter().map(|grant| grant["holds"].clone()).collect();
    assert_eq!(held, [true, false]);
    let second = grants(&one, "show")[1];
    assert_eq!(second["file"], "roles/clerk.yaml");
    assert_eq!((&second["line"], &second["key"]), (&json!(11), &json!("types.invoice.show.1")));
    assert_eq!(second["where"]["text"], "{=owner.id == user('id')}");
    assert_eq!(second["where"]["because"], json!(["owner.id == user('id')"]));
    let parts = &second["where"]["tree"]["parts"];
    assert_eq!((&parts[0]["text"], &parts[0]["value"]), (&json!("owner.id"), &Json::Null));
    assert_eq!((&parts[1]["text"], &parts[1]["value"]), (&json!("user('id')"), &json!(user)));
    // One that is not seen, but may be deleted; by uuid.
    let uuid = admin.get("collection/invoice/2").await.at("/uuid");
    let two = explained(&admin, &[("item", uuid.as_str().unwrap())]).await;
    assert_eq!((&two["id"], &action(&two, "show")["refusal"]["kind"]), (&json!(2), &json!("missing")));
    assert_eq!(
        (&action(&two, "edit")["refusal"]["kind"], &action(&two, "delete")["allowed"]),
        (&json!("missing"), &json!(true))
    );
    // The fields of all grants that hold.
    let three = explained(&admin, &[("item", "3")]).await;
    assert_eq!(action(&three, "show")["others"], json!([]));
    assert_eq!(action(&three, "edit")["fields"], json!(["number", "state", "amount", "note", "customer"]));
}

#[spec("D-12")]
async fn of_several_parts_the_smallest_that_decides_is_named(Office { server, admin, clerk, .. }: Office) {
    let role = "role: clerk\nsystem: [restApi]\ntypes:\n  invoice:\n    show:\n      where: >-\n        \
                {=customer.open == true and (amount > 100 or state in ['paid', 'sealed']) and not (number == 'x')}\n";
    server.change(&[("roles/clerk.yaml", role)]).await;
    let because = |explained: &Json| grants(explained, "show")[0]["where"]["because"].clone();
    assert_eq!(because(&explained(&admin, &[("item", "2")]).await), json!(["customer.open == true"]));
    let one = explained(&admin, &[("item", "1")]).await;
    assert_eq!(because(&one), json!(["amount > 100", "state in ['paid', 'sealed']"]));
    let tree = &grants(&one, "show")[0]["where"]["tree"];
    assert_eq!(
        (&tree["value"], &tree["parts"][0]["value"], &tree["parts"][1]["value"]),
        (&json!(false), &json!(true), &json!(false))
    );
    assert_eq!(tree["parts"][1]["parts"][0]["parts"], json!([{"text": "amount", "value": 10, "decides": false}]));
    admin.patch("collection/invoice/1", json!({"amount": 101})).await.is(200);
    let because = because(&explained(&admin, &[("item", "1")]).await);
    assert_eq!(because, json!(["customer.open == true", "amount > 100", "(number == 'x')"]));
    clerk.get("collection/invoice/1").await.is(200);
}

#[spec("D-12")]
async fn new_values_are_tried_and_not_written(Office { admin, clerk, user, .. }: Office) {
    let sealed = tried(&admin, json!({"item": 3}), json!({"state": "sealed"})).await;
    let refusal = &action(&sealed, "edit")["refusal"];
    assert_eq!((&refusal["kind"], &refusal["code"]), (&json!("forbidden"), &json!("check_failed")));
    let grant = grants(&sealed, "edit")[0];
    assert_eq!((&grant["holds"], &grant["check"]["holds"]), (&json!(true), &json!(false)));
    assert_eq!(grant["check"]["because"], json!(["state != 'sealed'"]));
    clerk
        .patch("collection/invoice/3", json!({"state": "sealed"}))
        .await
        .is(403)
        .says(refusal["message"].as_str().unwrap());
    let open = tried(&admin, json!({"item": 3}), json!({"state": "open", "amount": 31})).await;
    assert_eq!((&action(&open, "edit")["allowed"], &action(&open, "edit")["depends"]), (&json!(true), &json!(false)));
    // What a field, a value or a relation is refused for is said as the API says it.
    for (set, code) in [
        (json!({"labels": ["red"]}), "property_forbidden"),
        (json!({"state": "shut"}), "not_option"),
        (json!({"customer": 99}), "relation_missing"),
        (json!({"amont": 2}), "property_unknown"),
    ] {
        let refusal = action(&tried(&admin, json!({"item": 3}), set.clone()).await, "edit")["refusal"].clone();
        let asked = clerk.request("PATCH", "collection/invoice/3").header("accept", "application/problem+json");
        let answer = asked.json(&set).send().await;
        assert_eq!(answer.status, if code == "property_forbidden" { 403 } else { 400 }, "{set}: {}", answer.text);
        assert_eq!((answer.at("/code"), answer.at("/detail")), (refusal["code"].clone(), refusal["message"].clone()));
        assert!(answer.text.contains(code), "{set}: {}", answer.text);
    }
    // Without a row they are those of a new one, with what the grant gives.
    let made = tried(&admin, json!({}), json!({"amount": 12})).await;
    assert_eq!(action(&made, "create")["allowed"], true);
    assert_eq!(grants(&made, "create")[0]["preset"], json!(["state", "owner"]));
    let unlucky = tried(&admin, json!({}), json!({"amount": 13})).await;
    assert_eq!(action(&unlucky, "create")["refusal"]["code"], "check_failed");
    assert_eq!(grants(&unlucky, "create")[0]["check"]["because"], json!(["amount != 13"]));
    // What cannot be known before it is written is said to be so.
    let promise = admin.promise("invoice/paper", "a.txt", b"a").await;
    let file = tried(&admin, json!({}), json!({"paper": promise})).await;
    assert_eq!(action(&file, "create")["refusal"]["code"], "set_untried");
    // Nothing was written by all this.
    assert_eq!(super::ids(&admin, &[]).await, [1, 2, 3, 4, 5]);
    let row = admin.get("collection/invoice/3?showFields=state,amount,version,owner").await.json();
    assert_eq!(
        (&row["state"], &row["amount"], &row["version"], &row["owner"]),
        (&json!("paid"), &json!(30), &json!(1), &json!(user))
    );
}

#[spec("D-12")]
async fn scopes_and_accounts_stand_in_the_way_as_with_a_key(Office { server, admin, .. }: Office) {
    let shown = explained(&admin, &[("item", "3"), ("scopes", "collection:invoice:show")]).await;
    let allowed: Vec<&Json> =
        ["show", "edit", "create", "delete"].iter().map(|name| &action(&shown, name)["allowed"]).collect();
    assert_eq!(allowed, [true, false, false, false]);
    assert_eq!(grants(&shown, "edit")[0]["inScope"], false);
    assert_eq!(shown["user"]["scopes"], json!(["collection:invoice:show"]));
    server.set_user("clerk", json!({"login_expired": true})).await;
    let blocked = explained(&admin, &[("item", "3")]).await;
    assert!(blocked["user"]["obstacle"].as_str().unwrap().contains("blocked"), "{blocked}");
    assert!(blocked["actions"].as_array().unwrap().iter().all(|action| action["allowed"] == false));
    assert_eq!(grants(&blocked, "show")[1]["holds"], true);
}

#[spec("D-12", "D-3")]
async fn administrators_alone_are_told_and_mistakes_are_named(Office { server, admin, clerk, .. }: Office) {
    const PATH: &str = "/api/ext/v1/explain";
    for client in [&clerk, &server.editor(), &server.client()] {
        client.query(PATH, &[("user", CLERK), ("type", "invoice")]).await.is(403).lacks("clerk");
        client.post(PATH, json!({"user": CLERK, "type": "invoice"})).await.is(403).lacks("clerk");
    }
    for (parameters, status, says) in [
        ([("user", CLERK), ("type", "invoise"), ("item", "1")], 404, "invoise"),
        ([("user", "nobody@acme.test"), ("type", "invoice"), ("item", "1")], 404, "nobody@acme.test"),
        ([("user", "999"), ("type", "invoice"), ("item", "1")], 404, "999"),
        ([("user", CLERK), ("type", "invoice"), ("item", "99")], 404, "no such row of invoice"),
        ([("user", CLERK), ("type", "invoice"), ("item", "x")], 404, "no such row of invoice"),
        ([("user", CLERK), ("type", "invoice"), ("itm", "1")], 400, "itm"),
        ([("user", CLERK), ("type", "invoice"), ("scopes", "collection:x:show")], 400, "collection:x:show"),
    ] {
        admin.query(PATH, &parameters).await.is(status).says(says);
    }
    admin.query(PATH, &[("user", CLERK)]).await.is(400).says("type");
    admin.post(PATH, json!({"user": CLERK, "type": "invoice", "set": [1]})).await.is(400).says("set");
}

#[spec("D-12")]
async fn the_statement_of_the_list_is_shown_with_its_plan(Office { admin, user, .. }: Office) {
    let all = explained(&admin, &[]).await;
    let statements = all["statements"].as_array().unwrap();
    let purposes: Vec<&Json> = statements.iter().map(|statement| &statement["purpose"]).collect();
    assert_eq!(purposes, ["total", "rows"]);
    for statement in statements {
        let (sql, values) = (statement["sql"].as_str().unwrap(), statement["values"].as_array().unwrap());
        // Values stand beside the text, never in it.
        assert!(sql.contains("p611") && !sql.contains("'open'"), "{sql}");
        assert!(values.contains(&json!("\"open\"")) && values.contains(&json!(user.to_string())), "{values:?}");
        assert_eq!(statement["names"]["p611"], "invoice.state");
        assert!(!statement["plan"].as_array().unwrap().is_empty(), "{statement}");
    }
    // Whether edit and show hold depends on the row.
    assert_eq!((&action(&all, "show")["depends"], &action(&all, "edit")["depends"]), (&json!(true), &json!(true)));
    assert!(
        grants(&all, "show").iter().all(|grant| grant.get("holds").is_none() && grant["where"].get("tree").is_none())
    );
}

#[spec("D-12", "D-29")]
async fn values_whose_reading_is_logged_are_not_told(Office { server, admin, .. }: Office) {
    let logged = super::INVOICE.replace("name: invoice\n", "name: invoice\nlogReads: true\n");
    server.change(&[("types/invoice.yaml", &logged)]).await;
    let one = explained(&admin, &[("item", "1")]).await;
    let first = &grants(&one, "show")[0]["where"]["tree"];
    assert_eq!((&first["value"], &first["parts"][0]["text"]), (&json!(true), &json!("state")));
    assert_eq!((&first["parts"][0]["withheld"], first["parts"][0].get("value")), (&json!("reads are logged"), None));
}

#[spec("D-12")]
async fn the_command_tells_what_the_api_answers(Office { server, .. }: Office) {
    let role = "role: wary\nsystem: [restApi]\ntypes:\n  invoice: {show: {where: \"{=isApiRequest() and not isLoginAs()}\"}}\n";
    server.role("wary", role).await;
    let plinth = env!("CARGO_BIN_EXE_plinth");
    let (done, text) = server.command(plinth, &["explain", "wary@acme.test", "invoice", "1", "--json"]).await;
    let explained: Json = serde_json::from_str(&text).unwrap();
    assert!(done && action(&explained, "show")["allowed"] == true, "{text}");
    assert_eq!(explained["grants"][0]["where"]["because"], json!(["isApiRequest()", "isLoginAs()"]));
}

#[spec("D-12")]
async fn the_command_draws_a_picture_or_prints_json(Office { server, .. }: Office) {
    let plinth = env!("CARGO_BIN_EXE_plinth");
    let (done, picture) = server.command(plinth, &["explain", CLERK, "invoice", "1", "--sql"]).await;
    assert!(done, "{picture}");
    for line in [
        "✓ show    id, uuid",
        "✗ edit    forbidden (permission_missing)",
        "  ✗ role clerk, roles/clerk.yaml:11 types.invoice.show.1",
        "        ✗ owner.id == user('id')  <-",
        "          · owner.id = null",
        "  p611 is invoice.state",
        "  $1 = ",
        "  | ",
    ] {
        assert!(picture.contains(line), "{line:?} is not in\n{picture}");
    }
    // Nobody looks at a terminal here.
    assert!(!picture.contains('\x1b'), "{picture}");
    let (done, text) =
        server.command(plinth, &["explain", CLERK, "invoice", "3", "--set", "state=sealed", "--json"]).await;
    let explained: Json = serde_json::from_str(&text).unwrap();
    assert!(done);
    assert_eq!(action(&explained, "edit")["refusal"]["code"], "check_failed");
    let (done, text) = server.command(plinth, &["explain", "nobody@acme.test", "invoice", "3"]).await;
    assert!(!done && text.contains("There is no user nobody@acme.test."), "{text}");
}
