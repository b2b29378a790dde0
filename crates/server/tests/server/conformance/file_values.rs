//! Properties of files in resources: in bodies, in answers, in filters.

use super::uploads::PNG;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server, Subject};

/// A type with properties of files.
pub(super) const ALBUM: (&str, &str) = (
    "types/album.yaml",
    "id: 20\nname: album\ntitle: Album\nproperties:\n\
     \x20 name:    {id: 202, kind: pString, title: Name}\n\
     \x20 cover:   {id: 200, kind: pFile, title: Cover, maxSize: 2000}\n\
     \x20 photos:  {id: 201, kind: pFiles, title: Photos, maxFiles: 4}\n\
     \x20 drawing: {id: 203, kind: pFile, title: Drawing, accept: [image/svg+xml]}\n",
);

/// A server whose tenant has albums.
pub(super) struct Album(pub(super) Server);

impl Subject for Album {
    async fn on(engine: Engine) -> Self {
        Album(Server::with(engine, &[ALBUM]).await)
    }
}

async fn promises(client: &Client, names: &[&str]) -> Vec<String> {
    let files: Vec<(&str, &str, &[u8])> = names.iter().map(|name| (*name, "text/plain", name.as_bytes())).collect();
    let promises = client.upload("album/photos", &files).await.is(200).json();
    serde_json::from_value(promises).unwrap()
}

fn names(row: &Json) -> Vec<&str> {
    row["photos"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect()
}

#[spec("R-034")]
async fn a_file_is_given_by_its_promise_and_told_in_full(Album(server): Album) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "The cover.png", PNG).await;
    let created = admin.create("album", json!({"cover": promise})).await;
    let cover = created["cover"].as_object().unwrap();
    let keys: Vec<&String> = cover.keys().collect();
    assert_eq!(keys, ["name", "title", "size", "mime", "hash", "created", "url", "width", "height"]);
    assert_eq!((&cover["name"], &cover["title"]), (&json!("The cover.png"), &json!("The cover")));
    assert_eq!((&cover["size"], &cover["mime"]), (&json!(PNG.len()), &json!("image/png")));
    assert_eq!((&cover["width"], &cover["height"]), (&json!(3), &json!(2)));
    assert_eq!(cover["hash"].as_str().unwrap().len(), 64);
    assert_eq!(cover["created"], "2026-11-20T13:00:00+01:00");
    let url = cover["url"].as_str().unwrap();
    assert!(url.contains("/api/ext/v1/file/") && url.ends_with("/The%20cover.png"), "{url}");
    let path = format!("collection/album/{}", created["id"]);
    assert_eq!(admin.get(&path).await.is(200).json(), created, "as it is read later");
    assert_eq!(created["photos"], json!([]));
    assert_eq!(created["drawing"], Json::Null);
}

#[spec]
async fn addresses_are_the_same_for_an_hour(Album(server): Album) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.png", PNG).await;
    let id = admin.create("album", json!({"cover": promise})).await["id"].as_i64().unwrap();
    let path = format!("collection/album/{id}");
    let first = admin.get(&path).await.is(200);
    let tag = first.headers["etag"].to_str().unwrap().to_owned();
    server.clock().advance(3_599);
    admin.request("GET", &path).header("if-none-match", &tag).send().await.is(304);
    server.clock().advance(1);
    let later = admin.request("GET", &path).header("if-none-match", &tag).send().await.is(200);
    assert_ne!(first.json()["cover"]["url"], later.json()["cover"]["url"]);
}

#[spec("R-035")]
async fn null_erases_files(Album(server): Album) {
    let admin = server.admin();
    for method in ["PATCH", "PUT"] {
        let promise = admin.promise("album/cover", "a.png", PNG).await;
        let photos = promises(&admin, &["a.txt", "b.txt"]).await;
        let id = admin.create("album", json!({"cover": promise, "photos": photos})).await["id"].clone();
        let path = format!("collection/album/{id}");
        let erased =
            admin.request(method, &path).json(&json!({"cover": null, "photos": null})).send().await.is(200).json();
        assert_eq!((&erased["cover"], &erased["photos"]), (&Json::Null, &json!([])), "{method}");
        assert_eq!(admin.get(&path).await.is(200).json(), erased);
    }
}

