//! Callers with random rights, and what each of them sees of the tenant.

use super::tenant::{Holds, KINDS, Kind, Row, SUM, World, kind};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use testing::{Choices, Client, Server};

/// The number of them.
const CALLERS: usize = 8;
const SYSTEM: [&str; 5] =
    ["profile", "notifications", "getNotificationsPerCustomId", "manageTags", "createPrivateTags"];
/// The fields that tell of every change of a resource, whatever was changed.
pub(super) const TELLING: [&str; 2] = ["version", "updated"];

/// What is seen of a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) properties: BTreeSet<&'static str>,
    /// Whether the fields of [`TELLING`] are.
    pub(super) telling: bool,
    /// Whether that is so of some rows only, and of some more than of others.
    pub(super) limited: bool,
    /// For which rows what is seen: all rows where no rule says which.
    grants: Vec<(Option<Holds>, BTreeSet<&'static str>)>,
}

/// The values that rows show, by type, id and property; only what is made of others has one here.
pub(super) type View = BTreeMap<&'static str, BTreeMap<i64, BTreeMap<&'static str, Json>>>;

impl Seen {
    fn all(properties: BTreeSet<&'static str>, telling: bool) -> Self {
        Seen { grants: vec![(None, properties.clone())], properties, telling, limited: false }
    }
}

/// Rights of roles, or of their union.
#[derive(Clone, Debug, Default)]
struct Rights {
    types: BTreeMap<&'static str, Seen>,
    system: BTreeSet<&'static str>,
}

pub(super) struct Caller {
    pub(super) name: String,
    /// The scopes of the key; all where there are none.
    pub(super) scopes: Option<String>,
    pub(super) client: Client,
    pub(super) user: i64,
    /// Types by name; those that are not there are not shown.
    pub(super) sees: BTreeMap<&'static str, Seen>,
    system: BTreeSet<&'static str>,
}

impl Caller {
    /// Whether the caller has the system permission.
    pub(super) fn may(&self, permission: &str) -> bool {
        self.system.contains(permission)
    }

    /// Whether what is seen rests on what is not: grants are for some rows only, or values are made of others.
    pub(super) fn limited(&self) -> bool {
        self.sees.values().any(|seen| seen.limited || seen.properties.contains(SUM))
    }

    /// What the grants are for, worked out without asking.
    pub(super) fn view(&self, world: &World) -> View {
        let mut view = View::new();
        for (name, seen) in &self.sees {
            let mut shown = BTreeMap::new();
            for (id, values) in &world[name] {
                let row = Row { world, values, user: self.user };
                let held: Vec<_> =
                    seen.grants.iter().filter(|(rule, _)| rule.is_none_or(|holds| holds(&row))).collect();
                let names: BTreeSet<&str> = held.iter().flat_map(|(_, names)| names.iter().copied()).collect();
                let value = |name: &str| if name == SUM { values[SUM].clone() } else { Json::Null };
                if !held.is_empty() {
                    shown.insert(*id, names.into_iter().map(|name| (name, value(name))).collect());
                }
            }
            view.insert(*name, shown);
        }
        view
    }

    /// The properties of a type that the caller does not see; none where the type is not shown.
    pub(super) fn unseen(&self, kind: &Kind) -> Vec<&'static str> {
        let seen = self.sees.get(kind.name).map(|seen| &seen.properties);
        let names = kind.properties.iter().map(|(name, _)| *name);
        names.filter(|name| seen.is_some_and(|seen| !seen.contains(name))).collect()
    }
}

