//! `pUrl`: an address of the web.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::TextKind;
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pUrl",
    help: "An absolute address, http or https.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(UrlKind),
};

#[derive(Debug)]
struct UrlKind;

impl TextKind for UrlKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        text.trim().to_owned()
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        // Bytes, so that an index takes it.
        if text.len() > 2_048 {
            return Err(ValueFault::new("too_long", "must have at most 2048 characters"));
        }
        if is_web_address(text) {
            return Ok(());
        }
        Err(ValueFault::new("not_url", "must be an address such as https://example.com/page"))
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2_048})
    }
}

/// Returns true if a text is an absolute address, http or https.
pub fn is_web_address(text: &str) -> bool {
    // The parser drops tabs and line ends where it finds them, so that they are looked for before.
    let strange = |character: char| character.is_control() || character.is_whitespace() || "\"<>".contains(character);
    let clean = !text.contains(strange);
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    let web = matches!(scheme.as_deref(), Some("http" | "https"));
    clean && web && ::url::Url::parse(text).is_ok_and(|url| url.has_host())
}
