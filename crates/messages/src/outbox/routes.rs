//! The ways by which mails, SMS and requests leave this process.

use super::claim::ClaimedMessage;
use super::files;
use super::gateway::Gateway;
use super::kept_messages::{Kept, KeptLetter};
use super::render::RenderedMail;
use super::settle::TryOutcome;
use super::smtp::Smtp;
use crate::outgoing::HttpRoute;
use model::types::Model;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tenant::Tenant;

/// Routes by which mails and SMS leave, and the beginning of links in them.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// Mails.
    pub mail: MailRoute,
    /// SMS.
    pub sms: SmsRoute,
    /// The sender of tenants that have none.
    pub from: String,
    /// Requests of automations.
    pub outgoing: HttpRoute,
    /// Address at which this server is reached from outside. If none was given, it is the one where it listens, as soon
    /// as it does.
    pub public_url: Arc<OnceLock<String>>,
}

/// Route by which mails leave.
#[derive(Clone, Debug, Default)]
pub enum MailRoute {
    /// They do not: they wait.
    #[default]
    Closed,
    /// Into files below this folder, `<tenant>/<number>.eml`.
    Files(PathBuf),
    /// To a mail server.
    Smtp(Smtp),
    /// Nowhere: they are kept in memory, to be looked at.
    Kept(Kept),
}

/// Route by which SMS leave.
#[derive(Clone, Debug, Default)]
pub enum SmsRoute {
    /// They do not: they wait.
    #[default]
    Closed,
    /// Into files below this folder, `<tenant>/<number>.txt`.
    Files(PathBuf),
    /// To a gateway.
    Http(Gateway),
    /// Nowhere: they are kept in memory, to be looked at.
    Kept(Kept),
}

impl Routes {
    /// Returns the beginning of links to a tenant: its own address, else that of this server with the tenant's path.
    pub fn base(&self, model: &Model, tenant: &str) -> String {
        let own = model.settings.base_url.as_deref();
        own.map_or_else(
            || {
                let server = self.public_url.get().map_or("http://localhost:8080", String::as_str);
                format!("{}/t/{tenant}", server.trim_end_matches('/'))
            },
            |own| own.trim_end_matches('/').to_owned(),
        )
    }
}

impl MailRoute {
    /// Hands a mail over.
    pub(super) async fn send(&self, tenant: &str, id: i64, mail: &RenderedMail) -> Result<(), TryOutcome> {
        match self {
            MailRoute::Closed => Err(TryOutcome::Later("no transport for mails is configured".to_owned())),
            MailRoute::Files(folder) => files::write(folder, tenant, format!("{id}.eml"), mail.bytes()).await,
            MailRoute::Smtp(server) => server.send(mail).await,
            MailRoute::Kept(kept) => {
                kept.put(mail.letter());
                Ok(())
            }
        }
    }
}

impl SmsRoute {
    /// Hands an SMS over.
    pub(super) async fn send(&self, tenant: &Arc<Tenant>, row: &ClaimedMessage, text: &str) -> Result<(), TryOutcome> {
        match self {
            SmsRoute::Closed => Err(TryOutcome::Later("no transport for SMS is configured".to_owned())),
            SmsRoute::Http(gateway) => gateway.send(tenant, row, text).await,
            SmsRoute::Kept(kept) => {
                let (to, text) = (row.recipient.clone(), text.to_owned());
                kept.put(KeptLetter { to, subject: String::new(), text });
                Ok(())
            }
            SmsRoute::Files(folder) => {
                let bytes = format!("To: {}\nId: {}\n\n{text}\n", row.recipient, row.message).into_bytes();
                files::write(folder, tenant.name(), format!("{}.txt", row.id), bytes).await
            }
        }
    }
}
