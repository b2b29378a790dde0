//! Puts the users of `users/` into the tenant: created where they are missing, updated where their file changed.

use super::load::Loaded;
use super::user_file::SeedUser;
use context::audit;
use context::counter;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, Value};
use model::environment::Environment;
use model::error::{Error, InputProblem, Result};
use model::kinds;
use model::kinds::{StoredValue, ValueContext};
use model::types::{Property, ResourceType, tables};
use query::search;
use resources::tally;
use std::sync::Arc;

/// Returns the changes that would happen to users, in words. `old` is what the store holds now.
pub(crate) fn changes(
    tx: &mut Tx<'_>,
    loaded: &Loaded,
    old: Option<&Loaded>,
    context: &ValueContext<'_>,
) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for user in &loaded.users {
        let present = match old {
            Some(_) => find(tx, user_type(loaded)?, user, context)?.is_some(),
            None => false,
        };
        if !present {
            texts.push(format!("create user {}", user.login));
        } else if is_changed(user, loaded, old) {
            texts.push(format!("update user {}", user.login));
        }
    }
    Ok(texts)
}

/// A user that was made, or changed from these values.
#[derive(Debug)]
pub(crate) struct SeededUser {
    pub(super) id: i64,
    old: Option<Vec<StoredValue>>,
}

impl SeededUser {
    /// The user's id, with the values from before where there were some.
    pub(super) fn before(&self) -> (i64, Option<&[StoredValue]>) {
        (self.id, self.old.as_deref())
    }
}

/// Notes for the audit log what became of users.
pub(crate) fn note(tx: &mut Tx<'_>, context: &RequestContext, seeded: &[SeededUser]) -> Result<()> {
    let of = context
        .model
        .type_by_id(model::user_columns::USER_TYPE)
        .ok_or_else(|| Error::failed("the model has no type user"))?;
    for user in seeded {
        let new = resources::stored(tx, of, user.id)?;
        match &user.old {
            None => audit::created(context, of, user.id, |position| new.get(position)),
            Some(old) => audit::changed(context, of, user.id, old, &new),
        }
    }
    Ok(())
}

/// Creates and updates the users; gives which.
pub(crate) fn put(
    tx: &mut Tx<'_>,
    environment: &Environment,
    loaded: &Loaded,
    old: Option<&Loaded>,
    context: &ValueContext<'_>,
) -> Result<Vec<SeededUser>> {
    let user_type = user_type(loaded)?;
    let mut seeded = Vec::new();
    for user in &loaded.users {
        match find(tx, user_type, user, context)? {
            None => seeded.push(SeededUser { id: create(tx, environment, user_type, user, context)?, old: None }),
            // What was changed elsewhere since stays, until the file itself changes.
            Some(id) if is_changed(user, loaded, old) => {
                let old = Some(resources::stored(tx, user_type, id)?);
                update(tx, user_type, user, id, context)?;
                seeded.push(SeededUser { id, old });
            }
            Some(_) => {}
        }
    }
    Ok(seeded)
}

fn user_type(loaded: &Loaded) -> Result<&Arc<ResourceType>> {
    loaded.model.type_named("user").ok_or_else(|| Error::failed("the model has no type user"))
}

fn is_changed(user: &SeedUser, loaded: &Loaded, old: Option<&Loaded>) -> bool {
    old.and_then(|old| old.files.get(&user.file)) != loaded.files.get(&user.file)
}

fn find(tx: &mut Tx<'_>, user_type: &ResourceType, user: &SeedUser, context: &ValueContext<'_>) -> Result<Option<i64>> {
    let Some(login) = user_type.field("user_id") else { return Ok(None) };
    let StoredValue::One(value) = stored(login, &user.login.as_str().into(), context)? else { return Ok(None) };
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&user_type.table).push(" WHERE ").name(&login.column).push(" = ").bind(value);
    let mut id = None;
    tx.query(&sql, &mut |row| {
        id = Some(row.integer(0)?);
        Ok(())
    })?;
    Ok(id)
}