#[spec("R-036", "R-139")]
async fn files_are_added_and_removed(Album(server): Album) {
    let admin = server.admin();
    let photos = promises(&admin, &["a.txt", "b.txt"]).await;
    let row = admin.create("album", json!({"photos": photos})).await;
    let path = format!("collection/album/{}", row["id"]);
    let added = promises(&admin, &["c.txt", "A.txt"]).await;
    let row = admin.patch(&path, json!({"photos": {"add": added, "remove": ["a.txt"]}})).await.is(200).json();
    assert_eq!(names(&row), ["b.txt", "c.txt", "A.txt"]);
    let row = admin.patch(&path, json!({"photos": {"remove": ["c.txt"]}})).await.is(200).json();
    assert_eq!(names(&row), ["b.txt", "A.txt"]);
    // Names are made unique, those that were there stay.
    let added = promises(&admin, &["B.txt", "b.txt"]).await;
    let row = admin.patch(&path, json!({"photos": {"add": added}})).await.is(200).json();
    assert_eq!(names(&row), ["b.txt", "A.txt", "B (2).txt", "b (3).txt"]);
    assert_eq!(admin.get(&path).await.is(200).json(), row);
    let listed = admin.get("collection/album").await.is(200).json();
    assert_eq!(listed["data"][0], row);
}

#[spec("A106")]
async fn what_cannot_be_added_or_removed_is_refused(Album(server): Album) {
    let admin = server.admin();
    let photos = promises(&admin, &["a.txt", "b.txt"]).await;
    let path = format!("collection/album/{}", admin.create("album", json!({"photos": photos})).await["id"]);
    let photos = promises(&admin, &["other.txt"]).await;
    admin.create("album", json!({"photos": photos})).await;
    let before = admin.get(&path).await.is(200).json();
    let new = promises(&admin, &["c.txt"]).await.remove(0);
    for edit in [
        json!({"remove": ["other.txt"]}),
        json!({"remove": ["../a.txt"]}),
        json!({"remove": ["A.TXT"]}),
        json!({"remove": ["a.txt", "a.txt"]}),
        json!({"remove": [1]}),
        json!({"remove": "a.txt"}),
        json!({"remove": null, "add": [new]}),
        json!({"add": [new, new]}),
        json!({"add": [null]}),
        json!({"add": [[new]]}),
        json!({"add": photos}),
        json!({"add": [], "replace": []}),
        json!({}),
        json!([new, new]),
        json!([new, null]),
        json!([{"name": "other.txt"}]),
        json!([{"name": "a.txt", "size": 99}]),
        json!([{"name": "a.txt", "surprise": 1}]),
        json!([{"name": "a.txt"}, {"name": "a.txt"}]),
    ] {
        admin.patch(&path, json!({"photos": edit})).await.is(400).says("Photos");
    }
    admin.patch(&path, json!({"photos": null, "photos+=": [new]})).await.is(400);
    admin.patch(&path, json!({"photos+=": [new]})).await.is(400);
    admin.put(&path, json!({"photos": {"add": [new]}})).await.is(400).says("PATCH");
    admin.post("collection/album", json!({"photos": {"add": [new]}})).await.is(400).says("PATCH");
    admin.patch(&path, json!({"cover": {"add": [new]}})).await.is(400);
    let many = promises(&admin, &["d.txt", "e.txt"]).await;
    admin.patch(&path, json!({"photos": {"add": [new, many[0], many[1]]}})).await.is(400).says("at most 4");
    assert_eq!(admin.get(&path).await.is(200).json(), before);
    // What was refused is not used up.
    admin.patch(&path, json!({"photos": {"add": [new]}})).await.is(200);
}

#[spec("D-22")]
async fn a_replaced_resource_keeps_its_files(Album(server): Album) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.png", PNG).await;
    let photos = promises(&admin, &["a.txt", "b.txt"]).await;
    let row = admin.create("album", json!({"name": "A", "cover": promise, "photos": photos})).await;
    let path = format!("collection/album/{}", row["id"]);
    // Left out, they stay; the name does not.
    let left_out = admin.put(&path, json!({})).await.is(200).json();
    assert_eq!(
        (&left_out["name"], &left_out["cover"], &left_out["photos"]),
        (&Json::Null, &row["cover"], &row["photos"])
    );
    // As it was read, nothing changes, an hour later too.
    server.clock().advance(3_700);
    let version = admin.query(&path, &[("showFields", "version")]).await.is(200).json();
    admin.put(&path, left_out.clone()).await.is(200);
    assert_eq!(admin.query(&path, &[("showFields", "version")]).await.is(200).json(), version);
    // In another order, with one more and one less.
    let new = promises(&admin, &["c.txt"]).await.remove(0);
    let photos = json!([new, row["photos"][1]]);
    let changed = admin.put(&path, json!({"photos": photos})).await.is(200).json();
    assert_eq!(names(&changed), ["c.txt", "b.txt"]);
    assert_eq!(admin.get(&path).await.is(200).json(), changed);
}

