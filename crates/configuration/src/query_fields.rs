//! The query that something of a file names, with the parameters that it gives it: what `dataQuery…()` fetch from there.

use super::diagnostic::closest;
use super::section::{FileProblems, FileSection};
use super::yaml::YamlEntry;
use expression::scope::ValueType;
use model::query::QueryDefinition;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Functions that need a query to fetch from.
pub(super) const FUNCTIONS: [&str; 7] = [
    "getDataQuery",
    "dataQueryFetch",
    "dataQueryFetchObject",
    "dataQueryFetchAll",
    "dataQueryCount",
    "dataQueryMin",
    "dataQueryMax",
];

/// The folder of queries.
const FILES: &str = "queries/";

/// The key of the names of columns.
pub(super) const COLUMNS: &str = "column";

/// Returns the columns that a query fetches by itself, by the key of their names; none where they are those of a list.
pub(super) fn columns(query: &QueryDefinition) -> Option<(&'static str, HashMap<String, ValueType>)> {
    if let Some(groups) = &query.groups {
        return Some((COLUMNS, groups.names().map(|name| (name.to_owned(), ValueType::default())).collect()));
    }
    let fields = query.fields.as_ref()?;
    let first = fields.iter().filter_map(|field| field.split('.').next());
    let names = first.chain(["id", "uuid"]).map(|name| (name.to_owned(), ValueType::default()));
    Some((COLUMNS, names.collect()))
}

/// The keys `query` and `params`; `value` reads that of a parameter.
pub(super) fn query<T>(
    section: &mut FileSection<'_>,
    queries: &BTreeMap<String, Arc<QueryDefinition>>,
    mut value: impl FnMut(&FileSection<'_>, &YamlEntry, &mut FileProblems) -> Option<T>,
    problems: &mut FileProblems,
) -> (Option<String>, Vec<(String, T)>) {
    let entry = section.take("query", problems);
    let name = entry.and_then(|entry| Some((section.text_of(entry, problems)?, entry.value.position)));
    let found = name.as_ref().and_then(|(name, _)| queries.get(name));
    // A query that could not be read has a diagnostic of its own, or its type has.
    let told = |problems: &FileProblems| {
        problems.iter().any(|other| other.file.starts_with(FILES) || other.file.starts_with("types/"))
    };
    if let Some((name, at)) = name.as_ref().filter(|_| found.is_none() && !told(problems)) {
        let mut problem = section.problem(*at, "query", "unknown_query", &format!("There is no query {name:?}."));
        problem.suggestion = closest(name, queries.keys().map(String::as_str));
        problems.push(problem);
    }
    let mut parameters = Vec::new();
    if let Some(list) = section.section("params", problems) {
        for entry in &list.mapping.entries {
            let unknown = found.filter(|query| query.parameter(&entry.key).is_none() && !told(problems));
            if let Some(query) = unknown {
                let message = format!("The query {} has no parameter {:?}.", query.name, entry.key);
                let mut problem = list.problem(entry.position, &entry.key, "unknown_parameter", &message);
                problem.suggestion = closest(&entry.key, query.parameters.iter().map(|known| known.name.as_str()));
                problems.push(problem);
            }
            parameters.extend(value(&list, entry, problems).map(|value| (entry.key.clone(), value)));
        }
        if name.is_none() {
            problems.push(list.problem(list.position, "", "missing_key", "params are of a query: add the key query."));
        }
    }
    (name.map(|(name, _)| name), parameters)
}
