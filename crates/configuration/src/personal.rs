//! Checks of properties with `personal`: a scrubbed clone needs something to put in the place of their values.

use super::section::FileProblems;
use super::type_file::PropertyDraft;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::kinds::{FakeSource, fake_value};
use model::kinds::{Kind, ValueContext};

/// The id of a resource that has as many digits as those of most tenants.
const EXAMPLE: i64 = 1_000_000;

/// Refuses `personal` where no values are stored that anyone gave, and where a required value cannot be made up.
pub(crate) fn check(
    draft: &PropertyDraft<'_>,
    kind: &dyn Kind,
    unique: bool,
    zone: &TimeZone,
    problems: &mut FileProblems,
) {
    if !draft.personal {
        return;
    }
    let refuse =
        |message: &str, problems: &mut FileProblems| draft.refuse("personal", "invalid_personal", message, problems);
    let is_made = draft.rules.calculate.is_some() || kind.rollup().is_some() || kind.inverse().is_some();
    if is_made || kind.autonumber().is_some() {
        let message = "Its values are made by the platform: mark the properties as personal that they are made of.";
        return refuse(message, problems);
    }
    let context = ValueContext { zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let source = FakeSource { type_name: "type", title: &draft.name.0, id: EXAMPLE, unique };
    if draft.required && !kind.concealed() && fake_value(kind, source, &context).is_none() {
        let message = format!(
            "A scrubbed clone has no value for it: a {} with these limits takes none of the made-up ones, or has too \
             few of them that differ. Leave required, unique or the limits out.",
            kind.name()
        );
        refuse(&message, problems);
    }
}
