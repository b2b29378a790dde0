//! Deleted tenants keep name and hosts, come back until their time is over, and are removed then.

use super::setup::{Setup, refusal};
use database::ReadCost;
use jiff::SignedDuration;
use model::error::Result;
use platform::tenants::{Platform, parse_keep_time};
use spec::spec;
use std::net::Ipv4Addr;
use std::sync::Arc;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Runs blocking work of a command.
async fn command<T: Send + 'static>(
    platform: &Arc<Platform>,
    work: impl FnOnce(&Platform) -> Result<T> + Send + 'static,
) -> Result<T> {
    let platform = Arc::clone(platform);
    tokio::task::spawn_blocking(move || work(&platform)).await.unwrap()
}

/// Returns the tenants of some requests.
async fn reached(platform: &Arc<Platform>, requests: &[(&str, Option<&str>)]) -> Vec<Option<String>> {
    let mut reached = Vec::new();
    for (host, prefix) in requests {
        let found = platform.tenant(host, *prefix, Ipv4Addr::LOCALHOST.into()).await;
        reached.push(found.ok().map(|tenant| tenant.name().to_owned()));
    }
    reached
}

const REQUESTS: [(&str, Option<&str>); 5] = [
    ("acme.test", None),
    ("localhost", Some("acme")),
    // The first tenant, which was deleted.
    ("localhost", None),
    ("acme.test", Some("other")),
    ("localhost", Some("other")),
];

fn names(names: [Option<&str>; 5]) -> Vec<Option<String>> {
    names.map(|name| name.map(str::to_owned)).into()
}

#[spec("E-180")]
async fn a_deleted_tenant_keeps_its_name_and_hosts_until_its_time_is_over(setup: Setup) {
    let platform = &setup.platform;
    command(platform, |platform| platform.create_tenant("other").map(drop)).await.unwrap();
    platform.look_for_tenants().await.unwrap();
    let (all, none) = (Some("acme"), None);
    assert_eq!(reached(platform, &REQUESTS).await, names([all, all, all, none, Some("other")]));
    command(platform, |platform| platform.delete_tenant("acme", HOUR)).await.unwrap();
    let away = names([none, none, none, none, Some("other")]);
    // Another node, this one, and one that starts now.
    let nodes = [setup.node(1), Arc::clone(platform), setup.node(1)];
    for node in &nodes[..2] {
        node.watch_deleted().await.unwrap();
    }
    for node in &nodes {
        assert_eq!(reached(node, &REQUESTS).await, away);
    }
    let refused = command(platform, |platform| platform.create_tenant("acme").map(drop)).await;
    assert_eq!(refusal(refused), "Conflict tenant_deleted");
    let refused = command(platform, |platform| platform.delete_tenant("acme", HOUR).map(drop)).await;
    assert_eq!(refusal(refused), "Conflict tenant_deleted");
    let refused = command(platform, |platform| platform.delete_tenant("acne", HOUR).map(drop)).await;
    assert_eq!(refusal(refused), "Missing tenant_missing");
    // A third tenant does not take the place of the first, which may come back.
    command(platform, |platform| platform.create_tenant("third").map(drop)).await.unwrap();
    setup.clock.advance(3_599);
    command(platform, Platform::remove_deleted).await.unwrap();
    command(platform, |platform| platform.undelete_tenant("acme")).await.unwrap();
    for node in &nodes {
        node.watch_deleted().await.unwrap();
        assert_eq!(reached(node, &REQUESTS).await, names([all, all, all, none, Some("other")]));
    }
    let refused = command(platform, |platform| platform.undelete_tenant("acme")).await;
    assert_eq!(refusal(refused), "Conflict tenant_exists");
    command(platform, |platform| platform.delete_tenant("acme", HOUR).map(drop)).await.unwrap();
    setup.clock.advance(3_600);
    let refused = command(platform, |platform| platform.undelete_tenant("acme")).await;
    assert_eq!(refusal(refused), "Conflict tenant_removed");
    command(platform, Platform::remove_deleted).await.unwrap();
    assert_eq!(command(platform, Platform::deleted_tenants).await.unwrap(), []);
    let refused = command(platform, |platform| platform.undelete_tenant("acme")).await;
    assert_eq!(refusal(refused), "Missing tenant_missing");
    // The name is free, and the new tenant has nothing of the old one.
    let made = command(platform, |platform| platform.create_tenant("acme")).await.unwrap();
    assert!(made.files().list().await.unwrap().is_empty());
}

