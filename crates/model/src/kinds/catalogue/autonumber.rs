//! `pAutonumber`: a number that the platform gives, such as `INV-2026-00042`.

use crate::kinds::autonumber_pattern::AutonumberPattern;
use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::{self, TextKind};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pAutonumber",
    help: "A number that Plinth assigns to each new resource, without gaps, such as INV-2026-00042.",
    options: &[(
        "pattern",
        "a text with {YYYY}, {YY}, {MM}, {DD}, and one {#####} for the number with at least as many digits. The number restarts with each year, month or day of the pattern",
    )],
    internal: false,
    build: |options, _| Box::new(AutonumberPattern::take(options)),
};

impl TextKind for AutonumberPattern {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        text_kind::check_length(text, 1, 255)
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "readOnly": true})
    }

    fn autonumber(&self) -> Option<&AutonumberPattern> {
        Some(self)
    }
}
