//! Nodes as they are on machines of their own, whose clocks differ.

use super::{Running, Server, listen};
use crate::environment;
use server::settings::{Settings, Sources};
use std::sync::{Arc, OnceLock};
use tokio::task::spawn_blocking;

impl Server {
    /// By how many seconds the clock of the node's machine differs from the one that counts, where its operator should know.
    pub async fn notable_skew(&self) -> Option<i64> {
        let skew = self.running.platform.measure_clock().await.expect("the database answers");
        skew.map(|skew| skew.as_secs())
    }

    /// Another node over the same data, made of settings as `plinth serve` makes it, on a machine whose clock is off by so many
    /// seconds. It has no limit of requests of an address.
    pub async fn node_off_by(&self, seconds: i64) -> Self {
        let Running { place, clock, settings: limits, own, .. } = &*self.running;
        let folder = place.folder().display().to_string();
        let url = place.served_postgres().unwrap_or_default();
        let flags = [
            ("listen", "127.0.0.1:0"),
            ("data.folder", &folder),
            ("data.postgres", &url),
            ("data.wait", super::WAIT),
            ("outbox.send", "false"),
            ("limits.requests_per_address", "0"),
        ];
        let flags = flags.into_iter().chain(own.iter().copied());
        let flags = flags.map(|(name, value)| (name, value.to_owned())).collect();
        let settings = Settings::load(&Sources { flags, ..Sources::default() }).expect("these are settings");
        let (opening, name) = (settings.clone(), self.tenant.name().to_owned());
        let opened = spawn_blocking(move || {
            let platform =
                server::open(&opening, environment::environment_off_by(seconds)).expect("the database opens");
            let tenant = platform.open(&name).expect("the tenant is there");
            (platform, tenant)
        });
        let (platform, tenant) = opened.await.expect("opening does not panic");
        let (client, stop) = listen(settings, &platform).await;
        let (place, clock, limits, own) = (Arc::clone(place), clock.clone(), limits.clone(), own.clone());
        let running =
            Running { settings: limits, own, platform, owner: OnceLock::new(), clock, client, place, _stop: stop };
        Self { running: Arc::new(running), tenant, ..self.clone() }
    }
}
