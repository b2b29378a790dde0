//! What a body gives for a property of files: promises, files as they were read, or some to add and to remove.

use super::member::Member;
use super::names;
use super::promise;
use crate::kinds::{Class, Fault, FileRules, Kind, no_promise};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// What is to become of a property's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// These files, in this order, and no others.
    Replace(Vec<Wanted>),
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
pub(crate) enum Wanted {
    /// One that was uploaded.
    Promise(String),
    /// One that it has: the members of the object that stands for it.
    Kept(Map<String, Json>),
}

/// What an object that stands for a file may have; the address changes by itself.
const DESCRIPTOR: [&str; 9] = ["name", "title", "size", "mime", "hash", "created", "url", "width", "height"];

impl Change {
    /// Reads what a body gives. `{add, remove}` is for PATCH alone.
    pub(crate) fn read(kind: &dyn Kind, input: &Json, edits: bool) -> Result<Self, Fault> {
        match (kind.class(), input) {
            (_, Json::Null) => Ok(Change::Replace(Vec::new())),
            (Class::File, one) => Ok(Change::Replace(vec![wanted(one)?])),
            (_, Json::Array(several)) => {
                let several: Vec<Wanted> = several.iter().map(wanted).collect::<Result<_, _>>()?;
                let promises = several.iter().filter_map(|wanted| match wanted {
                    Wanted::Promise(token) => Some(token),
                    Wanted::Kept(_) => None,
                });
                distinct(promises).then_some(()).ok_or_else(no_promise)?;
                Ok(Change::Replace(several))
            }
            (_, Json::Object(members)) if edits => edit(members),
            (_, Json::Object(_)) => Err(Fault::new("not_array", "must be an array; {add, remove} is for PATCH")),
            _ => Err(no_promise()),
        }
    }

    /// The promises that it names.
    pub(crate) fn promises(&self) -> impl Iterator<Item = &str> {
        let (wanted, add): (&[Wanted], &[String]) = match self {
            Change::Replace(wanted) => (wanted, &[]),
            Change::Edit { add, .. } => (&[], add),
        };
        let wanted = wanted.iter().filter_map(|wanted| match wanted {
            Wanted::Promise(token) => Some(token.as_str()),
            Wanted::Kept(_) => None,
        });
        wanted.chain(add.iter().map(String::as_str))
    }

    /// Whether it rests on what is there, so that its outcome tells of that.
    pub(crate) fn looks(&self) -> bool {
        match self {
            Change::Replace(wanted) => wanted.iter().any(|wanted| matches!(wanted, Wanted::Kept(_))),
            Change::Edit { .. } => true,
        }
    }

    /// The files that the property has then; `promised` gives the file of a promise.
    pub(crate) fn apply(
        &self,
        rules: &FileRules,
        old: &[Member],
        promised: impl Fn(&str) -> Option<Member>,
    ) -> Result<Vec<Member>, Fault> {
        let mut files: Vec<Member> = Vec::new();
        let new = |token: &String| promised(token).filter(|file| rules.takes(&file.4)).ok_or_else(no_promise);
        match self {
            Change::Replace(wanted) => {
                for wanted in wanted {
                    let file = match wanted {
                        Wanted::Promise(token) => new(token)?,
                        Wanted::Kept(descriptor) => kept(descriptor, old)?,
                    };
                    if files.iter().any(|other| other.0 == file.0) {
                        return Err(not_read());
                    }
                    files.push(file);
                }
            }
            Change::Edit { add, remove } => {
                let missing = remove.iter().find(|name| !old.iter().any(|file| file.1 == **name));
                if let Some(name) = missing {
                    return Err(Fault::new("file_missing", format!("has no file named {name:?}")));
                }
                files.extend(old.iter().filter(|file| !remove.contains(&file.1)).cloned());
                for token in add {
                    files.push(new(token)?);
                }
            }
        }
        if files.len() > rules.max_files {
            return Err(Fault::new("too_many_files", format!("takes at most {} files", rules.max_files)));
        }
        name_apart(&mut files, old);
        Ok(files)
    }
}

/// Gives new files names that the others do not have. Those that were there keep theirs.
fn name_apart(files: &mut [Member], old: &[Member]) {
    for index in 0..files.len() {
        let is_old = |file: &Member| old.iter().any(|other| other.0 == file.0);
        if is_old(&files[index]) {
            continue;
        }
        let others = files.iter().enumerate();
        let others = others.filter(|(other, file)| *other < index || is_old(file)).map(|(_, file)| file.1.as_str());
        files[index].1 = names::unique(&files[index].1, others);
    }
}

fn wanted(input: &Json) -> Result<Wanted, Fault> {
    match input {
        Json::String(token) if promise::is_promise(token) => Ok(Wanted::Promise(token.clone())),
        Json::Object(descriptor) => match descriptor.keys().find(|key| !DESCRIPTOR.contains(&key.as_str())) {
            None if descriptor.get("name").is_some_and(Json::is_string) => Ok(Wanted::Kept(descriptor.clone())),
            _ => Err(not_read()),
        },
        _ => Err(no_promise()),
    }
}

fn edit(members: &Map<String, Json>) -> Result<Change, Fault> {
    let form = || Fault::new("not_edit", "must be an array, or {\"add\": [promises], \"remove\": [names]}");
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
    Ok(Change::Edit { add, remove })
}

/// The file that an object stands for, which must be as it was read.
fn kept(descriptor: &Map<String, Json>, old: &[Member]) -> Result<Member, Fault> {
    let agrees = |file: &&Member| {
        let is = |key: &str, own: Json| descriptor.get(key).is_none_or(|given| *given == own);
        let Member(_, name, title, size, mime, hash, _, width, height) = *file;
        is("name", name.as_str().into())
            && is("title", title.as_str().into())
            && is("size", (*size).into())
            && is("mime", mime.as_str().into())
            && is("hash", hash.as_str().into())
            && is("width", (*width).into())
            && is("height", (*height).into())
    };
    old.iter().find(agrees).cloned().ok_or_else(not_read)
}

fn not_read() -> Fault {
    Fault::new("file_unknown", "must hold files as they were read, or promises")
}

fn distinct<'t>(mut texts: impl Iterator<Item = &'t String>) -> bool {
    let mut seen = BTreeSet::new();
    texts.all(|text| seen.insert(text))
}
