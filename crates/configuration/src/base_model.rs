//! Settings, groups and types of a tenant's files, the types without their expressions: what all else rests on.

use super::build::{DraftContext, build};
use super::diagnostic::closest;
use super::identity::{IssuedIds, TextInsertion, assign};
use super::load::below;
use super::role_file::{self, DeclaredName, open, refuse_duplicate};
use super::rules::{self, DraftedRules};
use super::section::{FileProblems, diagnostic};
use super::symbols::{DeclaredNames, FileTypes, KindNames};
use super::type_file::{self, TypeDraft};
use super::yaml::{self, YamlContent, YamlNode};
use super::{built_in_fields, env_file, public_role, tags_file, tenant_file};
use crate::expression_slots::SlotNames;
use crate::source_files::Files;
use accounts::tags::SeedTag;
use expression::scope::ValueType;
use model::types::{ResourceType, SYSTEM_FIELDS, TenantSettings, UserGroup};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Basis that all else in files rests on.
pub(super) struct BaseModel<'f> {
    pub(super) settings: Option<TenantSettings>,
    pub(super) groups: BTreeMap<String, UserGroup>,
    /// The types, whose expressions are still to be compiled: `rules`.
    pub(super) types: Vec<Arc<ResourceType>>,
    pub(super) rules: Vec<DraftedRules>,
    pub(super) known: KindNames,
    /// The names of types whose files could not be read.
    pub(super) unread: BTreeSet<&'f str>,
    pub(super) environment: BTreeMap<String, Arc<str>>,
    pub(super) env_names: SlotNames,
    pub(super) tags: Vec<SeedTag>,
    pub(super) insertions: Vec<TextInsertion>,
    /// True if all properties that the files have became some.
    pub(super) whole: bool,
}

/// Reads settings, groups, names of roles, types, texts of `env()` and tags. What is wrong goes to the problems;
/// `lenient` is whether properties are wanted even so, where it is known what their values are.
pub(super) fn base_model<'f>(
    files: &'f Files,
    nodes: &BTreeMap<&str, YamlNode>,
    given: &IssuedIds,
    lenient: bool,
    problems: &mut FileProblems,
) -> BaseModel<'f> {
    let user = yaml::parse(built_in_fields::USER).expect("the built-in file is YAML");
    let mut drafts = type_drafts(nodes, &user, problems);
    let insertions = assign(&mut drafts, given, problems);
    let mut groups = groups(nodes, problems);
    let of_unread = |name: &str| (name.to_owned(), UserGroup { name: name.to_owned(), title: name.to_owned() });
    groups.extend(unread(files, nodes, "groups/", "group:").map(of_unread));
    let mut roles = role_names(nodes, problems);
    roles.extend(unread(files, nodes, "roles/", "role:").map(str::to_owned));
    let tenant = nodes.get(tenant_file::FILE).and_then(|node| open(tenant_file::FILE, node, problems));
    let (settings, mentions) = match tenant {
        Some(section) => tenant_file::read(section, problems),
        None => (None, Vec::new()),
    };
    check_mentions(&mentions, &roles, &groups, problems);
    let unread: BTreeSet<&str> = unread(files, nodes, "types/", "name:").collect();
    let env_file = nodes.get(env_file::FILE).and_then(|node| open(env_file::FILE, node, problems));
    let environment = env_file.map(|file| env_file::read(&file, problems)).unwrap_or_default();
    let mut env_names = env_file::names(&environment);
    let rules = rules::of_drafts(&drafts);
    let names = DeclaredNames { roles, groups: &groups, unread_types: &unread };
    let known = KindNames::new(&drafts, settings.as_ref(), names, lenient);
    let declared: usize = drafts.iter().map(|draft| draft.properties.len()).sum();
    let types = types(drafts, &known.surroundings(), problems);
    let whole = declared == types.iter().map(|of| of.properties().len()).sum::<usize>();
    env_names.extend(names_of_files(files, nodes, &types, &unread));
    let tags_file = nodes.get(tags_file::FILE).and_then(|node| open(tags_file::FILE, node, problems));
    let tags = tags_file
        .map(|file| tags_file::read(&file, FileTypes { read: &types, unread: &unread }, problems))
        .unwrap_or_default();
    BaseModel { settings, groups, types, rules, known, unread, environment, env_names, tags, insertions, whole }
}

/// All types as written, the built-in `user` first.
fn type_drafts<'n>(
    nodes: &'n BTreeMap<&'n str, YamlNode>,
    user: &'n YamlNode,
    problems: &mut FileProblems,
) -> Vec<TypeDraft<'n>> {
    let mut user = type_file::read(built_in_fields::USER_FILE, user, problems).expect("the built-in file has a name");
    let mut drafts = Vec::new();
    let mut seen = BTreeMap::new();
    for (file, node) in below(nodes, "types") {
        let Some(draft) = type_file::read(file, node, problems) else { continue };
        let name = DeclaredName { file, key: "name", name: &draft.name.0, position: draft.name.1 };
        refuse_duplicate(&mut seen, name, problems);
        if draft.name.0 == "user" {
            extend(&mut user, draft);
        } else {
            drafts.push(draft);
        }
    }
    drafts.insert(0, user);
    for draft in &drafts {
        refuse_same_properties(draft, problems);
    }
    drafts
}

