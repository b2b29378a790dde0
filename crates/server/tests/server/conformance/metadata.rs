//! propsMeta: what is told of properties, to whom, and that it is true.

use super::wrapping::{Things, thing};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

fn keys(value: &Json) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[spec("R-114", "D-19", "D-20")]
async fn metadata_stands_beside_what_is_read(Things(server): Things) {
    let (thing, _) = thing(&server).await;
    let admin = server.admin();
    let list = admin.get("collection/thing?propsMeta=*").await.is(200).json();
    assert_eq!(keys(&list), ["stats", "data", "propsMeta"]);
    assert_eq!(keys(&list["propsMeta"]), keys(&thing), "a member for each field that is shown");
    let all = &list["propsMeta"];
    let id = &thing["id"];
    for path in [format!("collection/thing/{id}"), "collection/thing/get-by/slug/a-b".to_owned()] {
        let mut one = admin.query(&path, &[("propsMeta", "1")]).await.is(200).json();
        assert_eq!(one.as_object_mut().unwrap().shift_remove("_propsMeta").as_ref(), Some(all), "{path}");
        assert_eq!(one, thing);
    }
    assert_eq!(&admin.search("collection/thing", json!({"propsMeta": "*"})).await.is(200).json()["propsMeta"], all);
    assert_eq!(&admin.search("collection/thing", json!({"propsMeta": 1})).await.is(200).json()["propsMeta"], all);
    for query in ["propsMeta=enum,slug", "propsMeta=enum&propsMeta=slug", "propsMeta[]=enum&propsMeta[]=slug,enum"] {
        let some = admin.get(&format!("collection/thing?{query}")).await.is(200).json();
        assert_eq!(keys(&some["propsMeta"]), ["enum", "slug"], "{query}");
        assert_eq!(some["propsMeta"]["enum"], all["enum"]);
    }
    // Fields that are not shown can be asked for, and all that are shown are the shown ones.
    let narrow = admin.get("collection/thing?showFields=slug&propsMeta=version").await.is(200).json();
    assert_eq!((keys(&narrow["propsMeta"]), keys(&narrow["data"][0])), (vec!["version"], vec!["id", "slug"]));
    let narrow = admin.get("collection/thing?showFields=slug&hideFields=id&propsMeta=*,enum").await.is(200).json();
    assert_eq!(keys(&narrow["propsMeta"]), ["enum", "slug"]);
    let bare = admin.get(&format!("collection/thing/{id}?showFields=id&hideFields=id&propsMeta=id")).await.is(200);
    assert_eq!(keys(&bare.json()), ["_propsMeta"]);
    admin.get("collection/thing?page=2&propsMeta=*").await.is(204);
    assert_eq!(admin.get("collection/thing").await.is(200).at("/propsMeta"), Json::Null);
}

#[spec("D-20")]
async fn each_property_is_described(Things(server): Things) {
    thing(&server).await;
    let admin = server.admin();
    let told = admin.get("collection/thing?propsMeta=*,version,relation.parent").await.is(200).at("/propsMeta");
    assert_eq!(
        told["enum"],
        json!({
            "id": 310, "identifier": "enum", "title": "Enum", "kind": "pEnum", "multiple": false, "required": false,
            "unique": false, "readOnly": false, "calculated": false, "default": null, "description": "",
            "options": [
                {"value": "a", "title": "The a", "color": "#2a7", "archived": false},
                {"value": "b", "title": "The \"b\"", "color": null, "archived": false},
                {"value": "c", "title": "c", "color": null, "archived": true},
            ],
            "sortable": true,
            "filterTypes": ["eq", "neq", "in", "notIn", "isNull", "isNotNull", "isEmpty", "isNotEmpty"],
            "write": true,
        })
    );
    for (property, member, value) in [
        ("string", "description", json!("What it is called")),
        ("integer", "default", json!(5)),
        ("email", "unique", json!(true)),
        ("number", "readOnly", json!(true)),
        ("number", "write", json!(false)),
        ("files", "multiple", json!(true)),
        ("file", "multiple", json!(false)),
        ("enums", "multiple", json!(true)),
        ("relation", "relation", json!({"typeId": 31, "type": "branch", "title": "Branch"})),
        ("user", "relation", json!({"typeId": 1, "type": "user", "title": "User"})),
        ("version", "id", json!(null)),
        ("version", "write", json!(false)),
        ("relation.parent", "identifier", json!("parent")),
        ("relation.parent", "id", json!(341)),
        ("json", "sortable", json!(false)),
        (
            "group",
            "options",
            json!([
                {"value": "blue", "title": "Team blue", "color": null, "archived": false},
                {"value": "red", "title": "Team red", "color": null, "archived": false},
            ]),
        ),
    ] {
        assert_eq!(told[property][member], value, "{property} {member}");
    }
    assert!(told["string"].get("options").is_none() && told["string"].get("relation").is_none());
    let expanded = admin.get("collection/thing?showFields=relation.parent.name,relations.since&propsMeta=*").await;
    let told = expanded.is(200).at("/propsMeta");
    let paths = [
        "id",
        "relation",
        "relation.id",
        "relation.parent",
        "relation.parent.id",
        "relation.parent.name",
        "relations",
        "relations.id",
        "relations.since",
    ];
    assert_eq!(keys(&told), paths);
    assert_eq!(told["relations.since"]["kind"], "pDate");
}

