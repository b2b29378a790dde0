//! Whether an account exists cannot be told from a recovery or a reset that was asked for: not from the answer, and not
//! from its time.

use crate::sign_in::{area_under_curve, tolerance};
use crate::wire::Wire;
use crate::{LIMIT, alone, samples};
use serde_json::json;
use spec::spec;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use testing::{Engine, Server};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

/// Rounds in which each case is asked for once, at most. The standard error of an estimate is 0.0075.
const ROUNDS: usize = 2_000;
/// How long a slow mail server takes over each step.
const SLOW: Duration = Duration::from_secs(5);
/// E-mail addresses, all of one length: of an account that is active, of nobody, of one that waits, and of one that met
/// its limits, or its cooldown.
const CASES: [(&str, &str); 4] = [
    ("active", "editor@acme.test"),
    ("missing", "nobody@acme.test"),
    ("pending", "walter@acme.test"),
    ("over the limit", "reader@acme.test"),
];

const TENANT: &str = "tenant: acme
hosts: [acme.test]
timezone: Europe/Prague
api: {rate: 0, allowApiPasswordReset: true}
registration: {allowedRoles: [], allowedGroups: []}
";
const CLERK: &str = "role: clerk\nsystem: [restApi, apiUserRegistration, apiUserPasswordReset]\ntypes: {}\n";
const FILES: [(&str, &str); 3] = [("tenant.yaml", TENANT), ("roles/clerk.yaml", CLERK), ("users/clerk.yaml", USER)];
const USER: &str = "user: clerk@acme.test\nname: Clara\nroles: [clerk]\n";

#[spec(plain, "A064", "D-37", "R-229", "R-230", "R-236", "R-260")]
fn recovery_and_reset_do_not_tell_whether_an_account_exists() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "recoveries", |server: Server| async move {
            server.change(&[("tenant.yaml", TENANT), ("roles/clerk.yaml", CLERK), ("users/clerk.yaml", USER)]).await;
            let key = server.key("clerk").await;
            prepare(&server, &key).await;
            let address = server.client().address();
            for (command, member, message) in [
                ("user.resetpassword", "user_id", "Password reset initiated. E-mail sent to the user."),
                ("user.retrychallenge", "userEmail", "If a pending verification exists, a new code has been sent."),
            ] {
                let times = rounds(address, samples(ROUNDS), command, &key, (member, message)).await;
                distinguish(&times, &format!("{engine:?} {command}"));
            }
            refuse_redirects(&server, &key).await;
        });
    }
}

/// Brings the last two addresses into their states.
async fn prepare(server: &Server, key: &str) {
    let clerk = server.client().with("key", key);
    let walter = json!({"user_id": "walter@acme.test", "user_name": "Walter"});
    clerk.post("app/user.register", walter).await.is(200);
    clerk.post("app/user.retrychallenge", json!({"userEmail": "walter@acme.test"})).await.is(200);
    clerk.post("app/user.resetpassword", json!({"user_id": "reader@acme.test"})).await.is(200);
    server.deliver().await;
    server.deliver().await;
    let sent: Vec<String> = server.mails().into_iter().flat_map(|mail| mail.to).collect();
    assert!(sent.iter().any(|to| to == "reader@acme.test"), "{sent:?}");
}

