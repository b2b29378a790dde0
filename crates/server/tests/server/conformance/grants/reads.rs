//! Whatever reads: lists, single resources, filters, sorts, expansion, search, files.

use super::{Office, found, ids, ids_of};
use serde_json::{Value as Json, json};
use spec::spec;

#[spec("D-12", "D-13")]
async fn rows_and_fields_are_those_of_the_grants_that_hold(Office { admin, clerk, user, .. }: Office) {
    assert_eq!(ids(&admin, &[]).await, [1, 2, 3, 4, 5]);
    assert_eq!(ids(&clerk, &[]).await, [1, 3, 4, 5]);
    assert_eq!(ids_of(&clerk, "company", &[]).await, [1]);
    let rows = clerk.get("collection/invoice").await.is(200).json();
    for row in rows["data"].as_array().unwrap() {
        // What may not be read is absent, never null.
        let own = row["id"] == 3;
        assert_eq!(row.get("amount").is_some(), own, "{row}");
        assert_eq!(row.get("note").is_some(), own, "{row}");
        assert!(row.get("number").is_some() && row.get("uuid").is_some(), "{row}");
    }
    let own = clerk.get("collection/invoice/3").await.is(200).json();
    assert_eq!((&own["amount"], &own["note"]), (&json!(30), &json!("linden")));
    clerk.get("collection/invoice/1").await.is(200).lacks("amount").lacks("linden");
    // A row that is there and is not seen is as one that is not there.
    let hidden = clerk.get("collection/invoice/2").await.is(404).text;
    assert_eq!(hidden, clerk.get("collection/invoice/99").await.is(404).text);
    let uuid = admin.get("collection/invoice/2").await.at("/uuid");
    clerk.get(&format!("collection/invoice/{}", uuid.as_str().unwrap())).await.is(404);
    clerk.get("collection/invoice/get-by/number/one").await.is(200);
    clerk.get("collection/invoice/get-by/number/two").await.is(404);
    // A change of what the grant looks at moves rows in and out at once.
    admin.patch("collection/invoice/2", json!({"state": "open"})).await.is(200);
    admin.patch("collection/invoice/3", json!({"owner": null})).await.is(200);
    assert_eq!(ids(&clerk, &[]).await, [1, 2, 4, 5]);
    admin.patch("collection/invoice/1", json!({"owner": user})).await.is(200);
    assert_eq!(clerk.get("collection/invoice/1").await.is(200).at("/amount"), 10);
}

