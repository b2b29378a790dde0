//! `plinth top`: rates of a server that runs, as text and as JSON, and its refusals.

use super::Watched;
use crate::commands::program::{Plinth, Run};
use spec::spec;
use testing::Client;
use tokio::task::block_in_place;

/// Runs the command while a client asks without a pause.
async fn looked(plinth: &Plinth, client: &Client, arguments: &[&str]) -> Run {
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let whole = [&["top", "--address", socket.as_str()], arguments].concat();
    let client = client.clone();
    let asking = tokio::spawn(async move {
        loop {
            // Some are refused, as beyond the rate of the key.
            client.get("collection/thing").await;
            client.get("collection/thing/999999").await;
        }
    });
    let run = block_in_place(|| plinth.run(&whole));
    asking.abort();
    run
}

#[spec]
async fn top_tells_the_rates_of_a_second(plinth: Plinth) {
    let watched = Watched::start(plinth, &[]);
    let run = looked(&watched.plinth, &watched.client, &["--json"]).await;
    let told = run.json();
    let number = |pointer: &str| {
        told.pointer(pointer).and_then(|value| value.as_f64()).unwrap_or_else(|| panic!("{pointer}: {told}"))
    };
    assert!(number("/http/requests") > 1.0 && number("/http/refused") > 0.5, "{told}");
    assert_eq!(number("/http/failed"), 0.0);
    assert!(number("/http/p50Seconds") > 0.0 && number("/http/p99Seconds") >= number("/http/p50Seconds"), "{told}");
    assert!((0.9..10.0).contains(&number("/seconds")) && number("/uptimeSeconds") > 0.0, "{told}");
    assert!(number("/process/memoryBytes") > 1e6, "{told}");
    let first = &told["tenants"][0];
    assert_eq!(first["tenant"], "acme", "{told}");
    assert!(first["requests"].as_f64().unwrap() > 1.0 && first["sentBytes"].as_f64().unwrap() > 1.0, "{told}");
    assert!(first["cpuSeconds"].as_f64().unwrap() > 0.0 && first["storeBytes"].is_u64(), "{told}");

    // Where nobody sees a terminal, one look is printed.
    let text = looked(&watched.plinth, &watched.client, &["--sort", "waiting"]).await.done();
    assert!(text.starts_with(&format!("Plinth {} at unix:", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(text.contains("\ntenant") && text.lines().any(|line| line.starts_with("acme ")), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[spec]
async fn top_says_why_it_sees_nothing(plinth: Plinth) {
    let token = plinth.file("token", "a-token-of-operators\n");
    let watched = Watched::start(plinth, &[("PLINTH_ADMIN_TOKEN_FILE", &token)]);
    let plinth = &watched.plinth;
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let api = watched.client.address().to_string();
    let nowhere = format!("unix:{}", plinth.path("nothing.sock").display());
    let file = plinth.file("plinth.toml", "public_url = \"http://acme.test\"\n");
    let told = format!("\nThe settings are those of {file}. Set it for the server");
    block_in_place(|| {
        for (arguments, expected) in [
            (vec!["top"], "admin.listen is empty, so there are no metrics to look at.\nNo file of settings was read"),
            (vec!["top", "--config", &file], &told),
            (vec!["top", "--address", "127.0.0.1:0"], "admin.listen has the port 0."),
            (vec!["top", "--address", "somewhere"], "is not an address such as 127.0.0.1:8081"),
            (vec!["top", "--address", &nowhere], "There is no answer of an admin listener at unix:"),
            (vec!["top", "--address", &api], "is not an admin listener of Plinth."),
            (vec!["top", "--address", &socket], "refuses the token."),
        ] {
            let run = plinth.run(&arguments);
            assert!(run.code == 1 && run.errors.contains(expected), "{arguments:?}: {}", run.errors);
        }
        let token = [("PLINTH_ADMIN_TOKEN_FILE", token.as_str())];
        plinth.run_in(&token, &["top", "--address", &socket, "--json"], b"").done();
    });
}
