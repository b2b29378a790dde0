//! Renaming of a property: its declaration, all expressions that name it, and the keys and values of files that do.
//!
//! Types say which expressions mean the property. For all other places the check knows where names stand: a place that
//! it refuses once the declaration has another name gets that name too, until nothing is refused.

use crate::declarations;
use crate::expression_place::find;
use crate::positions::LineIndex;
use crate::tenant_folder::TenantFolder;
use crate::workspace::{FilePlace, Workspace};
use analysis::{NameSort, analyse};
use configuration::scalars::{YamlScalar, scalars};
use configuration::{Diagnostic, Files};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most checks of a renaming. Each finds all places of a sort at once.
const MOST_CHECKS: usize = 12;

/// A property that is to have another name.
#[derive(Debug)]
struct RenamedProperty {
    owner: String,
    name: String,
    /// The place of the name at the cursor.
    range: Range<usize>,
}

/// By file, the places of the former name.
type NamePlaces = BTreeMap<String, BTreeSet<(usize, usize)>>;

/// `textDocument/prepareRename`.
pub(crate) fn prepare(workspace: &mut Workspace, params: &Json) -> Option<Json> {
    let place = workspace.place(params)?;
    let renamed = at_cursor(workspace, &place, params)?;
    let range = LineIndex::new(&place.text).range(&renamed.range);
    Some(json!({"range": range, "placeholder": renamed.name}))
}

/// The result of a renaming.
#[derive(Debug)]
pub(crate) struct RenamedFiles {
    /// The edits, as an editor takes them.
    pub(crate) edit: Json,
    /// A sentence about places that may mean the property, too.
    pub(crate) warning: Option<String>,
}

/// `textDocument/rename`. The error is a sentence for the user.
pub(crate) fn rename(workspace: &mut Workspace, params: &Json) -> Result<RenamedFiles, String> {
    let none = || "Only a property of a type can be renamed.".to_owned();
    let name = params.get("newName").and_then(Json::as_str).unwrap_or_default();
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.len() <= 100
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !is_name {
        return Err(format!("`{}` cannot be a name.", name.chars().take(100).collect::<String>()));
    }
    let place = workspace.place(params).ok_or_else(none)?;
    // A file that changed on disk has its names in other places now.
    workspace.touch_folder(&place.folder);
    workspace.checked(&place.folder);
    let place = workspace.place(params).ok_or_else(none)?;
    let renamed = at_cursor(workspace, &place, params).ok_or_else(none)?;
    let folder = workspace.checked(&place.folder).ok_or_else(none)?;
    if declarations::find(&folder.files, &renamed.owner, name).is_some() {
        return Err(format!("The type {} has a property `{name}` already.", renamed.owner));
    }
    // A check ends early where files are wrong, and would not come to all places.
    if let Some(problem) = folder.problems.first() {
        return Err(format!("Fix the problems of the files first: only then the check knows each place. {problem}"));
    }
    let files = folder.files.clone();
    let mut uses = of_expressions(folder, &files, &renamed);
    // A name that one type alone has means its property wherever it stands.
    if declarations::owners(&files, &renamed.name) == 1 {
        std::mem::take(&mut uses.doubtful).into_iter().for_each(|(file, places)| {
            uses.certain.entry(file).or_default().extend(places);
        });
    }
    for (file, places) in uses.keys {
        uses.doubtful.entry(file).or_default().extend(places);
    }
    let warning = warning(&files, &uses.doubtful, &renamed);
    let places = all_places(folder, &files, uses.certain, &renamed, name)?;
    let mut changes = Map::new();
    for (file, places) in &places {
        let index = LineIndex::new(files.get(file).unwrap_or_default());
        let edit = |(from, to): &(usize, usize)| json!({"range": index.range(&(*from..*to)), "newText": name});
        changes.insert(workspace.address(&place.folder, file), places.iter().map(edit).collect());
    }
    Ok(RenamedFiles { edit: json!({"changes": changes}), warning })
}