#[spec("D-3", "D-12")]
async fn filters_find_by_what_a_row_shows_alone(Office { admin, clerk, .. }: Office) {
    for (property, filter, param, of_admin, of_clerk) in [
        ("amount", "gte", json!(10), vec![1, 2, 3, 4], vec![3]),
        ("amount", "isNull", Json::Null, vec![], vec![1, 4, 5]),
        ("amount", "neq", json!(30), vec![1, 2, 4, 5], vec![1, 4, 5]),
        ("note", "eq", json!("linden"), vec![1, 3], vec![3]),
        ("note", "search", json!("linden"), vec![1, 3], vec![3]),
        ("*", "search", json!("linden"), vec![1, 3], vec![3]),
        ("*", "search", json!("one"), vec![1], vec![1]),
        ("amount", "gt", json!({"$property": "id"}), vec![1, 2, 3, 4], vec![3]),
        ("id", "lt", json!({"$property": "amount"}), vec![1, 2, 3, 4], vec![3]),
        ("id", "gt", json!({"$property": "amount"}), vec![], vec![]),
        ("labels", "anyOf", json!(["red"]), vec![5], vec![]),
        ("labels", "size", json!(0), vec![1, 2, 3, 4], vec![1, 3, 4, 5]),
        ("labels", "size", json!({"gte": 1}), vec![5], vec![]),
        ("state", "eq", json!("paid"), vec![2, 3], vec![3]),
        // Related rows that are not seen are not there, though the relation names them.
        ("customer", "eq", json!(2), vec![2, 3, 4], vec![3, 4]),
        ("customer.name", "eq", json!("Beta"), vec![2, 3, 4], vec![]),
        ("customer.name", "isNull", Json::Null, vec![5], vec![3, 4, 5]),
        ("customer.open", "neq", json!(true), vec![2, 3, 4, 5], vec![3, 4, 5]),
        ("partners.name", "eq", json!("Beta"), vec![5], vec![]),
        ("partners.name", "eq", json!("Alfa"), vec![5], vec![5]),
        (
            "partners",
            "every",
            json!([{"property": "open", "type": "eq", "param": true}]),
            vec![1, 2, 3, 4],
            vec![1, 3, 4, 5],
        ),
        ("partners", "some", json!([{"property": "open", "type": "eq", "param": false}]), vec![5], vec![]),
        ("above.number", "eq", json!("two"), vec![4], vec![]),
        ("above.above.number", "isNotNull", Json::Null, vec![5], vec![]),
        ("id", "descendantOf", json!(2), vec![4, 5], vec![4, 5]),
        ("id", "ancestorOf", json!(5), vec![2, 4], vec![4]),
    ] {
        let param_of = |expected: &[i64]| format!("{property} {filter} {param}: {expected:?}");
        assert_eq!(found(&admin, property, filter, param.clone()).await, of_admin, "{}", param_of(&of_admin));
        assert_eq!(found(&clerk, property, filter, param.clone()).await, of_clerk, "{}", param_of(&of_clerk));
    }
    // What is below what is not seen is below nothing: the way up ends there.
    admin.patch("collection/invoice/4", json!({"state": "sealed"})).await.is(200);
    assert_eq!(found(&clerk, "id", "descendantOf", json!(2)).await, [0; 0]);
    assert_eq!(found(&admin, "id", "descendantOf", json!(2)).await, [4, 5]);
    let uuid = admin.get("collection/company/2").await.at("/uuid");
    assert_eq!(found(&admin, "customer", "eq", uuid.clone()).await, [2, 3, 4]);
    assert_eq!(found(&clerk, "customer", "eq", uuid.clone()).await, [0; 0]);
    let by_uuid = format!("collection/invoice/get-by/customer/{}", uuid.as_str().unwrap());
    admin.get(&by_uuid).await.is(200);
    clerk.get(&by_uuid).await.is(404);
    clerk.get("collection/invoice/get-by/amount/10").await.is(404);
    clerk.get("collection/invoice/get-by/amount/30").await.is(200);
}

#[spec("D-3", "D-18")]
async fn what_a_row_does_not_show_is_sorted_as_null(Office { admin, clerk, .. }: Office) {
    assert_eq!(ids(&admin, &[("orderBy", "amount")]).await, [5, 1, 2, 3, 4]);
    assert_eq!(ids(&clerk, &[("orderBy", "amount")]).await, [3, 1, 4, 5]);
    assert_eq!(ids(&clerk, &[("orderBy", "-amount")]).await, [1, 4, 5, 3]);
    assert_eq!(ids(&admin, &[("orderBy", "-customer.name,id")]).await, [5, 2, 3, 4, 1]);
    assert_eq!(ids(&clerk, &[("orderBy", "-customer.name,id")]).await, [3, 4, 5, 1]);
    assert_eq!(ids(&clerk, &[("orderBy", "above.number,above.amount,-id")]).await, [5, 4, 3, 1]);
    for page in 1..=4_usize {
        let paged = [("orderBy", "amount"), ("perPage", "1"), ("page", &page.to_string())];
        assert_eq!(ids(&clerk, &paged).await, [[3, 1, 4, 5][page - 1]]);
    }
}

