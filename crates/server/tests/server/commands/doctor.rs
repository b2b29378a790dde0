//! `plinth doctor`: a planted fault for each check, and an installation without faults.

use super::many::{platform, tenant};
use super::program::{Plinth, Run};
use messages::outbox::OutboxTask;
use model::table_names::OUTBOX;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testing::{Cluster, Pooler, SmsGateway, SmtpServer, postgres};
use tokio::task::block_in_place;

/// A limit that leaves the machine's disk out of the tests.
const SMALL: (&str, &str) = ("PLINTH_LIMITS_SPOOL_BYTES", "134217728");

/// An address at which no process listens.
const NOWHERE: (&str, &str) = ("PLINTH_LISTEN", "127.0.0.1:1");

/// Makes a tenant, and with it the data folder and the master key.
fn with_tenant(plinth: &Plinth) {
    plinth.run(&["tenant", "create", "acme"]).done();
}

/// Runs the doctor; returns its findings and the exit code.
fn findings(plinth: &Plinth, settings: &[(&str, &str)]) -> (Vec<Json>, i32) {
    let settings = [&[SMALL, NOWHERE], settings].concat();
    let run: Run = plinth.run_in(&settings, &["doctor", "--json"], b"");
    assert_eq!(run.errors, "");
    let items = run.json()["items"].as_array().unwrap().clone();
    let worst = items.iter().map(|item| ["ok", "warning", "error"].iter().position(|word| item["state"] == *word));
    assert_eq!(worst.map(Option::unwrap).max(), usize::try_from(run.code).ok(), "{items:#?}");
    for item in &items {
        assert_eq!(item["advice"] == "", item["state"] == "ok", "each fault says what to do: {item}");
    }
    (items, run.code)
}

/// Checks the finding of a check: its state, and a part of its message.
#[track_caller]
fn told(items: &[Json], check: &str, state: &str, part: &str) {
    let found = items.iter().find(|item| item["check"] == check && item["state"] == state);
    let found = found.unwrap_or_else(|| panic!("{check} {state}: {items:#?}"));
    assert!(found["message"].as_str().unwrap().contains(part), "{found}");
}

#[spec]
async fn an_installation_without_faults_is_fine(plinth: Plinth) {
    block_in_place(|| {
        with_tenant(&plinth);
        let (items, code) = findings(&plinth, &[]);
        if plinth.postgres.is_none() {
            assert_eq!(code, 0, "{items:#?}");
        }
        for check in [
            "settings",
            "file modes",
            "disk",
            "open files",
            "server",
            "database",
            "master key",
            "storage",
            "mail",
            "outbox",
        ] {
            told(&items, check, "ok", "");
        }
        let run = plinth.run_in(&[SMALL, NOWHERE], &["doctor"], b"");
        assert!(run.output.starts_with("ok       settings     Plinth "), "{}", run.output);
    });
}

#[spec]
async fn settings_and_modes_are_looked_at(plinth: Plinth) {
    block_in_place(|| {
        with_tenant(&plinth);
        let (items, _) = findings(&plinth, &[("PLINTH_ADMIN_LISTEN", "0.0.0.0:8081")]);
        told(&items, "settings", "error", "admin.listen is open to other machines");
        let (items, _) = findings(&plinth, &[("PLINTH_LIMITS_JOB_TIME", "60s")]);
        told(&items, "settings", "warning", "limits.job_time is longer");
        let (items, _) = findings(&plinth, &[("PLINTH_LIMITS_MEMORY_PER_ADDRESS", "999999999999")]);
        told(&items, "settings", "warning", "larger than the whole");
        let (items, code) = findings(&plinth, &[("PLINTH_LISTN", "x")]);
        assert_eq!(code, 2);
        told(&items, "settings", "error", "there is no setting PLINTH_LISTN");
        for (setting, expected) in [
            (
                ("PLINTH_LOG_LEVEL", "warning"),
                "\"warning\" is not a level: choose error, warn, info, debug, trace or off",
            ),
            (("PLINTH_LOG_LEVEL", "info,slow=wran"), "\"wran\" is not a level"),
            (("PLINTH_PUBLIC_URL", "plinth.example.com"), "public_url is \"plinth.example.com\": it must be"),
            (("PLINTH_LIMITS_REQUEST_TIME", "0s"), "must not be 0: give one such as 500ms, 10s, 5m or 1h\nin `limits."),
            (("PLINTH_DATA_WAIT", "0s"), "in `data.wait`"),
            (("PLINTH_FILES_STORAGE", "s3"), "files.bucket is empty: name the bucket there"),
            (("PLINTH_TLS_KEY", "/etc/plinth/tls.key"), "tls.certificate is empty: name the file of the certificate"),
        ] {
            let (items, code) = findings(&plinth, &[setting]);
            assert_eq!(code, 2, "{setting:?}");
            told(&items, "settings", "error", expected);
            let run = plinth.run_in(&[setting], &["serve", "--listen", "127.0.0.1:0"], b"");
            assert!(run.code == 1 && run.errors.contains(expected), "{setting:?}: {}", run.errors);
        }
        set_permissions(plinth.path("data/plinth.key"), Permissions::from_mode(0o644)).unwrap();
        let (items, _) = findings(&plinth, &[]);
        told(&items, "file modes", "warning", "plinth.key has the mode 644");
        set_permissions(plinth.path("data/plinth.key"), Permissions::from_mode(0o600)).unwrap();
        set_permissions(plinth.path("data"), Permissions::from_mode(0o755)).unwrap();
        let (items, _) = findings(&plinth, &[]);
        told(&items, "file modes", "warning", "data has the mode 755");
    });
}

