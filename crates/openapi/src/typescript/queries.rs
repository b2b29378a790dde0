//! Named queries: their parameters, and the fields of their rows or groups.

use super::text::{Text, name};
use super::values::{answered, chosen, one};
use super::{ClientType, ClientTypes};
use crate::Rights;
use crate::answers::DecimalForm;
use crate::queries::DescribedQuery;
use crate::query_groups::{ColumnValues, QueryColumn};
use model::query::{QueryDefinition, QueryParameter};
use model::types::Model;
use std::collections::BTreeMap;

/// Adds the queries over types that the caller may list.
pub(super) fn add(text: &mut Text, model: &Model, types: &ClientTypes<'_>, rights: &Rights<'_>) {
    text.line("");
    text.block("/** The named queries. */\nexport interface Queries", |text| {
        for described in model.queries.values().filter_map(|query| DescribedQuery::new(model, query, rights)) {
            let query = described.query;
            if let Some(of) = types.visible(query.type_id) {
                super::text::sentences(&query.name, &query.title, &query.description)
                    .into_iter()
                    .for_each(|title| text.line(&title));
                text.block(&format!("{}:", name(&query.name)), |text| {
                    add_query(text, query, of);
                    add_groups(text, &described, types);
                });
            }
        }
    });
}

fn add_query(text: &mut Text, query: &QueryDefinition, of: &ClientType<'_>) {
    text.member("type", "", &format!("{}Type", of.name));
    text.block("parameters:", |text| {
        for parameter in &query.parameters {
            let mark = if parameter.required && parameter.default.is_none() { "" } else { "?" };
            text.member(&parameter.name, mark, &value(parameter));
        }
    });
    let selection = query.fields.as_ref().map_or("undefined".to_owned(), |fields| {
        let mut chosen = Chosen::default();
        fields.iter().for_each(|path| chosen.add(path.split('.')));
        chosen.written()
    });
    text.member("selection", "", &selection);
}

/// Adds what the groups of a query have.
fn add_groups(text: &mut Text, described: &DescribedQuery<'_>, types: &ClientTypes<'_>) {
    let (Some(columns), Some(groups)) = (&described.columns, &described.query.groups) else { return };
    text.block("group:", |text| {
        columns.iter().for_each(|column| text.member(column.name, "", &column_type(column, types)));
    });
    if groups.totals {
        text.block("totals:", |text| {
            let values = columns.iter().filter(|column| !column.is_key);
            values.for_each(|column| text.member(column.name, "", &column_type(column, types)));
        });
    }
}

fn column_type(column: &QueryColumn<'_>, types: &ClientTypes<'_>) -> String {
    let one = match column.values {
        ColumnValues::Property(of, property) => match types.visible(of.id) {
            Some(of) if property.kind.is_choice() => chosen(of, property).to_owned(),
            _ => answered(of, property, types.decimals).to_owned(),
        },
        ColumnValues::Label => "string".to_owned(),
        ColumnValues::Sum if types.decimals == DecimalForm::Text => "number | string".to_owned(),
        ColumnValues::Decimal if types.decimals == DecimalForm::Text => "string".to_owned(),
        ColumnValues::Integer | ColumnValues::Sum | ColumnValues::Decimal | ColumnValues::Float => "number".to_owned(),
    };
    if column.nullable { format!("{one} | null") } else { one }
}

/// The type of a parameter's values.
fn value(parameter: &QueryParameter) -> String {
    let one = match parameter.kind.as_ref() {
        kind if kind.scale().is_some() => "number | string",
        kind if kind.is_relation() => "plinth.Link",
        kind => one(kind),
    };
    match parameter.multiple() {
        true => format!("readonly ({one})[]"),
        false => format!("{one} | null"),
    }
}

/// Paths of fields, as a selection has them.
#[derive(Default)]
struct Chosen<'p>(BTreeMap<&'p str, Chosen<'p>>);

impl<'p> Chosen<'p> {
    fn add(&mut self, mut path: impl Iterator<Item = &'p str>) {
        if let Some(first) = path.next() {
            self.0.entry(first).or_default().add(path);
        }
    }

    fn written(&self) -> String {
        if self.0.is_empty() {
            return "true".to_owned();
        }
        let members = self.0.iter().map(|(member, below)| format!("{}: {}", name(member), below.written()));
        format!("{{ {} }}", members.collect::<Vec<_>>().join("; "))
    }
}
