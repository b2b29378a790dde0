//! The examples are written as they should be: nothing is found in them.

use crate::{Files, check, check_tests};
use std::path::Path;

#[test]
fn the_examples_have_no_finding() {
    for name in ["shop", "world"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let files = Files::read(&folder).unwrap();
        let loaded = check(&files).unwrap();
        let (_, of_tests) = check_tests(&loaded, &files).unwrap();
        let shown = loaded.findings.iter().chain(&of_tests).map(|finding| finding.render(files.get(&finding.file)));
        let shown: Vec<_> = shown.collect();
        assert!(shown.is_empty(), "{}", shown.join("\n"));
    }
}

#[test]
fn findings_have_places_in_files() {
    let files = |rule: &str| {
        let of_type = format!(
            "id: 10\nname: note\nproperties:\n  text: {{id: 100, kind: pString}}\n  on: {{id: 101, kind: pDate, required: true}}\n  \
             long: {{id: 102, kind: pInteger, calculate: \"{rule}\"}}\n"
        );
        let mut files = Files::default();
        files.insert("tenant.yaml", "tenant: notes\ntitle: Notes\n".to_owned());
        files.insert("types/note.yaml", of_type);
        files
    };
    let found = check(&files("{=on + 5}")).unwrap().findings;
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (finding.file.as_str(), finding.line, finding.column, finding.end_column),
        ("types/note.yaml", 6, 49, 55)
    );
    assert_eq!((finding.code, finding.severity), ("date_counted", "error"));
    assert_eq!(finding.key, "properties.long.calculate");
    let values: Vec<_> = finding.fixes.iter().map(|fix| fix.value.as_str()).collect();
    assert_eq!(values, ["\"{=on + 5.days}\""]);
    let rendered = finding.render(files("{=on + 5}").get("types/note.yaml"));
    assert!(rendered.starts_with("error[date_counted]: "), "{rendered}");
    assert!(rendered.contains("^^^^^^\n") && rendered.contains("help: write \""), "{rendered}");
    // A calculation is empty where what it counts with is.
    assert_eq!(check(&files("{=length(text)}")).unwrap().findings, []);
}

/// Marks what is found in a rule of a file: the part as the file has it, the value with the first fix.
fn marked(rule: &str) -> (String, String) {
    let source = format!(
        "id: 10\nname: note\nproperties:\n  text: {{id: 100, kind: pString}}\n  on: {{id: 101, kind: pDate, required: true}}\n  \
         until:\n    id: 102\n    kind: pDate\n    required: true\n    validate:\n      - rule: {rule}"
    );
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: notes\ntitle: Notes\n".to_owned());
    files.insert("types/note.yaml", source.as_str());
    let found = match check(&files) {
        Ok(loaded) => loaded.findings,
        Err(problems) => problems,
    };
    let [problem] = found.as_slice() else { panic!("{found:?}") };
    let byte = |line: usize, column: usize| {
        let before: usize = source.lines().take(line - 1).map(|line| line.len() + 1).sum();
        let line = source.lines().nth(line - 1).unwrap();
        before + line.char_indices().nth(column - 1).map_or(line.len(), |(byte, _)| byte)
    };
    let part = &source[byte(problem.line, problem.column)..byte(problem.end_line, problem.end_column)];
    let fix = problem.fixes.first();
    (part.to_owned(), fix.map(|fix| fix.value.clone()).unwrap_or_default())
}

#[test]
fn places_are_exact_through_quotes_and_blocks() {
    let rows = [
        ("\"{=until == '31.12.2026'}\"\n", "'31.12.2026'", "\"{=until == '2026-12-31'}\""),
        ("\"{=until == \\\"31.12.2026\\\"}\"\n", "\\\"31.12.2026\\\"", "\"{=until == '2026-12-31'}\""),
        ("'{=until == \"31.12.2026\" }'\n", "\"31.12.2026\"", "'{=until == ''2026-12-31'' }'"),
        (
            "|-\n          {=\n            until\n              == '31.12.2026'}\n",
            "'31.12.2026'",
            "{=\n            until\n              == '2026-12-31'}",
        ),
        (
            ">-\n          {=dateDiff(on, until)\n          > 5}\n",
            "dateDiff(on, until)",
            "{=dateDiff(on, until).days\n          > 5}",
        ),
        ("\"{=untl > on}\"\n", "untl", "\"{=until > on}\""),
        ("\"{=until <> on}\"\n", "<>", "\"{=until != on}\""),
    ];
    for (rule, part, value) in rows {
        let (found, fixed) = marked(rule);
        assert_eq!((found.as_str(), fixed.as_str()), (part, value), "{rule}");
    }
}

