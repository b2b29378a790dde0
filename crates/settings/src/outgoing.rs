//! Settings of what leaves: mails, SMS, and requests of ours.

use super::secrets::SecretText;
use super::texts::positive_duration;
use serde::Deserialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of what sends the outbox.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboxSettings {
    /// True if this process does.
    pub send: bool,
    /// The most mails, SMS or runs that a tenant has under way at a time.
    pub places: usize,
    /// The most of them to one destination.
    pub destination_places: usize,
}

/// The way in which mails leave.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// By which way.
    pub transport: MailTransport,
    /// The sender of tenants that have none.
    pub from: String,
    /// The mail server's name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The user to sign in as; empty for none.
    pub user: String,
    /// The password.
    pub password: SecretText,
    /// The encryption of the connection.
    pub tls: MailEncryption,
    /// A file of certificates that are believed beside the system's; empty for none.
    pub ca_file: PathBuf,
    /// The name that we call ourselves; empty for the address.
    pub hello: String,
    /// The time for which the sending of one mail may take.
    #[serde(deserialize_with = "positive_duration")]
    pub timeout: Duration,
}

/// The ways of mails.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum MailTransport {
    /// Into files of the data folder.
    Files,
    /// To a mail server.
    Smtp,
}

/// The encryption of the connection to a mail server.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum MailEncryption {
    /// By STARTTLS.
    Starttls,
    /// From the first byte.
    Tls,
    /// Not.
    None,
}

/// The way in which SMS leave.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsSettings {
    /// By which way.
    pub transport: SmsTransport,
    /// The gateway's address, a template.
    pub url: String,
    /// The method.
    pub method: String,
    /// Headers, `Name: value`, templates.
    pub headers: Vec<String>,
    /// The body, a template.
    pub body: String,
    /// The sender.
    pub sender: String,
    /// Variables, `name: template`, for all of these.
    pub vars: Vec<String>,
    /// The condition that is true of an answer that takes the SMS, a template.
    pub success: String,
}

/// The ways of SMS.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SmsTransport {
    /// Into files of the data folder.
    Files,
    /// To a gateway.
    Http,
}

/// The addresses that requests of ours may go to.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutgoingSettings {
    /// To this machine and private networks, too.
    pub allow_private: bool,
}

// What is secret in them, or may be, is not shown.
impl fmt::Debug for SmsSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SmsSettings({:?})", self.transport)
    }
}