#[spec("E-180")]
async fn a_name_whose_time_is_over_is_free_without_a_server(setup: Setup) {
    let platform = &setup.platform;
    command(platform, |platform| platform.delete_tenant("acme", HOUR).map(drop)).await.unwrap();
    setup.clock.advance(3_600);
    command(platform, |platform| platform.create_tenant("acme").map(drop)).await.unwrap();
    assert_eq!(command(platform, Platform::deleted_tenants).await.unwrap(), []);
    command(platform, |platform| platform.delete_tenant("acme", HOUR).map(drop)).await.unwrap();
    // The duty to erase does not wait for a deletion's time.
    command(platform, |platform| platform.erase_tenant("acme")).await.unwrap();
    assert_eq!(command(platform, Platform::deleted_tenants).await.unwrap(), []);
    let refused = command(platform, |platform| platform.erase_tenant("acme")).await;
    assert_eq!(refusal(refused), "Missing tenant_missing");
}

/// Between two looks of a server, only what it has open tells that the tenant was away.
#[spec("E-180")]
async fn a_tenant_that_goes_and_comes_back_between_two_looks_is_served(setup: Setup) {
    let (platform, other) = (&setup.platform, setup.process());
    let key = setup.key("admin").await;
    platform.watch_deleted().await.unwrap();
    command(&other, |platform| platform.delete_tenant("acme", HOUR)).await.unwrap();
    assert_eq!(refusal(setup.get(&key, "user", 1).await), "Missing tenant_missing");
    let looked = command(platform, |platform| platform.has_foreign_key("acme")).await;
    assert_eq!(refusal(looked), "Missing tenant_missing");
    command(&other, |platform| platform.undelete_tenant("acme")).await.unwrap();
    platform.watch_deleted().await.unwrap();
    let found = platform.tenant("localhost", Some("acme"), Ipv4Addr::LOCALHOST.into()).await.unwrap();
    found.read(ReadCost::Point, &key, |_, _| Ok(())).await.unwrap();
    // A removal that nothing but its absence tells of.
    command(&other, |platform| platform.erase_tenant("acme")).await.unwrap();
    platform.watch_deleted().await.unwrap();
    assert!(platform.tenant("localhost", Some("acme"), Ipv4Addr::LOCALHOST.into()).await.is_err());
    assert!(platform.has_none());
}

/// Without its master key, a tenant would come back with values that nothing opens.
#[spec("E-180")]
async fn a_tenant_of_another_master_key_does_not_come_back(setup: Setup) {
    let platform = &setup.platform;
    command(platform, |platform| platform.delete_tenant("acme", HOUR).map(drop)).await.unwrap();
    let refused = command(&setup.node(2), |platform| platform.undelete_tenant("acme")).await;
    assert_eq!(refusal(refused), "Conflict master_key_foreign");
    command(platform, |platform| platform.undelete_tenant("acme")).await.unwrap();
}

#[test]
fn a_time_to_keep_a_tenant_is_a_number_and_a_unit() {
    for (text, seconds) in [("1m", 60), ("12h", 43_200), ("7d", 604_800), ("3650d", 315_360_000)] {
        assert_eq!(parse_keep_time(text), Ok(SignedDuration::from_secs(seconds)), "{text}");
    }
    for bad in ["", "0d", "7", "d", "-1d", "7 d", "7D", "7w", "3651d", "99999999999d", "1.5d", "7dd", "٧d"] {
        assert!(parse_keep_time(bad).is_err(), "{bad}");
    }
}