/// Applies roles with new random rights, and gives their users, one of three with two roles, one of three with a key
/// that has scopes.
pub(super) async fn callers(choices: &mut Choices, server: &Server) -> Vec<Caller> {
    let (mut files, mut rights) = (Vec::new(), Vec::new());
    for number in 0..CALLERS {
        let (text, granted) = role(choices, number);
        files.push((format!("roles/role{number}.yaml"), text));
        let second = if number % 3 == 0 { format!(", role{}", (number + 1) % CALLERS) } else { String::new() };
        let user = format!("user: caller{number}@acme.test\nname: Caller {number}\nroles: [role{number}{second}]\n");
        files.push((format!("users/caller{number}.yaml"), user));
        rights.push(granted);
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    server.change(&files).await;
    let mut callers = Vec::new();
    for number in 0..CALLERS {
        let mut own = rights[number].clone();
        if number % 3 == 0 {
            own.add(&rights[(number + 1) % CALLERS]);
        }
        let name = format!("caller{number}");
        let (key, scopes) = match number % 3 {
            1 => {
                let (key, scopes) = scoped(choices, server, &name, &mut own).await;
                (key, Some(scopes))
            }
            _ => (server.key(&name).await, None),
        };
        let (client, user) = (server.client().with("key", &key), server.user(&name).await);
        callers.push(Caller { user, name, scopes, client, sees: own.types, system: own.system });
    }
    callers
}

/// A key of the user with random scopes, by which the rights are narrowed.
async fn scoped(choices: &mut Choices, server: &Server, name: &str, rights: &mut Rights) -> (String, String) {
    let login = server.login(name).await;
    let kept: BTreeSet<&str> = choices.some(&KINDS).iter().map(|kind| kind.name).collect();
    let mut scopes: Vec<String> = kept.iter().map(|kind| format!("collection:{kind}:show")).collect();
    scopes.push("app:user.current".to_owned());
    scopes.extend(choices.some(&["tags", "collection:notifications:show"]).iter().map(|scope| (**scope).to_owned()));
    rights.types.retain(|name, _| kept.contains(name));
    let scopes = scopes.join(",");
    let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", &scopes)];
    let made = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
    (made.as_str().unwrap().to_owned(), scopes)
}

impl Rights {
    /// Grants add up.
    fn add(&mut self, other: &Rights) {
        self.system.extend(&other.system);
        for (name, seen) in &other.types {
            let own = self.types.entry(name).or_default();
            own.properties.extend(&seen.properties);
            own.telling |= seen.telling;
            own.limited |= seen.limited;
            own.grants.extend(seen.grants.iter().cloned());
        }
    }
}

/// The file of a role, and what it grants.
fn role(choices: &mut Choices, number: usize) -> (String, Rights) {
    let system: BTreeSet<&str> = choices.some(&SYSTEM).into_iter().copied().collect();
    let names: Vec<&str> = std::iter::once("restApi").chain(system.iter().copied()).collect();
    let mut text = format!("role: role{number}\nsystem: [{}]\ntypes:\n", names.join(", "));
    let mut types = BTreeMap::new();
    let rest = choices.once_in(3);
    if rest {
        text.push_str("  \"*\": {show: true}\n");
    }
    for kind in &KINDS {
        let all = || kind.properties.iter().map(|(name, _)| *name);
        let edit = edit(choices, kind);
        match choices.below(9) {
            0 if rest => drop(types.insert(kind.name, Seen::all(all().collect(), true))),
            0 | 1 => text.push_str(&format!("  {}: {{show: false, {edit}}}\n", kind.name)),
            2 => {
                text.push_str(&format!("  {}: {{show: true, {edit}}}\n", kind.name));
                types.insert(kind.name, Seen::all(all().collect(), true));
            }
            5..=8 => {
                let (grants, seen) = rows(choices, kind);
                text.push_str(&format!("  {}: {{show: [{grants}], {edit}}}\n", kind.name));
                types.insert(kind.name, seen);
            }
            way => {
                let (fields, seen) = fields(choices, kind, way < 4);
                let fields = fields.join(", ");
                text.push_str(&format!("  {}: {{show: {{fields: [{fields}]}}, {edit}}}\n", kind.name));
                types.insert(kind.name, seen);
            }
        }
    }
    (text, Rights { types, system })
}

/// What may be changed, and so created and deleted.
fn edit(choices: &mut Choices, kind: &Kind) -> String {
    match choices.below(4) {
        0 => "edit: true".to_owned(),
        1 | 2 => {
            let (names, _) = fields(choices, kind, true);
            let ((rule, _), (check, _)) = (choices.of(kind.rules), choices.of(kind.rules));
            let check = if choices.once_in(2) { format!(", check: \"{{={check}}}\"") } else { String::new() };
            format!("edit: {{where: \"{{={rule}}}\", fields: [{}]{check}}}", names.join(", "))
        }
        _ => "edit: false".to_owned(),
    }
}

/// A list of fields, of names or of all without some, and what is seen by it.
fn fields(choices: &mut Choices, kind: &Kind, all_but: bool) -> (Vec<String>, Seen) {
    let names: Vec<&str> = kind.properties.iter().map(|(name, _)| *name).collect();
    let named: Vec<&str> = choices.some(&names).into_iter().copied().collect();
    let is_named = |name: &&&str| named.contains(*name);
    let (mut fields, properties): (Vec<String>, BTreeSet<&'static str>) = match all_but {
        true => {
            let taken = named.iter().map(|name| format!("\"-{name}\""));
            let left = kind.properties.iter().map(|(name, _)| name).filter(|name| !is_named(name)).copied();
            (std::iter::once("\"*\"".to_owned()).chain(taken).collect(), left.collect())
        }
        false => {
            let given = kind.properties.iter().map(|(name, _)| name).filter(|name| is_named(name)).copied();
            (named.iter().map(|name| (*name).to_owned()).collect(), given.collect())
        }
    };
    let telling = fields.is_empty() || choices.once_in(3);
    if !telling {
        fields.extend(TELLING.iter().map(|name| format!("\"-{name}\"")));
    }
    (fields, Seen::all(properties, telling))
}

/// Grants for some rows, with different fields, and what is seen by them on some row at least.
fn rows(choices: &mut Choices, kind: &Kind) -> (String, Seen) {
    let mut seen = Seen { telling: true, limited: true, ..Seen::default() };
    let mut grants = Vec::new();
    for number in 0..1 + choices.below(3) {
        let all_but = choices.once_in(2);
        let (names, shown) = fields(choices, kind, all_but);
        seen.properties.extend(&shown.properties);
        let (rule, holds) = choices.of(kind.rules);
        // Once in a while there is something that all rows show.
        match number == 0 && choices.once_in(4) {
            true => {
                grants.push(format!("{{fields: [{}]}}", names.join(", ")));
                seen.grants.push((None, shown.properties));
            }
            false => {
                grants.push(format!("{{where: \"{{={rule}}}\", fields: [{}]}}", names.join(", ")));
                seen.grants.push((Some(*holds), shown.properties));
            }
        }
    }
    (grants.join(", "), seen)
}

/// What a role shows of a type: of the rows for which one of its rules holds, or of all, these properties.
pub(super) type Shown = (&'static str, Vec<(Option<&'static str>, &'static [&'static str])>);

