//! `pFiles`: several files, whose names differ.

use super::file_rules::{self, ACCEPT, FileRules, MAX_FILES, MAX_SIZE};
use super::*;

pub(super) const ENTRY: Entry = Entry {
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

    fn storage(&self) -> Storage {
        Storage::Attachments
    }

    fn class(&self) -> Class {
        Class::Files
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Array
    }

    fn read(&self, _: &Json, _: &Context<'_>) -> Result<Value, Fault> {
        // What a promise stands for is in the database: `files` reads them.
        Err(file_rules::no_promise())
    }

    fn check(&self, _: &Value) -> Result<(), Fault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, context: &Context<'_>, out: &mut Vec<u8>) {
        file_rules::write(value, context, out);
    }

    fn schema(&self) -> Json {
        file_rules::schema()
    }

    fn files(&self) -> Option<&FileRules> {
        Some(&self.rules)
    }
}
