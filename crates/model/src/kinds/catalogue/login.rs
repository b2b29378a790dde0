//! `pLogin`: the name that a user signs in with.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::{TextKind, check_length};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pLogin",
    help: "The name that a user signs in with, in lower case.",
    options: &[],
    internal: true,
    build: |_, _| Box::new(LoginKind),
};

#[derive(Debug)]
struct LoginKind;

impl TextKind for LoginKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        text.trim().to_lowercase()
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        check_length(text, 1, 254)?;
        if text.contains(|character: char| character.is_control() || character.is_whitespace()) {
            return Err(ValueFault::new("not_login", "must not hold white space"));
        }
        Ok(())
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "minLength": 1, "maxLength": 254})
    }
}
