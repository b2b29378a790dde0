//! Settings of what leaves: mails and SMS.

use serde::Deserialize;

/// Who sends what waits.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct OutboxSettings {
    /// Whether this process does.
    pub send: bool,
}

/// How mails leave.
#[derive(Clone, Debug, Deserialize)]
pub struct MailSettings {
    /// By which way.
    pub transport: MailTransport,
    /// The sender of tenants that have none.
    pub from: String,
}

/// The ways of mails.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum MailTransport {
    /// Into files of the data folder.
    Files,
}

/// How SMS leave.
#[derive(Clone, Debug, Deserialize)]
pub struct SmsSettings {
    /// By which way.
    pub transport: SmsTransport,
}

/// The ways of SMS.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SmsTransport {
    /// Into files of the data folder.
    Files,
}