/// A caller with these rights. Types that are not named are not shown, nor is what tells of changes.
pub(super) async fn directed(server: &Server, name: &str, shown: &[Shown], system: &[&'static str]) -> Caller {
    let mut text = format!("role: {name}\nsystem: [restApi, {}]\ntypes:\n", system.join(", "));
    let mut sees = BTreeMap::new();
    for (of, granted) in shown {
        let mut seen = Seen { limited: true, ..Seen::default() };
        let mut grants = Vec::new();
        for (rule, names) in granted {
            let rows = rule.map(|rule| format!("where: \"{{={rule}}}\", ")).unwrap_or_default();
            grants.push(format!("{{{rows}fields: [{}, \"-version\", \"-updated\"]}}", names.join(", ")));
            let holds = rule.map(|rule| kind(of).rules.iter().find(|(text, _)| *text == rule).unwrap().1);
            seen.properties.extend(*names);
            seen.grants.push((holds, names.iter().copied().collect()));
        }
        text.push_str(&format!("  {of}: {{show: [{}]}}\n", grants.join(", ")));
        sees.insert(*of, seen);
    }
    let client = server.role(name, &text).await;
    let (user, system) = (server.user(name).await, system.iter().copied().collect());
    Caller { name: name.to_owned(), scopes: None, client, user, sees, system }
}
