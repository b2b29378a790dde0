//! File text in, diagnostics out.

use super::files;
use platform::configuration::{Files, check};
use std::path::Path;

#[test]
fn the_example_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/world");
    let files = Files::read(&folder).unwrap();
    let loaded = check(&files).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(loaded.model.types.len(), 3);
    assert_eq!(loaded.files, files);
    assert_eq!(loaded.users[0].login, "admin");
    let _ = self::files("");
}
