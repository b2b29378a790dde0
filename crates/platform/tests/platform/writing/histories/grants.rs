//! The files of those who write: where they are, and what their grants give.

use super::schema::{Preset, Schema};
use std::fmt::Write;

impl Schema {
    /// The users, each of whom may be at a resource of the first level.
    pub(super) fn user(&self) -> String {
        // Above the ids of the properties of all models (`schema.rs`), since none is used twice in a store.
        let (id, first) = (900_000_000 + self.number, self.name(0));
        format!("name: user\nproperties:\n  desk: {{id: {id}, kind: pRelation, type: {first}, onDelete: restrict}}\n")
    }

    /// The role of those who write.
    pub(super) fn role(&self) -> String {
        let mut text = "role: editor\nsystem: [restApi]\ntypes:\n".to_owned();
        for (at, level) in self.levels.iter().enumerate() {
            let create = match &level.preset {
                None => "true".to_owned(),
                Some(Preset { value, most }) => {
                    let preset = format!("preset: {{q: \"{{={}}}\"}}", self.text(at, value));
                    match most {
                        None => format!("{{{preset}}}"),
                        Some(most) => {
                            format!("[{{{preset}, check: \"{{=n <= {most}}}\"}}, {{check: \"{{=n > {most}}}\"}}]")
                        }
                    }
                }
            };
            let _ = writeln!(text, "  {}: {{show: true, edit: true, delete: true, create: {create}}}", self.name(at));
        }
        text
    }
}
