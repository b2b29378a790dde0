//! The statements of a user's list, and how the engine would run them.

use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::types::{FIRST_PROPERTY, Model, ResourceType};
use query::request::ListRequest;
use resources::list;
use serde::Serialize;
use std::collections::BTreeMap;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// The purpose: `total` or `rows`.
    pub purpose: &'static str,
    /// Its text, without values.
    pub sql: String,
    /// The values that are bound to `$1` and so on.
    pub values: Vec<String>,
    /// The engine's plan, in its own words.
    pub plan: Vec<String>,
    /// The names in the files of tables and columns in it.
    pub names: BTreeMap<String, String>,
}

/// The statements of the list of a type without filters, where the user may list it.
pub(super) fn of_list(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &ResourceType,
    lists: bool,
) -> Result<Vec<Statement>> {
    if !lists {
        return Ok(Vec::new());
    }
    let statements = list::statements(tx, context, &resource_type.name, &ListRequest::default())?;
    let mut explained = Vec::with_capacity(statements.len());
    for (purpose, sql) in ["total", "rows"].into_iter().zip(statements) {
        explained.push(Statement {
            purpose,
            plan: tx.plan(&sql)?,
            names: names(&context.model, sql.text()),
            values: sql.values(),
            sql: sql.text().to_owned(),
        });
    }
    Ok(explained)
}

fn names(model: &Model, text: &str) -> BTreeMap<String, String> {
    let words: std::collections::HashSet<&str> =
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect();
    let mut names = BTreeMap::new();
    for of in &model.types {
        let properties = of.fields.iter().skip(FIRST_PROPERTY);
        let columns = properties.map(|field| (field.column.as_str(), format!("{}.{}", of.name, field.name)));
        for (name, meaning) in columns.chain([(of.table.as_str(), of.name.clone())]) {
            if words.contains(name) {
                names.insert(name.to_owned(), meaning);
            }
        }
    }
    names
}