#[spec]
async fn the_machine_is_looked_at(plinth: Plinth) {
    block_in_place(|| {
        with_tenant(&plinth);
        let (items, _) = findings(&plinth, &[("PLINTH_LIMITS_SPOOL_BYTES", "9000000000000000")]);
        told(&items, "disk", "warning", "large answers (limits.spool_bytes)");
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n 200; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_plinth"), "doctor", "--json"]);
        command.env_clear().env(SMALL.0, SMALL.1).arg("--data").arg(plinth.path("data"));
        if let Some(url) = &plinth.postgres {
            command.args(["--postgres", url]);
        }
        let output = command.output().unwrap();
        let told_by: Json = serde_json::from_slice(&output.stdout).unwrap();
        told(told_by["items"].as_array().unwrap(), "open files", "warning", "The process may have 200 descriptors");
    });
}

#[spec]
async fn the_key_and_the_storage_are_looked_at(plinth: Plinth) {
    block_in_place(|| {
        with_tenant(&plinth);
        let bucket = [
            ("PLINTH_FILES_STORAGE", "s3"),
            ("PLINTH_FILES_ENDPOINT", "http://127.0.0.1:1"),
            ("PLINTH_FILES_BUCKET", "files"),
            ("PLINTH_FILES_ACCESS_KEY", "key"),
            ("PLINTH_FILES_SECRET_KEY", "secret"),
            ("PLINTH_FILES_TIMEOUT", "1s"),
        ];
        let (items, code) = findings(&plinth, &bucket);
        assert_eq!(code, 2);
        told(&items, "storage", "error", "Files cannot be kept: ");
        let folder = match &plinth.postgres {
            Some(_) => plinth.path("data/files"),
            None => plinth.path("data/tenants/acme/files"),
        };
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
        std::fs::write(&folder, "a file is in the way").unwrap();
        let (items, _) = findings(&plinth, &[]);
        told(&items, "storage", "error", "Files cannot be kept: the folder of files");
        std::fs::remove_file(plinth.path("data/plinth.key")).unwrap();
        let (items, code) = findings(&plinth, &[]);
        assert_eq!(code, 2);
        told(&items, "master key", "error", "The master key is missing");
    });
}

