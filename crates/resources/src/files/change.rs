//! Values of a body for a property of files: promises, files as they were read, or some to add and to remove.

use super::names::TakenNames;
use super::promise;
use model::file_member::FileMember;
use model::kinds::{FileRules, Kind, ValueFault, no_promise};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A change of a property's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    /// These files, in this order, and no others.
    Replace(Vec<WantedFile>),
    /// Those that are there, without some and with others.
    Edit {
        /// Promises.
        add: Vec<String>,
        /// Names.
        remove: Vec<String>,
    },
}

/// A file that a property is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WantedFile {
    /// One that was uploaded.
    Promise(String),
    /// One that it has: the members of the object that stands for it.
    Kept(Map<String, Json>),
}

/// The members that an object may have that stands for a file; the address changes by itself.
const DESCRIPTOR: [&str; 9] = ["name", "title", "size", "mime", "hash", "created", "url", "width", "height"];

impl FileChange {
    /// Reads what a body gives. `{add, remove}` is for PATCH alone.
    pub(crate) fn read(kind: &dyn Kind, input: &Json, edits: bool) -> Result<Self, ValueFault> {
        match (kind.holds_several(), input) {
            (_, Json::Null) => Ok(FileChange::Replace(Vec::new())),
            (false, one) => Ok(FileChange::Replace(vec![wanted(one)?])),
            (_, Json::Array(several)) => {
                let several: Vec<WantedFile> = several.iter().map(wanted).collect::<Result<_, _>>()?;
                let promises = several.iter().filter_map(|wanted| match wanted {
                    WantedFile::Promise(token) => Some(token),
                    WantedFile::Kept(_) => None,
                });
                distinct(promises).then_some(()).ok_or_else(no_promise)?;
                Ok(FileChange::Replace(several))
            }
            (_, Json::Object(members)) if edits => edit(members),
            (_, Json::Object(_)) => Err(ValueFault::new("not_array", "must be an array; {add, remove} is for PATCH")),
            _ => Err(no_promise()),
        }
    }

    /// The promises that it names.
    pub(crate) fn promises(&self) -> impl Iterator<Item = &str> {
        let (wanted, add): (&[WantedFile], &[String]) = match self {
            FileChange::Replace(wanted) => (wanted, &[]),
            FileChange::Edit { add, .. } => (&[], add),
        };
        let wanted = wanted.iter().filter_map(|wanted| match wanted {
            WantedFile::Promise(token) => Some(token.as_str()),
            WantedFile::Kept(_) => None,
        });
        wanted.chain(add.iter().map(String::as_str))
    }

    /// Returns true if it rests on what is there, so that its outcome tells of that.
    pub(crate) fn looks(&self) -> bool {
        match self {
            FileChange::Replace(wanted) => wanted.iter().any(|wanted| matches!(wanted, WantedFile::Kept(_))),
            FileChange::Edit { .. } => true,
        }
    }

    /// The files that the property has then; `promised` gives the file of a promise.
    pub(crate) fn apply(
        &self,
        rules: &FileRules,
        old: &[FileMember],
        promised: impl Fn(&str) -> Option<FileMember>,
    ) -> Result<Vec<FileMember>, ValueFault> {
        let mut files: Vec<FileMember> = Vec::new();
        let new = |token: &String| promised(token).filter(|file| rules.takes(&file.4)).ok_or_else(no_promise);
        let named = by_name(old);
        match self {
            FileChange::Replace(wanted) => {
                let mut ids = HashSet::new();
                for wanted in wanted {
                    let file = match wanted {
                        WantedFile::Promise(token) => new(token)?,
                        WantedFile::Kept(descriptor) => kept(descriptor, &named)?,
                    };
                    if !ids.insert(file.0) {
                        return Err(not_read());
                    }
                    files.push(file);
                }
            }
            FileChange::Edit { add, remove } => {
                if let Some(name) = remove.iter().find(|name| !named.contains_key(name.as_str())) {
                    return Err(ValueFault::new("file_missing", format!("has no file named {name:?}")));
                }
                let remove: HashSet<&String> = remove.iter().collect();
                files.extend(old.iter().filter(|file| !remove.contains(&file.1)).cloned());
                for token in add {
                    files.push(new(token)?);
                }
            }
        }
        if files.len() > rules.max_files {
            return Err(ValueFault::new("too_many_files", format!("takes at most {} files", rules.max_files)));
        }
        name_apart(&mut files, old);
        Ok(files)
    }
}

