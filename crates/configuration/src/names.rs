//! Names that types and properties may have.

use model::types::SYSTEM_FIELDS;

/// Words that requests and expressions use in the place of a property.
const RESERVED_PROPERTIES: [&str; 5] = ["tags", "propsMeta", "true", "false", "null"];
/// Collections of the platform's own.
const RESERVED_TYPES: [&str; 3] = ["tags", "notifications", "keys"];
/// Tables that SQLite makes up, in whose place a view of that name would come.
const VIRTUAL_TABLES: [&str; 11] = [
    "json_each",
    "json_tree",
    "jsonb_each",
    "jsonb_tree",
    "rarray",
    "carray",
    "dbstat",
    "bytecode",
    "tables_used",
    "fts3tokenize",
    "generate_series",
];

/// Why a property cannot have this name.
pub(crate) fn property_fault(name: &str) -> Option<(&'static str, String)> {
    if !is_system_name(name) {
        return Some(malformed(name));
    }
    if SYSTEM_FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name)) || is_system_column(name) {
        return Some(("reserved_name", format!("{name} is a field that every resource has. Choose another name.")));
    }
    RESERVED_PROPERTIES
        .contains(&name)
        .then(|| ("reserved_name", format!("{name} is a reserved word. Choose another name.")))
}

/// Why a type cannot have this name.
pub(crate) fn type_fault(name: &str) -> Option<(&'static str, String)> {
    if !is_system_name(name) {
        return Some(malformed(name));
    }
    if RESERVED_TYPES.contains(&name) {
        return Some(("reserved_name", format!("{name} is a collection of the platform. Choose another name.")));
    }
    is_table(name).then(|| ("reserved_name", format!("{name} is named like a table. Choose another name.")))
}

/// Returns true if the text is `[a-z][A-Za-z0-9_]{0,62}`.
pub(crate) fn is_system_name(text: &str) -> bool {
    text.len() <= 63
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns true if the text is `[a-z][a-z0-9-]{0,39}`, a tenant's name.
pub(crate) fn is_tenant_name(text: &str) -> bool {
    text.len() <= 40
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// A title for people out of a system name: `paid_on` and `paidOn` become `Paid on`.
pub(crate) fn title(name: &str) -> String {
    let mut title = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        match character {
            _ if title.is_empty() => title.push(character.to_ascii_uppercase()),
            '_' => title.push(' '),
            upper if upper.is_ascii_uppercase() => {
                title.push(' ');
                title.push(upper.to_ascii_lowercase());
            }
            other => title.push(other),
        }
    }
    title
}

/// Returns the fault of a name that is no system name: code and message.
pub(crate) fn malformed(name: &str) -> (&'static str, String) {
    let message =
        format!("{name:?} is not a system name: a lower-case letter, then letters, digits and _, 63 at most.");
    ("invalid_name", message)
}

/// A view beside the tables is named like the type; columns of the system fields are there too.
fn is_system_column(name: &str) -> bool {
    matches!(name, "created_by" | "updated_by" | "rowid" | "oid")
}

fn is_table(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let numbered = lower
        .strip_prefix(['t', 'm', 'i', 'u'])
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
    // SQLite's full text index `f7` has tables such as `f7_data`.
    let searched = lower.strip_prefix('f').is_some_and(|rest| {
        let rest = rest.trim_start_matches(|character: char| character.is_ascii_digit());
        rest.len() + 1 < lower.len() && (rest.is_empty() || rest.starts_with('_'))
    });
    let made_up = VIRTUAL_TABLES.contains(&lower.as_str());
    numbered
        || searched
        || made_up
        || ["plinth_", "sqlite_", "pragma_", "pg_"].iter().any(|prefix| lower.starts_with(prefix))
}
