//! Documents that the editor has open: their texts go before those on the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most documents that are open at a time.
const MOST_DOCUMENTS: usize = 1_000;
/// The most bytes of a document, as of a file of a tenant.
pub(crate) const LARGEST_DOCUMENT: usize = 1 << 20;
/// The folders above a file of a tenant that may be the tenant's.
const MOST_FOLDERS_ABOVE: usize = 3;

/// The open documents, by path, with the addresses by which the editor knows them.
#[derive(Debug, Default)]
pub(crate) struct OpenDocuments(BTreeMap<PathBuf, OpenDocument>);

/// An open document.
#[derive(Debug)]
pub(crate) struct OpenDocument {
    pub(crate) uri: String,
    pub(crate) text: String,
}

impl OpenDocuments {
    /// Opens or changes a document. Fails where it is too large, or too many are open; the former text is gone then.
    pub(crate) fn put(&mut self, path: PathBuf, uri: &str, text: &str) -> Result<(), String> {
        let is_new = !self.0.contains_key(&path);
        if text.len() > LARGEST_DOCUMENT {
            self.0.remove(&path);
            return Err(format!("The document has more than {LARGEST_DOCUMENT} bytes."));
        }
        if is_new && self.0.len() >= MOST_DOCUMENTS {
            return Err(format!("More than {MOST_DOCUMENTS} documents are open."));
        }
        self.0.insert(path, OpenDocument { uri: uri.to_owned(), text: text.to_owned() });
        Ok(())
    }

    pub(crate) fn close(&mut self, path: &Path) {
        self.0.remove(path);
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&OpenDocument> {
        self.0.get(path)
    }

    /// Paths relative to a folder, with texts, of the documents in it.
    pub(crate) fn below<'d>(&'d self, folder: &'d Path) -> impl Iterator<Item = (String, &'d str)> {
        self.0.iter().filter_map(move |(path, document)| Some((relative(folder, path)?, document.text.as_str())))
    }

    /// Returns the tenant's folder that a file belongs to: the nearest above it with a tenant.yaml.
    pub(crate) fn folder_of(&self, path: &Path) -> Option<PathBuf> {
        let above = path.ancestors().skip(1).take(MOST_FOLDERS_ABOVE);
        above.map(|folder| (folder, folder.join("tenant.yaml"))).find_map(|(folder, settings)| {
            (self.0.contains_key(&settings) || settings.is_file()).then(|| folder.to_owned())
        })
    }
}

/// Returns a path below a folder, `/` between its parts.
pub(crate) fn relative(folder: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(folder).ok()?.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}
