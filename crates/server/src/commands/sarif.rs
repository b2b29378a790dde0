//! SARIF 2.1.0 of what `plinth check` finds, as services that scan code take it.

use super::report::shown_path;
use configuration::{Diagnostic, FileFix};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the log of a check.
pub(super) fn log(folder: &Path, problems: &[Diagnostic]) -> Json {
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect::<BTreeSet<_>>().into_iter().collect();
    let rules: Vec<Json> = codes
        .iter()
        .map(|code| json!({"id": code, "name": code, "shortDescription": {"text": code.replace('_', " ")}}))
        .collect();
    let results: Vec<Json> = problems.iter().map(|problem| result(folder, problem, &codes)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "plinth", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The characters of a path that a reference holds as they are.
const KEPT: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The reference of a file: from the present directory on, which is that of the repository, as a rule.
fn reference(folder: &Path, file: &str) -> String {
    let path = shown_path(folder, file);
    let encoded = utf8_percent_encode(&path, &KEPT);
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded.to_string() }
}

fn result(folder: &Path, problem: &Diagnostic, codes: &[&str]) -> Json {
    let uri = reference(folder, &problem.file);
    let mut place = json!({"artifactLocation": {"uri": uri}});
    if problem.line > 0 {
        place["region"] = region(problem.line, problem.column, problem.end_line, problem.end_column);
    }
    let text = match &problem.suggestion {
        Some(suggestion) => format!("{} Did you mean `{suggestion}`?", problem.message),
        None => problem.message.clone(),
    };
    let mut result = json!({
        "ruleId": problem.code,
        "ruleIndex": codes.iter().position(|code| *code == problem.code),
        "level": problem.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    });
    if !problem.fixes.is_empty() {
        let fixes: Vec<Json> = problem.fixes.iter().map(|fix| replacement(&uri, fix)).collect();
        result["fixes"] = json!(fixes);
    }
    result
}

fn replacement(uri: &str, fix: &FileFix) -> Json {
    let deleted = region(fix.line, fix.column, fix.end_line, fix.end_column);
    json!({
        "description": {"text": format!("Write {}", fix.value)},
        "artifactChanges": [{
            "artifactLocation": {"uri": uri},
            "replacements": [{"deletedRegion": deleted, "insertedContent": {"text": fix.text}}],
        }],
    })
}

fn region(line: usize, column: usize, end_line: usize, end_column: usize) -> Json {
    json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column})
}
