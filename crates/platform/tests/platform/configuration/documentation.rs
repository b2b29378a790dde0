//! docs/configuration.md says what the program does.

use configuration::{Files, check};
use std::path::Path;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_files_of_the_page_load_together() {
    let page = page();
    let mut files = Files::default();
    for block in page.split("```yaml\n# ").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        let (path, text) = block.split_once('\n').unwrap();
        files.insert(path, text);
    }
    let loaded = check(&files).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(loaded.model.types.len(), 3);
    assert_eq!(loaded.files, files);
}
