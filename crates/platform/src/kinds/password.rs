//! `pPassword`: a password, which goes in and never comes out.

use super::text_kind::{TextKind, check_length};
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pPassword",
    help: "A password of 8 to 1,000 characters. What is stored is its hash, which the users' own functions make.",
    options: &[],
    internal: true,
    build: |_, _| Box::new(Password),
};

#[derive(Debug)]
struct Password;

impl TextKind for Password {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn check(&self, text: &str) -> Result<(), Fault> {
        check_length(text, 8, 1_000)
    }

    fn class(&self) -> Class {
        Class::Concealed
    }

    fn concealed(&self) -> bool {
        true
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "password", "minLength": 8, "maxLength": 1_000, "writeOnly": true})
    }
}
