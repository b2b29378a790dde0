//! Uploads: who may, what is taken, and the promises that come of it.

use super::file_values::Album;
use serde_json::{Value as Json, json};
use spec::spec;
use std::os::unix::fs::PermissionsExt;
use testing::{Engine, Server};

/// The head of an image of 3 by 2 pixels.
pub(super) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

#[spec("R-008", "R-073", "R-093", "R-161", "R-162", "R-163")]
async fn files_are_uploaded_and_used(Album(server): Album) {
    let admin = server.admin();
    let files: [(&str, &str, &[u8]); 2] = [("a.png", "image/png", PNG), ("b.txt", "text/plain", b"hello")];
    let reply = admin.upload("album/photos", &files).await.is(200);
    let promises = reply.json();
    let promises: Vec<&str> = promises.as_array().unwrap().iter().map(|promise| promise.as_str().unwrap()).collect();
    assert_eq!(promises.len(), 2);
    for promise in &promises {
        let digits = promise.strip_prefix("up_").unwrap();
        let base32 = |byte: u8| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte);
        assert!(digits.len() == 26 && digits.bytes().all(base32), "{promise}");
    }
    let created = admin.create("album", json!({"photos": promises})).await;
    assert_eq!((&created["photos"][0]["name"], &created["photos"][1]["name"]), (&json!("a.png"), &json!("b.txt")));
    // Type and property by id.
    admin.upload("20/201", &files).await.is(200);
}

#[spec("A105")]
async fn who_may_not_upload_is_told_before_the_body_is_read(Album(server): Album) {
    let viewer = "role: viewer\ntitle: Viewer\nsystem: [restApi]\ntypes:\n  album: {show: true}\n";
    let viewer = server.role("viewer", viewer).await;
    let part = "role: part\ntitle: Part\nsystem: [restApi]\ntypes:\n  album: {show: {fields: [name, cover]}, edit: {fields: [name]}}\n";
    let part = server.role("part", part).await;
    let admin = server.admin();
    let anybody = server.client();
    for (client, to, status, text) in [
        (&anybody, "album/photos", 403, ""),
        (&viewer, "album/photos", 403, "edit"),
        (&part, "album/cover", 403, "Cover"),
        (&part, "album/photos", 404, "property"),
        (&admin, "nothing/photos", 404, "collection"),
        (&admin, "album/nothing", 404, "property"),
        (&admin, "album/999", 404, "property"),
        (&admin, "album/0200", 404, "property"),
        (&admin, "album/name", 400, "Name"),
        (&admin, "album/id", 404, "property"),
        (&admin, "album/photos?x=1", 400, "x"),
    ] {
        // The body is not even announced as one that could be read.
        let request = client.request("POST", &format!("upload/{to}"));
        request.body("text/plain", "no form at all").send().await.is(status).says(text);
    }
    assert_eq!(std::fs::read_dir(server.file_folder()).map_or(0, Iterator::count), 0);
}

#[spec("D-9")]
async fn a_key_uploads_with_its_scope_alone(Album(server): Album) {
    let login = server.login("admin").await;
    for (scopes, status) in [("upload", 200), ("collection:album:edit", 403), ("collection:album:edit,upload", 200)] {
        let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scopes)];
        let made = server.client().post_form("auth", &form).await.is(200).json();
        let client = server.client().with("key", made["authToken"]["keyString"].as_str().unwrap());
        client.upload("album/photos", &[("a.png", "image/png", PNG)]).await.is(status);
    }
}

#[spec]
async fn a_form_that_is_not_one_is_refused(Album(server): Album) {
    let admin = server.admin();
    let upload = || admin.request("POST", "upload/album/photos");
    upload().json(&json!({})).send().await.is(415);
    upload().form(&[("file", "a")]).send().await.is(415);
    upload().body("multipart/form-data", "").send().await.is(400);
    upload().body("multipart/form-data; boundary=x", "--x--").send().await.is(400).says("no file");
    upload().body("multipart/form-data; boundary=x", "--x\r\n\r\na\r\n--x--").send().await.is(400);
    let cut = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello";
    upload().body("multipart/form-data; boundary=x", cut).send().await.is(400);
    upload()
        .multipart(&[("file", "a.png", "image/png", PNG), ("data", "b", "text/plain", b"")])
        .send()
        .await
        .is(400)
        .says("data");
    admin.request("GET", "upload/album/photos").send().await.is(405);
    // Nothing of all this stays.
    assert_eq!(std::fs::read_dir(server.file_folder()).unwrap().count(), 0);
}