/// Gives new files names that the others do not have. Those that were there keep theirs.
fn name_apart(files: &mut [FileMember], old: &[FileMember]) {
    let old: HashSet<i64> = old.iter().map(|file| file.0).collect();
    let kept = files.iter().filter(|file| old.contains(&file.0)).map(|file| file.1.as_str());
    let mut taken = TakenNames::new(kept);
    for file in files.iter_mut().filter(|file| !old.contains(&file.0)) {
        file.1 = taken.take(&file.1);
    }
}

/// The files of each name.
fn by_name(files: &[FileMember]) -> HashMap<&str, Vec<&FileMember>> {
    let mut named: HashMap<&str, Vec<&FileMember>> = HashMap::new();
    for file in files {
        named.entry(&file.1).or_default().push(file);
    }
    named
}

fn wanted(input: &Json) -> Result<WantedFile, ValueFault> {
    match input {
        Json::String(token) if promise::is_promise(token) => Ok(WantedFile::Promise(token.clone())),
        Json::Object(descriptor) => match descriptor.keys().find(|key| !DESCRIPTOR.contains(&key.as_str())) {
            None if descriptor.get("name").is_some_and(Json::is_string) => Ok(WantedFile::Kept(descriptor.clone())),
            _ => Err(not_read()),
        },
        _ => Err(no_promise()),
    }
}

fn edit(members: &Map<String, Json>) -> Result<FileChange, ValueFault> {
    let form = || ValueFault::new("not_edit", "must be an array, or {\"add\": [promises], \"remove\": [names]}");
    if members.is_empty() || members.keys().any(|key| key != "add" && key != "remove") {
        return Err(form());
    }
    let texts = |key: &str| match members.get(key) {
        None => Ok(Vec::new()),
        Some(Json::Array(texts)) => Ok(texts.iter().collect()),
        Some(_) => Err(form()),
    };
    let mut add = Vec::new();
    for promise in texts("add")? {
        match promise {
            Json::String(token) if promise::is_promise(token) => add.push(token.clone()),
            _ => return Err(no_promise()),
        }
    }
    let names = texts("remove")?.into_iter().map(|name| name.as_str().map(str::to_owned));
    let remove: Vec<String> = names.collect::<Option<_>>().ok_or_else(form)?;
    distinct(add.iter()).then_some(()).ok_or_else(no_promise)?;
    distinct(remove.iter()).then_some(()).ok_or_else(form)?;
    Ok(FileChange::Edit { add, remove })
}

/// The file that an object stands for, which must be as it was read.
fn kept(descriptor: &Map<String, Json>, old: &HashMap<&str, Vec<&FileMember>>) -> Result<FileMember, ValueFault> {
    let agrees = |file: &&&FileMember| {
        let is = |key: &str, own: Json| descriptor.get(key).is_none_or(|given| *given == own);
        let FileMember(_, name, title, size, mime, hash, _, width, height) = **file;
        is("name", name.as_str().into())
            && is("title", title.as_str().into())
            && is("size", (*size).into())
            && is("mime", mime.as_str().into())
            && is("hash", hash.as_str().into())
            && is("width", (*width).into())
            && is("height", (*height).into())
    };
    let named = descriptor.get("name").and_then(Json::as_str).and_then(|name| old.get(name));
    named.and_then(|files| files.iter().find(agrees)).map(|file| FileMember::clone(file)).ok_or_else(not_read)
}

fn not_read() -> ValueFault {
    ValueFault::new("file_unknown", "must hold files as they were read, or promises")
}

fn distinct<'t>(mut texts: impl Iterator<Item = &'t String>) -> bool {
    let mut seen = BTreeSet::new();
    texts.all(|text| seen.insert(text))
}
