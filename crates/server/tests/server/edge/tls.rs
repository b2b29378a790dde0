//! HTTPS of the server itself: certificates by host, changed files, clients without TLS, and refused files.

use crate::commands::program::Plinth;
use crate::monitoring::{ask_at, value};
use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, HandshakeKind, RootCertStore};
use serde_json::Value as Json;
use spec::spec;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testing::Process;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::block_in_place;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// A certificate that signs itself, of these hosts, valid until a year.
pub(super) fn certificate(hosts: &[&str], year: i32) -> CertifiedKey<KeyPair> {
    let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
    let mut parameters = CertificateParams::new(hosts).unwrap();
    parameters.not_after = date_time_ymd(year, 1, 1);
    let signing_key = KeyPair::generate().unwrap();
    CertifiedKey { cert: parameters.self_signed(&signing_key).unwrap(), signing_key }
}

/// Writes a pair into a folder as NAME.crt and NAME.key.
pub(super) fn put(folder: &Path, name: &str, pair: &CertifiedKey<KeyPair>) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(format!("{name}.crt")), pair.cert.pem()).unwrap();
    std::fs::write(folder.join(format!("{name}.key")), pair.signing_key.serialize_pem()).unwrap();
}

/// A server with HTTPS, and what a client of it trusts.
pub(super) struct Secured {
    plinth: Plinth,
    server: Process,
    roots: Arc<RootCertStore>,
}

impl Secured {
    pub(super) fn start(plinth: Plinth, trusted: &[&CertifiedKey<KeyPair>], settings: &[(&str, &str)]) -> Self {
        let mut roots = RootCertStore::empty();
        for pair in trusted {
            roots.add(pair.cert.der().clone()).unwrap();
        }
        block_in_place(|| plinth.run(&["tenant", "create", "acme"]).done());
        let server = block_in_place(|| plinth.start_with("serve", settings));
        let url = server.ready()["url"].as_str().unwrap();
        assert!(url.starts_with("https://127.0.0.1:"), "{url}");
        Secured { plinth, server, roots: Arc::new(roots) }
    }

    pub(super) fn address(&self) -> &str {
        self.server.ready()["url"].as_str().unwrap().trim_start_matches("https://")
    }

    pub(super) async fn connect(&self, host: &str) -> io::Result<TlsStream<TcpStream>> {
        self.connect_as(host, None).await
    }

    async fn connect_as(&self, host: &str, own: Option<&CertifiedKey<KeyPair>>) -> io::Result<TlsStream<TcpStream>> {
        self.connect_by(host, self.client(own)).await
    }

    /// A client with its memory of sessions.
    pub(super) fn client(&self, own: Option<&CertifiedKey<KeyPair>>) -> Arc<ClientConfig> {
        let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(Arc::clone(&self.roots));
        Arc::new(match own {
            None => builder.with_no_client_auth(),
            Some(own) => {
                let key = PrivateKeyDer::from_pem_slice(own.signing_key.serialize_pem().as_bytes()).unwrap();
                builder.with_client_auth_cert(vec![own.cert.der().clone()], key).unwrap()
            }
        })
    }

    async fn connect_by(&self, host: &str, client: Arc<ClientConfig>) -> io::Result<TlsStream<TcpStream>> {
        let stream = TcpStream::connect(self.address()).await?;
        let name = ServerName::try_from(host.to_owned()).unwrap();
        TlsConnector::from(client).connect(name, stream).await
    }

    /// The kind of handshake that the second connection of a client has.
    async fn second(&self, own: Option<&CertifiedKey<KeyPair>>) -> Option<HandshakeKind> {
        let client = self.client(own);
        let mut first = self.connect_by("localhost", Arc::clone(&client)).await.unwrap();
        // The ticket for another session comes with the answer.
        ask(&mut first, HEALTH, HEALTHY).await;
        self.connect_by("localhost", client).await.unwrap().get_ref().1.handshake_kind()
    }