#[test]
fn a_tenant_with_another_key_is_named() {
    let [plinth, other] = [(); 2].map(|()| Plinth { folder: TempDir::new().unwrap(), postgres: None });
    with_tenant(&plinth);
    other.run(&["tenant", "create", "beta"]).done();
    let copy = plinth.path("data/tenants/beta");
    std::fs::create_dir(&copy).unwrap();
    for entry in std::fs::read_dir(other.path("data/tenants/beta")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    let (items, code) = findings(&plinth, &[]);
    assert_eq!(code, 2);
    told(&items, "master key", "error", "The master key is not that of these tenants: beta. 1 others");
    // The advice helps.
    std::fs::copy(other.path("data/plinth.key"), plinth.path("data/plinth.key.previous")).unwrap();
    plinth.run(&["secret", "rotate"]).done();
    told(&findings(&plinth, &[]).0, "master key", "ok", "The master key is that of 2 tenants.");
}

#[spec]
async fn the_mail_server_is_greeted(plinth: Plinth) {
    let server = SmtpServer::start().await;
    let port = server.port().to_string();
    let smtp = |port| {
        [
            ("PLINTH_MAIL_TRANSPORT", "smtp"),
            ("PLINTH_MAIL_HOST", "127.0.0.1"),
            ("PLINTH_MAIL_PORT", port),
            ("PLINTH_MAIL_TLS", "none"),
        ]
    };
    block_in_place(|| {
        with_tenant(&plinth);
        let (items, _) = findings(&plinth, &smtp(&port));
        told(&items, "mail", "ok", "takes mails from us");
        let (items, code) = findings(&plinth, &smtp("1"));
        assert_eq!(code, 2);
        told(&items, "mail", "error", "The mail server 127.0.0.1:1 takes no mails from us");
    });
}

#[spec]
async fn an_old_message_is_told(plinth: Plinth) {
    block_in_place(|| {
        let platform = platform(&plinth);
        tenant(&platform, "acme");
    });
    let platform = block_in_place(|| platform(&plinth));
    let acme = block_in_place(|| platform.open("acme")).unwrap();
    let task = OutboxTask { kind: "none".to_owned(), input: json!(null) };
    let made = acme.write_elevated(move |tx, context| messages::outbox::later(tx, context, &task));
    made.await.unwrap();
    block_in_place(|| told(&findings(&plinth, &[]).0, "outbox", "ok", "waits for 0 min, in the tenant acme"));
    let aged = acme.write_elevated(|tx, _| {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&OUTBOX).push(" SET created = ").bind(database::Value::Timestamp(0));
        Ok(tx.execute(&sql)?)
    });
    aged.await.unwrap();
    block_in_place(|| told(&findings(&plinth, &[]).0, "outbox", "warning", "in the tenant acme; 1 wait there"));
}

#[spec("E-221")]
async fn the_server_is_asked(plinth: Plinth) {
    block_in_place(|| {
        with_tenant(&plinth);
        let none = [("PLINTH_LISTEN", "127.0.0.1:1"), ("PLINTH_ADMIN_LISTEN", "127.0.0.1:2")];
        told(&findings(&plinth, &none).0, "server", "ok", "No server runs at 127.0.0.1:2 or 127.0.0.1:1.");

        let socket = format!("unix:{}", plinth.path("admin.sock").display());
        let admin = ("PLINTH_ADMIN_LISTEN", socket.as_str());
        let server = plinth.start_with("serve", &[admin]);
        let url = server.ready()["url"].as_str().unwrap();
        let listen = ("PLINTH_LISTEN", url.trim_start_matches("http://").trim_end_matches('/'));
        let version = format!("A server of Plinth {} runs at {socket}.", env!("CARGO_PKG_VERSION"));
        told(&findings(&plinth, &[admin, listen]).0, "server", "ok", &version);
        told(&findings(&plinth, &[listen]).0, "server", "ok", &format!("A server of Plinth runs at {}.", listen.1));

        // Other programs: one that says nothing in HTTP, and one that answers it.
        for answer in ["HELLO\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"] {
            let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let address = other.local_addr().unwrap().to_string();
            let answering = std::thread::spawn(move || {
                let (mut stream, _) = other.accept().unwrap();
                let _ = std::io::Read::read(&mut stream, &mut [0; 1000]);
                let _ = std::io::Write::write_all(&mut stream, answer.as_bytes());
            });
            let (items, code) = findings(&plinth, &[("PLINTH_LISTEN", &address)]);
            answering.join().unwrap();
            assert_eq!(code, 2, "{items:#?}");
            told(&items, "server", "error", &format!("Another program has the address {address} of listen: it "));
        }
    });
}

/// A folder whose data are in this database.
fn over(url: String) -> Plinth {
    Plinth { folder: TempDir::new().unwrap(), postgres: Some(url) }
}

