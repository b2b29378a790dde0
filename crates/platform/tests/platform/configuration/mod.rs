//! A tenant's files: what loads, what is refused and where, what becomes of tables.

mod applying;
mod automations;
mod beside;
mod canvases;
mod changing;
mod diagnostics;
mod documentation;
mod hostile;
mod inverses;
mod layout;
mod prepared;
mod queries;
mod relation_filters;
mod rules;
mod searching;
mod sequences;
mod tags;
mod tenant;
mod tenant_diagnostics;
mod type_diagnostics;
mod upgrading;

use configuration::Files;

/// Files out of one text: a line `--- path` begins each.
fn files(text: &str) -> Files {
    let mut files = Files::default();
    for part in text.split("--- ").skip(1) {
        let (path, content) = part.split_once('\n').unwrap();
        files.insert(path.trim(), content);
    }
    files
}

/// The one text of files.
fn text(files: &Files) -> String {
    files.iter().map(|(path, content)| format!("--- {path}\n{content}")).collect()
}
