//! All kinds with their options: what the loader builds from and the documentation lists.

mod autonumber;
mod boolean;
mod calculated;
mod color;
mod date;
mod date_time;
mod decimal;
mod document;
mod email;
mod enumeration;
mod enumerations;
mod file;
mod files;
mod float;
mod group;
mod integer;
mod login;
mod month;
mod password;
mod phone;
mod relation;
mod relations;
mod rollup;
mod slug;
mod string;
mod text;
mod time;
mod url;
mod user;
mod uuid;

pub use self::url::is_web_address;
pub use self::uuid::uuid_of;
pub use calculated::NAME as CALCULATED;
pub use color::is_color;
pub use date_time::{instant_text, read_instant, write_instant};
pub use document::lost_digits;
pub(super) use integer::integer_of;

use super::entry::{KindEntry, OptionTargets};
use super::kind::Kind;
use super::options::{KindOptions, OptionFault, nearest};
use serde_json::Value as Json;

/// Every kind.
pub static CATALOGUE: &[KindEntry] = &[
    string::ENTRY,
    text::ENTRY,
    integer::ENTRY,
    decimal::ENTRY,
    float::ENTRY,
    boolean::ENTRY,
    date::ENTRY,
    month::ENTRY,
    time::ENTRY,
    date_time::ENTRY,
    enumeration::ENTRY,
    enumerations::ENTRY,
    relation::ENTRY,
    relations::ENTRY,
    user::ENTRY,
    group::ENTRY,
    file::ENTRY,
    files::ENTRY,
    document::ENTRY,
    email::ENTRY,
    url::ENTRY,
    phone::ENTRY,
    slug::ENTRY,
    color::ENTRY,
    autonumber::ENTRY,
    calculated::ENTRY,
    rollup::ENTRY,
    uuid::ENTRY,
    login::ENTRY,
    password::ENTRY,
];

/// The options that a property of any kind has, for suggestions; the loader reads them.
const PROPERTY_OPTIONS: [&str; 17] = [
    "id",
    "kind",
    "name",
    "title",
    "description",
    "required",
    "unique",
    "index",
    "searchable",
    "default",
    "calculate",
    "stored",
    "condition",
    "validate",
    "readOnly",
    "writeOnce",
    "help",
];

/// Words that other systems have for kinds, where no name of ours is like them.
const OTHER_WORDS: [(&str, &str); 24] = [
    ("array", "pJson"),
    ("bool", "pBoolean"),
    ("char", "pString"),
    ("choice", "pEnum"),
    ("currency", "pDecimal"),
    ("double", "pFloat"),
    ("formula", "pCalculated"),
    ("image", "pFile"),
    ("int", "pInteger"),
    ("long", "pInteger"),
    ("longtext", "pText"),
    ("lookup", "pCalculated"),
    ("money", "pDecimal"),
    ("multiselect", "pEnums"),
    ("number", "pDecimal"),
    ("numeric", "pDecimal"),
    ("object", "pJson"),
    ("real", "pFloat"),
    ("reference", "pRelation"),
    ("select", "pEnum"),
    ("serial", "pAutonumber"),
    ("timestamp", "pDateTime"),
    ("varchar", "pString"),
    ("year", "pInteger"),
];

/// The kind for which another system has that word.
fn other_word(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let word =
        lower.strip_prefix('p').filter(|rest| OTHER_WORDS.iter().any(|(word, _)| word == rest)).unwrap_or(&lower);
    OTHER_WORDS.iter().find(|(other, _)| *other == word).map(|(_, kind)| *kind)
}

/// The kind of that name.
pub fn find(name: &str) -> Option<&'static KindEntry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// Makes a kind from the options of a property that are the kind's own. An unknown kind is a fault of the key `kind`.
pub fn build(
    name: &str,
    options: serde_json::Map<String, Json>,
    targets: &OptionTargets<'_>,
) -> Result<Box<dyn Kind>, Vec<OptionFault>> {
    let Some(entry) = find(name) else {
        let public = CATALOGUE.iter().filter(|entry| !entry.internal).map(|entry| entry.name);
        return Err(vec![OptionFault {
            key: "kind".to_owned(),
            message: format!("There is no kind {name:?}."),
            suggestion: other_word(name).or_else(|| nearest(name, public)).map(str::to_owned),
        }]);
    };
    let mut options = KindOptions::new(options);
    let kind = (entry.build)(&mut options, targets);
    let known = entry.options.iter().map(|(option, _)| *option).chain(PROPERTY_OPTIONS);
    let faults = options.finish(name, known);
    if faults.is_empty() { Ok(kind) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::{OTHER_WORDS, OptionTargets, build, find};
    use std::collections::{BTreeMap, BTreeSet};

    fn suggested(name: &str) -> Option<String> {
        let (types, groups, properties) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        let targets = OptionTargets { types: &types, groups: &groups, properties: &properties, own: "a" };
        let faults = build(name, serde_json::Map::new(), &targets).err().unwrap();
        faults[0].suggestion.clone()
    }

    #[test]
    fn words_of_other_systems_suggest_the_kind() {
        for (name, kind) in [
            ("number", "pDecimal"),
            ("select", "pEnum"),
            ("int", "pInteger"),
            ("string", "pString"),
            ("boolean", "pBoolean"),
            ("Bool", "pBoolean"),
            ("text", "pText"),
            ("datetime", "pDateTime"),
            ("pNumber", "pDecimal"),
            ("relation", "pRelation"),
        ] {
            assert_eq!(suggested(name).as_deref(), Some(kind), "{name}");
        }
        assert_eq!(suggested("xyz"), None);
        assert!(OTHER_WORDS.iter().all(|(_, kind)| find(kind).is_some()));
    }
}
