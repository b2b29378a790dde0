//! The workspace: tenants' folders with their open documents.

use crate::documents::OpenDocuments;
use crate::problems::FileProblem;
use crate::tenant_folder::TenantFolder;
use crate::{problems, uri};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most folders that are kept.
const MOST_FOLDERS: usize = 100;

/// All that the editor works on.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) documents: OpenDocuments,
    folders: BTreeMap<PathBuf, TenantFolder>,
}

/// A file of a folder, by its path below it.
#[derive(Debug)]
pub(crate) struct FilePlace {
    pub(crate) folder: PathBuf,
    pub(crate) file: String,
    pub(crate) text: String,
}

impl Workspace {
    /// Notes that something in the folder of a file may have changed. A folder is known from here on.
    pub(crate) fn touch(&mut self, path: &Path) {
        if let Some(folder) = self.documents.folder_of(path) {
            self.touch_folder(&folder);
        }
    }

    pub(crate) fn touch_folder(&mut self, path: &Path) {
        if self.folders.len() < MOST_FOLDERS || self.folders.contains_key(path) {
            let folder = self.folders.entry(path.to_owned()).or_insert_with(|| TenantFolder::new(path.to_owned()));
            folder.is_changed = true;
        }
    }

    /// Returns true if a folder waits for its check.
    pub(crate) fn is_changed(&self) -> bool {
        self.folders.values().any(|folder| folder.is_changed)
    }

    /// Checks the folders that changed. Returns the notifications about files whose problems are other ones now.
    pub(crate) fn check(&mut self) -> Vec<Json> {
        let (documents, mut notifications) = (&self.documents, Vec::new());
        for folder in self.folders.values_mut().filter(|folder| folder.is_changed) {
            folder.check(documents);
            folder.forget_others();
            let mut by_file: BTreeMap<String, Vec<Json>> =
                std::mem::take(&mut folder.shown).into_iter().map(|file| (file, Vec::new())).collect();
            for FileProblem { file, json, .. } in problems::of_folder(folder) {
                by_file.entry(file).or_default().push(json);
            }
            folder.shown =
                by_file.iter().filter(|(_, found)| !found.is_empty()).map(|(file, _)| file.clone()).collect();
            notifications.extend(by_file.into_iter().map(|(file, diagnostics)| {
                let path = folder.path.join(file);
                let address = documents.get(&path).map_or_else(|| uri::uri(&path), |document| document.uri.clone());
                let params = json!({"uri": address, "diagnostics": diagnostics});
                json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params})
            }));
        }
        notifications
    }

    /// Returns the file that a request is about; none where it is of no tenant.
    pub(crate) fn place(&self, params: &Json) -> Option<FilePlace> {
        let path = uri::path(params.pointer("/textDocument/uri")?.as_str()?)?;
        let folder = self.documents.folder_of(&path)?;
        let file = crate::documents::relative(&folder, &path)?;
        let read = || self.folders.get(&folder).and_then(|known| known.files.get(&file));
        let text = self.documents.get(&path).map(|document| document.text.as_str()).or_else(read)?.to_owned();
        Some(FilePlace { folder, file, text })
    }

    /// Returns a folder, checked.
    pub(crate) fn checked(&mut self, path: &Path) -> Option<&mut TenantFolder> {
        let folder = self.folders.get_mut(path)?;
        if folder.is_changed {
            folder.check(&self.documents);
            // The editor is told of it after the quiet, as of each change.
            folder.is_changed = true;
        }
        Some(folder)
    }

    /// Returns a folder as it was checked last.
    pub(crate) fn folder(&self, path: &Path) -> Option<&TenantFolder> {
        self.folders.get(path)
    }

    /// The address of a file, as the editor knows it.
    pub(crate) fn address(&self, folder: &Path, file: &str) -> String {
        let path = folder.join(file);
        self.documents.get(&path).map_or_else(|| uri::uri(&path), |document| document.uri.clone())
    }

    /// All folders that a client works in at its start.
    pub(crate) fn open_folders(&mut self, params: &Json) {
        let listed = params.get("workspaceFolders").and_then(Json::as_array).into_iter().flatten();
        let listed = listed.filter_map(|folder| folder.get("uri"));
        let roots: BTreeSet<PathBuf> =
            listed.chain(params.get("rootUri")).filter_map(|root| uri::path(root.as_str()?)).collect();
        for root in roots.iter().filter(|root| root.join("tenant.yaml").is_file()) {
            self.touch_folder(root);
        }
    }
}
