//! Checks of queries against the model: every filter, key, value, order and field, with values of all parameters.

use super::diagnostic::closest;
use super::query_file::QueryDraft;
use super::section::{FileProblems, diagnostic};
use model::query::QueryParameter;
use model::types::Model;
use query::relation_filter::FilterFault;
use query::request::ListRequest;
use resources::Blame;
use resources::queries::{self, fill, places};
use serde_json::{Value as Json, json};

impl QueryDraft<'_> {
    /// Checks what the query names against the model.
    pub(crate) fn check(&self, model: &Model, problems: &mut FileProblems) {
        let Some(of) = model.type_by_id(self.query.type_id) else { return };
        // Without the filters that name what is not there, places would not be those of the file.
        if !self.check_mentions(problems) {
            return;
        }
        // Each choice of an enumeration is a value of its own; all are tried, one after the other.
        let rounds = self.query.parameters.iter().map(|parameter| parameter.kind.choices().len()).max().unwrap_or(1);
        for round in 0..rounds.max(1) {
            let sample = |name: &str| Some(sample(self.query.parameter(name)?, round));
            if let Some(asked) = queries::groups(&self.query, &sample) {
                let faults = resources::groups(model, of, &asked);
                if !faults.is_empty() {
                    faults.into_iter().for_each(|fault| self.report_groups(fault, problems));
                    return;
                }
                continue;
            }
            let list = ListRequest {
                filters: fill(&self.query.filters, &sample),
                order_by: self.query.order_by.clone(),
                ..ListRequest::default()
            };
            let blames = resources::lists(model, of, &list, self.query.fields.as_deref().unwrap_or(&[]));
            if !blames.is_empty() {
                blames.into_iter().for_each(|blame| self.report(blame, problems));
                return;
            }
        }
    }

    /// Each parameter that filters and conditions name is there, and each that is there is named.
    fn check_mentions(&self, problems: &mut FileProblems) -> bool {
        let mut named = Vec::new();
        let mut known = true;
        for (key, conditions) in self.query.conditions() {
            places(&Json::Array(conditions.to_vec()), &mut Vec::new(), &mut |path, name| {
                named.push(name.to_owned());
                if self.query.parameter(name).is_none() {
                    known = false;
                    let path: Vec<String> =
                        key.iter().map(|&step| step.to_owned()).chain(path.iter().cloned()).collect();
                    let message = format!("There is no parameter {name:?}.");
                    let at = self.node.nearest(&path);
                    let mut problem = diagnostic(self.file, at, &path.join("."), "unknown_parameter", &message);
                    problem.suggestion = closest(name, self.query.parameters.iter().map(|found| found.name.as_str()));
                    problems.push(problem);
                }
            });
        }
        for parameter in self.query.parameters.iter().filter(|parameter| !named.contains(&parameter.name)) {
            let path = ["params".to_owned(), parameter.name.clone()];
            let message = format!("No filter uses the parameter {}. Use it or leave it out.", parameter.name);
            let at = self.node.nearest(&path);
            problems.push(diagnostic(self.file, at, &path.join("."), "unused_parameter", &message));
        }
        known
    }

    /// Reports a fault of groups, whose place is that of the file. Messages about parameters of a request say so.
    fn report_groups(&self, fault: FilterFault, problems: &mut FileProblems) {
        let place = match &fault.path[..] {
            [key, index] if key == "orderBy" => {
                let mention = index.parse().ok().and_then(|index: usize| self.order_by.get(index));
                mention.map(|mention| (mention.1, key.clone()))
            }
            _ => None,
        };
        let (at, key) = place.unwrap_or_else(|| (self.node.nearest(&fault.path), fault.path.join(".")));
        let code = match (fault.error.code, fault.path.first().map(String::as_str)) {
            ("property_unknown", _) => "unknown_property",
            (_, Some("filters")) => "invalid_filter",
            (_, Some("values")) if fault.path.get(2).is_some_and(|key| key == "filters") => "invalid_filter",
            (_, Some("having")) => "invalid_filter",
            (_, Some("orderBy")) => "invalid_order",
            _ => "invalid_groups",
        };
        let message = fault.error.message.strip_prefix("The parameter ").unwrap_or(&fault.error.message);
        let mut problem = diagnostic(self.file, at, &key, code, message);
        problem.suggestion = fault.suggestion;
        problems.push(problem);
    }

    fn report(&self, blame: Blame, problems: &mut FileProblems) {
        let (at, key, error, suggestion) = match blame {
            Blame::Filter(fault) => {
                let path: Vec<String> = ["filters".to_owned()].into_iter().chain(fault.path).collect();
                (self.node.nearest(&path), path.join("."), fault.error, fault.suggestion)
            }
            Blame::Order(index, error, suggestion) => {
                let at = self.order_by.get(index).map_or(self.at, |mention| mention.1);
                (at, "orderBy".to_owned(), error, suggestion)
            }
            Blame::Field(index, error, suggestion) => {
                let at = self.fields.get(index).map_or(self.at, |mention| mention.1);
                (at, "fields".to_owned(), error, suggestion)
            }
        };
        let code = match error.code {
            "property_unknown" => "unknown_property",
            _ if key == "orderBy" => "invalid_order",
            _ if key == "fields" => "invalid_fields",
            _ => "invalid_filter",
        };
        let mut problem = diagnostic(self.file, at, &key, code, &error.message);
        problem.suggestion = suggestion;
        problems.push(problem);
    }
}

/// A value that a parameter may have, for checks.
fn sample(parameter: &QueryParameter, round: usize) -> Json {
    let kind = parameter.kind.as_ref();
    let choices = kind.choices();
    let one = match choices.is_empty() {
        true => kind.sample(),
        false => json!(choices[round % choices.len()].value),
    };
    if parameter.multiple() { json!([one]) } else { one }
}
