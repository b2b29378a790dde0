//! `plinth healthcheck`: the sign of life that images without other programs ask for.

use super::Watched;
use crate::commands::program::Plinth;
use serde_json::json;
use spec::spec;
use tokio::task::block_in_place;

#[spec]
async fn a_command_asks_the_server_of_this_machine(plinth: Plinth) {
    block_in_place(|| {
        let nobody = plinth.run_in(&[("PLINTH_LISTEN", "127.0.0.1:1")], &["healthcheck"], b"");
        assert!(nobody.code == 1 && nobody.errors.contains("No server answers at 127.0.0.1:1: "), "{}", nobody.errors);
        let server = plinth.start("serve");
        let url = server.ready()["url"].as_str().unwrap();
        let address = url.trim_start_matches("http://").trim_end_matches('/');
        // A server at all addresses is asked at one of them.
        for listen in [address.to_owned(), address.replace("127.0.0.1", "0.0.0.0")] {
            let run = plinth.run_in(&[("PLINTH_LISTEN", &listen)], &["healthcheck", "--ready", "--json"], b"");
            assert_eq!(run.json(), json!({"address": address, "status": 200}), "{}", run.errors);
        }
        let encrypted = [("PLINTH_LISTEN", address), ("PLINTH_TLS_CERTIFICATE", "/no/such")];
        let refused = plinth.run_in(&encrypted, &["healthcheck"], b"");
        assert!(refused.code == 1 && refused.errors.contains("admin.listen is empty"), "{}", refused.errors);
    });
}

#[spec]
async fn it_asks_the_listener_for_operators_where_there_is_one(plinth: Plinth) {
    let token = plinth.file("token", "a-token-of-operators\n");
    let watched = Watched::start(plinth, &[("PLINTH_ADMIN_TOKEN_FILE", &token)]);
    let plinth = &watched.plinth;
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let settings = [("PLINTH_ADMIN_LISTEN", socket.as_str()), ("PLINTH_ADMIN_TOKEN_FILE", token.as_str())];
    let check = |arguments: &[&str]| block_in_place(|| plinth.run_in(&settings, arguments, b""));
    assert!(check(&["healthcheck"]).done().contains("admin.sock answers."));
    check(&["healthcheck", "--ready"]).done();
    // A node that is not ready lives.
    let files = plinth.path(if plinth.postgres.is_some() { "data/files" } else { "data/tenants" });
    if files.exists() {
        std::fs::rename(&files, plinth.path("aside")).unwrap();
    }
    std::fs::write(&files, "a file is in the way").unwrap();
    check(&["healthcheck"]).done();
    let unready = check(&["healthcheck", "--ready"]);
    assert!(
        unready.code == 1 && unready.errors.contains("answers /readyz with 503") && unready.errors.contains("folder"),
        "{}",
        unready.errors
    );
}
