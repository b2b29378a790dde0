//! Deleting a tag.

use super::output::{self, TagFields};
use super::{check, find, tag_events};
use context::request_context::RequestContext;
use database::{ColumnType, Name, Sql, Tx, Value};
use model::error::{Error, Result};
use model::parameters::RequestParameters;
use model::table_names::{TAG, TAGGED};
use model::types::ResourceAction;
use model::user_columns::USERS;
use query::{tag, tag_tree as tree};
use resources::IfMatch;
use resources::tag_version;

const PRIVATE: Name = Name::fixed("private");

/// The options of the deletion of a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deletion {
    /// `_cascade`: whether the tags under it go with it.
    pub cascade: bool,
}

impl Deletion {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, &["_cascade"])?;
        Ok(Deletion { cascade: parameters.flag("_cascade")?.unwrap_or(false) })
    }
}

/// Deletes a tag, and takes it from all resources. Tags under it stand against that, unless they are to go too.
pub fn delete(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    item: &str,
    if_match: Option<&IfMatch>,
    deletion: Deletion,
) -> Result<()> {
    let allowed = context.actor.tags(ResourceAction::Delete)?;
    check::lock(tx)?;
    let tag = find::by_item(tx, allowed, item)?.ok_or_else(tag::missing)?;
    tag.check_change(allowed)?;
    let number = tag.number;
    if let Some(if_match) = if_match {
        let body = output::single(tx, context, &TagFields::all(allowed), tag)?;
        if_match.check(context, || Ok(body))?;
    }
    let doomed: Vec<i64> = tree::downwards(tx, number)?.into_iter().map(|(number, _)| number).collect();
    if doomed.len() > 1 && !deletion.cascade {
        let message = "The tag has others under it. With _cascade=1 they are deleted too.";
        return Err(Error::conflict("tag_has_children", message));
    }
    remove(tx, context, &doomed)
}

/// Deletes the private tags of users who are deleted: nobody else could find them. Those under them are theirs, too.
pub fn forget_users(tx: &mut Tx<'_>, context: &RequestContext, users: Vec<Value>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&TAG).push(" WHERE ").name(&PRIVATE).push(" AND owner");
    sql.any_of(ColumnType::Integer, users);
    remove_found(tx, context, &sql)
}

/// The same for those whose owners were deleted by an earlier version.
pub fn forget_ownerless(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&TAG).push(" WHERE ").name(&PRIVATE).push(" AND owner IS NOT NULL");
    sql.push(" AND owner NOT IN (SELECT id FROM ").table(&USERS).push(")");
    remove_found(tx, context, &sql)
}

fn remove_found(tx: &mut Tx<'_>, context: &RequestContext, sql: &Sql) -> Result<()> {
    let mut found = Vec::new();
    tx.query(sql, &mut |row| {
        found.push(row.integer(0)?);
        Ok(())
    })?;
    if found.is_empty() { Ok(()) } else { remove(tx, context, &found) }
}

/// Deletes tags by their numbers, and takes them from all resources.
fn remove(tx: &mut Tx<'_>, context: &RequestContext, doomed: &[i64]) -> Result<()> {
    // A write that is just giving one of them to a resource ends first, and a later one finds it gone.
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&TAG).push(" WHERE id").any_of(ColumnType::Integer, check::numbers(doomed));
    sql.push(" ORDER BY id").for_update();
    tx.query(&sql, &mut |_| Ok(()))?;
    tag_events::deleted(tx, context, check::numbers(doomed))?;
    for (table, column) in [(TAGGED, "tag"), (TAG, "id")] {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&table).push(" WHERE ").push(column);
        tx.execute(sql.any_of(ColumnType::Integer, check::numbers(doomed)))?;
    }
    tag_version::tags_changed(tx)
}
