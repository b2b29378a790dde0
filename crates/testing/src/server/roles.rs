//! Commands beside a server under test, by the role that owns the tables where the server's changes rows alone.

use super::{Running, Server};
use crate::{environment, has_roles};
use platform::tenants::Platform;
use std::sync::Arc;
use tenant::Tenant;
use tokio::task::spawn_blocking;

/// The point at which the randomness of commands begins: none of their keys is one of the server's.
const COMMANDS: u64 = 1 << 32;

impl Running {
    /// The platform that commands use: the server's, or one of its own with the owner's rights. It blocks.
    pub(super) fn commands(&self) -> &Arc<Platform> {
        if !has_roles() || self.place.postgres().is_none() {
            return &self.platform;
        }
        self.owner.get_or_init(|| {
            let (settings, limits) = self.place.settings(self.settings.clone(), &self.own);
            let (environment, _) = environment::environment_from(&self.clock, COMMANDS);
            Platform::new(self.place.open(settings.data.wait), environment, limits)
        })
    }
}

impl Server {
    /// Does what the operator does at the command line, where that may change tables.
    pub(super) async fn alter<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Tenant) -> model::error::Result<T> + Send + 'static,
    ) -> T {
        let (running, tenant) = (Arc::clone(&self.running), Arc::clone(&self.tenant));
        let done = spawn_blocking(move || {
            if Arc::ptr_eq(running.commands(), &running.platform) {
                return job(&tenant);
            }
            job(&*running.commands().open(tenant.name())?)
        });
        done.await.expect("the job does not panic").unwrap_or_else(|error| panic!("{error}"))
    }
}