fn create(
    tx: &mut Tx<'_>,
    environment: &Environment,
    user_type: &ResourceType,
    user: &SeedUser,
    context: &ValueContext<'_>,
) -> Result<i64> {
    let mut random = [0; 10];
    environment.random.fill(&mut random);
    let millis = context.now.as_millisecond();
    let uuid = uuid::Builder::from_unix_timestamp_millis(millis.unsigned_abs(), &random).into_uuid();
    let mut columns = vec![
        (Name::fixed("uuid"), ColumnType::Uuid),
        (Name::fixed("created"), ColumnType::Timestamp),
        (Name::fixed("updated"), ColumnType::Timestamp),
        (Name::fixed("version"), ColumnType::Integer),
    ];
    let now = Value::Timestamp(millis);
    let mut values = vec![Value::Uuid(uuid.into_bytes()), now.clone(), now, Value::Integer(1)];
    let mut links = Vec::new();
    for property in user_type.properties() {
        let given = user.values.iter().find(|(name, _)| *name == property.name).map(|(_, value)| value);
        let Some(value) = given.or(property.default.as_ref()) else { continue };
        match (resolve(tx, property, stored(property, value, context)?)?, tables::column_of(property)) {
            (StoredValue::One(value), Some(column)) => {
                columns.push((column.name, column.column));
                values.push(value);
            }
            (StoredValue::Many(members), _) => links.push((property, members)),
            (StoredValue::One(_), None) => {}
        }
    }
    let ids = tx.insert_many(&user_type.table, &columns, &[values])?;
    let id = *ids.first().ok_or_else(|| Error::failed("a user was created without an id"))?;
    for (property, members) in links {
        put_links(tx, property, id, members)?;
    }
    search::refresh(tx, user_type, id)?;
    tally::count(tx, user_type, &[id], 1)?;
    counter::changed(tx, user_type.id, 1)?;
    Ok(id)
}

fn update(
    tx: &mut Tx<'_>,
    user_type: &ResourceType,
    user: &SeedUser,
    id: i64,
    context: &ValueContext<'_>,
) -> Result<()> {
    let mut assignments = Vec::new();
    for (name, value) in &user.values {
        let Some(property) = user_type.field(name) else { continue };
        match resolve(tx, property, stored(property, value, context)?)? {
            StoredValue::One(value) => assignments.push((property, value)),
            StoredValue::Many(members) => {
                let mut sql = tx.sql();
                sql.push("DELETE FROM ").table(&property.column).push(" WHERE owner = ").bind(id);
                tx.execute(&sql)?;
                put_links(tx, property, id, members)?;
            }
        }
    }
    tally::count(tx, user_type, &[id], -1)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&user_type.table).push(" SET version = version + 1, updated = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond()));
    for (property, value) in assignments {
        sql.push(", ").name(&property.column).push(" = ").bind(value);
    }
    sql.push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    search::refresh(tx, user_type, id)?;
    tally::count(tx, user_type, &[id], 1)?;
    counter::changed(tx, user_type.id, 0)
}

fn stored(property: &Property, value: &serde_json::Value, context: &ValueContext<'_>) -> Result<StoredValue> {
    kinds::accept(property.kind.as_ref(), value, context)
        .map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)]))
}

/// Ids in the place of uuids; fails for resources that are not there.
fn resolve(tx: &mut Tx<'_>, property: &Property, stored: StoredValue) -> Result<StoredValue> {
    let Some(target) = tables::references(property) else { return Ok(stored) };
    Ok(match stored {
        StoredValue::One(value) => StoredValue::One(existing(tx, property, &target, value)?),
        StoredValue::Many(members) => {
            let members = members.into_iter().map(|member| existing(tx, property, &target, member));
            StoredValue::Many(members.collect::<Result<_>>()?)
        }
    })
}

fn existing(tx: &mut Tx<'_>, property: &Property, target: &Name, value: Value) -> Result<Value> {
    if value.is_null() {
        return Ok(value);
    }
    let mut sql = tx.sql();
    let column = if matches!(value, Value::Uuid(_)) { "uuid" } else { "id" };
    sql.push("SELECT id FROM ").table(target).push(" WHERE ").push(column).push(" = ").bind(value);
    let mut id = None;
    tx.query(&sql, &mut |row| {
        id = Some(row.integer(0)?);
        Ok(())
    })?;
    id.map(Value::Integer).ok_or_else(|| {
        let message = format!("{} names a resource that is not there.", property.title);
        Error::problems(vec![InputProblem { property: property.name.clone(), code: "target_missing", message }])
    })
}

fn put_links(tx: &mut Tx<'_>, property: &Property, owner: i64, members: Vec<Value>) -> Result<()> {
    let kinds::ValueStorage::Links(column) = property.kind.storage() else { return Ok(()) };
    let rows: Vec<Vec<Value>> = (0_i64..)
        .zip(members)
        .map(|(position, member)| vec![Value::Integer(owner), Value::Integer(position), member])
        .collect();
    let integer = ColumnType::Integer;
    let columns = [(tables::OWNER, integer), (tables::POSITION, integer), (tables::VALUE, column)];
    tx.insert_many(&property.column, &columns, &rows)?;
    Ok(())
}