/// Returns a sentence about the places whose types are not known.
fn warning(files: &Files, doubtful: &NamePlaces, renamed: &RenamedProperty) -> Option<String> {
    const MOST_SHOWN: usize = 5;
    let places = doubtful.iter().flat_map(|(file, places)| {
        let index = LineIndex::new(files.get(file).unwrap_or_default());
        let lines: BTreeSet<u64> =
            places.iter().filter_map(|(from, _)| Some(index.position(*from)["line"].as_u64()? + 1)).collect();
        lines.into_iter().map(move |line| format!("{file}:{line}"))
    });
    let places: Vec<String> = places.collect();
    let more = places.len().saturating_sub(MOST_SHOWN);
    let shown = places.iter().take(MOST_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let shown = if more > 0 { format!("{shown} and {more} more") } else { shown };
    let RenamedProperty { owner, name, .. } = renamed;
    let message = format!("`{name}` stays where it may mean something else than {owner}'s property: look at {shown}.");
    (!places.is_empty()).then_some(message)
}

/// The property at the cursor: in an expression, or where it is declared.
fn at_cursor(workspace: &mut Workspace, place: &FilePlace, params: &Json) -> Option<RenamedProperty> {
    let byte = LineIndex::new(&place.text).byte(params.get("position")?)?;
    if let Some(declared) = declarations::at(&place.file, &place.text, byte) {
        return Some(RenamedProperty { owner: declared.owner, name: declared.name, range: declared.range });
    }
    let here = find(workspace, place, params)?;
    let analysis = analyse(&here.text, &here.surroundings);
    let used = analysis.definition(here.at)?;
    let NameSort::Property { owner: Some(owner), name } = &used.sort else { return None };
    let range = here.map.range(used.span.from, used.span.to);
    let folder = workspace.checked(&place.folder)?;
    // Properties of every resource, such as its id, are declared nowhere.
    declarations::find(&folder.files, owner, name)?;
    Some(RenamedProperty { owner: owner.clone(), name: name.clone(), range })
}

/// Returns all places of the name, or why the files would be wrong afterwards.
fn all_places(
    folder: &mut TenantFolder,
    files: &Files,
    mut places: NamePlaces,
    renamed: &RenamedProperty,
    name: &str,
) -> Result<NamePlaces, String> {
    if let Some(declared) = declarations::find(files, &renamed.owner, &renamed.name) {
        places.entry(declared.file).or_default().insert((declared.range.start, declared.range.end));
    }
    let mut left = Vec::new();
    for _ in 0..MOST_CHECKS {
        let (after, known) = (replaced(files, &places, name), places.clone());
        left = folder.note(&after).err().unwrap_or_default();
        let mut found = false;
        for problem in &left {
            let place = named_at(&after, problem, &renamed.name).map(|(from, to)| {
                let moved = former(&known, &problem.file, name.len(), from);
                (moved, moved + (to - from))
            });
            found |= place.is_some_and(|place| places.entry(problem.file.clone()).or_default().insert(place));
        }
        if !found {
            break;
        }
    }
    // The notes of this check are of texts that nobody has.
    let _ = folder.note(files);
    match left.first() {
        Some(problem) => Err(format!("The files would be wrong with this name. {problem}")),
        None => Ok(places),
    }
}

/// The places of a name in expressions.
#[derive(Debug, Default)]
struct ExpressionUses {
    /// Those of the property.
    certain: NamePlaces,
    /// Those of values whose type is not known.
    doubtful: NamePlaces,
    /// Keys of objects: what reads them may stand outside, such as the receiver of a request.
    keys: NamePlaces,
}

/// The places in expressions, told apart by the types of what the name is taken of.
fn of_expressions(folder: &TenantFolder, files: &Files, renamed: &RenamedProperty) -> ExpressionUses {
    let mut uses = ExpressionUses::default();
    for (file, text) in files.iter().filter(|(_, text)| text.contains("{=") && text.contains(&renamed.name)) {
        for scalar in scalars(text).scalars.iter().filter(|scalar| scalar.has_expression()) {
            let (Some(surroundings), Some(map)) = (folder.surroundings(file, &scalar.path), scalar.map(text)) else {
                continue;
            };
            for used in analyse(&scalar.text, &surroundings).names {
                let places = match &used.sort {
                    NameSort::Property { owner, name } if *name == renamed.name => match owner {
                        Some(owner) if *owner == renamed.owner => &mut uses.certain,
                        Some(_) => continue,
                        None => &mut uses.doubtful,
                    },
                    NameSort::Key(name) if *name == renamed.name => &mut uses.keys,
                    _ => continue,
                };
                let range = map.range(used.span.from, used.span.to);
                places.entry(file.to_owned()).or_default().insert((range.start, range.end));
            }
        }
    }
    uses
}

/// Returns the files with the new name.
fn replaced(files: &Files, places: &NamePlaces, name: &str) -> Files {
    let mut files = files.clone();
    for (file, places) in places {
        let mut text = files.get(file).unwrap_or_default().to_owned();
        places.iter().rev().for_each(|(from, to)| text.replace_range(*from..*to, name));
        files.insert(file.clone(), text);
    }
    files
}

/// Returns the byte of the former text for one of the new text.
fn former(places: &NamePlaces, file: &str, length: usize, byte: usize) -> usize {
    let mut moved = byte;
    // Places in order: each before the byte moved it by the difference of the names.
    for (from, to) in places.get(file).into_iter().flatten() {
        if *from >= moved {
            break;
        }
        moved = moved + (to - from) - length;
    }
    moved
}

/// Returns the place of the former name in the key or value that a problem is about.
fn named_at(files: &Files, problem: &Diagnostic, name: &str) -> Option<(usize, usize)> {
    let text = files.get(&problem.file)?;
    let at = LineIndex::new(text).byte_of_column(problem.line, problem.column);
    let list = scalars(text).scalars;
    let here: Vec<&YamlScalar> = list.iter().filter(|scalar| scalar.span.contains(&at)).collect();
    // A problem of a value may stand at its key, and one of a list at its beginning.
    let below = list.iter().filter(|scalar| scalar.key() == problem.key && !scalar.span.contains(&at));
    here.into_iter().chain(below).filter(|scalar| !scalar.has_expression()).find_map(|scalar| {
        let place = word(&scalar.text, name)?;
        let range = scalar.map(text)?.range(place, place + name.len());
        Some((range.start, range.end))
    })
}

/// Returns the place of a name in a text, where it stands as a whole word.
fn word(text: &str, name: &str) -> Option<usize> {
    let is_part = |letter: char| letter == '_' || letter.is_alphanumeric();
    let whole = |place: &usize| !text[..*place].ends_with(is_part) && !text[*place + name.len()..].starts_with(is_part);
    text.match_indices(name).map(|(place, _)| place).find(whole)
}
