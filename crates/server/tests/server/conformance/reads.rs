//! Get one and get-by: the shape of a resource.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

#[spec("R-030", "R-033", "R-129", "R-265", "D-1", "D-16")]
async fn a_resource_has_its_types_properties_and_no_more(server: Server) {
    let admin = server.admin();
    let id = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let row = admin.get(&format!("collection/country/{id}")).await.is(200).json();
    assert_eq!(row.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid", "name", "code"]);
    assert_eq!((&row["name"], &row["code"]), (&json!("Czechia"), &json!("CZ")));
    let uuid = row["uuid"].as_str().unwrap();
    assert_eq!((uuid.len(), uuid.as_bytes()[14]), (36, b'7'), "{uuid}");
    assert_eq!(uuid, uuid.to_lowercase());
    let note = admin.create("note", json!({})).await["id"].clone();
    let note = admin.get(&format!("collection/note/{note}")).await.is(200).json();
    // A property without a value is there, and null.
    assert_eq!((&note["text"], &note["article"]), (&Json::Null, &Json::Null));
    assert!(note.as_object().unwrap().contains_key("article"));
}

#[spec("R-108", "R-272")]
async fn an_item_is_addressed_by_id_or_uuid(server: Server) {
    let admin = server.admin();
    let row = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await;
    let uuid = row["uuid"].as_str().unwrap();
    for item in [row["id"].to_string(), uuid.to_owned(), uuid.to_uppercase()] {
        assert_eq!(admin.get(&format!("collection/country/{item}")).await.is(200).json(), row);
    }
    let big = "9".repeat(30);
    for item in [
        "0",
        "-1",
        "99999",
        "CZ",
        "1.0",
        "0x1",
        "1e0",
        "9223372036854775808",
        &big,
        "%27",
        "1%20",
        "null",
        "00000000-0000-7000-8000-000000000000",
    ] {
        let reply = admin.get(&format!("collection/country/{item}")).await;
        assert!([400, 404].contains(&reply.status), "{item}: {}", reply.status);
    }
    admin.get("collection/country/99999").await.is(404);
    admin.get("collection/country/00000000-0000-7000-8000-000000000000").await.is(404);
}

#[spec("R-089", "R-130", "D-13")]
async fn get_by_finds_the_first_match(server: Server) {
    let admin = server.admin();
    let first = admin.create("article", json!({"name": "Same", "views": 7, "published": "2026-01-02T03:04:05Z"})).await;
    admin.create("article", json!({"name": "Same", "views": 8})).await;
    for path in ["name/Same", "views/7", "uuid/UUID", "id/ID", "status/draft", "published/2026-01-02T03:04:05Z"] {
        let path = path.replace("UUID", first["uuid"].as_str().unwrap()).replace("ID", &first["id"].to_string());
        let found = admin.get(&format!("collection/article/get-by/{path}")).await.is(200);
        assert_eq!(found.at("/id"), first["id"], "{path}");
    }
    admin.get("collection/article/get-by/name/same").await.is(404);
    admin.get("collection/article/get-by/nothing/x").await.is(400).says("nothing");
    admin.get("collection/article/get-by/views/many").await.is(400);
    admin.get("collection/article/get-by/meta/x").await.is(400);
    admin.get("collection/nothing/get-by/name/x").await.is(404);
    let encoded = admin.create("article", json!({"name": "a b+c?ž&"})).await;
    let found = admin.get("collection/article/get-by/name/a%20b+c%3F%C5%BE&").await.is(200);
    assert_eq!(found.at("/id"), encoded["id"]);
    // A value may have slashes, encoded: links and zones have them.
    let linked = admin.create("article", json!({"name": "a/b\\..", "link": "https://example.com/a?b=c"})).await;
    for path in ["link/https:%2F%2Fexample.com%2fa%3Fb=c", "name/a%2Fb%5C.."] {
        let found = admin.get(&format!("collection/article/get-by/{path}")).await.is(200);
        assert_eq!(found.at("/id"), linked["id"], "{path}");
    }
    for path in ["name/a/b", "name/a%2Fb/", "na%2Fme/a", "name/", "name/%2e%2E", "name/a%0Ab"] {
        admin.get(&format!("collection/article/get-by/{path}")).await.is(404);
    }
}

#[spec("R-127", "R-131", "R-269", "D-21", "A079")]
async fn search_and_filters_do_not_go_with_one_resource(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    admin.search(&format!("collection/article/{id}"), json!({})).await.is(400);
    admin.search("collection/article/get-by/name/A", json!({})).await.is(400);
    admin.query("collection/article/get-by/name/A", &[("filters", "[]")]).await.is(400);
    admin.query(&format!("collection/article/{id}"), &[("filters", "[]")]).await.is(400);
}

#[spec("R-115", "R-116", "D-19")]
async fn one_resource_takes_show_and_hide_fields(server: Server) {
    let admin = server.admin();
    let id = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    for path in [format!("collection/country/{id}"), "collection/country/get-by/code/CZ".to_owned()] {
        let reply = admin.get(&format!("{path}?showFields=name")).await.is(200);
        assert_eq!(reply.json(), json!({"id": id, "name": "Czechia"}));
        let reply = admin.get(&format!("{path}?hideFields=id,uuid,code")).await.is(200);
        assert_eq!(reply.json(), json!({"name": "Czechia"}));
        admin.get(&format!("{path}?page=1")).await.is(400).says("page");
    }
}

#[spec("D-16")]
async fn every_resource_keeps_when_who_and_which_version(server: Server) {
    let admin = server.admin();
    let id = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let path = format!("collection/country/{id}?showFields=created,updated,createdBy,updatedBy,version");
    let user = server.user("admin").await;
    let noon = "2026-11-20T13:00:00+01:00";
    let expected =
        json!({"id": id, "created": noon, "updated": noon, "createdBy": user, "updatedBy": user, "version": 1});
    assert_eq!(admin.get(&path).await.is(200).json(), expected);
    server.clock().advance(61);
    admin.patch(&format!("collection/country/{id}"), json!({"name": "Česko"})).await.is(200).lacks("version");
    let row = admin.get(&path).await.is(200).json();
    assert_eq!(
        (&row["created"], &row["updated"], &row["version"]),
        (&json!(noon), &json!("2026-11-20T13:01:01+01:00"), &json!(2))
    );
    for name in ["created", "updated", "createdBy", "updatedBy", "version"] {
        let body = json!({name: 7});
        admin.patch(&format!("collection/country/{id}"), body).await.is(400).says("read-only");
        admin.query("collection/country", &[("orderBy", name)]).await.is(200);
    }
    let later = admin.create("country", json!({"name": "Slovakia", "code": "SK"})).await["id"].clone();
    for (name, kind, param, expected) in [
        ("version", "eq", json!(2), &id),
        ("created", "lt", json!("2026-11-20T12:00:01Z"), &id),
        ("created", "gte", json!("2026-11-20 13:00:01"), &later),
        ("updated", "lte", json!("2026-11-20T12:01:01Z"), &id),
        ("uuid", "eq", admin.get(&format!("collection/country/{later}")).await.at("/uuid"), &later),
    ] {
        if name == "updated" {
            server.clock().advance(1);
            admin.patch(&format!("collection/country/{later}"), json!({"name": "Slovensko"})).await.is(200);
        }
        let filter = json!({"filters": [{"property": name, "type": kind, "param": param}]});
        assert_eq!(
            admin.search("collection/country", filter).await.is(200).column("id"),
            std::slice::from_ref(expected),
            "{name}"
        );
    }
    for name in ["createdBy", "updatedBy"] {
        let filter = |user: i64| json!({"filters": [{"property": name, "type": "eq", "param": user}]});
        assert_eq!(admin.search("collection/country", filter(user)).await.is(200).at("/stats/total"), 2, "{name}");
        let reader = server.user("reader").await;
        admin.search("collection/country", filter(reader)).await.is(204);
    }
    for (order, expected) in [("-created", [&later, &id]), ("updated", [&id, &later]), ("createdBy,-id", [&later, &id])]
    {
        let sorted = admin.query("collection/country", &[("orderBy", order)]).await.is(200);
        assert_eq!(sorted.column("id"), expected.map(Clone::clone), "{order}");
    }
}

#[spec("R-030", "R-032", "R-045")]
async fn each_kind_goes_in_and_comes_out_in_its_wire_form(server: Server) {
    let admin = server.admin();
    let person = admin.create("person", json!({"name": "P"})).await["id"].clone();
    let user = server.user("reader").await;
    for (property, input, output) in [
        ("name", json!("Žluťoučký 🐴 \"x\"\n"), json!("Žluťoučký 🐴 \"x\"\n")),
        ("body", json!("a\u{0301}"), json!("a\u{0301}")),
        ("views", json!(9_223_372_036_854_775_807_i64), json!(9_223_372_036_854_775_807_i64)),
        ("views", json!(-9_223_372_036_854_775_808_i64), json!(-9_223_372_036_854_775_808_i64)),
        ("rating", json!(0.1), json!(0.1)),
        ("rating", json!(-1.5e-7), json!(-1.5e-7)),
        ("active", json!(true), json!(true)),
        ("released", json!("2024-02-29"), json!("2024-02-29")),
        ("month", json!("2024-02"), json!("2024-02")),
        ("opens", json!("08:30:00"), json!("08:30:00")),
        ("published", json!("2026-06-01T10:00:00Z"), json!("2026-06-01T12:00:00+02:00")),
        ("published", json!("2026-06-01T10:00:00.250Z"), json!("2026-06-01T12:00:00.250+02:00")),
        ("status", json!("live"), json!("live")),
        ("labels", json!(["green", "red"]), json!(["green", "red"])),
        ("labels", json!([]), json!([])),
        ("author", person.clone(), person.clone()),
        ("readers", json!([person]), json!([person])),
        ("owner", json!(user), json!(user)),
        ("team", json!("red"), json!("red")),
        ("meta", json!({"b": [1, 2.5, null, "x"], "a": {}}), json!({"b": [1, 2.5, null, "x"], "a": {}})),
        ("email", json!("someone@example.com"), json!("someone@example.com")),
        ("link", json!("https://example.com/a?b=c"), json!("https://example.com/a?b=c")),
        ("phone", json!("+420123456789"), json!("+420123456789")),
        ("slug", json!("a-slug-1"), json!("a-slug-1")),
        ("color", json!("#22aa77"), json!("#22aa77")),
    ] {
        let mut body = json!({"name": "A"});
        body[property] = input.clone();
        let id = admin.post("collection/article", body).await.is(201).at("/id");
        let reply = admin.get(&format!("collection/article/{id}?showFields={property}")).await.is(200);
        assert_eq!(reply.json()[property], output, "{property}: {input}");
        let listed = admin.query("collection/article", &[("showFields", property), ("orderBy", "-id")]).await.is(200);
        assert_eq!(listed.at("/data/0")[property], output, "{property}: {input}");
    }
    for price in [json!(12.30), json!("12.3"), json!("12.30")] {
        let id = admin.create("article", json!({"name": "A", "price": price})).await["id"].clone();
        let reply = admin.get(&format!("collection/article/{id}?showFields=price")).await.is(200);
        assert_eq!(reply.at("/price").as_f64(), Some(12.3), "{}", reply.text);
    }
}

#[spec("R-030", "D-2")]
async fn autonumbers_count(server: Server) {
    let admin = server.admin();
    assert_eq!(admin.create("article", json!({"name": "A"})).await["number"], "A-00001");
    assert_eq!(admin.create("article", json!({"name": "B"})).await["number"], "A-00002");
    admin.post("collection/article", json!({"name": "C", "number": "A-00009"})).await.is(400).says("Number");
}