#[test]
fn the_postgresql_server_is_looked_at() {
    let url = postgres().direct_database();
    let plinth = over(url);
    with_tenant(&plinth);
    let (items, code) = findings(&plinth, &[]);
    // The tests' own cluster keeps nothing: it is to be fast.
    assert_eq!(code, 2);
    told(&items, "durability", "error", "fsync = off");
    told(&items, "clock", "ok", "");
    told(&items, "timeouts", "ok", "");
    told(&items, "pooler", "ok", "No pooler was found");
    told(&items, "standbys", "ok", "0 standbys");
    told(&items, "role", "warning", "The role postgres is a superuser");

    let (items, _) = findings(&plinth, &[("PLINTH_DATA_CONNECTIONS", "300")]);
    told(&items, "connections", "warning", "A node takes 301 of");
    let (items, _) = findings(&plinth, &[("PLINTH_DATA_CONNECTIONS", "600")]);
    told(&items, "connections", "error", "A node takes 601 of");

    // Without tenants, a database goes with any key.
    let empty = postgres().direct_database();
    let loose = over(format!("{empty}&options=-c%20statement_timeout%3D0"));
    told(&findings(&loose, &[]).0, "timeouts", "error", "statement_timeout");

    postgres().ask(&empty, "CREATE ROLE doctors_weak LOGIN;");
    let weak = over(empty.replace("postgres@", "doctors_weak@"));
    told(&findings(&weak, &[]).0, "role", "error", "The role doctors_weak may not make schemas");

    let away = over("postgresql://postgres@127.0.0.1:1/plinth?connect_timeout=1".to_owned());
    let (items, code) = findings(&away, &[]);
    assert_eq!(code, 2);
    told(&items, "database", "error", "The database cannot be used");
}

#[spec(plain, "E-210")]
fn the_locks_in_force_are_told() {
    let with = over(postgres().direct_database());
    let without = over(postgres().database_without_advisory_locks());
    let row = [("PLINTH_POSTGRES_GUARD", "row")];
    told(&findings(&with, &[]).0, "guard", "ok", "Advisory locks keep");
    told(&findings(&with, &row).0, "guard", "warning", "Rows are locked");
    told(&findings(&without, &[]).0, "guard", "ok", "Locks of rows keep");
    let advisory = [("PLINTH_POSTGRES_GUARD", "advisory")];
    told(&findings(&without, &advisory).0, "guard", "error", "Advisory locks do nothing");
}

#[test]
fn a_pooler_in_front_is_found() {
    let direct = postgres().direct_database();
    let pooler = Pooler::start(postgres(), "");
    let plinth = over(pooler.url(&direct));
    let (items, _) = findings(&plinth, &[]);
    told(&items, "pooler", "warning", "A pooler of transactions is in front");
    told(&items, "timeouts", "ok", "");
    let (items, _) = findings(&plinth, &[("PLINTH_POSTGRES_DIRECT_URL", &direct)]);
    told(&items, "pooler", "ok", "commands go around it");
}

#[test]
fn standbys_that_no_commit_waits_for_are_told() {
    let primary = Cluster::primary();
    let plinth = over(primary.direct_database());
    let _standby = primary.standby();
    told(&findings(&plinth, &[]).0, "standbys", "warning", "1 standbys follow, and commits wait for none");
    primary.ask(plinth.postgres.as_ref().unwrap(), "ALTER SYSTEM SET synchronous_standby_names = '*';");
    primary.ask(plinth.postgres.as_ref().unwrap(), "SELECT pg_reload_conf();");
    // The server reads its settings anew a moment later.
    let end = Instant::now() + Duration::from_secs(60);
    while findings(&plinth, &[]).0.iter().any(|item| item["check"] == "standbys" && item["state"] != "ok") {
        assert!(Instant::now() < end, "the setting is there");
    }
}

#[spec("E-203")]
async fn a_collector_of_traces_is_asked(plinth: Plinth) {
    let collector = SmsGateway::start().await;
    let endpoint = collector.url("");
    let settings = [("PLINTH_TRACES_ENDPOINT", endpoint.as_str()), ("PLINTH_TRACES_TOKEN", "a-token-of-ours")];
    block_in_place(|| {
        with_tenant(&plinth);
        let (items, _) = findings(&plinth, &[]);
        assert!(items.iter().all(|item| item["check"] != "traces"), "{items:#?}");
        collector.says("200 OK", "{}");
        told(&findings(&plinth, &settings).0, "traces", "ok", "takes traces");
        collector.says("401 Unknown", "");
        told(&findings(&plinth, &settings).0, "traces", "warning", "the collector answered 401");
        let (items, _) = findings(&plinth, &[("PLINTH_TRACES_ENDPOINT", "collector")]);
        told(&items, "traces", "error", "traces.endpoint must be an address");
    });
    assert!(collector.requests().iter().all(|request| request.contains("Bearer a-token-of-ours")));
}
