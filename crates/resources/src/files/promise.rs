//! Promises: files that were uploaded and no resource has yet.

use super::upload::{Received, Target};
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, Value};
use model::environment::Random;
use model::error::Result;
use model::file_member as member;
use model::file_member::FileMember;
use model::table_names::ATTACHMENT;
use model::types::{Property, ResourceType};
use std::collections::{BTreeSet, HashMap};
use tenant::storage;

/// The time for which a promise can be used, in milliseconds.
const LIFE: i64 = 24 * 60 * 60 * 1_000;
const PREFIX: &str = "up_";

/// Writes a row for each file that was received; gives their promises. The bytes are on disk already.
pub(super) fn write(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    target: &Target,
    received: &[Received],
) -> Result<Vec<String>> {
    use ColumnType::{Integer, Text};
    let columns = [
        ("type", Integer),
        ("property", Integer),
        ("owner", Integer),
        ("expires", Integer),
        ("created", Integer),
        ("token", Text),
        ("key", Text),
        ("name", Text),
        ("title", Text),
        ("size", Integer),
        ("mime", Text),
        ("hash", Text),
        ("width", Integer),
        ("height", Integer),
    ];
    let columns = columns.map(|(name, column)| (Name::fixed(name), column));
    let now = request.now.as_millisecond();
    let mut tokens = Vec::with_capacity(received.len());
    let mut rows = Vec::with_capacity(received.len());
    for file in received {
        let token = new(request.random.as_ref());
        rows.push(vec![
            target.type_id.into(),
            target.property.into(),
            request.actor.user.into(),
            (now + LIFE).into(),
            now.into(),
            token.as_str().into(),
            file.key.as_str().into(),
            file.name.as_str().into(),
            file.title.as_str().into(),
            Value::Integer(i64::try_from(file.size).unwrap_or(i64::MAX)),
            file.mime.as_str().into(),
            file.hash.as_str().into(),
            file.width.into(),
            file.height.into(),
        ]);
        tokens.push(token);
    }
    tx.insert_many(&ATTACHMENT, &columns, &rows)?;
    Ok(tokens)
}

/// The files of the caller's promises for properties of a type, each with its property, by the promise. They are
/// locked: nobody else uses them before this transaction ends.
pub(super) fn find(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &ResourceType,
    tokens: Vec<Value>,
) -> Result<HashMap<String, (i64, FileMember)>> {
    let mut sql = tx.sql();
    sql.push("SELECT token, property, ");
    member::push_columns(&mut sql);
    sql.push(" FROM ").table(&ATTACHMENT).push(" WHERE token").any_of(ColumnType::Text, tokens);
    sql.push(" AND type = ").bind(of.id).push(" AND owner = ").bind(request.actor.user);
    sql.push(" AND object IS NULL AND expires > ").bind(request.now.as_millisecond()).push(" ORDER BY id").for_change();
    let mut found = HashMap::new();
    tx.query(&sql, &mut |row| {
        found.insert(row.text(0)?.to_owned(), (row.integer(1)?, FileMember::read(row, 2)?));
        Ok(())
    })?;
    Ok(found)
}

/// Makes files those of a resource, and gives those that it has no more to nobody.
pub(crate) fn save(tx: &mut Tx<'_>, property: &Property, object: i64, before: &[Value], after: &[Value]) -> Result<()> {
    let members = |values: &[Value]| values.iter().filter_map(FileMember::of).collect::<Vec<_>>();
    let (before, after) = (members(before), members(after));
    let ids = |files: &[FileMember]| files.iter().map(|file| file.0).collect::<BTreeSet<i64>>();
    let (old, new) = (ids(&before), ids(&after));
    let removed: Vec<Value> = old.difference(&new).copied().map(Value::Integer).collect();
    if !removed.is_empty() {
        let mut sql = tx.sql();
        abandon(&mut sql);
        sql.push(" WHERE id").any_of(ColumnType::Integer, removed);
        tx.execute(&sql)?;
    }
    for (position, file) in (0_i64..).zip(&after) {
        let stays =
            usize::try_from(position).ok().and_then(|place| before.get(place)).is_some_and(|old| old.0 == file.0);
        if stays {
            continue;
        }
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&ATTACHMENT).push(" SET position = ").bind(position);
        if !old.contains(&file.0) {
            sql.push(", object = ").bind(object).push(", name = ").bind(file.1.as_str());
            sql.push(", token = NULL, expires = NULL");
        }
        sql.push(" WHERE id = ").bind(file.0).push(" AND property = ").bind(property.id);
        tx.defer(sql)?;
    }
    Ok(())
}

/// Gives the files of deleted resources to nobody.
pub(crate) fn abandon_resources(tx: &mut Tx<'_>, property: &Property, objects: Vec<Value>) -> Result<()> {
    let mut sql = tx.sql();
    abandon(&mut sql);
    sql.push(" WHERE property = ").bind(property.id).push(" AND object").any_of(ColumnType::Integer, objects);
    tx.execute(&sql)?;
    Ok(())
}

/// Gives all files of a property that is no more to nobody, its promises too.
pub fn abandon_property(tx: &mut Tx<'_>, property: i64) -> Result<()> {
    let mut sql = tx.sql();
    abandon(&mut sql);
    sql.push(" WHERE property = ").bind(property);
    tx.execute(&sql)?;
    Ok(())
}

/// Appends the update that gives files to nobody: they are swept with those that have expired.
fn abandon(sql: &mut database::Sql) {
    sql.push("UPDATE ").table(&ATTACHMENT).push(" SET object = NULL, token = NULL, expires = 0");
}

/// Returns true if a text has the form of a promise.
pub(super) fn is_promise(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(storage::is_token)
}

fn new(random: &dyn Random) -> String {
    format!("{PREFIX}{}", storage::token(random))
}
