//! The way through an expression: which rule of translation serves which part of it.

use crate::condition::Condition;
use crate::pushdown::RuleBindings;
use crate::pushdown::term::{PartTerm, TranslatedPart};
use expression::syntax::{BinaryOperator, SyntaxKind, SyntaxNode};
use expression::{Diagnostic, RunLimits, Span, StepAccount};
use model::types::RowCondition;
use model::types::{Model, ResourceType};

/// The result for a part, or why it cannot be translated.
pub(super) type TranslationResult<T> = Result<T, Diagnostic>;

/// One translation of a rule: with bindings for a request, without them to check it.
pub(super) struct RuleTranslation<'t, 'm> {
    pub(super) rule: &'t RowCondition,
    pub(super) model: &'m Model,
    pub(super) bindings: Option<&'t RuleBindings<'t>>,
    /// The account that pays for all parts that do not look at the row.
    pub(super) account: StepAccount,
}

/// The row that bare names are about.
#[derive(Clone, Copy)]
pub(super) struct ContextRow<'m> {
    pub(super) resource_type: &'m ResourceType,
    pub(super) level: usize,
}

/// Says that a part cannot decide about rows, and why.
pub(super) fn refused(span: Span, why: impl Into<String>) -> Diagnostic {
    let message = format!("This cannot become a condition on rows: {}.", why.into());
    Diagnostic::new("not_translatable", span, message)
}

impl<'t, 'm> RuleTranslation<'t, 'm> {
    /// The translation of a rule, which may take as many steps as one evaluation of it by the interpreter.
    pub(super) fn of(rule: &'t RowCondition, model: &'m Model, bindings: Option<&'t RuleBindings<'t>>) -> Self {
        RuleTranslation { rule, model, bindings, account: StepAccount::new(RunLimits::default().fuel) }
    }

    /// The condition that the whole rule is.
    pub(super) fn rule(&self, resource_type: &'m ResourceType, level: usize) -> TranslationResult<Condition<'m>> {
        let (truth, raises) = self.truth(&self.rule.syntax, ContextRow { resource_type, level })?;
        Ok(truth.and(raises.opposite()))
    }

    /// A part as a value.
    pub(super) fn part(&self, syntax: &SyntaxNode, here: ContextRow<'m>) -> TranslationResult<TranslatedPart<'m>> {
        if self.is_bound(syntax) {
            return self.bound(syntax);
        }
        let translated = self.of_row(syntax, here)?;
        self.light_value(translated, syntax.span)
    }

    fn of_row(&self, syntax: &SyntaxNode, here: ContextRow<'m>) -> TranslationResult<TranslatedPart<'m>> {
        let span = syntax.span;
        match &syntax.kind {
            SyntaxKind::Name(..) | SyntaxKind::Path(..) => self.path(syntax, here),
            SyntaxKind::Call(call) => self.call(call, None, span, here),
            SyntaxKind::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.part(item, here)).collect::<TranslationResult<_>>()?;
                let raises = items.iter().fold(Condition::NEVER, |raises, item| raises.or(item.raises.clone()));
                Ok(TranslatedPart { term: PartTerm::Array(items), raises })
            }
            SyntaxKind::Minus(operand) => self.negated(operand, span, here),
            SyntaxKind::Chain(first, rest) => match rest.first().map(|(operator, _)| *operator) {
                Some(BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor) => self.truth_value(syntax, here),
                Some(BinaryOperator::Coalesce) => self.coalesced(first, rest, span, here),
                Some(BinaryOperator::Join) => {
                    let parts: Vec<&SyntaxNode> =
                        std::iter::once(&**first).chain(rest.iter().map(|(_, part)| part)).collect();
                    self.joined(&parts, None, here)
                }
                _ => self.counted(first, rest, here),
            },
            SyntaxKind::Pair(BinaryOperator::Power, ..) => {
                Err(refused(span, "databases count powers in other ways: write a product, as `n * n` for a square"))
            }
            SyntaxKind::Not(_) | SyntaxKind::Pair(..) => self.truth_value(syntax, here),
            SyntaxKind::Conditional(condition, then, otherwise) => {
                self.chosen(condition, then.as_deref(), otherwise, span, here)
            }
            SyntaxKind::Literal(_) | SyntaxKind::Variable(_) | SyntaxKind::Object(_) => {
                Err(refused(span, "an object is no value that rows have"))
            }
        }
    }

    fn truth_value(&self, syntax: &SyntaxNode, here: ContextRow<'m>) -> TranslationResult<TranslatedPart<'m>> {
        let (truth, raises) = self.truth(syntax, here)?;
        Ok(TranslatedPart::truth(truth, raises))
    }

    /// A part that is bound: its sort, and its value where there is a request. An error of the interpreter is one.
    fn bound(&self, syntax: &SyntaxNode) -> TranslationResult<TranslatedPart<'m>> {
        let sort = self.sort(syntax)?;
        let Some(value) = self.evaluated(syntax)? else {
            return Ok(TranslatedPart { term: PartTerm::Bound(sort, None), raises: self.perhaps_failing(syntax) });
        };
        match value {
            Ok(value) if sort.takes(&value) => Ok(PartTerm::Bound(sort, Some(value)).into()),
            Ok(value) => {
                let why = format!("{} was expected and {} came", sort.words(), value.kind());
                Err(refused(syntax.span, why))
            }
            // It goes the way that was checked.
            Err(_) => Ok(TranslatedPart {
                term: PartTerm::Bound(sort, Some(expression::Value::Null)),
                raises: Condition::ALWAYS,
            }),
        }
    }
}
