//! `pPassword`: a password, which goes in and never comes out.

use crate::kinds::class::KindClass;
use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::{TextKind, check_length};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pPassword",
    help: "A password of at least 10 characters and at most 1,024 bytes. Only its hash is stored.",
    options: &[],
    internal: true,
    build: |_, _| Box::new(PasswordKind),
};

#[derive(Debug)]
struct PasswordKind;

impl TextKind for PasswordKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        check_length(text, 10, 1_024)
    }

    fn class(&self) -> KindClass {
        KindClass::Concealed
    }

    fn concealed(&self) -> bool {
        true
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "password", "minLength": 10, "maxLength": 1_024, "writeOnly": true})
    }
}
