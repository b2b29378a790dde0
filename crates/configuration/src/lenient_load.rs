//! Files that another version took and this one may refuse, loaded as far as a change of them needs: what tables there
//! are.

use super::base_model::{BaseModel, base_model};
use super::diagnostic::{Diagnostic, sort};
use super::identity::IssuedIds;
use super::load::{Loaded, load, parse};
use super::rules::{self, RuleSources};
use super::section::FileProblems;
use super::tenant_file;
use crate::source_files::Files;
use model::types::Model;
use std::collections::{BTreeMap, BTreeSet};

/// Keys of types that no table rests on.
const BESIDE: [&str; 8] =
    ["codeProperty", "description", "logReads", "orderBy", "parentProperty", "sections", "title", "titleProperty"];
/// Keys of properties that tables rest on, beside options of kinds: whether those are known is seen by the property.
const OF_TABLES: [&str; 5] = ["id", "kind", "unique", "index", "searchable"];

/// Stored files, and what this version has against them.
#[derive(Debug)]
pub(crate) struct StoredFiles {
    /// Meaning of the files. Where something stands against them, the model has the types, and the right ones of their
    /// expressions. It has no roles, no queries, nothing that happens.
    pub(crate) loaded: Loaded,
    /// Diagnostics against the files; none, as a rule.
    pub(crate) refused: Vec<Diagnostic>,
}

/// Loads stored files, whole where that can be.
pub(super) fn load_leniently(files: Files) -> Result<StoredFiles, Vec<Diagnostic>> {
    // What was applied has all its ids; those retired since do not matter to it.
    match load(&files, &IssuedIds::default()) {
        Ok(loaded) => Ok(StoredFiles { loaded, refused: Vec::new() }),
        Err(told) => {
            let refused = told.into_iter().filter(Diagnostic::is_error).collect();
            Ok(StoredFiles { loaded: in_part(files)?, refused })
        }
    }
}

fn in_part(files: Files) -> Result<Loaded, Vec<Diagnostic>> {
    let mut problems = FileProblems::new();
    let nodes = parse(&files, &mut problems);
    let base_model = base_model(&files, &nodes, &IssuedIds::default(), true, &mut problems);
    let BaseModel { settings, groups, types, rules, environment, env_names, tags, insertions, whole, .. } = base_model;
    let Some(settings) = settings.filter(|_| whole && insertions.is_empty() && problems.iter().all(is_beside)) else {
        sort(&mut problems);
        // Where a kind is refused, its options may be what is wrong.
        let (beside, bare): (Vec<_>, Vec<_>) = problems.into_parts().0.into_iter().partition(is_beside);
        return Err(if bare.is_empty() { beside } else { bare });
    };
    let mut model = Model::new(settings, types.clone(), BTreeMap::new(), groups);
    let sources = RuleSources { types: &types, model: Some(&model), names: &env_names };
    rules::compile_some(sources, &rules);
    model.environment = environment;
    Ok(Loaded {
        model,
        users: Vec::new(),
        tags,
        files,
        completed: BTreeSet::new(),
        findings: Vec::new(),
        differing: Vec::new(),
    })
}

/// Returns true if tables are what they are without what is wrong there.
fn is_beside(problem: &Diagnostic) -> bool {
    if problem.file == tenant_file::FILE {
        // There are settings, or it is seen that there are none.
        return true;
    }
    if !problem.file.starts_with("types/") {
        // The names of roles are what users may have.
        return !problem.file.starts_with("roles/");
    }
    let first = |key: &str| key.split('.').next().unwrap_or_default().to_owned();
    match problem.key.strip_prefix("properties.").and_then(|path| path.split_once('.')) {
        None => BESIDE.contains(&first(&problem.key).as_str()),
        // What is no fit for the property's kind was read all the same.
        Some((_, key)) => !OF_TABLES.contains(&first(key).as_str()) || problem.code.starts_with("invalid_"),
    }
}
