//! PROXY headers before a connection's first byte: who is believed, and what is closed.

use super::subject::{LONG, PATIENCE, SHORT, Served, limits, network, serve_with, until_closed};
use super::tls::{HEALTH, HEALTHY, Secured, ask, certificate, put};
use crate::commands::program::Plinth;
use crate::monitoring::{ask_at, value};
use edge::{Limits, Timeouts};
use rustls::pki_types::ServerName;
use spec::spec;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

const REQUEST: &[u8] = b"GET /client HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const FORWARDED: &[u8] = b"GET /client HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6\r\nConnection: close\r\n\r\n";
const SIGNATURE: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

/// A header of version 2 with a command, a kind of addresses, and bytes.
fn header(command: u8, family: u8, bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap().to_be_bytes();
    [SIGNATURE, &[command, family], &length, bytes].concat()
}

/// A header of a client at 1.2.3.LAST.
fn client(last: u8) -> Vec<u8> {
    header(0x21, 0x11, &[1, 2, 3, last, 5, 6, 7, 8, 0, 1, 0, 2])
}

fn trusting(network_of_proxies: &str) -> Limits {
    Limits { proxy_protocol: true, trusted_proxies: vec![network(network_of_proxies)], ..limits() }
}

/// Checks that the request behind a header comes from an address; without one, that the connection closes without an
/// answer.
async fn check(server: &Served, header: &[u8], request: &[u8], expected: Option<&str>) {
    let answer = server.all([header, request].concat()).await;
    let shown = String::from_utf8_lossy(header).into_owned();
    match expected {
        None => assert_eq!(answer, "", "{shown:?}"),
        Some(address) => assert!(answer.ends_with(&format!("\r\n\r\n\"{address}\"")), "{shown:?}: {answer}"),
    }
}

#[spec(plain, "E-216")]
fn a_trusted_proxy_names_the_client() {
    super::pace::block_on(async {
        let server = serve_with(trusting("127.0.0.0/8")).await;
        let six = [&[0x20, 1, 0xd, 0xb8][..], &[0; 11], &[1], &[0; 20]].concat();
        let noted = [&[1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 2][..], &[4, 0x0f, 0], &[0; 0xf00]].concat();
        for (header, expected) in [
            (&*client(4), "1.2.3.4"),
            (&header(0x21, 0x21, &six), "2001:db8::1"),
            (&header(0x21, 0x11, &noted), "1.2.3.4"),
            (b"PROXY TCP4 1.2.3.4 5.6.7.8 1000 443\r\n", "1.2.3.4"),
            (b"PROXY TCP6 2001:db8::1 ::1 1000 443\r\n", "2001:db8::1"),
            // A check of health is of the proxy itself.
            (&header(0x20, 0, b""), "127.0.0.1"),
            (b"PROXY UNKNOWN\r\n", "127.0.0.1"),
        ] {
            check(&server, header, REQUEST, Some(expected)).await;
            // What a client says of itself counts for nothing, also where the proxy does not know it.
            check(&server, header, FORWARDED, Some(expected)).await;
        }
        // Behind a proxy for bytes stands one for HTTP, which forwards.
        let inner = header(0x21, 0x11, &[127, 0, 0, 9, 5, 6, 7, 8, 0, 1, 0, 2]);
        check(&server, &inner, FORWARDED, Some("6.6.6.6")).await;
    });
}

