//! Configuration that a tenant's database holds: files, ids that were given, counters.

use super::diagnostic::Diagnostic;
use super::identity::IssuedIds;
use super::lenient_load::{StoredFiles, load_leniently};
use super::load::load;
use super::role_file::open;
use super::section::FileProblems;
use super::{tenant_file, yaml};
use crate::source_files::Files;
use context::tables;
use database::Tx;
use expression::LanguageRules;
use model::error::{Error, Result};
use model::table_names::{FILE, META};
use model::types::Model;

/// The name of the ids given, in [`META`].
const GIVEN: &str = "ids";

/// The stored files; none in a store that was never applied to.
pub fn files(tx: &mut Tx<'_>) -> Result<Files> {
    let mut files = Files::default();
    if !tx.has_table(&FILE)? {
        return Ok(files);
    }
    let mut sql = tx.sql();
    sql.push("SELECT path, content FROM ").table(&FILE).push(" ORDER BY path");
    tx.query(&sql, &mut |row| {
        files.insert(row.text(0)?, row.text(1)?);
        Ok(())
    })?;
    Ok(files)
}

/// The version of the rules that the stored files run by, in [`META`]. Versions before there were two wrote none.
const RULES: &str = "expression_rules";

/// The rules by which the expressions of the stored files run.
pub(crate) fn rules(tx: &mut Tx<'_>) -> Result<LanguageRules> {
    let stored = if tx.has_table(&META)? { tables::get(tx, RULES)? } else { None };
    let Some(text) = stored else { return Ok(LanguageRules::V1) };
    let known = text.parse().ok().and_then(LanguageRules::of_number);
    known.ok_or_else(|| Error::failed(format!("the stored files run by rules {text:?} of a later version")))
}

/// Has the stored files run by the newest rules.
pub(crate) fn put_rules(tx: &mut Tx<'_>) -> Result<()> {
    tables::put(tx, RULES, &LanguageRules::default().number().to_string())
}

/// The fact of [`META`] that requests mean this tenant which name none.
const DEFAULT: &str = "default";

/// Notes that requests mean this tenant which name none, since it was the only one so far.
pub fn make_default(tx: &mut Tx<'_>) -> Result<()> {
    tables::put(tx, DEFAULT, "only")?;
    // Other processes look at tenants again whose configuration was raised.
    Ok(tx.raise_configuration()?)
}

/// The hosts that lead to the tenant, and whether those do that name no tenant. A look-up of a host reads this of many
/// tenants.
pub fn reached(tx: &mut Tx<'_>) -> Result<(Vec<String>, bool)> {
    let preferred = tx.has_table(&META)? && tables::get(tx, DEFAULT)?.is_some();
    Ok((hosts(tx)?, preferred))
}

fn hosts(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&FILE).push(" WHERE path = ").bind(tenant_file::FILE);
    let mut text = String::new();
    tx.query(&sql, &mut |row| {
        row.text(0)?.clone_into(&mut text);
        Ok(())
    })?;
    let unreadable = || Error::failed("the stored settings are unreadable");
    let node = yaml::parse(&text).map_err(|_| unreadable())?;
    let mut problems = FileProblems::new();
    let section = open(tenant_file::FILE, &node, &mut problems).ok_or_else(unreadable)?;
    Ok(tenant_file::read(section, &mut problems).0.ok_or_else(unreadable)?.hosts)
}

/// Has the stored files be those of a tenant of another name, which no host and no address leads to: these stay with the
/// tenant that had the files before, and so do requests that name none.
pub fn rename(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&META).push(" WHERE name = ").bind(DEFAULT);
    tx.execute(&sql)?;
    let stored = files(tx)?;
    let Some(text) = stored.get(tenant_file::FILE) else { return Ok(()) };
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&FILE).push(" SET content = ").bind(renamed(text, name));
    sql.push(" WHERE path = ").bind(tenant_file::FILE);
    tx.execute(&sql)?;
    let told = {
        let text = renamed(text, name);
        let node = yaml::parse(&text).ok();
        let mut problems = FileProblems::new();
        let section = node.as_ref().and_then(|node| open(tenant_file::FILE, node, &mut problems));
        section.and_then(|section| tenant_file::read(section, &mut problems).0)
    };
    if !told.is_some_and(|settings| settings.name == name && settings.hosts.is_empty() && settings.base_url.is_none()) {
        let message = "The tenant.yaml of the backup is written in a way that cannot be given another name: it needs \
                       tenant, hosts and baseUrl at the beginnings of lines. Restore it under its own name elsewhere.";
        return Err(Error::invalid("backup_unnamed", message));
    }
    Ok(tx.raise_configuration()?)
}

/// Returns the tenant's file with another name, and with its hosts and address as comments.
fn renamed(text: &str, name: &str) -> String {
    let (mut renamed, mut is_left_out) = (String::new(), false);
    for line in text.split_inclusive('\n') {
        let is_key = line.starts_with(|first: char| first.is_alphabetic() || first == '"' || first == '\'');
        let key = line.split(':').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        if is_key {
            is_left_out = key == "hosts" || key == "baseUrl";
        }
        match () {
            () if is_key && key == "tenant" => renamed.push_str(&format!("tenant: {name}\n")),
            () if is_left_out && !line.trim().is_empty() => renamed.push_str(&format!("# {line}")),
            () => renamed.push_str(line),
        }
    }
    renamed
}

