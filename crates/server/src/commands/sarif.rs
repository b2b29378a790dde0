//! SARIF 2.1.0 of what `plinth check` finds, as services that scan code take it.

use configuration::{Diagnostic, FileFix};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Returns the log of a check.
pub(super) fn log(problems: &[Diagnostic]) -> Json {
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect::<BTreeSet<_>>().into_iter().collect();
    let rules: Vec<Json> = codes
        .iter()
        .map(|code| json!({"id": code, "name": code, "shortDescription": {"text": code.replace('_', " ")}}))
        .collect();
    let results: Vec<Json> = problems.iter().map(|problem| result(problem, &codes)).collect();
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

fn result(problem: &Diagnostic, codes: &[&str]) -> Json {
    let mut place = json!({"artifactLocation": {"uri": problem.file}});
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
        let fixes: Vec<Json> = problem.fixes.iter().map(|fix| replacement(&problem.file, fix)).collect();
        result["fixes"] = json!(fixes);
    }
    result
}

fn replacement(file: &str, fix: &FileFix) -> Json {
    let deleted = region(fix.line, fix.column, fix.end_line, fix.end_column);
    json!({
        "description": {"text": format!("Write {}", fix.value)},
        "artifactChanges": [{
            "artifactLocation": {"uri": file},
            "replacements": [{"deletedRegion": deleted, "insertedContent": {"text": fix.text}}],
        }],
    })
}

fn region(line: usize, column: usize, end_line: usize, end_column: usize) -> Json {
    json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column})
}