#[spec("A101")]
async fn names_are_cleaned_and_bytes_lie_elsewhere(Album(server): Album) {
    let admin = server.admin();
    for (given, name) in [
        ("../../x", "x"),
        ("/etc/passwd", "passwd"),
        ("a\0.png", "a.png"),
        ("..", "file"),
        ("", "file"),
        ("CON", "_CON"),
        (".htaccess", "htaccess"),
        ("a\u{202e}gnp.txt", "agnp.txt"),
        ("a%0d%0aSet-Cookie: b.txt", "a%0d%0aSet-Cookie- b.txt"),
    ] {
        let bytes: &[u8] = if name.ends_with(".png") { PNG } else { b"hello" };
        let promise = admin.promise("album/cover", given, bytes).await;
        let created = admin.create("album", json!({"cover": promise})).await;
        assert_eq!(created["cover"]["name"], name, "{given:?}");
    }
    let long = admin.promise("album/cover", &"x".repeat(5_000), b"hello").await;
    let created = admin.create("album", json!({"cover": long})).await;
    assert_eq!(created["cover"]["name"].as_str().unwrap().len(), 255);
    for entry in std::fs::read_dir(server.file_folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.len() == 26 && name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{name}");
    }
}

#[spec]
async fn uploads_are_for_the_user_of_the_server_alone(Album(server): Album) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.txt", b"hello").await;
    admin.create("album", json!({"cover": promise})).await;
    admin.upload("album/photos", &[("b.txt", "text/plain", b"not used yet")]).await.is(200);
    let folder = server.file_folder();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| mode(&entry.unwrap().path())).collect();
    assert_eq!(files, [0o600; 2]);
}

#[spec]
async fn the_bytes_say_what_a_file_is(Album(server): Album) {
    let admin = server.admin();
    for (name, mime, bytes, text) in [
        ("a.png", "image/png", &b"<html><script>"[..], "its name or type"),
        ("a.png", "image/png", b"<svg xmlns=''/>", "its name or type"),
        ("a.png", "image/png", b"%PDF-1.7\n", "its name or type"),
        ("a.pdf", "application/pdf", PNG, "its name or type"),
        ("a.png.html", "image/png", PNG, "its name or type"),
        ("a.html", "text/html", b"<!doctype html>", "text/html"),
        ("a.txt", "text/plain", b"  <script>alert(1)</script>", "text/html"),
        ("a.svg", "image/svg+xml", b"<svg xmlns=''/>", "image/svg+xml"),
        ("a.xml", "text/xml", b"<?xml version='1.0'?><a/>", "text/xml"),
    ] {
        admin.upload("album/photos", &[(name, mime, bytes)]).await.is(400).says(text);
    }
    // A property that lists it takes it, and nothing else.
    let drawing = admin.promise("album/drawing", "a.svg", b"<svg xmlns=''/>").await;
    let created = admin.create("album", json!({"drawing": drawing})).await;
    assert_eq!(created["drawing"]["mime"], "image/svg+xml");
    admin.upload("album/drawing", &[("a.txt", "text/plain", b"hello")]).await.is(400).says("text/plain");
    // What could be a bomb is stored as it is.
    let vast: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x06\0\0\0";
    let vast = admin.promise("album/cover", "a.png", vast).await;
    let created = admin.create("album", json!({"cover": vast})).await;
    assert_eq!((&created["cover"]["width"], &created["cover"]["height"]), (&json!(50_000), &json!(50_000)));
}

#[spec("A110")]
async fn what_would_be_a_bomb_is_stored_as_it_is(Album(server): Album) {
    let admin = server.admin();
    let vast: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x06\0\0\0";
    let zip: &[u8] = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\x01\0\0\0a";
    for (name, bytes, mime) in [("a.png", vast, "image/png"), ("a.zip", zip, "application/zip")] {
        let promise = admin.promise("album/cover", name, bytes).await;
        let created = admin.create("album", json!({"cover": promise})).await;
        assert_eq!((&created["cover"]["mime"], &created["cover"]["size"]), (&json!(mime), &json!(bytes.len())));
    }
}

/// A server with small limits.
struct Small(Server);

impl testing::Subject for Small {
    async fn on(engine: Engine) -> Self {
        let own = vec![
            ("limits.upload_file_bytes", "1000"),
            ("limits.upload_files", "3"),
            ("limits.upload_bytes", "5000"),
            ("limits.connections_per_address", "1100"),
        ];
        let platform = platform::tenants::Settings { file_quota: Some(4_000), ..Default::default() };
        Small(Server::settled(engine, platform, own, &[super::file_values::ALBUM]).await)
    }
}