    /// The certificate that the server shows for a host.
    async fn shown(&self, host: &str) -> CertificateDer<'static> {
        let stream = self.connect(host).await.unwrap();
        stream.get_ref().1.peer_certificates().unwrap()[0].clone().into_owned()
    }

    /// Waits until the log tells a text.
    pub(super) fn told(&self, text: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        while !self.server.logged().contains(text) {
            assert!(Instant::now() < end, "{text}: {}", self.server.logged());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn hang_up(&self) {
        let sent = Command::new("kill").args(["-HUP", &self.server.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

/// Sends a request, and reads until the answer has this text.
pub(super) async fn ask(
    stream: &mut (impl AsyncReadExt + AsyncWriteExt + Unpin),
    request: &str,
    until: &str,
) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !String::from_utf8_lossy(&answer).contains(until) {
        let count = stream.read_buf(&mut answer).await.unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8(answer).unwrap()
}

pub(super) const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
pub(super) const HEALTHY: &str = "{\"status\":\"ok\"}";

#[spec("E-165")]
async fn a_pair_of_files_makes_https(plinth: Plinth) {
    let pair = certificate(&["localhost"], 2100);
    put(&plinth.path("tls"), "own", &pair);
    let (file, key) =
        (plinth.path("tls/own.crt").display().to_string(), plinth.path("tls/own.key").display().to_string());
    let settings = [("PLINTH_TLS_CERTIFICATE", &*file), ("PLINTH_TLS_KEY", &*key), ("PLINTH_LIMITS_HEAD_TIME", "2s")];
    let secured = Secured::start(plinth, &[&pair], &settings);
    // Several requests go through one connection, and large answers whole.
    let mut stream = secured.connect("localhost").await.unwrap();
    for _ in 0..3 {
        assert!(ask(&mut stream, HEALTH, HEALTHY).await.starts_with("HTTP/1.1 200 "));
    }
    let large = "GET /api/ext/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(large.as_bytes()).await.unwrap();
    let mut whole = Vec::new();
    stream.read_to_end(&mut whole).await.unwrap();
    let body = whole.windows(4).position(|part| part == b"\r\n\r\n").unwrap() + 4;
    let text = String::from_utf8(whole[..body].to_vec()).unwrap().to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse::<usize>().unwrap();
    assert_eq!(whole.len() - body, length);

    assert_eq!(secured.second(None).await, Some(HandshakeKind::Resumed));

    // A client without TLS is told so.
    let mut plain = TcpStream::connect(secured.address()).await.unwrap();
    let answer = ask(&mut plain, HEALTH, "https://").await;
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("This server speaks HTTPS here"), "{answer}");
    // Noise and silence instead of a handshake lose their connections; others are served meanwhile.
    let mut silent = TcpStream::connect(secured.address()).await.unwrap();
    let mut noise = TcpStream::connect(secured.address()).await.unwrap();
    noise.write_all(&[22, 3, 1, 0, 5, 9, 9, 9, 9, 9]).await.unwrap();
    let mut rest = Vec::new();
    let _ = noise.read_to_end(&mut rest).await;
    let mut stream = secured.connect("localhost").await.unwrap();
    ask(&mut stream, HEALTH, HEALTHY).await;
    rest.clear();
    assert_eq!(silent.read_to_end(&mut rest).await.unwrap_or_default(), 0);
    // A host of another name is the client's to refuse.
    assert!(secured.connect("example.com").await.is_err());
    let (status, log) = block_in_place(|| secured.server.stop());
    assert!(status.success(), "{log}");
}

#[spec("E-165")]
async fn each_host_has_its_own_and_changed_files_are_used(plinth: Plinth) {
    let folder = plinth.path("tls");
    let (one, two) = (certificate(&["one.test"], 2100), certificate(&["*.two.test"], 2100));
    let (default, next) = (certificate(&["localhost", "a.b.two.test"], 2100), certificate(&["one.test"], 2100));
    for (name, pair) in [("One.test", &one), ("*.two.test", &two), ("default", &default)] {
        put(&folder, name, pair);
    }
    let path = folder.display().to_string();
    let secured = Secured::start(plinth, &[&one, &two, &default, &next], &[("PLINTH_TLS_CERTIFICATE", &path)]);
    for (host, pair) in [("one.test", &one), ("x.two.test", &two), ("a.b.two.test", &default), ("localhost", &default)]
    {
        assert_eq!(secured.shown(host).await, *pair.cert.der(), "{host}");
    }
    // A key that does not fit is refused, and the old pair stays.
    std::fs::write(folder.join("One.test.key"), next.signing_key.serialize_pem()).unwrap();
    secured.hang_up();
    block_in_place(|| secured.told("certificates are refused"));
    assert_eq!(secured.shown("one.test").await, *one.cert.der());
    // It is tried again, and told again to somebody who asks.
    let before = secured.server.logged().matches("certificates are refused").count();
    secured.hang_up();
    block_in_place(|| {
        let end = Instant::now() + Duration::from_secs(60);
        while secured.server.logged().matches("certificates are refused").count() == before {
            assert!(Instant::now() < end, "{}", secured.server.logged());
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let mut open = secured.connect("one.test").await.unwrap();
    put(&folder, "One.test", &next);
    secured.hang_up();
    block_in_place(|| secured.told("new connections use the certificates as they are now"));
    assert_eq!(secured.shown("one.test").await, *next.cert.der());
    // A connection that was there goes on.
    ask(&mut open, HEALTH, HEALTHY).await;
    drop(secured.plinth);
}

#[spec("E-165")]
async fn clients_can_need_certificates(plinth: Plinth) {
    let (own, known, unknown) =
        (certificate(&["localhost"], 2100), certificate(&["client"], 2100), certificate(&["client"], 2100));
    put(&plinth.path("tls"), "default", &own);
    put(&plinth.path("clients"), "known", &known);
    let (folder, authorities) = (plinth.path("tls").display().to_string(), plinth.path("clients/known.crt"));
    let authorities = authorities.display().to_string();
    let settings = [("PLINTH_TLS_CERTIFICATE", &*folder), ("PLINTH_TLS_CLIENT_CA", &*authorities)];
    let secured = Secured::start(plinth, &[&own], &settings);
    let mut stream = secured.connect_as("localhost", Some(&known)).await.unwrap();
    ask(&mut stream, HEALTH, HEALTHY).await;
    // Each connection shows its certificate: a session that goes on would outlive the authorities.
    assert_eq!(secured.second(Some(&known)).await, Some(HandshakeKind::Full));
    for refused in [None, Some(&unknown)] {
        // In TLS 1.3 a client learns of it with its first answer.
        let answer = async {
            let mut stream = secured.connect_as("localhost", refused).await?;
            stream.write_all(HEALTH.as_bytes()).await?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await
        };
        assert!(answer.await.is_err());
    }
}

#[spec("E-165")]
async fn files_that_cannot_be_used_are_named(plinth: Plinth) {
    let (one, other, ended) =
        (certificate(&["localhost"], 2100), certificate(&["localhost"], 2100), certificate(&["localhost"], 2020));
    let folder = plinth.path("tls");
    put(&folder, "one", &one);
    put(&folder, "other", &other);
    put(&folder, "ended", &ended);
    std::fs::write(folder.join("none"), "nothing").unwrap();
    std::fs::create_dir_all(folder.join("empty")).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let run = |certificate: &str, key: &str, command: &str| {
        let settings = [("PLINTH_TLS_CERTIFICATE", certificate), ("PLINTH_TLS_KEY", key)];
        let settings = [&settings[..], &[("PLINTH_LIMITS_SPOOL_BYTES", "134217728")]].concat();
        let listen =
            if command == "serve" { vec![command, "--listen", "127.0.0.1:0"] } else { vec![command, "--json"] };
        block_in_place(|| plinth.run_in(&settings, &listen, b""))
    };
    for (certificate, key, expected) in [
        (path("missing.crt"), path("one.key"), "missing.crt: "),
        (path("none"), path("one.key"), "there is no certificate (PEM) in it."),
        (path("one.crt"), path("other.key"), "other.key: this is not the key of "),
        (path("empty"), String::new(), "empty: the folder has no file HOST.crt beside a HOST.key."),
    ] {
        let refused = run(&certificate, &key, "serve");
        assert!(refused.code != 0 && refused.errors.contains(expected), "{expected}: {}", refused.errors);
        assert!(refused.errors.trim_end().ends_with("config.default.toml."), "{}", refused.errors);
        let found = run(&certificate, &key, "doctor").json();
        assert_eq!(finding(&found)["state"], "error", "{found}");
    }
    let found = run(&path("ended.crt"), &path("ended.key"), "doctor").json();
    assert_eq!(finding(&found)["message"], "A certificate of [tls] has ended.");
    let found = run(&path("one.crt"), &path("one.key"), "doctor").json();
    assert_eq!(finding(&found)["state"], "ok", "{found}");
}

fn finding(found: &Json) -> &Json {
    let all = found["items"].as_array().unwrap().iter();
    all.clone().find(|item| item["check"] == "certificates").unwrap_or_else(|| panic!("{found}"))
}

#[spec]
async fn metrics_tell_when_the_first_certificate_ends(plinth: Plinth) {
    let (folder, socket) = (plinth.path("tls"), plinth.path("admin.sock"));
    let (soon, late) = (certificate(&["localhost"], 2050), certificate(&["one.test"], 2060));
    put(&folder, "default", &soon);
    put(&folder, "one.test", &late);
    let (path, admin) = (folder.display().to_string(), format!("unix:{}", socket.display()));
    let settings = [("PLINTH_TLS_CERTIFICATE", &*path), ("PLINTH_ADMIN_LISTEN", &*admin)];
    let secured = Secured::start(plinth, &[&soon], &settings);
    let left = async || value(&ask_at(&socket, "GET", "/metrics", "").await.body, "plinth_tls_certificate_end_seconds");
    let first = left().await;
    assert!(first > 0.0);
    put(&folder, "default", &certificate(&["localhost"], 2055));
    secured.hang_up();
    block_in_place(|| secured.told("as they are now"));
    // Five years, of which one leaps.
    let added = left().await - first;
    let expected = 1_826.0 * 24.0 * 3_600.0;
    assert!((expected - 120.0..=expected).contains(&added), "{added}");
}