/// Whatever becomes of mails, the answers come as fast, and as fast for everybody.
#[spec(plain, "A042")]
fn a_mail_server_that_is_down_or_slow_tells_nothing() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "recoveries without mail", |server: Server| async move {
            server.change(&FILES).await;
            let key = server.key("clerk").await;
            prepare(&server, &key).await;
            let mut medians = Vec::new();
            for (state, transport, port) in
                [("well", "files", 0), ("down", "smtp", closed().await), ("slow", "smtp", slow().await)]
            {
                let port: &'static str = Box::leak(port.to_string().into_boxed_str());
                let settings = [
                    ("PLINTH_MAIL_TRANSPORT", transport),
                    ("PLINTH_MAIL_HOST", "127.0.0.1"),
                    ("PLINTH_MAIL_PORT", port),
                    ("PLINTH_MAIL_TLS", "none"),
                ];
                let process = server.process(env!("CARGO_BIN_EXE_plinth"), Box::leak(Box::new(settings))).await;
                let answer = ("userEmail", "If a pending verification exists, a new code has been sent.");
                let address = process.client().address();
                let times = rounds(address, samples(ROUNDS / 2), "user.retrychallenge", &key, answer).await;
                distinguish(&times, &format!("{engine:?}, mail {state}"));
                let mut all: Vec<Duration> = times.into_iter().flatten().collect();
                all.sort_unstable();
                medians.push(all[all.len() / 2]);
                let _ = process.stop();
            }
            // A mail takes seconds there, an answer milliseconds. The machine may have other work meanwhile.
            println!("{engine:?}: medians with mail well, down, slow: {medians:?}");
            let most = (medians[0] * 4).max(SLOW / 4);
            assert!(medians.iter().all(|median| *median < most), "{medians:?}");
        });
    }
}

/// A port that refuses connections.
async fn closed() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

/// A port at which every mail takes longer than any answer: the greeting comes late, and then nothing.
async fn slow() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                tokio::time::sleep(SLOW).await;
                let _ = stream.write_all(b"220 slow ESMTP\r\n").await;
                tokio::time::sleep(SLOW).await;
            });
        }
    });
    port
}

fn distinguish(times: &[Vec<Duration>; 4], of: &str) {
    for (which, (name, _)) in CASES.iter().enumerate() {
        let others: Vec<Duration> = times
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != which)
            .flat_map(|(_, times)| times.clone())
            .collect();
        let area = area_under_curve(&times[which], &others);
        println!("{of}: AUC {area:.4} of {} answers, {name}", times[which].len());
        let tolerance = tolerance(times[which].len(), others.len());
        assert!((area - 0.5).abs() <= tolerance, "{of}: {name} is told from the rest: AUC {area}");
    }
}

/// The times of each case. In which order they are asked for is drawn in each round.
async fn rounds(
    address: SocketAddr,
    count: usize,
    command: &str,
    key: &str,
    (member, message): (&str, &str),
) -> [Vec<Duration>; 4] {
    let mut wire = Wire::open(address).await;
    let head = format!(
        "POST /api/v1/app/{command} HTTP/1.1\r\nhost: acme.test\r\nkey: {key}\r\ncontent-type: application/json\r\n"
    );
    let bodies = CASES.map(|(_, email)| json!({member: email}).to_string());
    let mut times = [const { Vec::new() }; 4];
    let mut draw = 0x9E37_79B9_7F4A_7C15_u64;
    let mut constant = String::new();
    // The first answers fill caches and are not counted.
    for number in 0..count + 20 {
        let mut order = [0, 1, 2, 3];
        for place in (1..order.len()).rev() {
            draw ^= draw << 13;
            draw ^= draw >> 7;
            draw ^= draw << 17;
            order.swap(place, (draw % (place as u64 + 1)) as usize);
        }
        for which in order {
            let start = Instant::now();
            let answer = wire.send(&head, &bodies[which]).await;
            let time = start.elapsed();
            if constant.is_empty() {
                assert_eq!((answer.status, answer.body), (200, json!({"message": message}).to_string().as_bytes()));
                constant = answer.constant();
            }
            assert_eq!(answer.constant(), constant);
            if number >= 20 {
                times[which].push(time);
            }
        }
    }
    times
}

/// A redirect that is none is refused before anybody looks whose address it is.
async fn refuse_redirects(server: &Server, key: &str) {
    let clerk = server.client().with("key", key);
    let mut answers = Vec::new();
    for (_, email) in CASES {
        let body = json!({"user_id": email, "redirect_url": "javascript:alert(1)"});
        answers.push(clerk.post("app/user.resetpassword", body).await.is(400).text);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}
