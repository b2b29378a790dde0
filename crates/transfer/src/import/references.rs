//! References of rows to other resources, and what is told where they lead to none.

use super::lookups::{ImportLookups, LookupKey};
use super::problem_texts;
use super::report::RowFault;
use model::error::InputProblem;
use model::types::Property;

/// A resource as a row names it: by a unique value, by its title, or by a text that may be either.
#[derive(Clone, Debug)]
pub(super) struct RowReference {
    /// The place of the lookup by a unique field, and the key.
    pub(super) unique: Option<(usize, LookupKey)>,
    /// The place of the lookup by titles, and the title.
    pub(super) title: Option<(usize, String)>,
}

/// The resources that a reference leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetMatch {
    None,
    One(i64),
    /// So many, none of which is meant more than the others.
    Several(u64),
}

impl RowReference {
    /// A reference by a unique value.
    pub(super) fn by(lookup: usize, key: LookupKey) -> Self {
        RowReference { unique: Some((lookup, key)), title: None }
    }

    /// The value as it was written.
    fn value(&self) -> String {
        match (&self.title, &self.unique) {
            (Some((_, title)), _) => problem_texts::value(title),
            (None, Some((_, LookupKey::Text(text)))) => problem_texts::value(text),
            (None, Some((_, key))) => key.to_string(),
            (None, None) => String::new(),
        }
    }

    /// The problem of a property whose value leads to no resource, or to several. It names nothing that the caller may
    /// not read.
    pub(super) fn fault(&self, property: &Property, target: TargetMatch, lookups: &ImportLookups<'_>) -> RowFault {
        let of = lookups.type_of(self).filter(|of| lookups.field_of(of, &of.fields[0].name).is_some());
        let told = |field: &Property| of.filter(|of| lookups.field_of(of, &field.name).is_some()).map(|_| ());
        let type_name = of.map_or("record", |of| of.name.as_str());
        let title = self.title.as_ref().map(|(place, _)| lookups.title_field(*place).name.as_str());
        let unique = self.unique.as_ref().map(|(place, _)| lookups.field(*place).0);
        let unique = unique.filter(|field| told(field).is_some()).map(|field| field.name.as_str());
        let value = match (&self.unique, &self.title) {
            (Some((_, key)), None) => key.to_string(),
            _ => format!("{:?}", self.value()),
        };
        let (code, text) = match (target, unique, title) {
            (TargetMatch::Several(count), _, title) => {
                let code = of.and_then(|of| of.code_property.map(|position| &of.fields[position]));
                let code = code.filter(|code| told(code).is_some());
                let instead = code
                    .map_or("the id or the uuid".to_owned(), |code| format!("the {}, the id or the uuid", code.name));
                let title = title.unwrap_or("title");
                let text = format!(
                    "{count} records of {type_name} have the {title} {value}. Write {instead} of the one that you mean"
                );
                ("reference_ambiguous", text)
            }
            (_, Some(name), Some(title)) => {
                ("reference_missing", format!("there is no {type_name} whose {name} or {title} is {value}"))
            }
            (_, Some(name), None) | (_, None, Some(name)) => {
                ("reference_missing", format!("there is no {type_name} whose {name} is {value}"))
            }
            (_, None, None) => ("reference_missing", format!("there is no {type_name} {value}")),
        };
        let message = format!("{}: {text}.", property.title);
        RowFault { problem: InputProblem { property: property.name.clone(), code, message }, value: Some(self.value()) }
    }
}
