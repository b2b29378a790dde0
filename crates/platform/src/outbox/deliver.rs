//! The worker: claims what is due, sends it outside of any transaction, and writes down what became of it.

use super::claim::{Claimed, Outcome, claim, next, settle};
use super::message::{Channel, Template, Values};
use super::{render, task};
use crate::error::Result;
use crate::outbox::Routes;
use crate::tenants::{Platform, Tenant};
use crate::types::Model;
use crate::worker::{Line, Look};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;

/// How long one sending may take: well within the lease.
const LONGEST: Duration = Duration::from_secs(40);

/// When to look again after another node was faster, in milliseconds.
const BREATH: i64 = 1_000;

/// What a pass did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// What providers took, and tasks that were done.
    pub sent: usize,
    /// What failed and is tried again.
    pub later: usize,
    /// What was given up.
    pub failed: usize,
}

impl Platform {
    /// Sends all that is due, of all tenants, one after the other; ends when nothing is due any more.
    pub async fn deliver(self: &Arc<Self>) -> Result<Delivered> {
        let mut all = Delivered::default();
        for name in self.blocking(Self::tenants).await? {
            let (delivered, _) = self.deliver_tenant(&name).await?;
            all.sent += delivered.sent;
            all.later += delivered.later;
            all.failed += delivered.failed;
        }
        Ok(all)
    }

    /// Sends all that is due of a tenant; gives, too, when the next is due, in milliseconds. A tenant that is gone has nothing.
    pub(crate) async fn deliver_tenant(self: &Arc<Self>, name: &str) -> Result<(Delivered, Option<i64>)> {
        let mut done = Delivered::default();
        let tenant = match self.look(Line::Outbox, name).await? {
            Look::Later(next) => return Ok((done, next)),
            Look::Gone => return Ok((done, None)),
            Look::Open(tenant) => tenant,
        };
        loop {
            let next = tenant.store().read(database::Cost::Point, next).await?;
            let now = tenant.world().clock.now().as_millisecond();
            if next.is_none_or(|next| next > now) {
                return Ok((done, next));
            }
            let claimed = tenant.write_elevated(|tx, call| Ok((claim(tx, call)?, Arc::clone(&call.model)))).await?;
            let (claims, model) = claimed;
            for id in &claims.given_up {
                tracing::error!(tenant = tenant.name(), outbox = id, "given up: its sending never came to an end");
            }
            done.failed += claims.given_up.len();
            if claims.rows.is_empty() && claims.given_up.is_empty() {
                // Another node has them.
                return Ok((done, Some(now + BREATH)));
            }
            let sendings = claims.rows.into_iter().map(|row| carry_out(&tenant, &model, self.routes(), row));
            for outcome in join_all(sendings).await {
                match outcome? {
                    Outcome::Sent => done.sent += 1,
                    Outcome::Later(_) => done.later += 1,
                    Outcome::Never(_) => done.failed += 1,
                }
            }
        }
    }
}

/// Sends a row, or does its task, and writes down what became of it.
async fn carry_out(tenant: &Arc<Tenant>, model: &Model, routes: &Routes, row: Claimed) -> Result<Outcome> {
    if row.channel == Channel::Task {
        match task::carry_out(tenant, &row).await {
            Ok(()) => return Ok(Outcome::Sent),
            Err(error) => {
                tracing::error!(tenant = tenant.name(), outbox = row.id, task = row.template, %error, "a task failed");
                return note(tenant, row, Outcome::Later(error.message)).await;
            }
        }
    }
    let outcome = match tokio::time::timeout(LONGEST, send(tenant, model, routes, &row)).await {
        Ok(outcome) => outcome,
        Err(_) => Outcome::Later("sending took too long".to_owned()),
    };
    note(tenant, row, outcome).await
}

async fn note(tenant: &Arc<Tenant>, row: Claimed, outcome: Outcome) -> Result<Outcome> {
    let outcome = row.judge(outcome);
    let (id, channel) = (row.id, row.channel.name());
    match &outcome {
        Outcome::Sent => tracing::info!(tenant = tenant.name(), outbox = id, channel, "sent"),
        Outcome::Later(error) => tracing::warn!(tenant = tenant.name(), outbox = id, channel, error, "not sent yet"),
        Outcome::Never(error) => tracing::warn!(tenant = tenant.name(), outbox = id, channel, error, "given up"),
    }
    let noted = outcome.clone();
    tenant.write_elevated(move |tx, call| settle(tx, call, &row, &noted).map(drop)).await?;
    Ok(outcome)
}

async fn send(tenant: &Arc<Tenant>, model: &Model, routes: &Routes, row: &Claimed) -> Outcome {
    let values = row.content.as_deref().and_then(|content| serde_json::from_slice::<Values>(content).ok());
    let (Some(mut values), Some(template)) = (values, Template::named(&row.template)) else {
        return Outcome::Never("what was to be sent cannot be read".to_owned());
    };
    // A path becomes an address of the tenant's here: no header of a request has a part in it (A059).
    if let Some(link) = values.link.as_mut().filter(|link| link.starts_with('/')) {
        link.insert_str(0, &routes.base(model, tenant.name()));
    }
    let sent = match row.channel {
        Channel::Sms => routes.sms.send(tenant, row, &render::sms(model, row, template, &values)).await,
        _ => match render::mail(model, (row, &routes.from), template, &values) {
            Ok(mail) => routes.mail.send(tenant.name(), row.id, &mail).await,
            Err(error) => Err(Outcome::Never(error)),
        },
    };
    sent.err().unwrap_or(Outcome::Sent)
}

/// What a way of sending cannot do now and may do later, for it is of this machine: no room, no rights.
pub(super) fn local(error: &std::io::Error) -> Outcome {
    Outcome::Later(format!("the file cannot be written: {}", error.kind()))
}

#[cfg(test)]
mod tests {
    use crate::tenants::{Platform, Settings};
    use crate::vault::MasterKey;
    use crate::work::{Clock, Random, World};
    use database::{Database, SqliteOptions};
    use jiff::Timestamp;
    use std::sync::Arc;

    struct Still;
    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH
        }
    }

    struct Sevens;
    impl Random for Sevens {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[tokio::test]
    async fn only_tenants_with_something_to_send_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions { folder: folder.path().to_owned(), readers: 1, open_files: 4 };
        let database = Database::sqlite(options).unwrap();
        let node = || {
            let world = World { clock: Arc::new(Still), random: Arc::new(Sevens) };
            let settings = Settings { key: Some(MasterKey::new([1; 32]).into()), ..Settings::default() };
            Platform::new(database.clone(), world, settings)
        };
        let first = node();
        let made = first.blocking(|platform| {
            platform.create_tenant("idle")?;
            platform.create_tenant("busy")
        });
        let task = super::super::Task { kind: "none".to_owned(), input: serde_json::Value::Null };
        let busy = made.await.unwrap();
        busy.write_elevated(move |tx, call| super::super::later(tx, call, &task)).await.unwrap();
        let second = node();
        second.deliver().await.unwrap();
        assert_eq!([second.is_open("idle"), second.is_open("busy")], [false, true]);
    }
}
