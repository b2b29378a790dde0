//! Files as they are served: by the address that their output has, and by key; in parts; with what keeps them harmless.

use super::file_values::{ALBUM, Album};
use super::uploads::PNG;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Choices, Client, Reply, Server};

/// An album with one cover; gives the path of the album, and the address of the cover.
pub(super) async fn covered(client: &Client, name: &str, bytes: &[u8]) -> (String, String) {
    let promise = client.promise("album/cover", name, bytes).await;
    let row = client.create("album", json!({"cover": promise})).await;
    (format!("collection/album/{}", row["id"]), row["cover"]["url"].as_str().unwrap().to_owned())
}

pub(super) async fn get(client: &Client, url: &str, headers: &[(&str, &str)]) -> Reply {
    let request = headers.iter().fold(client.request("GET", url), |request, (name, value)| request.header(name, value));
    request.send().await
}

#[spec]
async fn a_file_is_served_by_its_address_without_a_key(Album(server): Album) {
    let (admin, anybody) = (server.admin(), server.client());
    let (path, url) = covered(&admin, "The cover (ž)'s.png", PNG).await;
    let reply = anybody.get(&url).await.is(200);
    assert_eq!(reply.bytes, PNG);
    let hash = admin.get(&path).await.at("/cover/hash");
    for (header, expected) in [
        ("content-type", "image/png"),
        ("content-length", "29"),
        ("content-disposition", "inline; filename*=UTF-8''The%20cover%20%28%C5%BE%29%27s.png"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("accept-ranges", "bytes"),
        // The address holds to the end of the next hour.
        ("cache-control", "private, max-age=7200"),
        ("etag", &hash.to_string()),
        ("last-modified", "Fri, 20 Nov 2026 12:00:00 GMT"),
        ("set-cookie", ""),
    ] {
        assert_eq!(reply.header(header), expected, "{header}");
    }
    let head = anybody.request("HEAD", &url).send().await.is(200);
    assert_eq!((head.header("content-length"), head.bytes.len()), ("29", 0));
    assert_eq!(head.header("etag"), reply.header("etag"));
    server.clock().advance(7_199);
    assert_eq!(anybody.get(&url).await.is(200).header("cache-control"), "private, max-age=1");
    for (request, status, text) in [
        (format!("POST {url}"), 405, "GET, HEAD"),
        (format!("GET {url}?download=1"), 400, "download"),
        (format!("OPTIONS {url}"), 204, ""),
    ] {
        anybody.check(&[(&request, status, text)]).await;
    }
}

#[spec]
async fn every_printable_name_has_an_address_that_opens_the_file(Album(server): Album) {
    let (admin, anybody) = (server.admin(), server.client());
    // A control character can stand in no header of a part.
    let mut names: Vec<String> = (' '..='~').map(|letter| format!("a{letter}b.txt")).collect();
    let mut choices = Choices::new(11);
    while names.len() < 200 {
        let letter = u32::try_from(choices.below(0x11_0000)).ok().and_then(char::from_u32);
        if let Some(letter) = letter.filter(|letter| !letter.is_control()) {
            names.push(format!("{letter}{letter}.txt"));
        }
    }
    for name in names {
        // As browsers and `curl` send it: a quote and a backslash stand behind a backslash.
        let sent = name.replace('\\', "\\\\").replace('"', "\\\"");
        let (path, url) = covered(&admin, &sent, b"hello").await;
        let shown = admin.get(&path).await.at("/cover/name");
        match name.as_str() {
            "a\"b.txt" => assert_eq!(shown, "a-b.txt"),
            "a\\b.txt" => assert_eq!(shown, "b.txt"),
            _ => {}
        }
        let reply = anybody.get(&url).await;
        assert_eq!((reply.status, &reply.bytes[..]), (200, &b"hello"[..]), "{name:?} at {url}");
    }
}

#[spec]
async fn a_file_is_served_by_key_with_the_rights_on_its_row(Album(server): Album) {
    let admin = server.admin();
    let (path, _) = covered(&admin, "a b.txt", b"hello").await;
    let row = admin.query(&path, &[("showFields", "id,uuid")]).await.json();
    let part = "role: part\ntitle: Part\nsystem: [restApi]\ntypes:\n  album: {show: {fields: [name]}}\n";
    let part = server.role("part", part).await;
    let base = "/api/ext/v1/file/album";
    let by_uuid = format!("{base}/{}/cover/a%20b.txt", row["uuid"].as_str().unwrap());
    let by_id = format!("/api/ext/v1/file/20/{}/cover/a%20b.txt", row["id"]);
    for address in [&by_uuid, &by_id] {
        let reply = admin.get(address).await.is(200);
        assert_eq!((reply.bytes.as_ref(), reply.header("cache-control")), (&b"hello"[..], "private, no-cache"));
        assert_eq!(get(&admin, address, &[("range", "bytes=1-2")]).await.is(206).bytes, "el");
    }
    server.client().get(&by_uuid).await.is(403);
    server.reader().get(&by_uuid).await.is(403).says("album");
    let hidden = part.get(&by_uuid).await.is(400).text;
    let unknown = part.get(&by_uuid.replace("cover", "nothing")).await.is(400).text;
    assert_eq!(hidden.replace("cover", "nothing"), unknown);
    let id = &row["id"];
    for (address, status, text) in [
        (format!("{base}/{id}/cover/b.txt"), 404, "no such file"),
        (format!("{base}/{id}/photos/a%20b.txt"), 404, "no such file"),
        (format!("{base}/{id}/name/a%20b.txt"), 400, "Name"),
        (format!("{base}/999/cover/a%20b.txt"), 404, "no such file"),
        (format!("{base}/{id}/cover"), 404, ""),
        (format!("/api/ext/v1/file/nothing/{id}/cover/a%20b.txt"), 404, "collection"),
    ] {
        admin.get(&address).await.is(status).says(text);
    }
}

#[spec("A107")]
async fn one_range_at_a_time(Album(server): Album) {
    let (_, url) = covered(&server.admin(), "a.txt", b"0123456789").await;
    let anybody = server.client();
    let many = format!("bytes={}", vec!["0-1"; 1_000].join(","));
    for (range, status, content_range, body) in [
        ("bytes=0-0", 206, "bytes 0-0/10", "0"),
        ("bytes=2-4", 206, "bytes 2-4/10", "234"),
        ("bytes=7-", 206, "bytes 7-9/10", "789"),
        ("bytes=-1", 206, "bytes 9-9/10", "9"),
        ("bytes=-100", 206, "bytes 0-9/10", "0123456789"),
        ("bytes=0-18446744073709551615", 206, "bytes 0-9/10", "0123456789"),
        ("bytes=0-99999999999999999999999", 206, "bytes 0-9/10", "0123456789"),
        ("bytes=9-1", 416, "bytes */10", ""),
        ("bytes=10-", 416, "bytes */10", ""),
        ("bytes=-0", 416, "bytes */10", ""),
        ("bytes=0-1,3-4", 416, "bytes */10", ""),
        ("bytes=x", 416, "bytes */10", ""),
        (&many, 416, "bytes */10", ""),
        ("lines=1-2", 200, "", "0123456789"),
    ] {
        let reply = get(&anybody, &url, &[("range", range)]).await.is(status);
        assert_eq!(reply.header("content-range"), content_range, "{range}");
        if status < 300 {
            assert_eq!(
                (reply.bytes.as_ref(), reply.header("content-length")),
                (body.as_bytes(), body.len().to_string().as_str())
            );
        }
    }
    let twice = get(&anybody, &url, &[("range", "bytes=0-1"), ("range", "bytes=3-4")]).await;
    twice.is(416);
    let (_, empty) = covered(&server.admin(), "empty.txt", b"").await;
    assert_eq!(anybody.get(&empty).await.is(200).header("content-length"), "0");
    get(&anybody, &empty, &[("range", "bytes=0-")]).await.is(416);
    // HEAD knows no ranges.
    let head = anybody.request("HEAD", &url).header("range", "bytes=0-1").send().await.is(200);
    assert_eq!(head.header("content-length"), "10");
}

#[spec]
async fn conditions_are_kept(Album(server): Album) {
    let (_, url) = covered(&server.admin(), "a.txt", b"0123456789").await;
    let anybody = server.client();
    let whole = anybody.get(&url).await;
    let (tag, date) = (whole.header("etag"), whole.header("last-modified"));
    let weak = format!("W/{tag}");
    for (headers, status) in [
        (vec![("if-none-match", tag)], 304),
        (vec![("if-none-match", &weak)], 304),
        (vec![("if-none-match", "*")], 304),
        (vec![("if-none-match", tag), ("range", "bytes=0-1")], 304),
        (vec![("if-none-match", "\"other\"")], 200),
        (vec![("if-modified-since", date)], 304),
        (vec![("if-modified-since", date), ("if-none-match", "\"other\"")], 200),
        (vec![("if-modified-since", "Thu, 19 Nov 2026 12:00:00 GMT")], 200),
        (vec![("if-range", tag), ("range", "bytes=0-1")], 206),
        (vec![("if-range", date), ("range", "bytes=0-1")], 206),
        (vec![("if-range", &weak), ("range", "bytes=0-1")], 200),
        (vec![("if-range", "\"other\""), ("range", "bytes=0-1")], 200),
    ] {
        let reply = get(&anybody, &url, &headers).await.is(status);
        assert_eq!(reply.header("etag"), tag, "{headers:?}");
        let length = [(304, 0), (200, 10), (206, 2)].iter().find(|(known, _)| *known == status).unwrap().1;
        assert_eq!(reply.bytes.len(), length, "{headers:?}");
    }
}

#[spec("A102")]
async fn what_could_act_is_saved_and_not_shown(server: Server) {
    let any =
        ALBUM.1.replace("accept: [image/svg+xml]", "accept: [image/svg+xml, text/html, application/pdf, \"image/*\"]");
    server.change(&[(ALBUM.0, &any)]).await;
    let (admin, anybody) = (server.admin(), server.client());
    let html = b"<!doctype html><script>alert(1)</script>";
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    // What is one thing and says that it is another is not taken at all.
    let polyglot = [PNG, html].concat();
    for (name, mime, bytes) in [
        ("a.png", "image/png", &html[..]),
        ("a.png", "image/png", svg),
        ("a.png", "image/png", b"%PDF-1.7\n"),
        ("a.png", "image/png", b"GIF89a/*<script>*/=1"),
        ("a.html.png", "image/png", html),
        ("a.png.html", "image/png", &polyglot),
        ("a.html", "text/html", &polyglot),
    ] {
        admin.upload("album/drawing", &[(name, mime, bytes)]).await.is(400).says("its name or type");
        admin.upload("album/photos", &[(name, mime, bytes)]).await.is(400);
    }
    for (name, bytes, mime, disposition, policy) in [
        ("a.html", &html[..], "text/html", "attachment", "sandbox; "),
        ("a.svg", svg, "image/svg+xml", "attachment", "sandbox; "),
        ("a.html.svg", svg, "image/svg+xml", "attachment", "sandbox; "),
        ("a.png", &polyglot, "image/png", "inline", "sandbox; "),
        ("a.bmp", b"BM<script>alert(1)</script>", "image/bmp", "attachment", "sandbox; "),
        // Browsers show no PDF in a sandbox; no script of a page runs here either.
        ("a.pdf", b"%PDF-1.7\n", "application/pdf", "inline", ""),
    ] {
        let promise = admin.promise("album/drawing", name, bytes).await;
        let row = admin.create("album", json!({"drawing": promise})).await;
        let reply = anybody.get(row["drawing"]["url"].as_str().unwrap()).await.is(200);
        assert_eq!(reply.bytes, bytes, "{name}");
        assert_eq!(reply.header("content-type"), mime, "{name}");
        assert_eq!(reply.header("content-disposition"), format!("{disposition}; filename*=UTF-8''{name}"));
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        let csp = reply.header("content-security-policy");
        assert!(
            csp.starts_with(&format!("{policy}default-src 'none'")) && !csp.contains("script-src"),
            "{name}: {csp}"
        );
    }
}

#[spec("A109")]
async fn what_an_operator_puts_in_the_place_of_bytes_is_refused(Album(server): Album) {
    let admin = server.admin();
    let (path, url) = covered(&admin, "a.txt", b"hello").await;
    let folder = server.file_folder();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "hello").unwrap();
    let bytes = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let refused = async || {
        let reply = server.client().get(&url).await.is(500);
        assert!(!reply.text.contains("hello") && !reply.text.contains(folder.to_str().unwrap()), "{}", reply.text);
        assert_eq!((reply.header("etag"), reply.header("content-disposition")), ("", ""));
    };
    let replace = |make: &dyn Fn()| {
        if bytes.is_dir() {
            std::fs::remove_dir(&bytes).unwrap();
        } else {
            std::fs::remove_file(&bytes).unwrap();
        }
        make();
    };
    replace(&|| std::os::unix::fs::symlink(outside.path().join("secret"), &bytes).unwrap());
    refused().await;
    replace(&|| std::os::unix::fs::symlink("/dev/zero", &bytes).unwrap());
    refused().await;
    replace(&|| assert!(std::process::Command::new("mkfifo").arg(&bytes).status().unwrap().success()));
    refused().await;
    replace(&|| _ = std::os::unix::net::UnixListener::bind(&bytes).unwrap());
    refused().await;
    replace(&|| std::fs::create_dir(&bytes).unwrap());
    refused().await;
    // As root a device, too.
    replace(&|| {
        let made = std::process::Command::new("mknod").arg(&bytes).args(["c", "1", "5"]).status();
        if !made.is_ok_and(|made| made.success()) {
            std::fs::create_dir(&bytes).unwrap();
        }
    });
    refused().await;
    // The folder itself.
    replace(&|| std::fs::write(&bytes, "hello").unwrap());
    server.client().get(&url).await.is(200);
    std::fs::rename(&folder, outside.path().join("files")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("files"), &folder).unwrap();
    refused().await;
    let upload = admin.upload("album/cover", &[("a.txt", "text/plain", b"hello")]).await;
    assert_eq!((upload.status, std::fs::read_dir(outside.path().join("files")).unwrap().count()), (500, 1));
    // What cannot be read is there all the same.
    assert_eq!(admin.get(&path).await.is(200).at("/cover/size"), Json::from(5));
}

