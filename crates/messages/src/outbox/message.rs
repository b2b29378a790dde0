//! Messages with their values, and tasks.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The way that a row leaves by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A mail.
    Mail,
    /// An SMS.
    Sms,
    /// Nothing is sent: something is done.
    Task,
}

/// Purpose of a row: it decides about the lane of the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessagePurpose {
    /// Somebody waits for it to get into an account. It goes before all others.
    Account,
    /// Anything else.
    Other,
}

/// State of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To be sent when it is due.
    Waiting,
    /// Some node sends it, and renews its lease meanwhile; where that node dies, another does once the lease is over.
    Sending,
    /// The provider took it, or the task was done.
    Sent,
    /// Given up.
    Failed,
    /// Not wanted any more.
    Cancelled,
}

/// Text that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// The mail with a link that verifies.
    VerifyLink,
    /// The mail with a code that verifies.
    VerifyCode,
    /// The mail with a link that resets the password.
    Reset,
    /// The SMS with a code that verifies.
    VerifySms,
    /// A mail whose subject and text the message itself has, as its title and message.
    Plain,
}

/// A message to one recipient.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its text; tells, too, whether it is a mail or an SMS.
    pub template: Template,
    /// The address, or the number in E.164.
    pub recipient: String,
    /// `en` or `cs`; the tenant's own where none.
    pub language: Option<String>,
    /// Values that the text is made of.
    pub values: Values,
    /// The challenge or the reset that it belongs to.
    pub reference: Option<Reference>,
}

/// Values that texts are made of. Templates know these by their names, beside `tenant`, the tenant's title.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Values {
    /// The recipient's name.
    pub name: String,
    /// The title, in the caller's words; empty where they gave none.
    pub title: String,
    /// The code.
    pub code: Option<String>,
    /// The link. One that begins with `/` goes from the tenant's own root: its base is put before it when it is sent.
    pub link: Option<String>,
    /// Until when code or link are good; texts know it as `validity`, in the tenant's zone.
    pub expires: Option<Timestamp>,
    /// The whole text of an SMS in the place of the template's, with `%tenant%`, `%code%`, `%link%`, `%validity%`; or of a
    /// plain mail, as it is.
    pub message: Option<String>,
}

/// Challenge or reset that a message belongs to, so that it can be cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A method of a challenge, by the challenge's row.
    Challenge(i64, Method),
    /// A reset of a password, by its row.
    Reset(i64),
}

/// Method by which a challenge is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// `mail_link`.
    MailLink,
    /// `mail_code`.
    MailCode,
    /// `sms_code`.
    SmsCode,
}

impl fmt::Debug for Values {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Code, link and text are secrets, and logs are no place for the rest either.
        formatter.debug_struct("Values").field("expires", &self.expires).finish_non_exhaustive()
    }
}

impl Channel {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Mail => "mail",
            Channel::Sms => "sms",
            Channel::Task => "task",
        }
    }
}

impl MessagePurpose {
    /// As it is stored: none of rows that need no name, and of those of earlier versions.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            MessagePurpose::Account => Some("account"),
            MessagePurpose::Other => None,
        }
    }
}

impl State {
    /// All of them.
    pub const ALL: [State; 5] = [State::Waiting, State::Sending, State::Sent, State::Failed, State::Cancelled];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Sending => "sending",
            State::Sent => "sent",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }

    /// The state of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl Template {
    /// All of them.
    pub const ALL: [Template; 5] =
        [Template::VerifyLink, Template::VerifyCode, Template::Reset, Template::VerifySms, Template::Plain];

    /// Its name, which the tenant's own files begin with.
    pub fn name(self) -> &'static str {
        match self {
            Template::VerifyLink => "verify_link",
            Template::VerifyCode => "verify_code",
            Template::Reset => "reset",
            Template::VerifySms => "verify_sms",
            Template::Plain => "plain",
        }
    }

    /// The template of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|template| template.name() == name)
    }

    /// Returns its purpose.
    pub(super) fn purpose(self) -> MessagePurpose {
        match self {
            Template::VerifyLink | Template::VerifyCode | Template::Reset | Template::VerifySms => {
                MessagePurpose::Account
            }
            Template::Plain => MessagePurpose::Other,
        }
    }

    /// By which way it leaves.
    pub fn channel(self) -> Channel {
        match self {
            Template::VerifyLink | Template::VerifyCode | Template::Reset | Template::Plain => Channel::Mail,
            Template::VerifySms => Channel::Sms,
        }
    }
}

impl Method {
    /// All of them, in the contract's order.
    pub const ALL: [Method; 3] = [Method::MailLink, Method::MailCode, Method::SmsCode];

    /// Its name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Method::MailLink => "mail_link",
            Method::MailCode => "mail_code",
            Method::SmsCode => "sms_code",
        }
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl Reference {
    /// As it is stored: kind, id, part.
    pub(super) fn columns(self) -> (&'static str, i64, &'static str) {
        match self {
            Reference::Challenge(id, method) => ("challenge", id, method.name()),
            Reference::Reset(id) => ("reset", id, ""),
        }
    }
}
