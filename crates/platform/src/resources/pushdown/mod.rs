//! Conditions that configuration writes as expressions, as conditions on rows: T(e), "true exactly when e is truthy".
//!
//! An expression is checked when configuration is loaded: each part of it translates with the very result that the
//! interpreter gives, or is refused with its place. Parts that do not look at the row are evaluated by the interpreter,
//! once for each request, and become bound values. Where the interpreter would end with an error, which makes a rule
//! false, the condition is false too: R(e) says for which rows that is.

mod arithmetic;
mod bound;
mod calls;
mod choice;
mod compare;
mod cut;
mod dates;
mod equality;
mod membership;
mod paths;
mod sort;
mod term;
mod texts;
mod translate;
mod truth;
mod weight;
mod zones;

use super::condition::Condition;
use super::scalar::Scalar;
use super::scalar_sql;
pub(crate) use bound::{children, looks_at_row};

use crate::error::{Error, Result};
use crate::expressions::Place;
use crate::types::{Model, Type};
use database::{ColumnType, Sql, Tx, ValueRef};
use expression::scope::{Available, Scope};
use expression::syntax::{self, Syntax, SyntaxKind};
use expression::{Diagnostic, Providers};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use translate::Translation;

/// A condition on rows of a type, checked.
#[derive(Debug)]
pub struct Rule {
    text: String,
    type_id: i64,
    syntax: Syntax,
    /// The parts that do not look at the row, by their place in the text.
    bound: bound::Programs,
}

/// What the parts of a rule that do not look at the row are evaluated with.
pub struct Bindings<'b> {
    /// Who answers `user()`, `env()` and their like.
    pub providers: &'b dyn Providers,
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The acting user's display zone.
    pub zone: &'b TimeZone,
}

impl Rule {
    /// Checks a text `{=...}` as a condition on rows of a type, in a grant.
    pub fn compile(text: &str, of: &Type, model: &Model) -> Result<Rule, Vec<Diagnostic>> {
        Rule::compile_with(text, of, model, Place::Grant.available())
    }

    /// The same in a place with other providers.
    pub fn compile_with(text: &str, of: &Type, model: &Model, available: Available) -> Result<Rule, Vec<Diagnostic>> {
        let syntax = syntax::single(text).map_err(|mistake| vec![mistake])?;
        if let Some(refusal) = bound::unanswered(&syntax) {
            return Err(vec![refusal]);
        }
        let scope = Scope::of(available);
        let bound = bound::programs(text, &syntax, &scope)?;
        let rule = Rule { text: text.to_owned(), type_id: of.id, syntax, bound };
        Translation::of(&rule, model, None).rule(of, 0).map_err(|mistake| vec![mistake])?;
        Ok(rule)
    }

    /// Where the rule asks for more of what the acting user refers to than its id.
    pub(crate) fn behind_user(&self) -> Option<Diagnostic> {
        let part = bound::behind_user(&self.syntax)?;
        let message = "Of what the user refers to, grants know the id alone.".to_owned();
        Some(Diagnostic { code: "behind_user", span: part.span, message, suggestion: None })
    }

    /// The parts that the text has; spans count in the whole text.
    pub(crate) fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    /// Whether it names a property of the row.
    pub(crate) fn mentions(&self, property: &str) -> bool {
        fn within(syntax: &Syntax, property: &str) -> bool {
            matches!(&syntax.kind, SyntaxKind::Name(name) if name == property)
                || children(syntax).into_iter().any(|child| within(child, property))
        }
        within(&self.syntax, property)
    }

    /// The text as it was configured.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many parts the condition has: as it was checked, or with what is known in a request, which is never more.
    pub fn parts(&self, model: &Model, bindings: Option<&Bindings<'_>>) -> Result<usize> {
        let of = model.type_by_id(self.type_id).ok_or_else(|| Error::failed("a rule on no type"))?;
        let condition = Translation::of(self, model, bindings).rule(of, 0);
        let condition = condition.map_err(|mistake| Error::failed(format!("{}: {mistake}", self.text)))?;
        Ok(weight::of(&condition))
    }

    /// The condition for one request, on rows of a level.
    pub(crate) fn condition<'m>(
        &self,
        model: &'m Model,
        bindings: &Bindings<'_>,
        level: usize,
    ) -> Result<Condition<'m>> {
        let of = model.type_by_id(self.type_id).ok_or_else(|| Error::failed("a rule on no type"))?;
        let translation = Translation::of(self, model, Some(bindings));
        translation.rule(of, level).map_err(|mistake| Error::failed(format!("{}: {mistake}", self.text)))
    }
}

/// For each row of a type, by id: which of some rules on the type hold. A statement for all of them.
pub fn verdicts(
    tx: &mut Tx<'_>,
    model: &Model,
    of: &Type,
    rules: &[&Rule],
    bindings: &Bindings<'_>,
) -> Result<Vec<(i64, Vec<bool>)>> {
    let sql = statement(tx, model, of, rules, bindings)?;
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
pub fn statement(tx: &Tx<'_>, model: &Model, of: &Type, rules: &[&Rule], bindings: &Bindings<'_>) -> Result<Sql> {
    let conditions = rules.iter().map(|rule| rule.condition(model, bindings, 0)).collect::<Result<Vec<_>>>()?;
    let mut sql = tx.sql();
    sql.push("SELECT r0.id");
    for condition in conditions {
        sql.push(", ");
        scalar_sql::push(&mut sql, &Scalar::Truth(Box::new(condition)));
    }
    sql.push(" FROM ").table(&of.table).push(" AS r0 ORDER BY r0.id");
    Ok(sql)
}