/// The ids that were given so far.
pub(crate) fn given(tx: &mut Tx<'_>) -> Result<IssuedIds> {
    let given = if tx.has_table(&META)? { tables::get(tx, GIVEN)? } else { None };
    let Some(text) = given else { return Ok(IssuedIds::default()) };
    serde_json::from_str(&text).map_err(|error| Error::failed(format!("the ids given are unreadable: {error}")))
}

/// Replaces the stored files.
pub(crate) fn put_files(tx: &mut Tx<'_>, files: &Files) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&FILE);
    tx.execute(&sql)?;
    for (path, text) in files.iter() {
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&FILE).push(" (path, content) VALUES (").bind(path).push(", ").bind(text);
        sql.push(")");
        tx.execute(&sql)?;
    }
    Ok(())
}

/// Records the ids of two models: the highest, and those of the old one that the new one lacks.
pub(crate) fn put_given(tx: &mut Tx<'_>, mut given: IssuedIds, old: Option<&Model>, new: &Model) -> Result<()> {
    let types = |model: &Model| model.types.iter().map(|found| found.id).collect::<Vec<_>>();
    let properties = |model: &Model| {
        let all = model.types.iter().flat_map(|found| found.properties());
        all.map(|property| property.id).collect::<Vec<_>>()
    };
    for (ids, of) in [(&mut given.types, &types as &dyn Fn(&Model) -> Vec<i64>), (&mut given.properties, &properties)] {
        let present = of(new);
        ids.highest = present.iter().copied().chain([ids.highest]).max().unwrap_or_default();
        ids.retired.extend(old.map(of).unwrap_or_default().into_iter().filter(|id| !present.contains(id)));
    }
    let text = serde_json::to_string(&given).map_err(|error| Error::failed(error.to_string()))?;
    tables::put(tx, GIVEN, &text)
}

/// Returns the stored files as far as this version takes them; none in a store that was never applied to.
pub(crate) fn former(tx: &mut Tx<'_>) -> Result<Option<StoredFiles>> {
    let files = files(tx)?;
    if files.is_empty() {
        return Ok(None);
    }
    let unknown = |problems: Vec<Diagnostic>| {
        let detail = told("The stored types do not load, so the content of their tables is unknown", &problems);
        Error { code: "configuration_unknown", ..refusal(&problems, "It needs the version that stored it.", detail) }
    };
    let rules = rules(tx)?;
    let mut former = load_leniently(files).map_err(unknown)?;
    former.loaded.model.rules = rules;
    Ok(Some(former))
}

/// The model with the types that a store has, which may lack all else; none where nothing was ever applied to it.
pub fn types(tx: &mut Tx<'_>) -> Result<Option<Model>> {
    Ok(former(tx)?.map(|former| former.loaded.model))
}

/// Stored files that this version refuses.
#[derive(Debug)]
pub struct RefusedFiles {
    files: Files,
    error: Error,
}

impl RefusedFiles {
    /// Why.
    pub fn error(&self) -> Error {
        self.error.clone()
    }

    /// Returns true if a store holds these files still.
    pub fn is_stored(&self, tx: &mut Tx<'_>) -> Result<bool> {
        Ok(files(tx)? == self.files)
    }
}

/// The model that holds in this store; or the files, where this version refuses them.
pub fn load_stored(tx: &mut Tx<'_>) -> Result<Result<Model, RefusedFiles>> {
    let files = files(tx)?;
    if files.is_empty() {
        return Err(Error::failed("nothing was ever applied to this store"));
    }
    // What was applied has all its ids; those retired since do not matter to it.
    Ok(match load(&files, &IssuedIds::default()) {
        Ok(loaded) => Ok(Model { rules: rules(tx)?, ..loaded.model }),
        Err(problems) => Err(RefusedFiles { files, error: refused(&problems) }),
    })
}

/// The error of everything that needs a configuration which this version refuses. A client is told where
/// the mistake is and of which sort; what the file says there is for the operator.
fn refused(problems: &[Diagnostic]) -> Error {
    let detail = told("The stored configuration does not load with this version", problems);
    let error = refusal(problems, "Fix it and run plinth apply.", detail);
    Error { code: "configuration_refused", ..error }
}

/// An error that shows where the first mistake is, and what is to be done.
fn refusal(problems: &[Diagnostic], advice: &str, detail: String) -> Error {
    let place = problems.first().map(|first| format!(": {} ({})", first.place(), first.code)).unwrap_or_default();
    let message = format!("This version of Plinth refuses the tenant's configuration{place}. {advice}");
    Error { message, ..Error::failed(detail) }
}

/// The first of several problems, behind what they lead to.
fn told(what: &str, problems: &[Diagnostic]) -> String {
    let first = problems.first().map(|first| format!(": {first}")).unwrap_or_default();
    match problems.len() {
        0 | 1 => format!("{what}{first}"),
        2 => format!("{what}{first} There is 1 problem more."),
        count => format!("{what}{first} There are {} problems more.", count - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn a_file_of_another_name_has_no_hosts_and_no_address() {
        let text = "# Ours\n\"tenant\": acme # this\nbaseUrl: https://acme.test\nhosts:\n- acme.test\n\n- b.test\n'api':\n  rate: 0\n";
        let now = "# Ours\ntenant: old\n# baseUrl: https://acme.test\n# hosts:\n# - acme.test\n\n# - b.test\n'api':\n  rate: 0\n";
        assert_eq!(renamed(text, "old"), now);
    }
}
