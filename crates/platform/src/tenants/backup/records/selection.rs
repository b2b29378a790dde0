//! The records that a condition finds, page by page, in the archive and in the tenant.

use context::actor::RightsProviders;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::types::ResourceType;
use query::pushdown::{self, RuleBindings};
use query::{condition_sql, row_alias::row_alias};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The most records that are compared, and written, together.
pub(super) const BATCH: usize = 500;

/// The ids that are asked for.
#[derive(Clone, Copy)]
pub(super) enum Asked<'i> {
    /// The next ones behind an id.
    After(i64),
    /// Those of these.
    Among(&'i [i64]),
}

/// The type of a name that records can come back of.
pub(super) fn type_named<'m>(context: &'m RequestContext, collection: &str, of: &str) -> Result<&'m Arc<ResourceType>> {
    let found = context.model.collection(collection).ok_or_else(|| {
        let message = format!("{of} has no type {collection:?}, so that none of its records can come back.");
        Error::missing("collection_missing", message)
    })?;
    if found.id == model::user_columns::USER_TYPE {
        let message = "Accounts do not come back like this, since sign-ins hang on them. Restore the archive with \
                       `plinth backup restore FILE --as NAME`, and look there.";
        return Err(Error::invalid("accounts_stay", message));
    }
    Ok(found)
}

/// Returns the ids that the condition finds, in their order: a batch at most.
pub(super) fn matching(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    of: &ResourceType,
    condition: Option<&str>,
    asked: Asked<'_>,
) -> Result<Vec<i64>> {
    let compiled = condition.map(|text| pushdown::compile(text, of, &context.model)).transpose();
    let compiled = compiled.map_err(|mistakes| {
        let told: Vec<&str> = mistakes.iter().map(|mistake| mistake.message.as_str()).collect();
        Error::invalid("condition_wrong", format!("The condition cannot be used: {}", told.join(" ")))
    })?;
    let providers = RightsProviders { actor: &context.actor, via: context.source.via };
    let zone = &context.model.settings.timezone;
    let bindings = RuleBindings { providers: &providers, now: context.now, zone, place: ["--where", ""] };
    let condition = compiled.map(|rule| pushdown::condition(&rule, &context.model, &bindings, 0)).transpose()?;
    let mut sql = tx.sql();
    sql.push("SELECT r0.id FROM ").table(&of.table).push(" AS ").name(&row_alias(0)).push(" WHERE r0.id");
    match asked {
        Asked::After(id) => _ = sql.push(" > ").bind(id),
        Asked::Among(ids) => _ = sql.any_of(ColumnType::Integer, integers(ids.iter().copied())),
    }
    if let Some(condition) = &condition {
        sql.push(" AND ");
        condition_sql::push(&mut sql, condition);
    }
    sql.push(" ORDER BY r0.id").limit(i64::try_from(BATCH).unwrap_or(i64::MAX), 0);
    let mut ids = Vec::new();
    tx.query(&sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(ids)
}

/// Returns the uuids of records that there are, by id.
pub(super) fn uuids(tx: &mut Tx<'_>, of: &ResourceType, ids: &BTreeSet<i64>) -> Result<HashMap<i64, [u8; 16]>> {
    let mut found = HashMap::new();
    let ids: Vec<i64> = ids.iter().copied().collect();
    for some in ids.chunks(BATCH) {
        let mut sql = tx.sql();
        sql.push("SELECT id, uuid FROM ").table(&of.table).push(" WHERE id");
        sql.any_of(ColumnType::Integer, integers(some.iter().copied()));
        tx.query(&sql, &mut |row| {
            if let ValueRef::Uuid(uuid) = row.get(1, ColumnType::Uuid)? {
                found.insert(row.integer(0)?, uuid);
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// Integers as values to bind.
pub(super) fn integers(ids: impl Iterator<Item = i64>) -> Vec<Value> {
    ids.map(Value::Integer).collect()
}
