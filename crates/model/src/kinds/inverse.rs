//! The other end of a relation: the name under which the type that is referred to shows the resources that refer.

use super::class::{KindClass, ValueStorage};
use super::json;
use super::kind::{Kind, RelationTarget};
use super::options::KindOptions;
use super::reference::TypeReference;
use super::value::{ValueContext, ValueFault};
use database::{ColumnType, Name, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

/// The name of inverses where a kind is named.
pub const INVERSE: &str = "inverse";

/// The option `inverse` of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InverseOption {
    /// The system name.
    pub name: String,
    /// For people; none where the name serves.
    pub title: Option<String>,
    /// The default order of the resources: names of their properties, and whether descending.
    pub order_by: Vec<(String, bool)>,
}

/// The rows behind an inverse.
#[derive(Clone, Debug)]
pub struct InverseSource {
    /// The id of the type that refers.
    pub type_id: i64,
    /// The position of its relation.
    pub position: usize,
    /// The relation's column, or its link table.
    pub column: Name,
    /// True if the relation has a link table.
    pub through_links: bool,
    /// The default order of the rows: positions, and whether descending.
    pub order_by: Vec<(usize, bool)>,
}

/// The kind of an inverse. No property of a type's own has it.
#[derive(Debug)]
pub(crate) struct InverseKind {
    reference: TypeReference,
    source: InverseSource,
    is_single: bool,
}

impl InverseOption {
    /// Takes the option: a name, or an object.
    pub(super) fn take(options: &mut KindOptions) -> Option<Self> {
        const OPTION: &str = "inverse";
        let mut given = match options.take(OPTION)? {
            Json::String(name) => return Some(InverseOption { name, title: None, order_by: Vec::new() }),
            Json::Object(given) => given,
            _ => {
                options.fault(OPTION, "inverse must be a name, or an object with name, title and orderBy.");
                return None;
            }
        };
        let mut text = |key: &str| match given.remove(key) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{key} must be a text.")),
        };
        let mut faults: Vec<(&str, String)> = Vec::new();
        let mut taken = |key: &'static str| text(key).map_err(|message| faults.push((key, message))).ok().flatten();
        let (name, title) = (taken("name"), taken("title"));
        if name.is_none() && faults.iter().all(|(key, _)| *key != "name") {
            faults.push(("", "inverse needs a name.".to_owned()));
        }
        let order_by = order(given.remove("orderBy")).unwrap_or_else(|| {
            faults.push(("orderBy", "orderBy must be a name, such as -created, or a list of names.".to_owned()));
            Vec::new()
        });
        for (key, message) in faults {
            let key = if key.is_empty() { OPTION.to_owned() } else { format!("{OPTION}.{key}") };
            options.fault(&key, message);
        }
        for key in given.keys() {
            let suggestion = super::options::nearest(key, ["name", "title", "orderBy"].into_iter());
            options.fault_near(&format!("{OPTION}.{key}"), format!("inverse has no key {key:?}."), suggestion);
        }
        Some(InverseOption { name: name?, title, order_by })
    }
}

/// Reads `orderBy`; none where it is no order.
fn order(given: Option<Json>) -> Option<Vec<(String, bool)>> {
    let key = |name: &str| match name.strip_prefix('-') {
        Some(name) => (name.to_owned(), true),
        None => (name.to_owned(), false),
    };
    match given {
        None => Some(Vec::new()),
        Some(Json::String(name)) => Some(vec![key(&name)]),
        Some(Json::Array(names)) => names.iter().map(|name| name.as_str().map(key)).collect(),
        Some(_) => None,
    }
}

impl InverseKind {
    /// The inverse of a relation of a type.
    pub(crate) fn new(type_name: &str, source: InverseSource, is_single: bool) -> Self {
        InverseKind { reference: TypeReference::plain(type_name, source.type_id), source, is_single }
    }
}

impl Kind for InverseKind {
    fn name(&self) -> &'static str {
        INVERSE
    }

    fn storage(&self) -> ValueStorage {
        // It has members like one; which those are stands in its source.
        ValueStorage::Links(ColumnType::Integer)
    }

    fn class(&self) -> KindClass {
        if self.is_single { KindClass::Relation } else { KindClass::Relations }
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Any
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        self.reference.read(input)
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Integer(id) => json::write_integer(out, id),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "integer", "format": "int64"})
    }

    fn relation(&self) -> Option<RelationTarget<'_>> {
        Some(self.reference.relation())
    }

    fn inverse(&self) -> Option<&InverseSource> {
        Some(&self.source)
    }
}