/// The codes of all that is said of a property of a type.
fn codes_of(property: &str) -> Vec<(&'static str, &'static str)> {
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: notes\ntitle: Notes\n".to_owned());
    let of_type = format!(
        "id: 10\nname: note\nproperties:\n  text: {{id: 100, kind: pString}}\n  on: {{id: 101, kind: pDate, required: true}}\n  \
         paid: {{id: 102, kind: pBoolean}}\n  net: {{id: 103, kind: pDecimal, scale: 2, required: true}}\n  \
         pieces: {{id: 104, kind: pInteger, min: 0, required: true}}\n  other: {property}\n"
    );
    files.insert("types/note.yaml", of_type);
    let found = match check(&files) {
        Ok(loaded) => loaded.findings,
        Err(problems) => problems,
    };
    found.iter().map(|problem| (problem.severity, problem.code)).collect()
}

#[test]
fn rules_and_kinds_of_properties_are_looked_at() {
    let rows = [
        ("{id: 105, kind: pString, default: \"=A1*2\"}", vec![("warning", "formula_as_text")]),
        ("{id: 105, kind: pString, default: \"= \"}", vec![("warning", "formula_as_text")]),
        ("{id: 105, kind: pString, default: \"=\"}", vec![]),
        ("{id: 105, kind: pString, calculate: \"=net*2\"}", vec![("error", "no_expression")]),
        ("{id: 105, kind: pString, condition: \"{=paid ? 'yes' : 'no'}\"}", vec![("error", "text_as_rule")]),
        ("{id: 105, kind: pString, required: \"{=upper(text)}\"}", vec![("error", "text_as_rule")]),
        ("{id: 105, kind: pString, required: \"{=paid}\"}", vec![]),
        ("{id: 105, kind: pDecimal, scale: 2, calculate: \"{=paid ? net : 'open'}\"}", vec![("error", "wrong_branch")]),
        ("{id: 105, kind: pDecimal, scale: 2, calculate: \"{=paid ? net : null}\"}", vec![]),
        ("{id: 105, kind: pDecimal, scale: 2, calculate: \"{=net / (pieces + 1)}\"}", vec![]),
        ("{id: 105, kind: pDecimal, scale: 2, calculate: \"{=net / pieces}\"}", vec![("error", "may_divide_by_zero")]),
        // Names come first: what types tell of the same text would be their consequence.
        ("{id: 105, kind: pDecimal, scale: 2, calculate: \"{=nett / pieces}\"}", vec![("error", "unknown_property")]),
    ];
    for (property, codes) in rows {
        assert_eq!(codes_of(property), codes, "{property}");
    }
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: notes\ntitle: Notes\n".to_owned());
    files.insert("types/note.yaml", "id: 10\nname: note\nproperties:\n  on: {id: 101, kind: pDate}\n  to: {id: 103, kind: pDate, calculate: \"{=on + 5}\"}\n");
    files.insert(
        "types/page.yaml",
        "id: 11\nname: page\nproperties:\n  text: {id: 102, kind: pString, calculate: \"{=nosuch}\"}\n",
    );
    let found: Vec<_> = check(&files).unwrap_err().into_iter().map(|problem| (problem.file, problem.code)).collect();
    let wanted = [("types/page.yaml", "unknown_property"), ("types/note.yaml", "date_counted")];
    assert_eq!(found, wanted.map(|(file, code)| (file.to_owned(), code)));
}
