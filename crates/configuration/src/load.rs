//! Files to a model, with every diagnostic at once.

use super::automation_file::AutomationContext;
use super::base_model::{BaseModel, base_model};
use super::canvas_file::CanvasQueries;
use super::diagnostic::{Diagnostic, FilePosition, NOTE, sort};
use super::findings;
use super::identity::{IssuedIds, TextInsertion, insert};
use super::query_file::QueryContext;
use super::role_file::{self, DeclaredName, open, refuse_duplicate};
use super::rule_drafts::has_types;
use super::rules::RuleSources;
use super::section::{FileProblems, FileSection, diagnostic};
use super::symbols::FileTypes;
use super::user_file::{self, SeedUser};
use super::yaml::{self, YamlNode};
use super::{automation_file, canvas_file, inverses, public_role, query_file, relation_filters, rules, tenant_file};
use crate::source_files::Files;
use accounts::tags::SeedTag;
use jiff::tz::TimeZone;
use messages::outbox;
use model::automation::AutomationList;
use model::shape::TypeShapes;
use model::types::{Model, ResourceType, Role, TenantSettings};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The beginning of paths of texts.
const MAIL: &str = "mail/";

/// Files that are right, and what they mean.
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Users of `users/`.
    pub users: Vec<SeedUser>,
    /// Tags of `tags.yaml`.
    pub(crate) tags: Vec<SeedTag>,
    /// The files, with the ids that were missing.
    pub files: Files,
    /// The paths of the files that lacked ids.
    pub completed: BTreeSet<String>,
    /// The findings of the expressions. Stored files load with them; those that are errors refuse new ones.
    pub findings: Vec<Diagnostic>,
    /// Parts of expressions that may give something else by the rules of a former version.
    pub(crate) differing: Vec<Diagnostic>,
}

/// Loads files. Missing ids are given, above all that were given before.
pub fn load(files: &Files, given: &IssuedIds) -> Result<Loaded, Vec<Diagnostic>> {
    // Tests are about a model, and no part of it.
    let files = &files.without_tests();
    let loaded = load_once(files, given)?;
    if loaded.completed.is_empty() {
        return Ok(loaded);
    }
    // Ids are put into text that people laid out: what comes of it is read again before it is believed.
    match load_once(&loaded.files, given) {
        Ok(again) if again.completed.is_empty() && ids(&again.model) == ids(&loaded.model) => Ok(loaded),
        _ => Err(loaded.completed.iter().map(|path| unwritable(path)).collect()),
    }
}

/// The same for files that are to be applied: what expressions do wrong for ordinary values refuses them, too.
pub(crate) fn load_sound(files: &Files, given: &IssuedIds) -> Result<Loaded, Vec<Diagnostic>> {
    let loaded = load(files, given)?;
    let refused = findings::refused(&loaded.findings);
    if refused.is_empty() { Ok(loaded) } else { Err(refused) }
}

/// All ids with their names, of types and of properties.
fn ids(model: &Model) -> Vec<(i64, &str)> {
    let all = model.types.iter().flat_map(|found| {
        let properties = found.properties().iter().map(|property| (property.id, property.name.as_str()));
        std::iter::once((found.id, found.name.as_str())).chain(properties)
    });
    all.collect()
}

fn unwritable(path: &str) -> Diagnostic {
    let message = "No id can be written into this file's layout. Add the keys id yourself.";
    diagnostic(path, FilePosition::default(), "", "unwritable_id", message)
}

fn load_once(files: &Files, given: &IssuedIds) -> Result<Loaded, Vec<Diagnostic>> {
    let mut problems = FileProblems::from(files.misplaced());
    let nodes = parse(files, &mut problems);
    let base_model = base_model(files, &nodes, given, false, &mut problems);
    let BaseModel { settings, groups, types, rules, known, unread, environment, env_names, tags, insertions, .. } =
        base_model;
    let file_types = FileTypes { read: &types, unread: &unread };
    let around = QueryContext { kinds: &known.surroundings(), env_names: &env_names };
    let queries = query_file::read_all(&nodes, file_types, around, &mut problems);
    let named = queries.iter().map(|draft| (draft.query.name.clone(), Arc::clone(&draft.query))).collect();
    // An expression about rows looks at other types, so that all of them have to be right.
    let typed = settings.clone().filter(|_| has_types(&problems));
    let typed = typed.map(|settings| Model::new(settings, types.clone(), BTreeMap::new(), groups.clone()));
    let sources = CanvasQueries { queries: &named, model: typed.as_ref() };
    let canvases = canvas_file::read_all(&nodes, sources, around, &mut problems);
    let roles = grants(&nodes, file_types, typed.as_ref(), &mut problems);
    let users = users(&nodes, &types, settings.as_ref(), &mut problems);
    // A filter looks at other types: what is wrong with those would be told again.
    let types_right = has_types(&problems);
    if types_right {
        let sources = RuleSources { types: &types, model: typed.as_ref(), names: &env_names };
        rules::compile_all(sources, &rules, &roles, &mut problems);
    }
    let shapes = TypeShapes::of(&types);
    let shapes = typed.as_ref().map_or(shapes.clone(), |model| shapes.with_inverses(&model.inverses));
    let zone = settings.as_ref().map_or(TimeZone::UTC, |settings| settings.timezone.clone());
    // Steps refuse queries and types that there are not by themselves.
    let mut environment_names = env_names.clone();
    environment_names.retain(|function, _| !["query", "resource"].contains(function));
    let around =
        AutomationContext { types: file_types, queries: &named, shapes, environment: environment_names, zone: &zone };
    let mut found = FileProblems::new();
    let automations = automation_file::read_all(&nodes, &around, &mut found);
    let (mistakes, findings) = found.into_parts();
    problems.extend(mistakes.into_iter().filter(|problem| types_right || problem.stands_alone()));
    problems.warn(findings);
    let mail = texts(files, &mut problems);
    let model = settings.map(|settings| Model { mail, ..Model::new(settings, types, roles, groups) });
    if let Some(model) = model.as_ref().filter(|_| types_right) {
        // A filter that names a parameter which is wrong would be told, too.
        let told = |file: &str| problems.iter().any(|other| other.file == file && other.key.starts_with("params."));
        let sound: Vec<_> = queries.iter().filter(|draft| !told(draft.file)).collect();
        sound.into_iter().for_each(|draft| draft.check(model, &mut problems));
        if let Some(tenant) = nodes.get(tenant_file::FILE) {
            public_role::check(model, tenant, &mut problems);
        }
        for (file, node) in below(&nodes, "types") {
            if let Some(of) = relation_filters::type_name(node).and_then(|name| model.type_named(name)) {
                relation_filters::check(model, of, file, node, &mut problems);
                inverses::check(model, of, file, node, &mut problems);
            }
        }
    }
    let Some(mut model) = model.filter(|_| problems.is_empty()) else {
        let (mut mistakes, found) = problems.into_parts();
        findings::place(&mut mistakes, files);
        sort(&mut mistakes);
        let found = findings::placed(found, files).into_iter().filter(|finding| finding.severity != NOTE);
        mistakes.extend(found);
        return Err(mistakes);
    };
    let found = findings::placed(problems.into_parts().1, files);
    let (differing, findings) = found.into_iter().partition(|finding| finding.severity == NOTE);
    (model.queries, model.canvases, model.environment) = (named, canvases, environment);
    model.automations = AutomationList::new(automations);
    let (files, completed) = complete(files, &insertions);
    Ok(Loaded { model, users, tags, files, completed, findings, differing })
}