/// Adds what `types/user.yaml` says to the built-in type.
fn extend<'n>(user: &mut TypeDraft<'n>, mut own: TypeDraft<'n>) {
    own.properties = user.properties.drain(..).chain(own.properties).collect();
    own.title = own.title.or(user.title.take());
    own.title_property = own.title_property.or(user.title_property.take());
    own.code_property = own.code_property.or(user.code_property.take());
    *user = own;
}

fn refuse_same_properties(draft: &TypeDraft<'_>, problems: &mut FileProblems) {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for property in &draft.properties {
        let (name, at) = &property.name;
        if let Some(other) = seen.insert(name.to_lowercase(), property.file) {
            let key = format!("properties.{name}");
            let message = match other {
                built_in_fields::USER_FILE => format!("{name} is built in and cannot be changed."),
                _ => format!("There are two properties {name}; letters' case makes no difference."),
            };
            problems.push(diagnostic(property.file, *at, &key, "duplicate_name", &message));
        }
    }
}

fn groups(nodes: &BTreeMap<&str, YamlNode>, problems: &mut FileProblems) -> BTreeMap<String, UserGroup> {
    let mut groups = BTreeMap::new();
    let mut seen = BTreeMap::new();
    for (file, node) in below(nodes, "groups") {
        let section = open(file, node, problems);
        if let Some((group, at)) = section.and_then(|section| role_file::group(section, problems)) {
            let name = DeclaredName { file, key: "group", name: &group.name, position: at };
            refuse_duplicate(&mut seen, name, problems);
            groups.insert(group.name.clone(), group);
        }
    }
    groups
}

fn role_names(nodes: &BTreeMap<&str, YamlNode>, problems: &mut FileProblems) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut seen = BTreeMap::new();
    for (file, node) in below(nodes, "roles") {
        let section = open(file, node, problems);
        if let Some((name, at)) = section.and_then(|mut section| role_file::name(&mut section, "role", problems)) {
            refuse_duplicate(&mut seen, DeclaredName { file, key: "role", name: &name, position: at }, problems);
            names.insert(name);
        }
    }
    names
}

fn check_mentions(
    mentions: &tenant_file::SettingMentions,
    roles: &BTreeSet<String>,
    groups: &BTreeMap<String, UserGroup>,
    problems: &mut FileProblems,
) {
    for (key, name, at) in mentions {
        let (word, code, known): (_, _, Vec<&str>) = match *key {
            "allowedRoles" => ("role", "unknown_role", roles.iter().map(String::as_str).collect()),
            public_role::ROLE => ("role", "unknown_role", roles.iter().map(String::as_str).collect()),
            "allowedGroups" => ("group", "unknown_group", groups.keys().map(String::as_str).collect()),
            _ => continue,
        };
        if !known.contains(&name.as_str()) {
            let message = format!("There is no {word} {name:?}.");
            let key = if key.contains('.') { (*key).to_owned() } else { format!("registration.{key}") };
            let mut problem = diagnostic("tenant.yaml", *at, &key, code, &message);
            problem.suggestion = closest(name, known);
            problems.push(problem);
        }
    }
}

/// The names that files of a folder have under this key, of those that could not be read, as far as the text tells:
/// that there are no such types, roles or groups need not be told as well.
fn unread<'f>(
    files: &'f Files,
    nodes: &BTreeMap<&str, YamlNode>,
    folder: &str,
    key: &str,
) -> impl Iterator<Item = &'f str> {
    let unread = files.iter().filter_map(move |(path, text)| {
        let name = path.strip_prefix(folder).filter(|_| !nodes.contains_key(path))?;
        Some((name, text))
    });
    let key = key.to_owned();
    unread.flat_map(move |(file_name, text)| {
        let name = text.lines().find_map(|line| line.strip_prefix(key.as_str()));
        let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
        std::iter::once(stem).chain(name.map(|name| name.trim().trim_matches(['"', '\''])))
    })
}

/// The names that functions take: of queries, types, and properties of the user.
fn names_of_files(
    files: &Files,
    nodes: &BTreeMap<&str, YamlNode>,
    types: &[Arc<ResourceType>],
    unread_types: &BTreeSet<&str>,
) -> SlotNames {
    let of = |names: BTreeSet<&str>| names.into_iter().map(|name| (name.to_owned(), ValueType::default())).collect();
    let queries = below(nodes, "queries").filter_map(|(_, node)| match &node.content {
        YamlContent::Mapping(mapping) => mapping.entries.iter().find(|entry| entry.key == "query")?.value.text(),
        _ => None,
    });
    let named = types.iter().map(|of| of.name.as_str()).chain(unread_types.iter().copied());
    let mut names = HashMap::from([
        ("query", of(queries.chain(unread(files, nodes, "queries/", "query:")).collect())),
        ("resource", of(named.collect())),
    ]);
    if let Some(user) = types.iter().find(|of| of.name == "user") {
        let own = user.properties().iter().map(|property| property.name.as_str());
        names.insert("user", of(own.chain(SYSTEM_FIELDS).collect()));
    }
    names
}

fn types(
    drafts: Vec<TypeDraft<'_>>,
    surroundings: &DraftContext<'_>,
    problems: &mut FileProblems,
) -> Vec<Arc<ResourceType>> {
    let mut types: Vec<_> = drafts.into_iter().map(|draft| Arc::new(build(draft, surroundings, problems))).collect();
    types.sort_by_key(|resource_type| resource_type.id);
    types
}
