//! Metrics of what waits or fails: runs that are due, proofs of backups, tenants that cannot be opened.

use super::{Watched, value};
use crate::commands::program::Plinth;
use serde_json::json;
use spec::spec;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

/// Waits for metrics of which something holds.
async fn await_metrics(watched: &Watched, holds: impl Fn(&str) -> bool) -> String {
    let began = Instant::now();
    loop {
        let page = watched.metrics().await;
        if holds(&page) {
            return page;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it did not happen: {page}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[spec("E-197")]
async fn runs_that_are_due_are_told(plinth: Plinth) {
    plinth.file(
        "acme/automations/slow.yaml",
        "automation: slow\nrate: 1\non: {event: thing.created}\ndo: [{stop: true}]\n",
    );
    let watched = Watched::start(plinth, &[]);
    let page = watched.metrics().await;
    assert!(page.contains("\nplinth_runs_waiting 0\n") && page.contains("\nplinth_run_oldest_seconds 0\n"), "{page}");
    for code in 0..4 {
        let thing = json!({"code": code, "name": "A thing", "state": "new"});
        watched.client.post("collection/thing", thing).await.is(201);
    }
    // One has begun, as many as may in a minute; the others are due.
    let page = await_metrics(&watched, |page| value(page, "plinth_runs_waiting") >= 3.0).await;
    assert_eq!(value(&page, "plinth_runs_waiting"), 3.0, "{page}");
    await_metrics(&watched, |page| value(page, "plinth_run_oldest_seconds") > 0.0).await;
    // Those of an automation that is switched off wait for that alone.
    block_in_place(|| watched.plinth.run(&["automation", "disable", "slow"]).done());
    await_metrics(&watched, |page| value(page, "plinth_runs_waiting") == 0.0).await;
}

#[spec("E-197")]
async fn proofs_of_backups_are_told(plinth: Plinth) {
    let place = plinth.path("backups");
    std::fs::create_dir(&place).unwrap();
    let settings = [("PLINTH_BACKUP_TO", place.to_str().unwrap()), ("PLINTH_BACKUP_AT", "15 3 1 1 *")];
    let watched = Watched::start(plinth, &settings);
    let page = await_metrics(&watched, |page| value(page, "plinth_backup_unproven_tenants") == 1.0).await;
    assert!(page.contains("plinth_backup_oldest_seconds") && !page.contains("plinth_backup_proof"), "{page}");
    let archives = std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path().display().to_string());
    let archive = archives.into_iter().find(|path| path.ends_with(".tar.gz")).unwrap();
    // One that is damaged proves nothing.
    let bytes = std::fs::read(&archive).unwrap();
    let damaged = watched.plinth.file("damaged.tar.gz", &bytes[..bytes.len() - 100]);
    block_in_place(|| assert_ne!(watched.plinth.run(&["backup", "verify", &damaged]).code, 0));
    let Watched { plinth, server, client } = watched;
    block_in_place(|| server.stop());
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let started = [&settings[..], &[("PLINTH_ADMIN_LISTEN", socket.as_str())]].concat();
    let server = block_in_place(|| plinth.start_with("serve", &started));
    let watched = Watched { plinth, server, client };
    await_metrics(&watched, |page| value(page, "plinth_backup_unproven_tenants") == 1.0).await;
    block_in_place(|| watched.plinth.run(&["backup", "verify", &archive]).done());
    // A node that runs sees it at its next look at the tenant, and one that starts at once.
    let Watched { plinth, server, client } = watched;
    block_in_place(|| server.stop());
    let server = block_in_place(|| plinth.start_with("serve", &started));
    let watched = Watched { plinth, server, client };
    let page = await_metrics(&watched, |page| page.contains("plinth_backup_proof_oldest_seconds")).await;
    assert_eq!(value(&page, "plinth_backup_unproven_tenants"), 0.0, "{page}");
    assert!(value(&page, "plinth_backup_proof_oldest_seconds") > 0.0, "{page}");
}

#[spec("E-222")]
async fn a_restoration_is_a_proof(plinth: Plinth) {
    let place = plinth.path("backups");
    std::fs::create_dir(&place).unwrap();
    let to = place.to_str().unwrap().to_owned();
    let watched = Watched::start(plinth, &[]);
    let run = |arguments: &[&str]| block_in_place(|| watched.plinth.run(arguments).done());
    run(&["backup", "create", "acme", "--to", &to]);
    // The lock of backups lies beside it.
    let mut files = std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path().display().to_string());
    let archive = files.find(|path| path.ends_with(".tar.gz")).unwrap();
    run(&["tenant", "delete", "acme", "--now", "--yes"]);
    // As after the loss of a disk: the archive is looked at where its tenant is not, and is restored then.
    run(&["backup", "verify", &archive]);
    run(&["backup", "restore", &archive]);
    run(&["backup", "restore", &archive, "--as", "copy"]);
    let Watched { plinth, server, client } = watched;
    block_in_place(|| server.stop());
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let settings = [("PLINTH_BACKUP_TO", &*to), ("PLINTH_BACKUP_AT", "15 3 1 1 *"), ("PLINTH_ADMIN_LISTEN", &socket)];
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    let watched = Watched { plinth, server, client };
    // Another name is another tenant, whose own backup was not looked at. Tenants are seen in turn.
    let page = await_metrics(&watched, |page| {
        page.contains("plinth_backup_proof_oldest_seconds") && value(page, "plinth_backup_unproven_tenants") == 1.0
    })
    .await;
    assert_eq!(value(&page, "plinth_backup_missing_tenants"), 0.0, "{page}");
}

#[spec("E-197")]
async fn a_proof_of_a_backup_from_the_time_to_come_ages_from_now_on(plinth: Plinth) {
    let place = plinth.path("backups");
    std::fs::create_dir(&place).unwrap();
    let to = place.to_str().unwrap().to_owned();
    let watched = Watched::start(plinth, &[]);
    let told = block_in_place(|| watched.plinth.run(&["backup", "create", "acme", "--to", &to, "--json"])).json();
    let archive = told["file"].as_str().unwrap();
    // A clock that was ahead made it.
    let script = "tar -xzf \"$1\" && sed -i 's/\"made\": *\"20[0-9][0-9]/\"made\":\"2099/' manifest.json && \
                  grep -q 2099 manifest.json && tar -tzf \"$1\" | tar -czf ahead.tar.gz --no-recursion -T -";
    let made = Command::new("sh").args(["-c", script, "sh", archive]).current_dir(&place).status().unwrap();
    assert!(made.success());
    let ahead = place.join("ahead.tar.gz").display().to_string();
    block_in_place(|| watched.plinth.run(&["backup", "verify", &ahead]).done());
    let Watched { plinth, server, client } = watched;
    block_in_place(|| server.stop());
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let settings = [("PLINTH_BACKUP_TO", to.as_str()), ("PLINTH_BACKUP_AT", "15 3 1 1 *")];
    let started = [&settings[..], &[("PLINTH_ADMIN_LISTEN", socket.as_str())]].concat();
    let server = block_in_place(|| plinth.start_with("serve", &started));
    let watched = Watched { plinth, server, client };
    await_metrics(&watched, |page| {
        page.contains("plinth_backup_proof_oldest_seconds") && value(page, "plinth_backup_proof_oldest_seconds") > 0.0
    })
    .await;
}

#[spec("E-197")]
async fn tenants_that_cannot_be_opened_are_told(plinth: Plinth) {
    let watched = Watched::start(plinth, &[]);
    watched.client.get("collection/thing").await;
    assert_eq!(value(&watched.metrics().await, "plinth_stores_failed"), 0.0);
    // The table of facts has another name for a while.
    let tenant = block_in_place(|| crate::commands::many::platform(&watched.plinth).open("acme").unwrap());
    let rename = |from: &'static str, to: &'static str| {
        let renamed = tenant.store().write_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("ALTER TABLE ").table(&database::Name::fixed(from)).push(" RENAME TO ").push(to);
            tx.execute(&sql)
        });
        renamed.unwrap();
    };
    let Watched { plinth, server, .. } = watched;
    block_in_place(|| server.stop());
    block_in_place(|| rename("plinth_meta", "aside"));
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let server = block_in_place(|| plinth.start_with("serve", &[("PLINTH_ADMIN_LISTEN", &socket)]));
    let client = server.client().at_contract();
    let watched = Watched { plinth, server, client };
    let reply = watched.client.get("collection/thing").await;
    assert_eq!(reply.status, 500, "{:?}", reply.bytes);
    let page = await_metrics(&watched, |page| value(page, "plinth_stores_failed") == 1.0).await;
    assert!(page.contains("plinth_stores_failed 1\n"), "{page}");
    block_in_place(|| rename("aside", "plinth_meta"));
    watched.client.get("collection/thing").await;
    await_metrics(&watched, |page| value(page, "plinth_stores_failed") == 0.0).await;
}
