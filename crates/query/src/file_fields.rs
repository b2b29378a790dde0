//! The fields of a file that filters may ask for: its name, size and media type (D: Filters).

use context::actor::Allowed;
use database::Name;
use model::kinds;
use model::kinds::OptionTargets;
use model::table_names::ATTACHMENT;
use model::types::ReadableRows;
use model::types::{FieldSet, Property, ResourceType};
use serde_json::{Map, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, OnceLock};

/// Files, as if they were resources of a type, so that all that filters do with texts and numbers serves them.
static FILE: LazyLock<Arc<ResourceType>> = LazyLock::new(|| {
    let long = Map::from_iter([("maxLength".to_owned(), json!(255))]);
    let fields = vec![
        field(0, "name", Name::fixed("name"), "pString", long.clone()),
        field(1, "size", Name::fixed("size"), "pInteger", Map::new()),
        field(2, "mime", Name::fixed("mime"), "pString", long),
    ];
    let by_name: HashMap<String, usize> =
        fields.iter().map(|property| (property.name.clone(), property.position)).collect();
    Arc::new(ResourceType {
        id: 0,
        name: "file".to_owned(),
        title: "File".to_owned(),
        description: String::new(),
        fields,
        by_name,
        title_property: None,
        code_property: None,
        parent_property: None,
        log_reads: false,
        unique: Vec::new(),
        indexes: Vec::new(),
        order_by: Vec::new(),
        sections: Vec::new(),
        rules: OnceLock::new(),
        table: ATTACHMENT,
        select: OnceLock::new(),
    })
});

/// Whoever may read a property may ask for all of its files.
pub fn fields<'m>() -> Allowed<'m> {
    Allowed {
        resource_type: &FILE,
        readable: FieldSet::All,
        writable: FieldSet::nothing(),
        shown: ReadableRows::Everything,
        withheld: None,
        limited: None,
    }
}

fn field(position: usize, name: &str, column: Name, kind: &str, options: Map<String, serde_json::Value>) -> Property {
    let targets =
        OptionTargets { types: &BTreeMap::new(), groups: &BTreeSet::new(), properties: &BTreeMap::new(), own: "" };
    Property {
        id: 0,
        position,
        name: name.to_owned(),
        title: name.to_owned(),
        description: String::new(),
        kind: kinds::build(kind, options, &targets).expect("the options are those that the kind has"),
        required: false,
        conditional: false,
        unique: false,
        index: false,
        searchable: false,
        personal: false,
        default: None,
        calculated: None,
        read_only: true,
        write_once: false,
        column,
    }
}
