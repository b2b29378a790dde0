//! Addresses of files open these while whoever was given them is shown the file, whatever decides that; after that they
//! tell nothing, not even whether the file is still there.

use super::Face;
use super::callers::{Shown, directed};
use super::rows;
use super::tenant::{FILE_NAMES, Tenant};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Client;

/// A file, and what decides whether it is shown.
struct Scene {
    name: &'static str,
    shown: Vec<Shown>,
    file: (&'static str, &'static str),
    /// Which row's property does: of the file's own, of the author, of its home, or of the story above.
    decides: (Row, &'static str),
    hides: Json,
}

#[derive(Clone, Copy)]
enum Row {
    Own,
    Author,
    Home,
    Above,
}

const COVER: (&str, &str) = ("story", "cover");
const OPEN: Option<&str> = Some("state == 'open'");

fn scenes() -> [Scene; 7] {
    let of_story = |name, grants, row, property, hides| Scene {
        name,
        shown: vec![("story", grants)],
        file: COVER,
        decides: (row, property),
        hides,
    };
    let rests = |rule| vec![(Some(rule), &["title", "cover"][..])];
    let behind = "author.home.size == 2 or author.rank == 1";
    [
        of_story("a row", vec![(OPEN, &["title", "cover"])], Row::Own, "state", json!("new")),
        of_story("a field", vec![(None, &["title"]), (OPEN, &["cover"])], Row::Own, "state", json!("new")),
        of_story("an owner", rests("owner.id == user('id') or mark == 2"), Row::Own, "mark", json!(1)),
        of_story("a relation", rests("author.rank == 1"), Row::Author, "rank", json!(0)),
        of_story("two relations", rests(behind), Row::Home, "size", json!(1)),
        of_story("what is above", rests("above.state == 'done' and pages != 0"), Row::Above, "state", json!("open")),
        Scene {
            name: "another type",
            shown: vec![("place", vec![(Some("size == 2"), &["map"])])],
            file: ("place", "map"),
            decides: (Row::Own, "size"),
            hides: json!(3),
        },
    ]
}

#[spec("D-3")]
async fn addresses_of_files_open_what_is_shown(mut tenant: Tenant) {
    for scene in scenes() {
        let caller = directed(&tenant.server, &scene.name.replace(' ', "_"), &scene.shown, &[]).await;
        play(&mut tenant, &caller.client, &scene).await;
        rows::verify(&tenant, &caller).await;
    }
}

/// The file is shown, hidden, shown again, and hidden while it changes and goes.
async fn play(tenant: &mut Tenant, caller: &Client, Scene { name, file, decides, hides, .. }: &Scene) {
    let (of, property) = *file;
    let add = async |of: &str, body: Json| format!("collection/{of}/{}", tenant.admin.create(of, body).await["id"]);
    let id = |path: &str| path.rsplit('/').next().unwrap().parse::<i64>().unwrap();
    let home = add("place", json!({"name": name, "size": 2})).await;
    let rank = i64::from(*name == "a relation");
    let author = add("writer", json!({"name": name, "rank": rank, "home": id(&home)})).await;
    let above = add("story", json!({"title": "above", "state": "done"})).await;
    let body =
        json!({"title": name, "state": "open", "mark": 2, "pages": 1, "author": id(&author), "above": id(&above)});
    let row = if of == "place" { home.clone() } else { add("story", body).await };
    let set = async |bytes| tenant.admin.promise(&format!("{of}/{property}"), FILE_NAMES[0], bytes).await;
    tenant.admin.patch(&row, json!({property: set(b"first").await})).await.is(200);

    let fields = [("showFields", property)];
    let url = caller.query(&row, &fields).await.is(200).at(&format!("/{property}/url")).as_str().unwrap().to_owned();
    let named = format!("/api/ext/v1/file/{of}/{}/{property}/{}", id(&row), FILE_NAMES[0]);
    let anybody = tenant.server.client();
    let opened = anybody.get(&url).await.is(200);
    assert_eq!(opened.bytes, "first", "{name}");
    let asked = async || {
        let mut faces = Vec::new();
        for (client, path) in [(&anybody, &url), (caller, &named)] {
            for (method, header, value) in [
                ("GET", "accept", "*/*"),
                ("HEAD", "accept", "*/*"),
                ("GET", "range", "bytes=1-2"),
                ("GET", "if-none-match", opened.header("etag")),
            ] {
                faces.push(Face::of(&client.request(method, path).header(header, value).send().await));
            }
        }
        faces
    };
    let statuses = |faces: &[Face]| faces.iter().map(|face| face.status).collect::<Vec<_>>();
    let shown = asked().await;
    assert_eq!(statuses(&shown), [200, 200, 206, 304, 200, 200, 206, 304], "{name}");

    let decider = match decides.0 {
        Row::Own => &row,
        Row::Author => &author,
        Row::Home => &home,
        Row::Above => &above,
    };
    let before = tenant.admin.get(decider).await.is(200).at(&format!("/{}", decides.1));
    tenant.admin.patch(decider, json!({decides.1: hides})).await.is(200);
    let hidden = asked().await;
    assert_eq!(statuses(&hidden), [403, 403, 403, 403, 404, 404, 404, 404], "{name}: the file is not shown any more");
    tenant.admin.patch(decider, json!({decides.1: before})).await.is(200);
    assert_eq!(asked().await, shown, "{name}: the file is shown again");
    tenant.admin.patch(decider, json!({decides.1: hides})).await.is(200);
    for value in [json!(set(b"second").await), Json::Null] {
        tenant.admin.patch(&row, json!({property: value})).await.is(200);
        assert_eq!(asked().await, hidden, "{name}: a file that is not shown becomes {value}");
    }
    tenant.admin.patch(&author, json!({"home": null})).await.is(200);
    tenant.admin.delete(&row).await.is(204);
    assert_eq!(asked().await, hidden, "{name}: a row that is not shown is deleted");
}
