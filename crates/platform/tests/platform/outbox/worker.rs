//! The worker of a node: what it finds that it was not told of.

use super::rows::{message, tries};
use crate::writing::setup::Setup;
use messages::outbox;
use messages::outbox::{MailRoute, Method, Routes};
use platform::tenants::Platform;
use spec::spec;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Puts a message into the outbox by a process that does not send it.
async fn leave(other: &Arc<Platform>, challenge: i64) {
    let other = Arc::clone(other);
    let tenant = tokio::task::spawn_blocking(move || other.open("acme").unwrap()).await.unwrap();
    let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
        outbox::enqueue(tx, context, &message(challenge, Method::MailCode)).map(drop)
    };
    tenant.write_elevated(job).await.unwrap();
}

/// Waits until the sending of each message was tried.
async fn tried(setup: &Setup) {
    while tries(&setup.tenant).await.contains(&0) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[spec("D-39")]
async fn what_other_processes_left_is_found_in_a_round(setup: Setup) {
    let other = setup.node(1);
    let folder = tempfile::tempdir().unwrap();
    // What is sent does not wait: the node has no other reason to look again.
    let routes = Routes {
        mail: MailRoute::Files(folder.path().to_owned()),
        from: "no-reply@acme.test".to_owned(),
        ..Routes::default()
    };
    leave(&other, 1).await;
    let stop = Arc::new(Notify::new());
    let (node, until) = (setup.sender(routes), Arc::clone(&stop));
    let worker = tokio::spawn(async move { node.run_outbox(async move { until.notified().await }).await });
    // At its start, a node looks into all tenants; then once a minute, where something was put there since.
    tried(&setup).await;
    for challenge in 2..=4 {
        leave(&other, challenge).await;
        setup.clock.advance(61);
        tried(&setup).await;
    }
    stop.notify_one();
    worker.await.unwrap();
    // They hold secrets, which nobody else on the machine is to read.
    let own = folder.path().join("acme");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files: Vec<u32> = std::fs::read_dir(&own).unwrap().map(|file| mode(&file.unwrap().path())).collect();
    assert_eq!((mode(&own), files), (0o700, vec![0o600; 4]));
}
