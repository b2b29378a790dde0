//! The rule about accounts: no caller gains or removes, directly or through another account, a right that the caller does
//! not hold.
//!
//! An account may do what its roles grant. A caller holds a role's rights with the role itself, or where the caller's own
//! rights have all of them without a condition: conditions are not compared with one another. `admin` holds every right,
//! since it may give any role. Automations, imports, commands and registrations act with all rights, as the tenant's files
//! say; what a grant's presets give counts as what the caller gives.

use context::actor::Actor;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::types::{Property, ResourceType, Role, SystemPermission, TypeGrant};
use model::user_columns::{ROLES, USER_TYPE, guarded, property};
use std::collections::BTreeSet;

/// Returns whether whoever changes the property of a user may take over the account, shut it out, or change its rights.
fn decides(id: i64) -> bool {
    guarded(id) || id == property::LOGIN || id == property::PHONE
}

/// Fails unless the caller may make an account of these values.
pub(crate) fn check_new(request: &RequestContext, of: &ResourceType, values: &[StoredValue]) -> Result<()> {
    if of.id != USER_TYPE {
        return Ok(());
    }
    let none =
        |value: &StoredValue| matches!(value, StoredValue::One(Value::Null)) || *value == StoredValue::Many(Vec::new());
    let given = of.properties().iter().filter(|property| !none(&values[property.position]));
    check(request, &roles_in(of, values), &given.collect::<Vec<_>>(), "make")
}

/// Fails unless the caller may change these properties of an account, which then has these values.
pub(crate) fn check_change(
    request: &RequestContext,
    of: &ResourceType,
    old: &[StoredValue],
    changed: &[(&Property, &StoredValue)],
) -> Result<()> {
    if of.id != USER_TYPE {
        return Ok(());
    }
    let mut roles = roles_in(of, old);
    let new = changed.iter().filter(|(property, _)| property.id == property::ROLES);
    new.for_each(|(_, value)| add_roles(&mut roles, value));
    let properties: Vec<&Property> = changed.iter().map(|(property, _)| *property).collect();
    check(request, &roles, &properties, "change")
}

/// Fails unless the caller may delete these users.
pub fn check_deletion(tx: &mut Tx<'_>, request: &RequestContext, users: impl Iterator<Item = i64>) -> Result<()> {
    if request.actor.require(SystemPermission::Admin).is_ok() {
        return Ok(());
    }
    match held_back(request, &roles_of(tx, users)?, |_| false) {
        true => Err(refused("delete")),
        false => Ok(()),
    }
}

/// Fails unless the caller may take a value of this property from these users, as what it refers to is deleted.
pub(crate) fn check_release(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    property: &Property,
    users: &[i64],
) -> Result<()> {
    check(request, &roles_of(tx, users.iter().copied())?, &[property], "take a value from")
}

/// The roles that some of the users have.
fn roles_of(tx: &mut Tx<'_>, users: impl Iterator<Item = i64>) -> Result<BTreeSet<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT DISTINCT value FROM ").table(&ROLES).push(" WHERE owner");
    sql.any_of(ColumnType::Integer, users.map(Value::Integer).collect());
    let mut roles = BTreeSet::new();
    tx.query(&sql, &mut |row| {
        roles.insert(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(roles)
}

fn check(request: &RequestContext, roles: &BTreeSet<String>, changed: &[&Property], action: &str) -> Result<()> {
    if request.actor.require(SystemPermission::Admin).is_ok() {
        return Ok(());
    }
    // What a grant asks of `user()` decides about the rows that the account reaches by it, and about what it writes there.
    let asks = |role: &Role| {
        let asks = |grant: &TypeGrant| changed.iter().any(|property| grant.asks_user(&property.name));
        role.types.values().any(asks)
    };
    let all = changed.iter().any(|property| decides(property.id));
    let concerned = roles.iter().filter(|name| all || request.model.roles.get(*name).is_some_and(&asks)).cloned();
    match held_back(request, &concerned.collect(), asks) {
        true => Err(refused(action)),
        false => Ok(()),
    }
}

/// Returns whether one of the roles has a right that the caller lacks. To hold a role does not count for those that
/// `differs` tells to be worth something else to another account.
fn held_back(request: &RequestContext, roles: &BTreeSet<String>, differs: impl Fn(&Role) -> bool) -> bool {
    let lacking = |role: &Role| {
        let held = request.actor.roles.contains(&role.name) && !differs(role);
        !held && !has_all_of(&request.actor, role)
    };
    roles.iter().filter_map(|name| request.model.roles.get(name)).any(lacking)
}

/// Returns whether the actor has all that a role grants, on all rows.
fn has_all_of(actor: &Actor, role: &Role) -> bool {
    let has = |(id, grant): (&i64, &TypeGrant)| actor.types.get(id).is_some_and(|own| own.has_all_of(grant));
    role.system.is_subset(&actor.system) && role.types.iter().all(has)
}

fn roles_in(of: &ResourceType, values: &[StoredValue]) -> BTreeSet<String> {
    let mut roles = BTreeSet::new();
    let field = of.fields.iter().find(|field| field.id == property::ROLES);
    field.iter().for_each(|field| add_roles(&mut roles, &values[field.position]));
    roles
}

fn add_roles(roles: &mut BTreeSet<String>, value: &StoredValue) {
    let StoredValue::Many(members) = value else { return };
    roles.extend(members.iter().filter_map(|member| match member {
        Value::Text(name) => Some(name.clone()),
        _ => None,
    }));
}

fn refused(action: &str) -> Error {
    let message = format!("You may not {action} an account with rights that you lack, or give it such rights.");
    Error::forbidden("rights_exceeded", message)
}
