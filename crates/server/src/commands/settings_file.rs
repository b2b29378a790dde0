//! The file of settings, as messages name it.

use std::path::Path;

/// The file that the Debian package brings.
const PACKAGE: &str = "/etc/plinth/plinth.toml";
/// The list of all settings, where the package puts it.
const LIST: &str = "/usr/share/doc/plinth/config.default.toml";

/// Returns the place of the list of all settings.
pub(crate) fn list() -> &'static str {
    if Path::new(LIST).exists() { LIST } else { "config.default.toml" }
}

/// Returns a sentence that tells which file was read, or how to name one.
pub(super) fn told(read: Option<&Path>) -> String {
    told_beside(read, Path::new(PACKAGE))
}

fn told_beside(read: Option<&Path>, package: &Path) -> String {
    match read {
        Some(file) => format!("The settings are those of {}.", file.display()),
        None if package.exists() => {
            let package = package.display();
            format!("No file of settings was read: give --config {package}, or set PLINTH_CONFIG={package}.")
        }
        None => "No file of settings was read.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::told_beside;
    use std::path::Path;

    #[test]
    fn the_file_is_told() {
        let there = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let absent = Path::new("/no/such/plinth.toml");
        assert_eq!(told_beside(Some(absent), &there), "The settings are those of /no/such/plinth.toml.");
        assert_eq!(told_beside(None, absent), "No file of settings was read.");
        let hint = told_beside(None, &there);
        assert!(hint.contains(&format!("give --config {}, or set PLINTH_CONFIG=", there.display())), "{hint}");
    }
}
