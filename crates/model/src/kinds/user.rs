//! `pUser`: a user.

use super::reference::{ON_DELETE, Reference};
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pUser",
    help: "A user: the id, or the uuid on input.",
    options: &[ON_DELETE],
    internal: false,
    build: |options, _| Box::new(UserKind { reference: Reference::to_user(options) }),
};

#[derive(Debug)]
struct UserKind {
    reference: Reference,
}

impl Kind for UserKind {
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
