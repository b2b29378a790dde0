//! `roles/*.yaml` and `groups/*.yaml`: what a role may do, and which groups there are.

use super::diagnostic::{FilePosition, closest};
use super::grant_file::{self, GrantTarget, TypedTypes};
use super::names;
use super::section::{FileProblems, FileSection, diagnostic};
use super::symbols::FileTypes;
use super::yaml::YamlNode;
use model::shape::TypeShapes;
use model::types::{Model, ResourceType, Role, StatedGrant, SystemPermission, UserGroup};
use std::collections::{BTreeMap, BTreeSet};

/// Reads the name that a role's, group's or user's file begins with.
pub(crate) fn name(
    section: &mut FileSection<'_>,
    key: &'static str,
    problems: &mut FileProblems,
) -> Option<(String, FilePosition)> {
    let entry = section.require(key, problems)?;
    let name = section.text_of(entry, problems)?;
    if !names::is_system_name(&name) {
        let message =
            format!("{name:?} is not a system name: a lower-case letter, then letters, digits and _, 63 at most.");
        problems.push(section.problem(entry.value.position, key, "invalid_name", &message));
    }
    Some((name, entry.value.position))
}

/// Reads a group.
pub(crate) fn group(mut section: FileSection<'_>, problems: &mut FileProblems) -> Option<(UserGroup, FilePosition)> {
    let name = name(&mut section, "group", problems);
    let title = section.text("title", problems);
    section.finish(problems);
    let (name, at) = name?;
    Some((UserGroup { title: title.unwrap_or_else(|| names::title(&name)), name }, at))
}

/// Reads a role's grants against the types, and the model that has them. There is no model where something else is
/// wrong already.
pub(crate) fn role(
    mut section: FileSection<'_>,
    types: FileTypes<'_>,
    model: Option<&Model>,
    problems: &mut FileProblems,
) -> Option<Role> {
    // The name was checked when the roles were listed, before there were types.
    let name = section.take("role", &mut FileProblems::new()).and_then(|entry| entry.value.text().map(str::to_owned));
    let title = section.text("title", problems);
    let system = system(&mut section, problems);
    let grants = section.section("types", problems);
    section.finish(problems);
    let granted = grants.map(|grants| type_grants(&grants, types, model, problems)).unwrap_or_default();
    let types = granted.iter().map(|(id, stated)| (*id, grant_file::united(stated))).collect();
    let name = name?;
    Some(Role { title: title.unwrap_or_else(|| names::title(&name)), name, system, types, stated: granted })
}

fn system(section: &mut FileSection<'_>, problems: &mut FileProblems) -> BTreeSet<SystemPermission> {
    let mut permissions = BTreeSet::new();
    for (text, at) in section.texts("system", problems).unwrap_or_default() {
        let found = SystemPermission::ALL.iter().find(|(name, _)| *name == text);
        match found {
            _ if text == "*" => permissions.extend(SystemPermission::ALL.iter().map(|(_, permission)| *permission)),
            Some((_, permission)) => drop(permissions.insert(*permission)),
            None => {
                let message = format!("There is no system permission {text:?}.");
                let mut problem = section.problem(at, "system", "unknown_permission", &message);
                problem.suggestion = closest(&text, SystemPermission::ALL.iter().map(|(name, _)| *name));
                problems.push(problem);
            }
        }
    }
    permissions
}

/// Grants by type id. `"*"` stands for all types that the role does not name.
fn type_grants(
    grants: &FileSection<'_>,
    types: FileTypes<'_>,
    model: Option<&Model>,
    problems: &mut FileProblems,
) -> BTreeMap<i64, Vec<StatedGrant>> {
    let typed = TypedTypes { shapes: TypeShapes::of(types.read), model };
    let mut result = BTreeMap::new();
    for entry in &grants.mapping.entries {
        let Some(section) = FileSection::open(grants.file, grants.key(&entry.key), &entry.value, problems) else {
            continue;
        };
        if entry.key == "*" {
            let named =
                |resource_type: &ResourceType| grants.mapping.entries.iter().any(|e| e.key == resource_type.name);
            let target = GrantTarget { resource_type: None, types: &typed };
            let grant = grant_file::read(section, target, problems);
            for resource_type in types.read.iter().filter(|resource_type| !named(resource_type)) {
                result.insert(resource_type.id, grant.clone());
            }
        } else if let Some(resource_type) = types.read.iter().find(|resource_type| resource_type.name == entry.key) {
            let target = GrantTarget { resource_type: Some(resource_type), types: &typed };
            result.insert(resource_type.id, grant_file::read(section, target, problems));
        } else if !types.unread.contains(entry.key.as_str()) {
            let message = format!("There is no type {:?}.", entry.key);
            let mut problem = grants.problem(entry.position, &entry.key, "unknown_type", &message);
            problem.suggestion =
                closest(&entry.key, types.read.iter().map(|resource_type| resource_type.name.as_str()));
            problems.push(problem);
        }
    }
    result
}

/// A name that a file gives, and its place.
pub(crate) struct DeclaredName<'n> {
    pub(crate) file: &'n str,
    /// The key that holds it.
    pub(crate) key: &'n str,
    pub(crate) name: &'n str,
    pub(crate) position: FilePosition,
}

/// Refuses a name that another file has given already.
pub(crate) fn refuse_duplicate(
    seen: &mut BTreeMap<String, String>,
    DeclaredName { file, key, name, position }: DeclaredName<'_>,
    problems: &mut FileProblems,
) {
    // Names that differ in case alone would be one view on SQLite.
    if let Some(other) = seen.insert(name.to_lowercase(), file.to_owned()) {
        let message = format!("{name} is in {other} already.");
        problems.push(diagnostic(file, position, key, "duplicate_name", &message));
    }
}

/// Opens a file's mapping.
pub(crate) fn open<'n>(file: &'n str, node: &'n YamlNode, problems: &mut FileProblems) -> Option<FileSection<'n>> {
    FileSection::open(file, String::new(), node, problems)
}
