//! Names of queries, types, columns and properties of the user that are written in calls: those that files do not have.

use crate::catalogue::FunctionEntry;
use crate::check;
use crate::compile::Compiler;
use crate::finding::{Finding, Severity};
use crate::parser::{FunctionCall, SyntaxKind};
use crate::value::Value;

/// The functions whose first argument names something of the files, and the key of the names that there are.
const NAMED: [(&str, &str); 7] = [
    ("query", "query"),
    ("resource", "resource"),
    ("user", "user"),
    ("dataQueryFetch", "column"),
    ("dataQueryFetchAll", "column"),
    ("dataQueryMin", "column"),
    ("dataQueryMax", "column"),
];

/// Returns true if the names of a function are those of files.
pub(crate) fn is_of_files(function: &str) -> bool {
    NAMED.iter().any(|(name, _)| *name == function)
}

impl Compiler<'_> {
    /// Checks the first argument of a call, as far as the place knows the names that there are.
    pub(crate) fn check_named(&mut self, function: &FunctionEntry, call: &FunctionCall) {
        let key = NAMED.iter().find(|(name, _)| *name == function.name).map(|(_, key)| *key);
        let known = key.and_then(|key| Some((key, self.scope.parameters.get(key)?)));
        let (Some((key, known)), Some(first)) = (known, call.arguments.first()) else { return };
        let SyntaxKind::Literal(Value::Text(name)) = &first.value.kind else { return };
        let name = name.lossy();
        // A path goes on from its first name; a type may be named by its id.
        let first_name = if matches!(key, "user" | "column") { name.split('.').next().unwrap_or(&name) } else { &name };
        let is_known = known.contains_key(first_name) || known.contains_key(&*name);
        if first_name.is_empty() || first_name.parse::<u64>().is_ok() || is_known {
            return;
        }
        let span = first.value.span;
        let error = |code, message| Finding::new(Severity::Error, code, span, message);
        let mut finding = match key {
            "query" => Finding::new(Severity::Error, "unknown_query", span, format!("There is no query `{name}`.")),
            "resource" => Finding::new(Severity::Error, "unknown_type", span, format!("There is no type `{name}`.")),
            "user" => error("unknown_property", format!("The type user has no property `{first_name}`.")),
            _ => error("unknown_property", format!("The query of this place has no column `{first_name}`.")),
        };
        let near = check::nearest(first_name, known.keys().map(String::as_str));
        if let Some(near) = &near {
            finding.diagnostic.message.push_str(&format!(" Did you mean `{near}`?"));
        }
        let quote = self.text.get(span.from..=span.from).filter(|quote| ["'", "\""].contains(quote)).unwrap_or("'");
        let rest = &name[first_name.len()..];
        self.find(match near {
            Some(near) => finding.fixed(span, format!("{quote}{near}{rest}{quote}")),
            None => finding,
        });
    }
}
