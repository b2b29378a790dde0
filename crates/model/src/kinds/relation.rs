//! `pRelation`: one resource of a type.

use super::reference::{OPTIONS, Reference};
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pRelation",
    help: "One resource of a type: its id, or its uuid on input.",
    options: OPTIONS,
    internal: false,
    build: |options, targets| Box::new(RelationKind { reference: Reference::take(options, targets) }),
};

#[derive(Debug)]
struct RelationKind {
    reference: Reference,
}

impl Kind for RelationKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> Storage {
        Storage::Column(ColumnType::Integer)
    }

    fn class(&self) -> Class {
        Class::Relation
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Any
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