/// The tenant's own texts of mails and SMS, by the names of their files.
fn texts(files: &Files, problems: &mut FileProblems) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (path, text) in files.iter() {
        let Some(name) = path.strip_prefix(MAIL) else { continue };
        match outbox::check_text(name, text) {
            Ok(()) => drop(texts.insert(name.to_owned(), text.to_owned())),
            Err(message) => problems.push(diagnostic(path, FilePosition::default(), "", "wrong_text", &message)),
        }
    }
    texts
}

pub(super) fn parse<'f>(files: &'f Files, problems: &mut FileProblems) -> BTreeMap<&'f str, YamlNode> {
    let mut nodes = BTreeMap::new();
    let skipped: BTreeSet<String> = problems.iter().map(|problem| problem.file.clone()).collect();
    let yaml = |path: &str| !skipped.contains(path) && !path.starts_with(MAIL);
    for (path, text) in files.iter().filter(|(path, _)| yaml(path)) {
        match yaml::parse(text) {
            Ok(node) => drop(nodes.insert(path, node)),
            Err(fault) => problems.push(diagnostic(path, fault.position, "", "yaml", &fault.message)),
        }
    }
    nodes
}

/// The files of a folder.
pub(super) fn below<'n>(
    nodes: &'n BTreeMap<&'n str, YamlNode>,
    folder: &'n str,
) -> impl Iterator<Item = (&'n str, &'n YamlNode)> {
    let files = nodes.iter().map(|(path, node)| (*path, node));
    files.filter(move |(path, _)| path.split_once('/').is_some_and(|(first, _)| first == folder))
}

fn grants(
    nodes: &BTreeMap<&str, YamlNode>,
    types: FileTypes<'_>,
    model: Option<&Model>,
    problems: &mut FileProblems,
) -> BTreeMap<String, Role> {
    let mut roles = BTreeMap::new();
    for (file, node) in below(nodes, "roles") {
        // That the file is a mapping was checked when the names were listed.
        let section = FileSection::open(file, String::new(), node, &mut FileProblems::new());
        if let Some(role) = section.and_then(|section| role_file::role(section, types, model, problems)) {
            roles.insert(role.name.clone(), role);
        }
    }
    roles
}

fn users(
    nodes: &BTreeMap<&str, YamlNode>,
    types: &[Arc<ResourceType>],
    settings: Option<&TenantSettings>,
    problems: &mut FileProblems,
) -> Vec<SeedUser> {
    let Some(user) = types.first().filter(|first| first.name == "user") else { return Vec::new() };
    let zone = settings.map_or(TimeZone::UTC, |settings| settings.timezone.clone());
    let mut users = Vec::new();
    let mut seen = BTreeMap::new();
    for (file, node) in below(nodes, "users") {
        let section = open(file, node, problems);
        let read = section.and_then(|section| user_file::read(section, user, &zone, problems));
        if let Some((seed, at)) = read {
            let name = DeclaredName { file, key: "user", name: &seed.login, position: at };
            refuse_duplicate(&mut seen, name, problems);
            users.push(seed);
        }
    }
    users
}

fn complete(files: &Files, insertions: &[TextInsertion]) -> (Files, BTreeSet<String>) {
    let mut by_file: BTreeMap<&str, Vec<TextInsertion>> = BTreeMap::new();
    for insertion in insertions {
        by_file.entry(&insertion.file).or_default().push(insertion.clone());
    }
    let mut files = files.clone();
    for (path, insertions) in &by_file {
        let text = insert(files.get(path).unwrap_or_default(), insertions);
        files.insert(*path, text);
    }
    (files, by_file.into_keys().map(str::to_owned).collect())
}