#[spec("D-3", "D-19", "D-20")]
async fn expanded_and_wrapped_relations_show_what_is_seen(Office { admin, clerk, .. }: Office) {
    let show = [("showFields", "id,customer.name,partners.name,above.amount")];
    let of_admin = admin.query("collection/invoice/4", &show).await.is(200).json();
    assert_eq!(of_admin["customer"]["name"], "Beta");
    let row = clerk.query("collection/invoice/4", &show).await.is(200).json();
    assert_eq!(row, json!({"id": 4, "customer": null, "partners": [], "above": null}));
    let row = clerk.query("collection/invoice/5", &show).await.is(200).json();
    // Of an open invoice the amount is not shown: absent.
    let partners = json!([{"id": 1, "name": "Alfa"}]);
    assert_eq!(row, json!({"id": 5, "customer": null, "partners": partners, "above": {"id": 4}}));
    admin.patch("collection/invoice/5", json!({"above": 3})).await.is(200);
    let row = clerk.query("collection/invoice/5", &show).await.is(200).json();
    assert_eq!(row["above"], json!({"id": 3, "amount": 30}));
    let row = clerk.query("collection/invoice/4", &[("wrapFields", "*")]).await.is(200).json();
    assert_eq!((&row["customer"]["value"], &row["customer"]["display"]), (&json!(2), &json!("2")));
    assert_eq!((&row["customer"]["uuid"], &row["above"]["display"]), (&Json::Null, &json!("2")));
    assert!(row.get("amount").is_none(), "{row}");
    let row = clerk.query("collection/invoice/1", &[("wrapFields", "customer")]).await.is(200).json();
    assert_eq!(row["customer"]["display"], "Alfa");
    let row = clerk.query("collection/invoice/5", &[("wrapFields", "partners")]).await.is(200).json();
    assert_eq!(row["partners"]["display"], "2, Alfa");
    assert_eq!(row["partners"]["items"][0]["uuid"], Json::Null);
}

#[spec("D-12")]
async fn what_names_a_resource_may_differ_from_row_to_row(Office { server, admin, .. }: Office) {
    let role = r#"
role: namer
system: [restApi]
types:
  company:
    show: [{fields: [open]}, {where: "{=open == true}", fields: [name]}]
  invoice: {show: true}
"#;
    let namer = server.role("namer", role).await;
    for (invoice, display) in [(1, "Alfa"), (2, "2")] {
        let path = format!("collection/invoice/{invoice}");
        let row = namer.query(&path, &[("wrapFields", "customer")]).await.is(200).json();
        assert_eq!(row["customer"]["display"], display);
        assert!(row["customer"]["uuid"].is_string(), "the row is seen: {row}");
    }
    assert_eq!(ids_of(&namer, "company", &[("orderBy", "name")]).await, [1, 2]);
    assert_eq!(ids_of(&namer, "company", &[("orderBy", "-name")]).await, [2, 1]);
    namer.get("collection/company/2").await.is(200).lacks("Beta").says("open");
    namer.get("collection/company/1").await.is(200).says("Alfa");
    assert_eq!(found(&namer, "customer.name", "isNull", Json::Null).await, [2, 3, 4, 5]);
    assert_eq!(found(&admin, "customer.name", "isNull", Json::Null).await, [5]);
}

#[spec("D-12", "D-9")]
async fn grants_for_rows_add_up_and_scopes_narrow_them(Office { server, clerk, .. }: Office) {
    let files = [(
        "roles/payer.yaml",
        "role: payer\nsystem: [restApi]\ntypes:\n  invoice: {show: {where: \"{=state == 'paid'}\", fields: [amount]}}\n",
    )];
    server.change(&files).await;
    server.set_user("clerk", json!({"roles": ["clerk", "payer"]})).await;
    assert_eq!(ids(&clerk, &[]).await, [1, 2, 3, 4, 5]);
    let two = clerk.get("collection/invoice/2").await.is(200).json();
    assert_eq!((two["amount"].clone(), two.get("number")), (json!(20), None));
    let three = clerk.get("collection/invoice/3").await.is(200).json();
    assert!(three.get("note").is_some(), "{three}");
    // A grant for every row with all fields leaves nothing to be limited.
    let all = "role: payer\nsystem: [restApi]\ntypes:\n  invoice: {show: true}\n";
    server.change(&[("roles/payer.yaml", all)]).await;
    assert_eq!(clerk.get("collection/invoice/2").await.is(200).at("/note"), "maple");
    let login = server.login("clerk").await;
    let scope = "collection:invoice:edit";
    let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scope)];
    let made = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
    let writer = server.client().with("key", made.as_str().unwrap());
    writer.get("collection/invoice/3").await.is(403);
    // Without the right to show, a row that is not the key's to change is missing.
    writer.patch("collection/invoice/1", json!({"number": "x"})).await.is(404);
    let row = writer.patch("collection/invoice/3", json!({"number": "x"})).await.is(200).json();
    assert!(row.get("number").is_none() && row["id"] == 3, "{row}");
}

