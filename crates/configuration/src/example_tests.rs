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
    assert_eq!(finding.fixes, ["{=on + 5.days}"]);
    let rendered = finding.render(files("{=on + 5}").get("types/note.yaml"));
    assert!(rendered.starts_with("warning[date_counted]: "), "{rendered}");
    assert!(rendered.contains("^^^^^^\n") && rendered.contains("help: write `"), "{rendered}");
    // A calculation is empty where what it counts with is.
    assert_eq!(check(&files("{=length(text)}")).unwrap().findings, []);
}
