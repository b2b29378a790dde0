//! The route table as a client meets it.

use server::App;
use server::settings::{Settings, Sources};
use spec::spec;
use std::net::SocketAddr;
use std::sync::Arc;
use testing::Client;
use tokio::sync::oneshot;

/// An application without tenants.
fn application(mut flags: Vec<(&'static str, String)>) -> Arc<App> {
    let folder = tempfile::tempdir().unwrap().keep();
    flags.push(("listen", "127.0.0.1:0".to_owned()));
    flags.push(("data.folder", folder.to_str().unwrap().to_owned()));
    let settings = Settings::load(&Sources { flags, ..Sources::default() }).unwrap();
    let platform = server::open(&settings, server::commands::world::system()).unwrap();
    Arc::new(App::new(settings, platform))
}

/// Serves the application on a free port while the test runs.
async fn start() -> (Client, oneshot::Sender<()>) {
    let app = application(Vec::new());
    let (stop, stopped) = oneshot::channel::<()>();
    let (tell, told) = oneshot::channel::<SocketAddr>();
    tokio::spawn(async move {
        let shutdown = async {
            let _ = stopped.await;
        };
        server::serve(app, shutdown, |address| tell.send(address).unwrap()).await.unwrap();
    });
    (Client::new(told.await.unwrap()), stop)
}

#[spec(plain, "R-010", "A082")]
fn other_methods_are_405() {
    crate::pace::block_on(async {
        let (client, _stop) = start().await;
        for method in ["TRACE", "get", "Get", "BREW", "PROPFIND", "LINK"] {
            for path in ["/healthz", "/api/v1/auth", "/api/v1/collection/city/1", "/nothing"] {
                let reply = client.request(method, path).send().await.is(405).says("message");
                assert!(reply.header("allow").contains("OPTIONS"), "{method} {path}");
            }
        }
        let raw = client.raw(b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(raw.starts_with("HTTP/1.1 405") && raw.contains("allow: "), "{raw}");
        for (method, path, allow) in [
            ("POST", "/healthz", "GET, HEAD, OPTIONS"),
            ("GET", "/api/v1/deauth", "POST, OPTIONS"),
            ("PUT", "/api/v1/collection/city", "GET, HEAD, SEARCH, POST, OPTIONS"),
            ("POST", "/api/v1/collection/city/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ] {
            assert_eq!(client.request(method, path).send().await.is(405).header("allow"), allow);
        }
        for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
            client.request("GET", "/healthz").header(name, "DELETE").send().await.is(200);
            client.request("POST", "/healthz").header(name, "GET").send().await.is(405);
        }
        let options = client.request("OPTIONS", "/api/v1/auth").send().await.is(204);
        assert_eq!(options.header("allow"), "GET, HEAD, POST, OPTIONS");
    });
}

#[spec(plain, "A006")]
fn paths_are_exact() {
    crate::pace::block_on(async {
        let (client, _stop) = start().await;
        client.get("/healthz").await.is(200);
        client.get("/%68ealthz").await.is(200);
        for path in [
            "/",
            "/healthz/",
            "//healthz",
            "/Healthz",
            "/healthz;a=b",
            "/./healthz",
            "/a/../healthz",
            "/%2e/healthz",
            "/a%2f..%2fhealthz",
            "/healthz%00",
            "/healthz%2f",
            "/healthz%20",
            "/%2568ealthz",
            "/api/v1/Auth",
            "/api/v1/auth/",
            "/api/v1//auth",
            "/api/v1/auth%0a",
            "/api/v1/auth%ff",
            "/api/v1/auth%zz",
            "/api//v1/auth",
            "/api/v1",
        ] {
            client.get(path).await.is(404);
        }
    });
}

#[spec(plain, "A079", "R-095", "R-244", "R-276")]
fn reserved_and_impossible_requests() {
    crate::pace::block_on(async {
        let (client, _stop) = start().await;
        client.request("SEARCH", "collection/city/1").send().await.is(400);
        client.request("SEARCH", "collection/city/get-by/code/CZ").send().await.is(400);
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "SEARCH", "HEAD"] {
            client.request(method, "collection/city/1/relation/country/owner").send().await.is(501);
        }
    });
}

#[test]
fn readiness_ends_with_the_request_to_stop() {
    crate::pace::block_on(async {
        let app = application(vec![("shutdown.notice", "400ms".to_owned())]);
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = oneshot::channel::<SocketAddr>();
        let task = tokio::spawn(async move {
            let shutdown = async {
                let _ = stopped.await;
            };
            server::serve(app, shutdown, |address| tell.send(address).unwrap()).await.unwrap();
        });
        let client = Client::new(told.await.unwrap());
        client.get("/readyz").await.is(200);
        stop.send(()).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let reply = client.get("/readyz").await.is(503);
        assert_eq!(reply.header("retry-after"), "1");
        client.get("/healthz").await.is(200);
        task.await.unwrap();
    });
}
