//! `pFile`: one file.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::file_rules::{ACCEPT, FileRules, MAX_SIZE};
use crate::kinds::file_values;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pFile",
    help: "A file.",
    options: &[MAX_SIZE, ACCEPT],
    internal: false,
    build: |options, _| Box::new(FileKind { rules: FileRules::take(options, false) }),
};

#[derive(Debug)]
struct FileKind {
    rules: FileRules,
}

impl Kind for FileKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Attachments
    }

    fn class(&self) -> KindClass {
        KindClass::File
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Object
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
