//! Rules that must hold for a tag among the others.

use context::allowed_tags::AllowedTags;
use database::{ColumnType, Name, Sql, Tx, Value};
use model::error::{Error, InputProblem, Result};
use model::table_names::{META, TAG};
use query::tag::{ROW, Tag, TagContent};
use query::tag_tree as tree;

/// Makes writes of tags go one after the other, so that what one has checked holds until it is committed.
pub(super) fn lock(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT name FROM ").table(&META).push(" WHERE name = 'tables'").for_change();
    Ok(tx.query(&sql, &mut |_| Ok(()))?)
}

/// Checks a tag that is about to be written; `old` is what it was. Nothing is told of tags that the caller does not
/// see: a user who may write it sees whatever stands against it here.
pub(super) fn check(tx: &mut Tx<'_>, allowed: AllowedTags, tag: &Tag, old: Option<&Tag>) -> Result<()> {
    let new = &tag.content;
    let differs = |test: fn(&TagContent, &TagContent) -> bool| old.is_none_or(|old| test(&old.content, new));
    if differs(|old, new| (old.parent, old.private) != (new.parent, new.private)) {
        check_place(tx, allowed, tag)?;
        check_below(tx, tag, old)?;
    }
    if differs(|old, new| (old.parent, old.private, &old.name) != (new.parent, new.private, &new.name)) {
        refuse_same_name(tx, tag)?;
    }
    if differs(|old, new| (old.private, &old.code) != (new.private, &new.code)) {
        refuse_same_code(tx, tag)?;
    }
    Ok(())
}

/// Refuses rings, too many levels, and a place under a private tag for what others would see.
fn check_place(tx: &mut Tx<'_>, allowed: AllowedTags, tag: &Tag) -> Result<()> {
    let Some(parent) = tag.content.parent else { return Ok(()) };
    let above = tree::upwards(tx, allowed, vec![parent])?;
    if above.contains_key(&tag.number) {
        return Err(refused("parent", "tag_circle", "A tag cannot lie below itself."));
    }
    let height = tree::downwards(tx, tag.number)?.iter().map(|(_, level)| *level).max().unwrap_or(1);
    if above.len() + height > tree::MOST_LEVELS {
        let message = format!("Tags may be {} levels deep.", tree::MOST_LEVELS);
        return Err(refused("parent", "tag_too_deep", &message));
    }
    let open = |sql: &mut Sql| {
        sql.push("x.id = ").bind(parent).push(" AND x.private AND NOT ");
        hidden_alike(sql, tag);
    };
    if exists(tx, open)? {
        let message = "A tag under a private one must be private, and of the same owner.";
        return Err(refused("parent", "tag_parent_private", message));
    }
    Ok(())
}

/// Refuses to hide a tag below which others are seen.
fn check_below(tx: &mut Tx<'_>, tag: &Tag, old: Option<&Tag>) -> Result<()> {
    if !tag.content.private || old.is_none() {
        return Ok(());
    }
    let open = |sql: &mut Sql| {
        sql.push("x.parent = ").bind(tag.number).push(" AND NOT ");
        hidden_alike(sql, tag);
    };
    if exists(tx, open)? {
        let message = "The tag cannot be private: there are tags under it that others see.";
        return Err(refused("private", "tag_children_seen", message));
    }
    Ok(())
}

/// Appends whether the row is private, to the owner of the tag, which is private too.
fn hidden_alike(sql: &mut Sql, tag: &Tag) {
    if !tag.content.private {
        sql.push("FALSE");
        return;
    }
    sql.push("(x.private AND ");
    owned_alike(sql, tag);
    sql.push(")");
}

fn owned_alike(sql: &mut Sql, tag: &Tag) {
    let owner = |sql: &mut Sql| _ = sql.column(&ROW, &Name::fixed("owner"));
    sql.same(owner, |sql| _ = sql.bind_as(ColumnType::Integer, tag.owner));
}

/// Appends whether the tag and the row would be seen beside each other by somebody without `manageTags`, so that they
/// must differ. Private tags do not stand against public ones: users would take names away from everybody.
fn beside(sql: &mut Sql, tag: &Tag) {
    sql.push(" AND x.id <> ").bind(tag.number).push(" AND (NOT x.private");
    if tag.content.private {
        sql.push(" OR ");
        owned_alike(sql, tag);
    }
    sql.push(")");
}

fn refuse_same_name(tx: &mut Tx<'_>, tag: &Tag) -> Result<()> {
    let same = |sql: &mut Sql| {
        let parent = |sql: &mut Sql| _ = sql.column(&ROW, &Name::fixed("parent"));
        sql.push("x.name = ").bind(tag.content.name.as_str()).push(" AND ");
        sql.same(parent, |sql| _ = sql.bind_as(ColumnType::Integer, tag.content.parent));
        beside(sql, tag);
    };
    if exists(tx, same)? { Err(conflict("name", "There is a tag of that name in the same place.")) } else { Ok(()) }
}

fn refuse_same_code(tx: &mut Tx<'_>, tag: &Tag) -> Result<()> {
    let Some(code) = &tag.content.code else { return Ok(()) };
    let same = |sql: &mut Sql| {
        sql.push("x.code = ").bind(code.as_str());
        beside(sql, tag);
    };
    if exists(tx, same)? { Err(conflict("code", "There is a tag with that code.")) } else { Ok(()) }
}

/// Returns true if there is a tag `x` for which the condition holds.
fn exists(tx: &mut Tx<'_>, condition: impl FnOnce(&mut Sql)) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT x.id FROM ").table(&TAG).push(" AS x WHERE ");
    condition(&mut sql);
    sql.push(" LIMIT 1");
    Ok(tx.any(&sql)?)
}

fn problem(property: &str, code: &'static str, message: &str) -> Vec<InputProblem> {
    vec![InputProblem { property: property.to_owned(), code, message: message.to_owned() }]
}

fn refused(property: &str, code: &'static str, message: &str) -> Error {
    Error::problems(problem(property, code, message))
}

fn conflict(property: &str, message: &str) -> Error {
    Error { problems: problem(property, "unique", message), ..Error::conflict("unique", message) }
}

/// The tags with those numbers, as values.
pub(super) fn numbers(numbers: &[i64]) -> Vec<Value> {
    numbers.iter().copied().map(Value::Integer).collect()
}
