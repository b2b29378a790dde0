//! `pGroup`: the name of a group of users.

use super::options::nearest;
use super::*;
use std::collections::BTreeSet;

pub(super) const ENTRY: Entry = Entry {
    name: "pGroup",
    help: "A group of users, by its name.",
    options: &[],
    internal: false,
    build: |_, targets| Box::new(GroupKind { names: targets.groups.clone() }),
};

#[derive(Debug)]
struct GroupKind {
    names: BTreeSet<String>,
}

impl Kind for GroupKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> Storage {
        Storage::Column(ColumnType::Text)
    }

    fn class(&self) -> Class {
        Class::Enumeration
    }

    fn read(&self, input: &Json, _: &Context<'_>) -> Result<Value, Fault> {
        let text = text_kind::text_of(input)?;
        if self.names.contains(text) {
            return Ok(Value::Text(text.to_owned()));
        }
        let near = nearest(text, self.names.iter().map(String::as_str));
        let fault = Fault::new("not_group", "must be the name of a group");
        Err(match near {
            Some(name) => fault.with_detail(format!("must be the name of a group; did you mean {name}")),
            None => fault,
        })
    }

    fn check(&self, _: &Value) -> Result<(), Fault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &Context<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => json::write_string(out, text),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "enum": self.names})
    }
}
