//! `pEmail`: an e-mail address.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::{TextKind, check_length};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pEmail",
    help: "An e-mail address. Its domain is stored in lower case.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(EmailKind),
};

#[derive(Debug)]
struct EmailKind;

impl TextKind for EmailKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        let text = text.trim();
        match text.rsplit_once('@') {
            Some((local, domain)) => format!("{local}@{}", domain.to_lowercase()),
            None => text.to_owned(),
        }
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        check_length(text, 0, 254)?;
        if is_email(text) { Ok(()) } else { Err(ValueFault::new("not_email", "must be an e-mail address")) }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "email", "maxLength": 254})
    }
}

/// Returns true if a text is an address that mail can be sent to: a local part of dotted words, a domain with a dot.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let of_word = |character: char| character.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(character);
    let word = |word: &str| !word.is_empty() && word.chars().all(of_word);
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|character| character.is_alphanumeric() || character == '-')
    };
    local.len() <= 64 && local.split('.').all(word) && domain.contains('.') && domain.split('.').all(label)
}
