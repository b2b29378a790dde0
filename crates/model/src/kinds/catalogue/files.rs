//! `pFiles`: several files, whose names differ.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::file_rules::{ACCEPT, FileRules, MAX_FILES, MAX_SIZE};
use crate::kinds::file_values;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pFiles",
    help: "Several files, in order.",
    options: &[MAX_SIZE, MAX_FILES, ACCEPT],
    internal: false,
    build: |options, _| Box::new(FilesKind { rules: FileRules::take(options, true) }),
};

#[derive(Debug)]
struct FilesKind {
    rules: FileRules,
}

impl Kind for FilesKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Attachments
    }

    fn class(&self) -> KindClass {
        KindClass::Files
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Array
    }

    fn read(&self, _: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        // What a promise stands for is in the database: `files` reads them.
        Err(file_values::no_promise())
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
        file_values::write(value, context, out);
    }

    fn schema(&self) -> Json {
        file_values::schema()
    }

    fn files(&self) -> Option<&FileRules> {
        Some(&self.rules)
    }
}
