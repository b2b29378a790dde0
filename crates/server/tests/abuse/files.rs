//! Large files, up and down: the process's memory does not grow with them.

use crate::{LIMIT, alone};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use testing::{Engine, Process, Server};
use tokio::task::{JoinSet, spawn_blocking};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// Bytes of the file.
const SIZE: usize = 200 << 20;
const BLOCK: usize = 64 << 10;
/// What the process may have more at its peak than after a small file: less than half of one of the five times that the file
/// goes through it. One download alone has half a megabyte at most, but pages of the program itself count, too.
const GROWTH: u64 = 96 << 20;
const DOWNLOADS: usize = 4;
const SETTINGS: &[(&str, &str)] =
    &[("PLINTH_LIMITS_UPLOAD_FILE_BYTES", "1000000000"), ("PLINTH_LIMITS_UPLOAD_BYTES", "1000000000")];
const TYPE: (&str, &str) = (
    "types/album.yaml",
    "id: 20\nname: album\ntitle: Album\nproperties:\n  cover: {id: 200, kind: pFile, title: Cover}\n",
);

#[test]
fn memory_does_not_grow_with_files() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "large files", |engine: Engine| async move {
            let server = Server::with(engine, &[TYPE]).await;
            let key = server.key("admin").await;
            let process = server.process(PLINTH, SETTINGS).await;
            let admin = process.client().with("host", "acme.test").with("key", &key);
            let address = admin.address();
            let there_and_back = async |size: usize| {
                let key = key.clone();
                let promise = spawn_blocking(move || upload(address, &key, size)).await.unwrap();
                let row = admin.create("album", json!({"cover": promise})).await;
                assert_eq!(row["cover"]["size"], size);
                let mut downloads = JoinSet::new();
                for _ in 0..DOWNLOADS {
                    let url = row["cover"]["url"].as_str().unwrap().to_owned();
                    downloads.spawn_blocking(move || download(address, &url, size));
                }
                downloads.join_all().await;
            };
            there_and_back(BLOCK).await;
            let before = peak(&process);
            there_and_back(SIZE).await;
            let grown = peak(&process).saturating_sub(before);
            println!("{engine:?}: {} KiB before, {} KiB more for {SIZE} bytes", before >> 10, grown >> 10);
            assert!(grown < GROWTH, "{engine:?}: {grown} bytes more than {before}");
        });
    }
}

/// The byte at a place of the file.
fn byte(place: usize) -> u8 {
    (place / BLOCK % 251) as u8
}

/// Sends a file that is never in memory whole; gives its promise.
fn upload(address: SocketAddr, key: &str, size: usize) -> String {
    let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n";
    let tail = "\r\n--x--\r\n";
    let length = head.len() + size + tail.len();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /api/v1/upload/album/cover HTTP/1.1\r\nHost: acme.test\r\nKey: {key}\r\nConnection: close\r\n\
         Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {length}\r\n\r\n{head}"
    )
    .unwrap();
    for place in (0..size).step_by(BLOCK) {
        stream.write_all(&vec![byte(place); BLOCK.min(size - place)]).unwrap();
    }
    stream.write_all(tail.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, promise) = answer.split_once("[\"").unwrap_or_else(|| panic!("{answer}"));
    promise.trim_end_matches("\"]").to_owned()
}

/// Reads a file, and checks each byte of it.
fn download(address: SocketAddr, url: &str, size: usize) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {url} HTTP/1.1\r\nHost: acme.test\r\nConnection: close\r\n\r\n").unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut one = [0];
        stream.read_exact(&mut one).unwrap();
        head.push(one[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&head));
    let mut block = vec![0; BLOCK];
    for place in (0..size).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(size - place)];
        stream.read_exact(block).unwrap();
        assert!(block == vec![byte(place); block.len()], "at {place}");
    }
    assert_eq!(stream.read(&mut [0; 1]).unwrap(), 0, "nothing comes after the last byte");
}

/// The most memory that the process has had, in bytes. The kernel counts by processor, so that a later figure may be
/// smaller by some pages.
pub(crate) fn peak(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() << 10
}
