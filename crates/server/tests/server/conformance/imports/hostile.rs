//! Hostile files: bombs, wrong encodings, files that end in the middle, too much of everything.

use super::{Stock, parts, send};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use spec::spec;
use std::io;
use std::io::{Read as _, Write as _};

#[spec("E-095")]
async fn hostile_files_are_refused(stock: Stock) {
    let admin = &stock.admin;
    for parameters in ["", "run=1"] {
        for (media_type, body, code) in [
            ("text/csv", &b""[..], "header_missing"),
            ("text/csv", b"code,\"name\na,b\n", "file_unreadable"),
            ("text/csv", b"\xff\xfec\0o\0d\0e\0\n\0", "file_unreadable"),
            ("text/csv", b"co\xffde\na\n", "file_unreadable"),
            ("application/json", b"[{\"code\": \"a\"}", "file_unreadable"),
            ("application/json", b"{\"code\": \"a\"}", "file_unreadable"),
            ("application/json", b"[{\"code\": \"a\"}] x", "file_unreadable"),
        ] {
            let reply = send(admin, parameters, media_type, body).await.is(400);
            assert_eq!(reply.at("/code"), code, "{parameters} {body:?}");
        }
        let deep = format!("[{{\"code\": {}1{}}}]", "[".repeat(10_000), "]".repeat(10_000));
        let reply = send(admin, "run=1", "application/json", deep).await.is(200);
        assert_eq!(reply.at("/problems/0/code"), "unreadable", "{parameters}");
        let wide: String = (0..16_000).map(|column| format!("c{column},")).collect();
        let reply = send(admin, parameters, "text/csv", format!("{wide}x\n")).await.is(400);
        assert_eq!(reply.at("/code"), "columns_too_many");
        let endless = format!("code\n\"{}", "a".repeat(17 << 20));
        assert_eq!(send(admin, parameters, "text/csv", endless).await.is(400).at("/code"), "file_unreadable");
        let endless = format!("[{{\"code\": \"{}\"}}]", "a".repeat(17 << 20));
        assert_eq!(send(admin, parameters, "application/json", endless).await.is(400).at("/code"), "file_unreadable");
    }
    send(admin, "", "application/vnd.ms-excel", "x").await.is(415);
    admin
        .with("content-encoding", "br")
        .request("POST", "/api/ext/v1/import/part")
        .body("text/csv", "x")
        .send()
        .await
        .is(415);
    assert_eq!(parts(admin, "code").await, json!([]));
    assert_eq!(admin.get("/api/ext/v1/job").await.at("/items"), json!([]), "nothing is kept of them");
}

#[spec("E-095")]
async fn a_bomb_does_not_go_off(stock: Stock) {
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    bomb.write_all(b"code\n").unwrap();
    io::copy(&mut io::repeat(b'\n').take(300 << 20), &mut bomb).unwrap();
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 400_000);
    let packed = stock.admin.with("content-encoding", "gzip");
    for body in [bomb.clone(), bomb[..bomb.len() / 2].to_vec(), b"not packed".to_vec()] {
        let reply = packed.request("POST", "/api/ext/v1/import/part").body("text/csv", body).send().await.is(400);
        assert_eq!(reply.at("/code"), "file_unreadable");
    }
}

#[spec("E-095")]
async fn rows_that_cannot_be_read_are_told(stock: Stock) {
    let csv = b"code,name\n\"a\"b,c\nb,x,y\n\"c\"d,e\nf,g\n".to_vec();
    let reply = send(&stock.admin, "run=1&keepGoing=1", "text/csv", csv).await.is(200);
    let codes: Vec<String> = reply
        .at("/problems")
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["code"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(codes, ["unreadable", "cells", "unreadable"]);
    assert_eq!(parts(&stock.admin, "code,name").await, json!([{"code": "f", "name": "g"}]));
    let lines = "{\"code\": \"h\"}\n[1]\n{\"code\": {\"$gt\": \"\"}}\n{\"code\": \"i\", \"__proto__\": 1}\n";
    let reply = send(&stock.admin, "run=1&keepGoing=1", "application/jsonl", lines).await.is(200);
    assert_eq!([reply.at("/failed"), reply.at("/result/created")], [json!(3), json!(1)], "{}", reply.text);
}

/// An answer does not grow with the values and names of a file, nor does a job's result.
#[spec("E-152", "E-095")]
async fn long_values_and_names_are_cut(stock: Stock) {
    let number = format!("code,price\na,\"1{}\"\n", ",111".repeat(50_000));
    let member = format!("{{\"code\": \"b\", \"{}\": 1}}\n", "m".repeat(200_000));
    for (media_type, body) in [("text/csv", &number), ("application/x-ndjson", &member)] {
        let reply = send(&stock.admin, "run=1&dryRun=true", media_type, body.as_bytes()).await.is(200);
        assert!(reply.at("/problems/0/message").is_string(), "{}", reply.text.len());
        assert!(reply.text.len() < 3_000, "{} bytes", reply.text.len());
    }
    let column = format!("code,{}\na,1\n", "c".repeat(200_000));
    let reply = send(&stock.admin, "run=1", "text/csv", column).await.is(400);
    assert!(reply.text.len() < 1_000, "{} bytes", reply.text.len());
}
