//! Conditions that configuration writes as expressions, as conditions on rows: T(e), "true exactly when e is truthy".
//!
//! An expression is checked when configuration is loaded: each part of it translates with the very result that the
//! interpreter gives, or is refused with its place. Parts that do not look at the row are evaluated by the interpreter,
//! once for each request, and become bound values. Where the interpreter would end with an error, which makes a rule
//! false, the condition is false too: R(e) says for which rows that is.

mod arithmetic;
mod calls;
mod choice;
mod compare;
mod cut;
mod date_arithmetic;
mod dates;
mod days;
mod equality;
mod intervals;
mod membership;
mod paths;
mod row_free_parts;
mod sort;
mod term;
mod texts;
mod translate;
mod truth;
mod user_parts;
mod weight;
mod width;
mod zones;

use crate::condition::Condition;
pub use crate::pushdown::row_free_parts::{children, looks_at_row};
pub use crate::pushdown::user_parts::asked_of_user;
pub(crate) use crate::pushdown::width::{CountingWidth, counting_width};
use crate::scalar::Scalar;
use crate::scalar_sql;

use crate::pushdown::translate::RuleTranslation;
use database::{ColumnType, Sql, Tx, ValueRef};
use expression::scope::{AvailableProviders, Scope};
use expression::syntax::{self, SyntaxKind, SyntaxNode};
use expression::{Diagnostic, HostProviders};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::error::{Error, Result};
use model::place::ExpressionPlace;
use model::types::{Model, ResourceType, RowCondition};

/// The values with which the parts of a rule are evaluated that do not look at the row.
pub struct RuleBindings<'b> {
    /// The providers of `user()`, `env()` and their like.
    pub providers: &'b dyn HostProviders,
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The acting user's display zone.
    pub zone: &'b TimeZone,
    /// The file where the rule stands, and the keys that lead to it there: for the log.
    pub place: [&'b str; 2],
}

/// Checks a text `{=...}` as a condition on rows of a type, in a grant.
pub fn compile(text: &str, resource_type: &ResourceType, model: &Model) -> Result<RowCondition, Vec<Diagnostic>> {
    compile_with(text, resource_type, model, ExpressionPlace::Grant.available())
}

/// Checks a text `{=...}` as a condition on rows of a type, in a place with other providers.
fn compile_with(
    text: &str,
    resource_type: &ResourceType,
    model: &Model,
    available: AvailableProviders,
) -> Result<RowCondition, Vec<Diagnostic>> {
    let syntax = syntax::single(text).map_err(|mistake| vec![mistake])?;
    if let Some(refusal) = row_free_parts::unanswered(&syntax) {
        return Err(vec![refusal]);
    }
    let scope = Scope::of(available);
    let constants = row_free_parts::programs(text, &syntax, &scope)?;
    let rule = RowCondition { text: text.to_owned(), type_id: resource_type.id, syntax, constants };
    RuleTranslation::of(&rule, model, None).rule(resource_type, 0).map_err(|mistake| vec![mistake])?;
    Ok(rule)
}

/// Returns the refusal of a rule that asks for more of what the acting user refers to than its id.
pub fn behind_user(rule: &RowCondition) -> Option<Diagnostic> {
    let part = user_parts::behind_user(&rule.syntax)?;
    let message = "Of a resource that the user refers to, grants know only the id.".to_owned();
    Some(Diagnostic::new("behind_user", part.span, message))
}

/// Returns true where a rule names a property of the row.
pub fn mentions(rule: &RowCondition, property: &str) -> bool {
    fn within(syntax: &SyntaxNode, property: &str) -> bool {
        matches!(&syntax.kind, SyntaxKind::Name(name) if name == property)
            || children(syntax).into_iter().any(|child| within(child, property))
    }
    within(&rule.syntax, property)
}

/// Returns the number of parts of a rule's condition: as it was checked, or with what a request binds, which is never
/// more.
pub fn parts(rule: &RowCondition, model: &Model, bindings: Option<&RuleBindings<'_>>) -> Result<usize> {
    let resource_type = model.type_by_id(rule.type_id).ok_or_else(|| Error::failed("a rule on no type"))?;
    let condition = RuleTranslation::of(rule, model, bindings).rule(resource_type, 0);
    let condition = condition.map_err(|mistake| Error::failed(format!("{}: {mistake}", rule.text)))?;
    Ok(weight::of(&condition))
}

/// Returns the condition of a rule for one request, on rows of a level.
pub fn condition<'m>(
    rule: &RowCondition,
    model: &'m Model,
    bindings: &RuleBindings<'_>,
    level: usize,
) -> Result<Condition<'m>> {
    let resource_type = model.type_by_id(rule.type_id).ok_or_else(|| Error::failed("a rule on no type"))?;
    let translation = RuleTranslation::of(rule, model, Some(bindings));
    translation.rule(resource_type, level).map_err(|mistake| Error::failed(format!("{}: {mistake}", rule.text)))
}

/// For each row of a type, by id: which of some rules on the type hold. A statement for all of them.
pub fn verdicts(
    tx: &mut Tx<'_>,
    model: &Model,
    resource_type: &ResourceType,
    rules: &[&RowCondition],
    bindings: &RuleBindings<'_>,
) -> Result<Vec<(i64, Vec<bool>)>> {
    let sql = statement(tx, model, resource_type, rules, bindings)?;
    let mut rows = Vec::new();
    tx.query(&sql, &mut |row| {
        let held = |index| Ok(matches!(row.get(index, ColumnType::Boolean)?, ValueRef::Boolean(true)));
        let held = (1..=rules.len()).map(held).collect::<Result<Vec<_>, database::Error>>()?;
        rows.push((row.integer(0)?, held));
        Ok(())
    })?;
    Ok(rows)
}

/// The statement of [`verdicts`].
pub fn statement(
    tx: &Tx<'_>,
    model: &Model,
    resource_type: &ResourceType,
    rules: &[&RowCondition],
    bindings: &RuleBindings<'_>,
) -> Result<Sql> {
    let conditions = rules.iter().map(|rule| condition(rule, model, bindings, 0)).collect::<Result<Vec<_>>>()?;
    let mut sql = tx.sql();
    sql.push("SELECT r0.id");
    for condition in conditions {
        sql.push(", ");
        scalar_sql::push(&mut sql, &Scalar::Truth(Box::new(condition)));
    }
    sql.push(" FROM ").table(&resource_type.table).push(" AS r0 ORDER BY r0.id");
    Ok(sql)
}
