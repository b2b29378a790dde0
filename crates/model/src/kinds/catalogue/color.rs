//! `pColor`: a colour.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::TextKind;
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pColor",
    help: "A colour: #rgb, #rrggbb or #rrggbbaa, stored in lower case.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(ColorKind),
};

#[derive(Debug)]
struct ColorKind;

impl TextKind for ColorKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        text.to_lowercase()
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        if is_color(text) { Ok(()) } else { Err(ValueFault::new("not_color", "must be a colour such as #22aa77")) }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "pattern": "^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$"})
    }
}

/// Returns true if a text is a colour.
pub fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}
