//! Values of properties, their surroundings and their faults.

use crate::error::InputProblem;
use crate::file_link::LinkSigner;
use database::Value;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The value of a property: one, or the members of a multi-valued one in order.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredValue {
    /// A column's value; null where there is none.
    One(Value),
    /// A link table's members.
    Many(Vec<Value>),
}

/// The surroundings that reading and writing values depends on.
#[derive(Clone, Copy)]
pub struct ValueContext<'c> {
    /// The acting user's display zone.
    pub zone: &'c TimeZone,
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The data that the addresses of files are made from; they have none where it is missing.
    pub links: Option<LinkContext<'c>>,
    /// True if decimals, and integers that floats cannot hold, are written as texts.
    pub texts: bool,
}

/// The data that the addresses of files depend on beside the present.
#[derive(Clone, Copy, Debug)]
pub struct LinkContext<'c> {
    /// The tenant's.
    pub signer: &'c LinkSigner,
    /// The user who may read them.
    pub user: i64,
}

/// A fault of a value; the caller adds the property's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFault {
    /// A stable snake_case word.
    pub code: &'static str,
    /// Completes "`title` …": "must be an integer". It tells nothing of the value.
    pub(super) message: String,
    /// The same where it tells something of the value: for those who gave it.
    detail: Option<String>,
}

impl ValueFault {
    /// A fault; the message completes "`title` …", and tells nothing of the value.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        ValueFault { code, message: message.into(), detail: None }
    }

    /// The same with a message for those who gave the value, which may tell of it.
    #[must_use]
    pub(crate) fn with_detail(self, detail: impl Into<String>) -> Self {
        ValueFault { detail: Some(detail.into()), ..self }
    }

    /// The same for those who may not know the value.
    #[must_use]
    pub fn general(self) -> Self {
        ValueFault { detail: None, ..self }
    }

    /// The message.
    pub fn text(&self) -> &str {
        self.detail.as_ref().unwrap_or(&self.message)
    }

    /// The fault of a member of several.
    pub(crate) fn of_member(self, position: usize) -> Self {
        let with = |text: String| format!("{text} (member {})", position + 1);
        ValueFault { code: self.code, message: with(self.message), detail: self.detail.map(with) }
    }

    /// The problem of a property: its title, then the message.
    pub fn of(self, name: &str, title: &str) -> InputProblem {
        InputProblem { property: name.to_owned(), code: self.code, message: format!("{title} {}.", self.text()) }
    }
}
