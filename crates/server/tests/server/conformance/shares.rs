//! Shares of tenants: what one takes of the server while others have requests.

use super::file_values::{ALBUM, Album};
use model::rate::RequestRate;
use platform::tenants::Settings;
use serde_json::json;
use spec::spec;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use testing::{Client, Engine, Server};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Refusals of a tenant that are quick.
const QUICK: usize = 1_000;
/// The time between two requests of another tenant, of which uploads know for longer.
const ASKED: Duration = Duration::from_millis(20);
/// The least wait of a refusal beyond them.
const SLOW: Duration = Duration::from_millis(50);

/// Sends so many requests without a key on each of so many connections; returns how many were 429.
async fn flood(client: Client, connections: usize, each: usize) -> usize {
    let line = "GET /api/v1/collection/article HTTP/1.1\r\nHost: acme.test\r\n";
    let request = (0..each).map(|number| match number + 1 == each {
        true => format!("{line}Connection: close\r\n\r\n"),
        false => format!("{line}\r\n"),
    });
    let request: Arc<str> = request.collect::<String>().into();
    let mut floods = JoinSet::new();
    for _ in 0..connections {
        let (client, request) = (client.clone(), Arc::clone(&request));
        floods.spawn(async move { client.raw(request.as_bytes()).await.matches("HTTP/1.1 429").count() });
    }
    floods.join_all().await.into_iter().sum()
}

#[spec("E-226")]
async fn refusals_beyond_a_burst_are_slow_and_good_requests_are_not(engine: Engine) {
    let address_rate = Some(RequestRate { requests: 6, seconds: 3_600 });
    let server = Server::settled(engine, Settings { address_rate, ..Settings::default() }, Vec::new(), &[]).await;
    let others = [server.reader(), server.tenant("other").await.reader()];
    for other in &others {
        other.get("collection/article").await.is(204);
    }
    // Those that are not refused count for the address.
    flood(server.client(), 1, 6).await;
    assert_eq!(flood(server.client(), 5, QUICK / 5).await, QUICK);
    // By now, some are quick again.
    let (begun, slow) = (Instant::now(), tokio::spawn(flood(server.client(), 100, 10)));
    for _ in 0..5 {
        for other in &others {
            other.get("collection/article").await.is(204);
        }
    }
    assert!(!slow.is_finished(), "good requests wait for nothing that refused ones wait for");
    assert_eq!(slow.await.unwrap(), 1_000);
    assert!(begun.elapsed() > SLOW, "{:?}", begun.elapsed());
    let asked = Instant::now();
    let reply = server.client().get("collection/article").await.is(429);
    assert!(asked.elapsed() > SLOW, "{:?}", asked.elapsed());
    assert_eq!(reply.header("x-error-code"), "rate_limited");
}

/// Has another tenant ask again and again, until this is dropped.
struct OtherTenant {
    ends: Arc<AtomicBool>,
}

impl OtherTenant {
    fn begin(client: Client) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ends);
        tokio::spawn(async move {
            while !ended.load(Relaxed) {
                client.get("collection/article").await;
                tokio::time::sleep(ASKED).await;
            }
        });
        OtherTenant { ends }
    }
}

impl Drop for OtherTenant {
    fn drop(&mut self) {
        self.ends.store(true, Relaxed);
    }
}

#[spec("E-227")]
async fn uploads_in_turns_come_in_whole_and_a_client_that_leaves_ends_its_turn(Album(server): Album) {
    let _other = OtherTenant::begin(server.tenant("other").await.reader());
    let admin = server.admin();
    let mut leaving = Vec::new();
    for _ in 0..5 {
        let mut stream = TcpStream::connect(admin.address()).await.unwrap();
        let head = format!(
            "POST /api/v1/upload/album/photos HTTP/1.1\r\nHost: acme.test\r\nkey: {}\r\nContent-Length: 9000000\r\n\
             Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n",
            server.key("admin").await
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&[b'x'; 900_000]).await.unwrap();
        leaving.push(stream);
    }
    let mut uploads = JoinSet::new();
    for number in 0..8_u8 {
        let admin = admin.clone();
        uploads.spawn(async move {
            let bytes = vec![b'a' + number; 700_000 + usize::from(number)];
            (bytes.len(), admin.promise("album/photos", "a.txt", &bytes).await)
        });
    }
    drop(leaving);
    for (length, promise) in uploads.join_all().await {
        let created = admin.create("album", json!({"photos": [promise]})).await;
        assert_eq!(created["photos"][0]["size"], length);
    }
}

#[spec("E-227")]
async fn files_that_come_together_have_time_for_a_turn_each(engine: Engine) {
    // A wait for a turn is longer than the time of a request.
    let own = vec![("limits.request_time", "2s")];
    let server = Server::settled(engine, Settings::default(), own, &[ALBUM]).await;
    let other = server.tenant("other").await.reader();
    other.get("collection/article").await.is(204);
    let _other = OtherTenant::begin(other);
    let (hold, held) = oneshot::channel();
    let (end, ended) = oneshot::channel::<()>();
    let holder = server.clone();
    let holding = tokio::spawn(async move {
        let hold = |tenant: &tenant::Tenant| {
            Handle::current().block_on(async {
                let turn = tenant.upload_turn().await;
                hold.send(()).unwrap();
                let _ = ended.await;
                drop(turn);
            });
            Ok(())
        };
        holder.operate(hold).await;
    });
    held.await.unwrap();
    let files = ["a.txt", "b.txt"].map(|name| (name, "text/plain", name.as_bytes()));
    server.admin().upload("album/photos", &files).await.is(200);
    end.send(()).unwrap();
    holding.await.unwrap();
}