#[spec(plain, "E-216")]
fn connections_without_a_good_header_are_closed() {
    super::pace::block_on(async {
        let server = serve_with(trusting("127.0.0.0/8")).await;
        let four = [1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 2];
        for header in [
            &b""[..],
            b"PROXY TCP4 1.2.3.4 5.6.7.8 1000\r\n",
            b"PROXY TCP4 1.2.3.4 5.6.7.8 1000 443\n",
            b"PROXY TCP4 example.com 5.6.7.8 1000 443\r\n",
            &[b"PROXY TCP4 ", &[b'1'; 200][..]].concat(),
            &header(0x31, 0x11, &four),
            &header(0x22, 0x11, &four),
            &header(0x21, 0x12, &four),
            &header(0x21, 0x31, &[0; 216]),
            &header(0x21, 0x11, &four[..11]),
            &header(0x21, 0x11, &[&four[..], &[4, 0, 9]].concat()),
            &header(0x21, 0x11, &[0; 5000]),
        ] {
            check(&server, header, REQUEST, None).await;
        }
        // A second header is no request.
        let twice = server.all([&client(4)[..], b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", REQUEST].concat()).await;
        assert!(twice.starts_with("HTTP/1.1 400 "), "{twice}");
        // Others than trusted proxies are not even read.
        let server = serve_with(trusting("10.0.0.0/8")).await;
        check(&server, &client(4), REQUEST, None).await;
        check(&server, b"", REQUEST, None).await;
        // Without the setting, a header is a malformed request.
        let server = serve_with(Limits { proxy_protocol: false, ..trusting("127.0.0.0/8") }).await;
        let answer = server.all([&client(4)[..], REQUEST].concat()).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    });
}

#[spec(plain, "E-216")]
fn a_header_has_the_time_of_a_head() {
    super::pace::block_on(async {
        let timeouts = Timeouts { head: SHORT, ..limits().timeouts };
        let server = serve_with(Limits { timeouts, ..trusting("127.0.0.0/8") }).await;
        let whole = client(4);
        for part in [&b""[..], &whole[..5], &whole[..14], &whole[..20], b"PROXY TCP4 1.2.3.4 "] {
            let mut stream = server.connect().await;
            stream.write_all(part).await.unwrap();
            assert_eq!(until_closed(&mut stream).await, "", "{part:?}");
        }
    });
}

#[spec(plain, "E-216")]
fn clients_of_a_proxy_have_limits_of_their_own() {
    super::pace::block_on(async {
        let server = serve_with(Limits { connections_per_address: 1, ..trusting("127.0.0.0/8") }).await;
        let mut first = server.connect().await;
        first.write_all(&[&client(4)[..], b"GET /held HTTP/1.1\r\nHost: a\r\n\r\n"].concat()).await.unwrap();
        server.probe.under_way(1).await;
        check(&server, &client(4), REQUEST, None).await;
        check(&server, &client(5), REQUEST, Some("1.2.3.5")).await;
        server.probe.let_go();
    });
}

#[spec(plain, "E-216")]
fn a_stopping_server_does_not_wait_for_headers() {
    super::pace::block_on(async {
        let mut server = serve_with(Limits { shutdown_idle: SHORT, shutdown: LONG, ..trusting("127.0.0.0/8") }).await;
        let mut silent = server.connect().await;
        // The connection behind it is served, so that it is accepted, too.
        check(&server, &client(4), REQUEST, Some("1.2.3.4")).await;
        server.stop();
        assert_eq!(until_closed(&mut silent).await, "");
        tokio::time::timeout(PATIENCE, server.task).await.expect("the server ends").unwrap();
    });
}

#[spec("E-216")]
async fn a_header_comes_before_tls_and_is_counted(plinth: Plinth) {
    let pair = certificate(&["localhost"], 2100);
    put(&plinth.path("tls"), "own", &pair);
    let path = |name: &str| plinth.path(name).display().to_string();
    let admin = plinth.path("admin.sock");
    let (file, key, listen) = (path("tls/own.crt"), path("tls/own.key"), format!("unix:{}", admin.display()));
    let settings = [
        ("PLINTH_TLS_CERTIFICATE", &*file),
        ("PLINTH_TLS_KEY", &key),
        ("PLINTH_ADMIN_LISTEN", &listen),
        ("PLINTH_PROXY_PROTOCOL", "true"),
        ("PLINTH_TRUSTED_PROXIES", "127.0.0.1"),
        ("PLINTH_LOG_ACCESS", "true"),
        ("PLINTH_LOG_ADDRESS", "full"),
    ];
    let secured = Secured::start(plinth, &[&pair], &settings);
    let mut stream = TcpStream::connect(secured.address()).await.unwrap();
    stream.write_all(&client(4)).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(secured.client(None)).connect(name, stream).await.unwrap();
    assert!(ask(&mut stream, HEALTH, HEALTHY).await.starts_with("HTTP/1.1 200 "));
    ask(&mut stream, "GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", "}").await;
    secured.told("1.2.3.4");
    assert!(secured.connect("localhost").await.is_err(), "it takes a connection without a header");
    let page = ask_at(&admin, "GET", "/metrics", "").await.body;
    let closed = value(&page, "plinth_http_rejected_total{reason=\"proxy\"}");
    assert!((closed - 1.0).abs() < f64::EPSILON, "{page}");
}

#[spec("E-216")]
async fn the_setting_needs_trusted_proxies(plinth: Plinth) {
    let refused = |settings: &[(&str, &str)], arguments: &[&str]| {
        let run = tokio::task::block_in_place(|| plinth.run_in(settings, arguments, b""));
        assert_ne!(run.code, 0, "{}", run.output);
        run.errors
    };
    let alone = refused(&[("PLINTH_PROXY_PROTOCOL", "true")], &["serve"]);
    assert!(alone.contains("proxy_protocol is true, and trusted_proxies is empty"), "{alone}");
    let trusting = [("PLINTH_PROXY_PROTOCOL", "true"), ("PLINTH_TRUSTED_PROXIES", "10.0.0.1")];
    let blind = refused(&trusting, &["healthcheck"]);
    assert!(blind.contains("takes connections of proxies alone, and admin.listen is empty"), "{blind}");
}
