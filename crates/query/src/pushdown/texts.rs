//! Values as texts, and texts that are joined.

use crate::condition::Condition;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{given, truthy};
use crate::scalar::{Scalar, ScalarOperation};
use expression::convert::to_text;
use expression::syntax::SyntaxNode;
use expression::{NoProviders, Span, Value};

impl<'m> RuleTranslation<'_, 'm> {
    /// The text that a value is cast to; null stays null.
    pub(super) fn text_of(&self, term: PartTerm<'m>, span: Span) -> TranslationResult<Scalar<'m>> {
        match term {
            PartTerm::Row(sort, scalar) => text(&sort, scalar, span),
            PartTerm::Truth(condition) => text(&ValueSort::Bool, Scalar::Truth(Box::new(condition)), span),
            PartTerm::Bound(
                ValueSort::Resource(_) | ValueSort::Moment | ValueSort::Array(_) | ValueSort::Interval,
                _,
            ) => Err(refused(
                span,
                "the text of such a value is not known here; take one of its properties, or formatDate()",
            )),
            PartTerm::Bound(_, None | Some(Value::Null)) => {
                Ok(Scalar::Value(database::ColumnType::Text, database::Value::Null))
            }
            PartTerm::Bound(_, Some(value)) => {
                let text = to_text(&value, &NoProviders).map_err(|fault| fault.at(span))?;
                match text.as_str() {
                    Some(text) if !text.contains('\0') => Ok(Scalar::text(text)),
                    _ => Err(refused(span, "it has characters that no column holds")),
                }
            }
            PartTerm::Several(..) | PartTerm::Members(..) | PartTerm::Array(_) => {
                Err(refused(span, "an array is not a text"))
            }
        }
    }

    /// Texts one behind the other, with a separator between; null is empty.
    pub(super) fn joined(
        &self,
        parts: &[&SyntaxNode],
        separator: Option<&SyntaxNode>,
        here: ContextRow<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
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
                (Some(before), None) => Scalar::of_two(ScalarOperation::Join, before, text),
                (Some(before), Some(separator)) => {
                    let before = Scalar::of_two(ScalarOperation::Join, before, separator.clone());
                    Scalar::of_two(ScalarOperation::Join, before, text)
                }
            });
        }
        Ok(TranslatedPart::row(ValueSort::Text(true), whole.unwrap_or_else(|| Scalar::text("")), raises))
    }
}

/// A text, with the empty one for null.
pub(super) fn filled(text: Scalar<'_>) -> Scalar<'_> {
    match text {
        Scalar::Value(_, database::Value::Null) => Scalar::text(""),
        known if known.is_always_given() => known,
        other => Scalar::First(vec![other, Scalar::text("")]),
    }
}

/// A value of the row as the text that the interpreter casts it to.
fn text<'m>(sort: &ValueSort, scalar: Scalar<'m>, span: Span) -> TranslationResult<Scalar<'m>> {
    Ok(match sort {
        ValueSort::Text(_) => scalar,
        ValueSort::Int(_) => Scalar::of_one(ScalarOperation::IntegerText, scalar),
        ValueSort::Decimal(scale, _) => Scalar::of_one(ScalarOperation::DecimalText(*scale), scalar),
        ValueSort::Date => Scalar::of_one(ScalarOperation::DateText, scalar),
        ValueSort::Month => {
            Scalar::of_one(ScalarOperation::First(7), Scalar::of_one(ScalarOperation::DateText, scalar))
        }
        ValueSort::Bool => {
            let flag = Scalar::Choice(
                Box::new(truthy(&ValueSort::Bool, scalar.clone())),
                Box::new(Scalar::text("1")),
                Box::new(Scalar::text("")),
            );
            let null = Scalar::Value(database::ColumnType::Text, database::Value::Null);
            Scalar::Choice(Box::new(given(&scalar)), Box::new(flag), Box::new(null))
        }
        ValueSort::Float | ValueSort::Real(_) => {
            return Err(refused(span, "the engines write floats in other ways; toInt() or a decimal serves"));
        }
        ValueSort::Moment | ValueSort::Instant => {
            return Err(refused(span, "the text of a datetime depends on its zone; compareDates() serves"));
        }
        ValueSort::Resource(_) => return Err(refused(span, "the text of a resource is its title; take that property")),
        ValueSort::Interval | ValueSort::Units(..) | ValueSort::Elapsed => {
            return Err(refused(span, "an interval has no text; take its totalDays or totalHours"));
        }
        ValueSort::Null | ValueSort::Number(_) | ValueSort::Array(_) => {
            return Err(refused(span, "it has no text in SQL"));
        }
    })
}
