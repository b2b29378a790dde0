//! `pSlug`: a word for addresses.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::{TextKind, check_length};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pSlug",
    help: "A word for addresses: lower-case letters a to z, digits, and single hyphens between them.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(SlugKind),
};

#[derive(Debug)]
struct SlugKind;

impl TextKind for SlugKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        check_length(text, 0, 255)?;
        let word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        if text.split('-').all(word) {
            return Ok(());
        }
        Err(ValueFault::new("not_slug", "must be made of a to z, 0 to 9 and single hyphens, such as first-post"))
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 255})
    }
}