#[spec("R-299")]
async fn sizes_and_numbers_are_limited(Small(server): Small) {
    let admin = server.admin();
    let bytes = |count: usize| vec![b'a'; count];
    let one = |count: usize| vec![("a.txt", "text/plain", bytes(count))];
    let check = async |to: &str, files: Vec<(&str, &str, Vec<u8>)>, status: u16, text: &str| {
        let files: Vec<(&str, &str, &[u8])> =
            files.iter().map(|(name, mime, bytes)| (*name, *mime, bytes.as_slice())).collect();
        admin.upload(to, &files).await.is(status).says(text);
    };
    check("album/photos", one(1_001), 413, "1000 bytes").await;
    check("album/photos", one(1_000), 200, "").await;
    // The property has a limit of its own.
    check("album/cover", one(2_001), 413, "2000 bytes").await;
    check("album/cover", one(1_500), 200, "").await;
    check("album/photos", [one(1), one(1), one(1), one(1)].concat(), 400, "3 files").await;
    // The whole request, whether its length is told or not.
    check("album/cover", one(6_000), 413, "5000 bytes").await;
    // And all files together: 1000, 1500 and 1500 are 4000.
    check("album/cover", one(1_501), 413, "exceed their limit of bytes").await;
    check("album/cover", one(1_500), 200, "").await;
    check("album/cover", one(1), 413, "exceed their limit of bytes").await;
    let answers = server.sweep_files().await;
    assert_eq!(answers.expired, 0);
}

#[spec("A104")]
async fn parallel_uploads_never_pass_the_quota(Small(server): Small) {
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..1_000 {
        let admin = server.admin();
        tasks.spawn(async move { admin.upload("album/photos", &[("a.txt", "text/plain", &[b'a'; 900])]).await.status });
    }
    let statuses = tasks.join_all().await;
    let taken = statuses.iter().filter(|status| **status == 200).count();
    assert!(statuses.iter().all(|status| [200, 413].contains(status)), "{statuses:?}");
    assert!((1..=4).contains(&taken), "{taken} of 900 bytes each within 4000");
    let size: u64 =
        std::fs::read_dir(server.file_folder()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert_eq!(size, 900 * taken as u64);
}

#[spec("A099")]
async fn a_promise_is_for_one_use_of_one_user_for_one_property(Album(server): Album) {
    let admin = server.admin();
    let editing = "role: editing\ntitle: Editing\nsystem: [restApi]\ntypes:\n  album: {show: true, edit: true}\n";
    let other = server.role("editing", editing).await;
    let neighbour = server.tenant("other").await;
    neighbour.change(&[super::file_values::ALBUM]).await;
    let text = "Cover must be the id of an upload for it, of the last 24 hours and not used yet.";
    let refused = async |client: &testing::Client, value: Json| {
        client.post("collection/album", json!({"cover": value})).await.is(400).says(text);
    };
    let promise = admin.promise("album/cover", "a.png", PNG).await;
    refused(&other, json!(promise)).await;
    refused(&neighbour.admin(), json!(promise)).await;
    let misplaced = admin.promise("album/photos", "a.png", PNG).await;
    refused(&admin, json!(misplaced)).await;
    for wrong in
        [json!("up_aaaaaaaaaaaaaaaaaaaaaaaaaa"), json!("up_"), json!(""), json!(1), json!([promise]), json!(true)]
    {
        refused(&admin, wrong).await;
    }
    // None of this used it up; its use does, and one that fails does not.
    admin.post("collection/album", json!({"cover": promise, "name": 1})).await.is(400);
    admin.create("album", json!({"cover": promise})).await;
    refused(&admin, json!(promise)).await;
    let late = admin.promise("album/cover", "a.png", PNG).await;
    server.clock().advance(24 * 60 * 60 - 1);
    admin.create("album", json!({"cover": late})).await;
    let expired = admin.promise("album/cover", "a.png", PNG).await;
    server.clock().advance(24 * 60 * 60);
    refused(&admin, json!(expired)).await;
}

#[spec]
async fn what_nobody_needs_is_swept(Album(server): Album) {
    let admin = server.admin();
    let stored = || std::fs::read_dir(server.file_folder()).unwrap().count();
    let used = admin.promise("album/cover", "a.png", PNG).await;
    let kept = admin.create("album", json!({"cover": used})).await["id"].as_i64().unwrap();
    let used = admin.promise("album/cover", "b.png", PNG).await;
    let deleted = admin.create("album", json!({"cover": used})).await["id"].as_i64().unwrap();
    admin.promise("album/cover", "unused.png", PNG).await;
    std::fs::write(server.file_folder().join("foreign"), "not ours").unwrap();
    std::fs::write(server.file_folder().join("a".repeat(26)), "an orphan").unwrap();
    std::fs::write(server.file_folder().join(format!("{}.part", "b".repeat(26))), "half a file").unwrap();
    assert_eq!(server.sweep_files().await, resources::files::Swept::default(), "all is young or needed");
    admin.delete(&format!("collection/album/{deleted}")).await.is(204);
    assert_eq!(stored(), 6);
    assert_eq!(server.sweep_files().await.expired, 1);
    assert_eq!(stored(), 5);
    // By the server's clock, two days before the bytes were written.
    server.clock().set("2099-01-01T00:00:00Z");
    let swept = server.sweep_files().await;
    assert_eq!((swept.expired, swept.orphans), (1, 2));
    assert_eq!(stored(), 2, "the file of the row, and what is not ours");
    let row = admin.get(&format!("collection/album/{kept}")).await.is(200).json();
    assert_eq!(row["cover"]["name"], "a.png");
}

#[spec]
async fn uploads_are_described_to_whoever_may(Album(server): Album) {
    let document = server.admin().get("/api/ext/v1/openapi.json?profile=contract").await.is(200).json();
    let upload = &document["paths"]["/api/v1/upload/album/{propertyId}"]["post"];
    assert_eq!(upload["parameters"][0]["schema"]["enum"], json!(["cover", "photos", "drawing"]));
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["album"]["properties"]["photos"]["items"]["required"][6], "url");
    assert!(schemas["album.patch"]["properties"]["photos"]["anyOf"].is_array());
    let viewer = "role: viewer\ntitle: Viewer\nsystem: [restApi]\ntypes:\n  album: {show: true}\n";
    let document =
        server.role("viewer", viewer).await.get("/api/ext/v1/openapi.json?profile=contract").await.is(200).json();
    assert!(document["paths"].get("/api/v1/upload/album/{propertyId}").is_none());
}

