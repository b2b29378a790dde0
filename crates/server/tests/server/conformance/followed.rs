//! Whatever writes a row does so with all that rests on it: calculations, conditions, rules, and those of other resources.

use super::uploads::PNG;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const ALBUM: &str = r#"
id: 60
name: album
titleProperty: name
properties:
  name:    {id: 600, kind: pString}
  cover:   {id: 601, kind: pFile, title: Cover}
  photos:  {id: 602, kind: pFiles, title: Photos}
  label:   {id: 603, kind: pString, calculate: "{=cover.name ~ ':' ~ cover.size}", searchable: true}
  names:   {id: 604, kind: pString, calculate: "{=join(',', map(photos, 'name'))}", index: true}
  count:   {id: 605, kind: pInteger, calculate: "{=length(photos)}"}
  caption: {id: 606, kind: pString, title: Caption, condition: "{=cover != null}"}
  note:    {id: 607, kind: pString, title: Note, validate: [{rule: "{=cover.size < 100}", message: The cover is large.}]}
  shown:   {id: 608, kind: pRollup, relation: print.album, function: count}
"#;

const PRINT: &str = r#"
id: 61
name: print
properties:
  album: {id: 610, kind: pRelation, type: album, onDelete: setNull}
  cover: {id: 611, kind: pString, calculate: "{=album.cover.name}"}
  names: {id: 612, kind: pString, calculate: "{=album.names ~ '/' ~ length(album.photos)}"}
  file:  {id: 613, kind: pFile}
  size:  {id: 614, kind: pInteger, calculate: "{=file.size}"}
"#;

const FILES: [(&str, &str); 2] = [("types/album.yaml", ALBUM), ("types/print.yaml", PRINT)];

async fn photos(client: &Client, names: &[&str]) -> Vec<String> {
    let files: Vec<(&str, &str, &[u8])> = names.iter().map(|name| (*name, "text/plain", name.as_bytes())).collect();
    let promises = client.upload("album/photos", &files).await.is(200).json();
    serde_json::from_value(promises).unwrap()
}

async fn row(client: &Client, of: &str, id: &Json) -> Json {
    client.get(&format!("collection/{of}/{id}")).await.is(200).json()
}

#[spec("R-304")]
async fn what_rests_on_files_follows_them(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let cover = admin.promise("album/cover", "a.png", PNG).await;
    let taken = photos(&admin, &["x.txt", "y.txt"]).await;
    let album = admin.create("album", json!({"cover": cover, "photos": taken, "caption": "C"})).await;
    let size = PNG.len();
    assert_eq!((&album["label"], &album["names"]), (&json!(format!("a.png:{size}")), &json!("x.txt,y.txt")));
    assert_eq!((&album["count"], &album["caption"]), (&json!(2), &json!("C")));
    let (id, path) = (album["id"].clone(), format!("collection/album/{}", album["id"]));
    let print = admin.create("print", json!({"album": id})).await;
    assert_eq!((&print["cover"], &print["names"]), (&json!("a.png"), &json!("x.txt,y.txt/2")));
    let print = print["id"].clone();
    // Another file in its place; what rests on it beyond its own row is another version.
    let version = async || admin.get(&format!("collection/print/{print}?showFields=version")).await.at("/version");
    let before = version().await.as_i64().unwrap();
    let cover = admin.promise("album/cover", "b.png", PNG).await;
    let changed = admin.patch(&path, json!({"cover": cover})).await.is(200);
    assert_eq!(changed.at("/label"), format!("b.png:{size}"));
    assert_eq!(row(&admin, "print", &print).await["cover"], "b.png");
    assert_eq!(version().await, before + 1);
    let filters = json!([{"property": "label", "type": "search", "param": "b.png"}]);
    assert_eq!(
        admin.search("collection/album", json!({"filters": filters})).await.is(200).column("id"),
        std::slice::from_ref(&id)
    );
    // Some are added and removed, others are left out of what was read.
    let added = photos(&admin, &["z.txt", "y.txt"]).await;
    let edit = json!({"photos": {"add": added, "remove": ["x.txt"]}});
    let changed = admin.patch(&path, edit).await.is(200).json();
    assert_eq!((&changed["names"], &changed["count"]), (&json!("y.txt,z.txt,y (2).txt"), &json!(3)));
    assert_eq!(row(&admin, "print", &print).await["names"], "y.txt,z.txt,y (2).txt/3");
    let kept = json!([changed["photos"][2], changed["photos"][0]]);
    assert_eq!(admin.put(&path, json!({"photos": kept})).await.is(200).at("/names"), "y (2).txt,y.txt");
    assert_eq!(row(&admin, "print", &print).await["names"], "y (2).txt,y.txt/2");
    // A rule that mentions the file is asked when it changes, and a condition decides anew.
    admin.patch(&path, json!({"note": "N", "caption": "C"})).await.is(200);
    let large = [PNG, &[0; 200]].concat();
    let cover = admin.promise("album/cover", "c.png", &large).await;
    admin.patch(&path, json!({"cover": cover})).await.is(400).says("The cover is large.");
    assert_eq!(row(&admin, "album", &id).await["label"], format!("b.png:{size}"));
    let bare = admin.patch(&path, json!({"cover": null, "note": null, "photos": null})).await.is(200).json();
    assert!(bare.get("caption").is_none(), "{bare}");
    assert_eq!((&bare["label"], &bare["names"], &bare["count"]), (&json!(":"), &json!(""), &json!(0)));
    admin.patch(&path, json!({"caption": "C"})).await.is(400).says("Caption does not apply");
    assert_eq!(
        (&row(&admin, "print", &print).await["cover"], version().await.as_i64().unwrap() > before + 3),
        (&Json::Null, true)
    );
}

