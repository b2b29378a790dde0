//! Addresses of files, `file:///folder/file.yaml`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Component, Path, PathBuf};

/// The characters of a path that are written with `%`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// Returns the path of an address; none where it is of no file of this machine, or not in its shortest form.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = Path::new(path.as_ref());
    let plain = |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
    (path.is_absolute() && path.components().all(plain)).then(|| path.to_owned())
}

/// Returns the address of a path.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", utf8_percent_encode(&path.to_string_lossy(), ENCODED))
}

#[cfg(test)]
mod tests {
    use super::{path, uri};
    use std::path::Path;

    #[test]
    fn addresses_are_paths_and_back() {
        let file = Path::new("/my shop/typy/žluť#1.yaml");
        assert_eq!(uri(file), "file:///my%20shop/typy/%C5%BElu%C5%A5%231.yaml");
        assert_eq!(path(&uri(file)).as_deref(), Some(file));
        for other in ["http://a/b", "file://host/a", "untitled:1", "file:///a/../b", "file://%ff", "file:a"] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