#[spec("D-3", "D-12")]
async fn metadata_tells_what_the_caller_may(server: Server) {
    server.admin().create("article", json!({"name": "A"})).await;
    let told = async |client: &Client| client.get("collection/article?propsMeta=*").await.is(200).at("/propsMeta");
    let seen = told(&server.editor()).await;
    let written: Vec<&str> = keys(&seen).into_iter().filter(|name| seen[name]["write"] == true).collect();
    assert_eq!(written, ["name", "code", "body", "views", "price", "released", "published", "labels", "author"]);
    assert!(seen.get("cost").is_none());
    // A type that may not be seen is not told of, nor what would need to look into it.
    assert!(seen["owner"].get("relation").is_none() && seen["author"]["relation"]["type"] == "person");
    let seen = told(&server.reader()).await;
    assert_eq!(keys(&seen), ["id", "uuid", "name", "views", "published", "author"]);
    assert!(keys(&seen).iter().all(|name| seen[name]["write"] == false) && seen["author"].get("relation").is_none());
    // Other rights are told of at once, and other configuration.
    let more = "role: reader\nsystem: [restApi]\ntypes:\n  article: {show: true, edit: {fields: [views]}}\n";
    server.change(&[("roles/reader.yaml", more)]).await;
    let seen = told(&server.reader()).await;
    assert!(seen.get("cost").is_some() && seen["views"]["write"] == true && seen["name"]["write"] == false, "{seen}");
}

/// What decides about the rights of users is for administrators.
#[spec]
async fn guarded_properties_of_users_are_not_written(engine: Engine) {
    let role = "role: staff\nsystem: [restApi]\ntypes:\n  user: {show: true, edit: true}\n";
    let server = Server::with(engine, &[]).await;
    let staff = server.role("staff", role).await;
    for (client, may) in [(staff, false), (server.admin(), true)] {
        let told = client.get("collection/user?propsMeta=*").await.is(200).at("/propsMeta");
        assert_eq!((&told["roles"]["write"], &told["user_name"]["write"]), (&json!(may), &json!(true)));
        assert!(told.get("password").is_none());
    }
}

/// A param that fits a filter type and a property.
fn param(filter_type: &str, value: &Json, multiple: bool) -> Json {
    let member = if multiple { value[0].clone() } else { value.clone() };
    match filter_type {
        "in" | "notIn" | "anyOf" | "allOf" | "noneOf" => json!([member]),
        "between" | "notBetween" => json!([member, member]),
        "isNull" | "isNotNull" | "isEmpty" | "isNotEmpty" => Json::Null,
        "onDay" | "within" | "withinMonth" | "withinYear" => json!("2026-11-20"),
        "inPeriod" => json!("today"),
        "inLast" | "inNext" => json!("2 days"),
        "size" | "descendantOf" | "ancestorOf" => json!(1),
        "some" | "none" | "every" => json!([{"property": "id", "type": "isNotNull"}]),
        "eq" | "neq" | "lt" | "lte" | "gt" | "gte" => member,
        _ => json!("a"),
    }
}

#[spec]
async fn told_filter_types_and_orders_are_true(Things(server): Things) {
    let (thing, _) = thing(&server).await;
    let limited =
        "role: limited\nsystem: [restApi]\ntypes:\n  thing: {show: true}\n  branch: {show: {fields: [name]}}\n";
    let limited = server.role("limited", limited).await;
    let blind = "role: blind\nsystem: [restApi]\ntypes:\n  thing: {show: true}\n";
    let blind = server.role("blind", blind).await;
    truth(&server.admin(), "thing", &thing, &["created", "createdBy", "version"]).await;
    for client in [&limited, &blind] {
        truth(client, "thing", &json!({"id": 1, "relation": 1, "relations": [1], "user": 1}), &[]).await;
    }
    let branch = server.admin().create("branch", json!({"name": "A", "since": "2026-11-20", "parent": 1})).await;
    truth(&server.admin(), "branch", &branch, &["updated"]).await;
    truth(&limited, "branch", &json!({"id": 1, "name": "A"}), &[]).await;
}

/// Asks for each filter type on each property that the sample has, and for an order by it.
async fn truth(client: &Client, collection: &str, sample: &Json, system: &[&str]) {
    let path = format!("collection/{collection}");
    let names: Vec<&str> = keys(sample).into_iter().chain(system.iter().copied()).collect();
    let asked = json!({"showFields": "id", "propsMeta": names});
    let told = client.search(&path, asked).await.is(200).at("/propsMeta");
    let row = json!({"created": "2026-11-20T12:00:00Z", "updated": "2026-11-20", "createdBy": 1, "version": 1});
    for name in names {
        let about = &told[name];
        let value = sample.get(name).unwrap_or(&row[name]);
        let listed: Vec<&str> =
            about["filterTypes"].as_array().unwrap().iter().map(|of| of.as_str().unwrap()).collect();
        for filter_type in query::filters::names().filter(|name| !["and", "or", "not"].contains(name)) {
            let multiple = about["multiple"] == true && value.is_array();
            let filter = json!({"property": name, "type": filter_type, "param": param(filter_type, value, multiple)});
            let reply = client.search(&path, json!({"filters": [filter], "showFields": "id"})).await;
            let taken = [200, 204].contains(&reply.status);
            assert_eq!(taken, listed.contains(&filter_type), "{collection} {filter}: {} {}", reply.status, reply.text);
            assert!(taken || reply.status == 400, "{filter}: {}", reply.text);
        }
        let status = client.query(&path, &[("orderBy", name), ("showFields", "id")]).await.status;
        assert_eq!(status, if about["sortable"] == true { 200 } else { 400 }, "{collection} orderBy={name}");
    }
}
