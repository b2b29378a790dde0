//! Values as texts, and texts that are joined.

use crate::condition::Condition;
use crate::pushdown::sort::Sort;
use crate::pushdown::term::{Term, Translated};
use crate::pushdown::translate::{Here, Outcome, Translation, refused};
use crate::pushdown::truth::{given, truthy};
use crate::scalar::{Operation, Scalar};
use expression::convert::to_text;
use expression::syntax::Syntax;
use expression::{NoProviders, Span, Value};

impl<'m> Translation<'_, 'm> {
    /// The text that a value is cast to; null stays null.
    pub(super) fn text_of(&self, term: Term<'m>, span: Span) -> Outcome<Scalar<'m>> {
        match term {
            Term::Row(sort, scalar) => text(&sort, scalar, span),
            Term::Truth(condition) => text(&Sort::Bool, Scalar::Truth(Box::new(condition)), span),
            Term::Bound(Sort::Resource(_) | Sort::Moment | Sort::Array(_), _) => Err(refused(
                span,
                "the text of such a value is not known here; take one of its properties, or formatDate()",
            )),
            Term::Bound(_, None | Some(Value::Null)) => {
                Ok(Scalar::Value(database::ColumnType::Text, database::Value::Null))
            }
            Term::Bound(_, Some(value)) => {
                let text = to_text(&value, &NoProviders).map_err(|fault| fault.at(span))?;
                match text.as_str() {
                    Some(text) if !text.contains('\0') => Ok(Scalar::text(text)),
                    _ => Err(refused(span, "it has characters that no column holds")),
                }
            }
            Term::Several(..) | Term::Members(..) | Term::Array(_) => Err(refused(span, "an array is not a text")),
        }
    }

    /// Texts one behind the other, with a separator between; null is empty.
    pub(super) fn joined(
        &self,
        parts: &[&Syntax],
        separator: Option<&Syntax>,
        here: Here<'m>,
    ) -> Outcome<Translated<'m>> {
        let mut raises = Condition::NEVER;
        let separator = match separator {
            Some(separator) => {
                let translated = self.part(separator, here)?;
                raises = raises.or(translated.raises);
                Some(filled(self.text_of(translated.term, separator.span)?))
            }
            None => None,
        };
        let mut whole: Option<Scalar<'m>> = None;
        for part in parts {
            let translated = self.part(part, here)?;
            raises = raises.or(translated.raises);
            let text = filled(self.text_of(translated.term, part.span)?);
            whole = Some(match (whole, &separator) {
                (None, _) => text,
                (Some(before), None) => Scalar::of_two(Operation::Join, before, text),
                (Some(before), Some(separator)) => {
                    let before = Scalar::of_two(Operation::Join, before, separator.clone());
                    Scalar::of_two(Operation::Join, before, text)
                }
            });
        }
        Ok(Translated::row(Sort::Text(true), whole.unwrap_or_else(|| Scalar::text("")), raises))
    }
}

/// A text, with the empty one for null.
pub(super) fn filled(text: Scalar<'_>) -> Scalar<'_> {
    match text {
        Scalar::Value(_, database::Value::Null) => Scalar::text(""),
        known @ Scalar::Value(..) => known,
        other => Scalar::First(vec![other, Scalar::text("")]),
    }
}

/// A value of the row as the text that the interpreter casts it to.
fn text<'m>(sort: &Sort, scalar: Scalar<'m>, span: Span) -> Outcome<Scalar<'m>> {
    Ok(match sort {
        Sort::Text(_) => scalar,
        Sort::Int(_) => Scalar::of_one(Operation::IntegerText, scalar),
        Sort::Decimal(scale, _) => Scalar::of_one(Operation::DecimalText(*scale), scalar),
        Sort::Date => Scalar::of_one(Operation::DateText, scalar),
        Sort::Month => Scalar::of_one(Operation::First(7), Scalar::of_one(Operation::DateText, scalar)),
        Sort::Bool => {
            let flag = Scalar::Choice(
                Box::new(truthy(&Sort::Bool, scalar.clone())),
                Box::new(Scalar::text("1")),
                Box::new(Scalar::text("")),
            );
            let null = Scalar::Value(database::ColumnType::Text, database::Value::Null);
            Scalar::Choice(Box::new(given(&scalar)), Box::new(flag), Box::new(null))
        }
        Sort::Float | Sort::Real(_) => {
            return Err(refused(span, "the engines write floats in other ways; toInt() or a decimal serves"));
        }
        Sort::Moment => return Err(refused(span, "the text of a datetime depends on its zone; compareDates() serves")),
        Sort::Resource(_) => return Err(refused(span, "the text of a resource is its title; take that property")),
        Sort::Null | Sort::Number(_) | Sort::Array(_) => return Err(refused(span, "it has no text in SQL")),
    })
}