#[spec("D-12")]
async fn a_grant_may_ask_of_the_users_own_row(Office { server, admin, .. }: Office) {
    let user_type = "name: user\nproperties:\n  company: {id: 650, kind: pRelation, type: company, onDelete: setNull}\n  \
                     limit: {id: 651, kind: pInteger}\n";
    server.change(&[("types/user.yaml", user_type)]).await;
    let role = "role: kin\nsystem: [restApi]\ntypes:\n  invoice:\n    \
                show: {where: \"{=customer.id == user('company.id') and user('company') != null and amount <= user('limit')}\"}\n";
    let kin = server.role("kin", role).await;
    assert_eq!(ids(&kin, &[]).await, [0; 0]);
    server.set_user("kin", json!({"company": 2, "limit": 30})).await;
    assert_eq!(ids(&kin, &[]).await, [2, 3]);
    server.set_user("kin", json!({"limit": 25})).await;
    assert_eq!(ids(&kin, &[]).await, [2]);
    // What a deletion does to the user's row is seen as well.
    admin.delete("collection/company/2").await.is(204);
    assert_eq!(ids(&kin, &[]).await, [0; 0]);
    kin.get("collection/invoice/5").await.is(404);
}

#[spec("D-12", "D-28")]
async fn a_grant_may_look_at_the_present(Office { server, .. }: Office) {
    let role = "role: early\nsystem: [restApi]\ntypes:\n  invoice:\n    \
                show: {where: \"{=id < 3 and time() < 1795176100}\"}\n";
    let early = server.role("early", role).await;
    for _ in 0..3 {
        assert_eq!(ids(&early, &[("orderBy", "-amount")]).await, [2, 1]);
    }
    server.clock().advance(200);
    early.get("collection/invoice/1").await.is(404);
    assert_eq!(ids(&early, &[("orderBy", "-amount")]).await, [0; 0]);
}

#[spec("D-12", "D-28", "R-422", "R-423")]
async fn a_grant_may_ask_how_the_request_came(Office { server, admin, .. }: Office) {
    let role = "role: wary\nsystem: [restApi]\ntypes:\n  invoice:\n    \
                show: [{where: \"{=id < 3 and isApiRequest()}\"}, {where: \"{=id == 3 and isLoginAs()}\", fields: [number]}]\n    \
                edit: {where: \"{=not isLoginAs()}\"}\n";
    let wary = server.role("wary", role).await;
    let key = admin.post("/api/ext/v1/login-as", json!({"user": "wary@acme.test"})).await.is(200);
    let acting = server.client().with("key", key.at("/authToken/keyString").as_str().unwrap());
    let change = json!({"amount": 11});
    let promise = admin.promise("invoice/paper", "a.txt", b"hello").await;
    admin.patch("collection/invoice/2", json!({"paper": promise})).await.is(200);
    // Asked in turn: neither's answer is the other's, kept or by its ETag.
    for _ in 0..3 {
        assert_eq!(ids(&wary, &[]).await, [1, 2]);
        assert_eq!(ids(&acting, &[]).await, [1, 2, 3]);
        wary.get("collection/invoice/3").await.is(404);
        assert_eq!(acting.get("collection/invoice/3").await.is(200).at("/number"), json!("three"));
    }
    let etag = acting.get("collection/invoice").await.is(200).header("etag").to_owned();
    let other = wary.request("GET", "collection/invoice").header("if-none-match", &etag).send().await;
    assert_eq!(other.is(200).column("id"), [1, 2]);
    let url = wary.get("collection/invoice/2").await.at("/paper/url").as_str().unwrap().to_owned();
    assert_eq!(server.client().get(&url).await.is(200).bytes, "hello");
    wary.patch("collection/invoice/1", change.clone()).await.is(200);
    acting.patch("collection/invoice/1", change).await.is(403).says("The permission edit on invoice is needed.");
}

#[spec("D-3", "D-12")]
async fn queries_list_what_the_caller_sees(Office { server, admin, clerk, .. }: Office) {
    let query = "query: dear\ntype: invoice\nfilters: [{property: amount, type: lt, param: 35}]\norderBy: -amount\n";
    server.change(&[("queries/dear.yaml", query)]).await;
    assert_eq!(admin.get("/api/ext/v1/query/dear").await.is(200).column("id"), [3, 2, 1, 5]);
    let reply = clerk.get("/api/ext/v1/query/dear").await.is(200);
    assert_eq!((reply.column("id"), reply.at("/stats/total")), (vec![json!(3)], json!(1)));
}
