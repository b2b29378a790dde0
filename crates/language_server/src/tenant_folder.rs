//! A tenant's folder with unsaved texts over it, and the result of its last check.

use crate::documents::OpenDocuments;
use analysis::Surroundings;
use configuration::{Diagnostic, ExpressionSites, Files, check_noting};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A folder with a tenant.yaml.
#[derive(Debug)]
pub(crate) struct TenantFolder {
    pub(crate) path: PathBuf,
    /// True if something changed since the last check.
    pub(crate) is_changed: bool,
    /// The files that were checked last, unsaved texts included.
    pub(crate) files: Files,
    /// Everything that the last check found wrong.
    pub(crate) problems: Vec<Diagnostic>,
    /// The expressions of the last check, and those of earlier ones that it did not come to.
    sites: ExpressionSites,
    /// The files that the editor shows problems of.
    pub(crate) shown: BTreeSet<String>,
}

impl TenantFolder {
    pub(crate) fn new(path: PathBuf) -> Self {
        TenantFolder {
            path,
            is_changed: true,
            files: Files::default(),
            problems: Vec::new(),
            sites: ExpressionSites::default(),
            shown: BTreeSet::new(),
        }
    }

    /// Reads the folder, and checks it with the texts of open documents.
    pub(crate) fn check(&mut self, documents: &OpenDocuments) {
        self.is_changed = false;
        match read(&self.path, documents) {
            Ok(files) => {
                self.problems = match self.note(&files) {
                    Ok(found) | Err(found) => found,
                };
                self.files = files;
            }
            Err(problems) => self.problems = problems,
        }
    }

    /// Checks files, and keeps what is learnt of their expressions. Returns what is found in files that can be read.
    pub(crate) fn note(&mut self, files: &Files) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let checked = check_noting(files);
        self.sites.scopes.extend(checked.sites.scopes);
        self.sites.user = checked.sites.user.or(self.sites.user.take());
        checked.outcome.map(|loaded| loaded.findings)
    }

    /// Returns what an expression may name, by its file and its path of keys. An expression in a list or a mapping may
    /// be known by the path of that.
    pub(crate) fn surroundings(&self, file: &str, path: &[String]) -> Option<Surroundings> {
        let known = (1..=path.len())
            .rev()
            .find_map(|length| self.sites.scopes.get(&(file.to_owned(), path[..length].join("."))).cloned());
        known.map(|scope| {
            let mut surroundings = Surroundings::from(scope);
            surroundings.user = self.sites.user.clone();
            surroundings
        })
    }

    /// Forgets files that are gone, so that a folder which is edited for weeks keeps to its size.
    pub(crate) fn forget_others(&mut self) {
        let files = &self.files;
        self.sites.scopes.retain(|(file, _), _| files.get(file).is_some());
    }
}

/// Reads a folder with the texts of open documents over it.
fn read(folder: &Path, documents: &OpenDocuments) -> Result<Files, Vec<Diagnostic>> {
    let mut files = Files::read(folder)?;
    for (path, text) in documents.below(folder).filter(|(path, _)| is_configuration(path)) {
        files.insert(path, text);
    }
    Ok(files)
}

/// Returns true if a file could be one of a tenant's, so that a note beside them is none.
fn is_configuration(path: &str) -> bool {
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    !is_hidden && (path.ends_with(".yaml") || path.ends_with(".yml") || path.starts_with("mail/"))
}