#[spec]
async fn a_client_that_drips_loses_its_connection(DripServer(server): DripServer) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let key = server.key("admin").await;
    let mut stream = tokio::net::TcpStream::connect(server.client().address()).await.unwrap();
    let head = format!(
        "POST /api/v1/upload/album/photos HTTP/1.1\r\nhost: acme.test\r\nkey: {key}\r\ncontent-length: 1000000\r\n\
         content-type: multipart/form-data; boundary=x\r\n\r\n\
         --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let began = std::time::Instant::now();
    let mut end = [0; 1024];
    // A byte every 100 ms is less than a kilobyte a second.
    let closed = loop {
        match tokio::time::timeout(std::time::Duration::from_millis(100), stream.read(&mut end)).await {
            Err(_) if stream.write_all(b"a").await.is_ok() => {
                assert!(began.elapsed().as_secs() < 120, "it is still open")
            }
            _ => break began.elapsed(),
        }
    };
    assert!(closed.as_secs() >= 9, "{closed:?}");
    // What had come is gone with it.
    while std::fs::read_dir(server.file_folder()).unwrap().count() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[spec]
async fn an_upload_may_take_longer_than_other_requests(DripServer(server): DripServer) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let key = server.key("admin").await;
    let mut stream = tokio::net::TcpStream::connect(server.client().address()).await.unwrap();
    let part = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n";
    let (pieces, piece) = (30, vec![b'a'; 2_000]);
    let length = part.len() + pieces * piece.len() + "\r\n--x--".len();
    let head = format!(
        "POST /api/v1/upload/album/photos HTTP/1.1\r\nhost: acme.test\r\nkey: {key}\r\ncontent-length: {length}\r\n\
         connection: close\r\ncontent-type: multipart/form-data; boundary=x\r\n\r\n{part}"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // Three seconds, where other requests have two.
    for _ in 0..pieces {
        stream.write_all(&piece).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    stream.write_all(b"\r\n--x--").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// A server where requests have two seconds, and uploads need a kilobyte a second.
struct DripServer(Server);

impl testing::Subject for DripServer {
    async fn on(engine: Engine) -> Self {
        let own = vec![("limits.request_time", "2s"), ("limits.upload_rate", "1000")];
        DripServer(
            Server::settled(engine, platform::tenants::Settings::default(), own, &[super::file_values::ALBUM]).await,
        )
    }
}
