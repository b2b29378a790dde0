//! `pRelations`: several resources of a type.

use super::reference::{OPTIONS, Reference};
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pRelations",
    help: "Several resources of a type, in order; an array.",
    options: OPTIONS,
    internal: false,
    build: |options, targets| Box::new(RelationsKind { reference: Reference::take(options, targets) }),
};

#[derive(Debug)]
struct RelationsKind {
    reference: Reference,
}

impl Kind for RelationsKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> Storage {
        Storage::Links(ColumnType::Integer)
    }

    fn class(&self) -> Class {
        Class::Relations
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Array
    }

    fn read(&self, input: &Json, _: &Context<'_>) -> Result<Value, Fault> {
        self.reference.read(input)
    }

    fn check(&self, _: &Value) -> Result<(), Fault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &Context<'_>, out: &mut Vec<u8>) {
        Reference::write(value, out);
    }

    fn schema(&self) -> Json {
        self.reference.schema()
    }

    fn relation(&self) -> Option<Relation<'_>> {
        Some(self.reference.relation())
    }
}