#[spec]
async fn a_file_without_its_bytes_is_a_failure(Album(server): Album) {
    let (_, url) = covered(&server.admin(), "a.txt", b"hello").await;
    let bytes = std::fs::read_dir(server.file_folder()).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&bytes, "hell").unwrap();
    assert!(server.client().request("GET", &url).try_send().await.is_none(), "too short: the connection breaks off");
    std::fs::remove_file(&bytes).unwrap();
    server.client().get(&url).await.is(500);
}

#[spec]
async fn downloads_are_described_to_whoever_may(Album(server): Album) {
    let part = "role: part\ntitle: Part\nsystem: [restApi]\ntypes:\n  album: {show: {fields: [name, cover]}}\n";
    let none = "role: none\ntitle: None\nsystem: [restApi]\ntypes:\n  album: {show: {fields: [name]}}\n";
    let (part, none) = (server.role("part", part).await, server.role("none", none).await);
    let by_key = "/api/ext/v1/file/album/{item}/{property}/{name}";
    for (client, properties) in
        [(server.admin(), json!(["cover", "photos", "drawing"])), (part, json!(["cover"])), (none, Json::Null)]
    {
        let document = client.get("/api/ext/v1/openapi.json?profile=contract").await.is(200).json();
        let paths = &document["paths"];
        assert_eq!(paths[by_key]["get"]["parameters"][1]["schema"]["enum"], properties);
        let linked = &paths["/api/ext/v1/file/{link}/{name}"]["get"];
        let described =
            ["200", "206", "304", "403", "404", "416"].iter().all(|status| linked["responses"].get(status).is_some());
        assert!(linked.is_null() && properties.is_null() || described && linked["security"] == json!([]));
    }
}