#[spec("D-18")]
async fn files_are_filtered_by_what_they_are_and_not_sorted_by(Album(server): Album) {
    let admin = server.admin();
    let cover = admin.promise("album/cover", "Cover.png", PNG).await;
    let one = promises(&admin, &["one.txt"]).await;
    admin.create("album", json!({"name": "A", "cover": cover, "photos": one})).await;
    let two = promises(&admin, &["one.txt", "a longer name.txt"]).await;
    admin.create("album", json!({"name": "B", "photos": two})).await;
    admin.create("album", json!({"name": "C"})).await;
    for (property, filter, param, expected) in [
        ("cover", "isNull", Json::Null, "BC"),
        ("cover", "isNotNull", Json::Null, "A"),
        ("photos", "isEmpty", Json::Null, "C"),
        ("photos", "isNotEmpty", Json::Null, "AB"),
        ("photos", "size", json!(2), "B"),
        ("photos", "size", json!({"lt": 2}), "AC"),
        ("cover", "size", json!(1), "A"),
        ("cover.name", "eq", json!("Cover.png"), "A"),
        ("cover.name", "neq", json!("Cover.png"), "BC"),
        ("cover.name", "iContains", json!("COVER"), "A"),
        ("cover.mime", "startsWith", json!("image/"), "A"),
        ("cover.size", "gt", json!(10), "A"),
        ("cover.size", "isNull", Json::Null, "BC"),
        ("photos.name", "eq", json!("one.txt"), "AB"),
        ("photos.name", "in", json!(["a longer name.txt"]), "B"),
        ("photos.size", "gte", json!(10), "B"),
        ("photos.size", "between", json!([1, 8]), "AB"),
    ] {
        let filters = json!([{"property": property, "type": filter, "param": param}]);
        let reply = admin.search("collection/album", json!({"filters": filters, "showFields": "name"})).await;
        let found = if reply.status == 204 { Json::Null } else { reply.is(200).json() };
        let found: String =
            found["data"].as_array().into_iter().flatten().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(found, expected, "{property} {filter}");
    }
    for (request, text) in [
        ("GET collection/album?orderBy=cover", "cover"),
        ("GET collection/album?orderBy=photos", "photos"),
        ("GET collection/album?orderBy=cover.size", "cover.size"),
        ("GET collection/album?showFields=cover.name", "cover.name"),
        ("GET collection/album/get-by/cover/a.png", "cover"),
    ] {
        admin.check(&[(request, 400, text)]).await;
    }
    for filter in ["eq", "contains", "anyOf", "some"] {
        let filters = json!([{"property": "cover", "type": filter, "param": []}]);
        admin.search("collection/album", json!({"filters": filters})).await.is(400);
    }
}

#[spec]
async fn required_files_are_required(server: Server) {
    let text = ALBUM.1.replace("title: Cover,", "title: Cover, required: true,");
    server.change(&[(ALBUM.0, &text)]).await;
    let admin = server.admin();
    admin.post("collection/album", json!({})).await.is(400).says("Cover is required");
    admin.post("collection/album", json!({"cover": null})).await.is(400).says("Cover is required");
    let cover = admin.promise("album/cover", "a.png", PNG).await;
    let path = format!("collection/album/{}", admin.create("album", json!({"cover": cover})).await["id"]);
    admin.patch(&path, json!({"cover": null})).await.is(400).says("Cover is required");
    admin.put(&path, json!({"cover": null})).await.is(400).says("Cover is required");
    admin.put(&path, json!({"name": "A"})).await.is(200);
}

#[spec]
async fn files_go_with_their_type_property_and_resource(Album(server): Album) {
    let admin = server.admin();
    let stored = || std::fs::read_dir(server.file_folder()).unwrap().count();
    let cover = admin.promise("album/cover", "a.png", PNG).await;
    let photos = promises(&admin, &["a.txt", "b.txt"]).await;
    admin.create("album", json!({"cover": cover, "photos": photos})).await;
    // A property of one file takes several later, and keeps its own.
    let several = ALBUM.1.replace("kind: pFile, title: Cover", "kind: pFiles, title: Cover");
    server.change(&[(ALBUM.0, &several)]).await;
    let row = admin.get("collection/album").await.is(200).json()["data"][0].clone();
    assert_eq!((&row["cover"][0]["name"], names(&row).len()), (&json!("a.png"), 2));
    let without: String =
        several.lines().filter(|line| !line.contains("cover")).map(|line| format!("{line}\n")).collect();
    server.change(&[(ALBUM.0, &without)]).await;
    assert_eq!((server.sweep_files().await.expired, stored()), (1, 2));
    server.remove(&[ALBUM.0]).await;
    assert_eq!((server.sweep_files().await.expired, stored()), (2, 0));
}
