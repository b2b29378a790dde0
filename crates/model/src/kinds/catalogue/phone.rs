//! `pPhone`: a telephone number.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::TextKind;
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pPhone",
    help: "A telephone number in the form of E.164. Spaces, hyphens, dots, slashes and parentheses are dropped.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(PhoneKind),
};

#[derive(Debug)]
struct PhoneKind;

impl TextKind for PhoneKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        text.chars().filter(|character| !character.is_whitespace() && !"-./()".contains(*character)).collect()
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        let digits = text.strip_prefix('+').unwrap_or_default();
        let valid = (7..=15).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|digit| digit.is_ascii_digit());
        if valid {
            Ok(())
        } else {
            Err(ValueFault::new("not_phone", "must be a telephone number such as +420601234567"))
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "pattern": "^\\+[1-9]\\d{6,14}$"})
    }
}
