//! `pUrl`: an address of the web.

use super::text_kind::{TextKind, check_length};
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pUrl",
    help: "An absolute address, http or https.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(Url),
};

#[derive(Debug)]
struct Url;

impl TextKind for Url {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        text.trim().to_owned()
    }

    fn check(&self, text: &str) -> Result<(), Fault> {
        check_length(text, 0, 2_048)?;
        // The parser drops tabs and line ends where it finds them, so that they are looked for before.
        let clean = !text.contains(|character: char| character.is_control() || character.is_whitespace());
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        let web = matches!(scheme.as_deref(), Some("http" | "https"));
        if clean && web && ::url::Url::parse(text).is_ok_and(|url| url.has_host()) {
            return Ok(());
        }
        Err(Fault::new("not_url", "must be an address such as https://example.com/page"))
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2_048})
    }
}