/// Steps of automations store files outside of the write that takes them.
#[spec]
async fn what_rests_on_files_of_automations_follows_them(engine: Engine) {
    let steps = "automation: papers\non: {event: print.created}\ndo:\n  \
                 - create: {type: album, set: {name: A, photos: [\"{=fileFromData('abc', 'made.txt')}\"]}, as: album}\n  \
                 - update: {type: print, item: \"{=trigger('resource')}\", set: {album: \"{=var('album')}\", file: \"{=fileFromData('abcde', 'five.txt')}\"}}\n";
    let files: Vec<_> = FILES.into_iter().chain([("automations/papers.yaml", steps)]).collect();
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let print = admin.create("print", json!({})).await["id"].clone();
    server.run_automations().await;
    let shown = row(&admin, "print", &print).await;
    assert_eq!((&shown["size"], &shown["names"]), (&json!(5), &json!("made.txt/1")), "{shown}");
    let album = row(&admin, "album", &shown["album"]).await;
    assert_eq!((&album["names"], &album["count"], &album["shown"]), (&json!("made.txt"), &json!(1), &json!(1)));
}

const PART: &str =
    "id: 62\nname: part\nproperties:\n  name: {id: 620, kind: pString}\n  weight: {id: 621, kind: pInteger}\n";

const KIT: &str = r#"
id: 63
name: kit
properties:
  parts:  {id: 630, kind: pRelations, type: part, onDelete: setNull}
  names:  {id: 631, kind: pString, calculate: "{=join(',', map(parts, 'name'))}"}
  pieces: {id: 632, kind: pRollup, relation: parts, function: count}
  weight: {id: 633, kind: pRollup, relation: parts, function: sum, property: weight}
  empty:  {id: 634, kind: pString, condition: "{=length(parts) == 0}", default: none}
"#;

const SHELF: &str = "id: 64\nname: shelf\nproperties:\n  kit: {id: 640, kind: pRelation, type: kit, onDelete: cascade}\n  \
    sign: {id: 641, kind: pString, calculate: \"{=kit.names ~ ' of ' ~ kit.weight}\"}\n";

#[spec]
async fn what_a_deletion_takes_out_of_a_list_follows(engine: Engine) {
    let files = [("types/part.yaml", PART), ("types/kit.yaml", KIT), ("types/shelf.yaml", SHELF)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let mut parts = Vec::new();
    for (name, weight) in [("a", 1), ("b", 20), ("c", 300)] {
        parts.push(admin.create("part", json!({"name": name, "weight": weight})).await["id"].clone());
    }
    let kit = admin.create("kit", json!({"parts": parts})).await;
    let shelf = admin.create("shelf", json!({"kit": kit["id"]})).await["id"].clone();
    let told = async || {
        let (kit, shelf) = (row(&admin, "kit", &kit["id"]).await, row(&admin, "shelf", &shelf).await);
        json!([kit["names"], kit["pieces"], kit["weight"], shelf["sign"]])
    };
    assert_eq!(told().await, json!(["a,b,c", 3, 321, "a,b,c of 321"]));
    let version = async || admin.get(&format!("collection/shelf/{shelf}?showFields=version")).await.at("/version");
    let before = version().await.as_i64().unwrap();
    admin.delete(&format!("collection/part/{}", parts[1])).await.is(204);
    assert_eq!(told().await, json!(["a,c", 2, 301, "a,c of 301"]));
    assert_eq!(version().await, before + 1, "one deletion is one version");
    admin.patch(&format!("collection/part/{}", parts[2]), json!({"name": "d", "weight": 4})).await.is(200);
    assert_eq!(told().await, json!(["a,d", 2, 5, "a,d of 5"]));
    admin.patch(&format!("collection/kit/{}", kit["id"]), json!({"parts": [parts[2]]})).await.is(200);
    assert_eq!(told().await, json!(["d", 1, 4, "d of 4"]));
    admin.patch(&format!("collection/kit/{}", kit["id"]), json!({"empty": "x"})).await.is(400);
    admin.delete(&format!("collection/part/{}", parts[2])).await.is(204);
    assert_eq!(told().await, json!(["", 0, 0, " of 0"]));
    admin.patch(&format!("collection/kit/{}", kit["id"]), json!({"empty": "x"})).await.is(200);
}
