//! Typed forms of general nodes: what can be computed without values, by the kinds that the checker gave to names.

use super::BoolNode;
use super::chains::counted;
use super::logic::{BranchChoice, LogicChain, NegatedTest, TruthTest, TypedCondition};
use super::numbers::{ArithmeticSign, ScalarKind, ScalarNode};
use super::operands::{NumberOperand, alike, placed};
use super::places::{FirstPlace, PlaceNode, RowSlot, SlotPath, ValuePlace};
use super::texts::{TextNode, TextPart};
use crate::parser::BinaryOperator;
use crate::value::{Decimal, Value};
use values::types::ValueKind;

/// The most nodes of a program that forms are tried for: what contains no form is looked at once for each level.
pub(crate) struct FormBudget(u32);

impl Default for FormBudget {
    fn default() -> Self {
        FormBudget(2_000)
    }
}

impl FormBudget {
    pub(crate) fn take(&mut self) -> Option<()> {
        self.0 = self.0.checked_sub(1)?;
        Some(())
    }
}

/// A typed form of a node, and the steps that it takes in any case.
#[derive(Debug)]
pub(crate) struct TypedForm {
    pub(super) shape: FormShape,
    pub(super) steps: u64,
}

/// The result of a form.
#[derive(Debug)]
pub(super) enum FormShape {
    /// A value that lies somewhere, of a kind where it is not null.
    Place(ValuePlace, ValueKind),
    Int(Box<dyn ScalarNode<i64>>),
    Float(Box<dyn ScalarNode<f64>>),
    Decimal(Box<dyn ScalarNode<Decimal>>),
    Bool(TypedCondition),
    Text(Box<TextNode>),
}

/// The steps of a name.
pub(crate) fn name_steps(name: &str) -> u64 {
    1 + name.len() as u64 / 64
}

impl TypedForm {
    pub(super) fn of(shape: FormShape, steps: u64) -> Self {
        TypedForm { shape, steps }
    }

    pub(super) fn bool(node: impl BoolNode + 'static, steps: u64) -> Self {
        TypedForm::of(FormShape::Bool(TypedCondition::Node(Box::new(node))), steps)
    }

    fn node(node: impl PlaceNode + 'static, kind: ValueKind, steps: u64) -> Self {
        TypedForm::of(FormShape::Place(ValuePlace::Node(Box::new(node)), kind), steps)
    }

    /// Returns true if it is more than what the general node does as well.
    pub(super) fn pays(&self) -> bool {
        !matches!(self.shape, FormShape::Place(ValuePlace::Known(_) | ValuePlace::Slot(_), _))
    }

    /// A value that is known.
    pub(crate) fn known(value: &Value) -> Self {
        let kind = match ValueKind::of_value(value) {
            kind if kind == ValueKind::Null || kind.is_scalar() => kind,
            _ => ValueKind::Any,
        };
        TypedForm::of(FormShape::Place(ValuePlace::Known(value.clone()), kind), 0)
    }

    /// A property of the row.
    pub(crate) fn slot(name: &str, kind: ValueKind) -> Self {
        TypedForm::of(FormShape::Place(ValuePlace::Slot(RowSlot::named(name)), kind), name_steps(name))
    }

    /// A path of properties.
    pub(crate) fn path(first: &str, steps: &[&str], kind: ValueKind) -> Self {
        let cost = name_steps(first) + steps.iter().map(|name| name_steps(name)).sum::<u64>();
        let (first, steps) = (RowSlot::named(first), steps.iter().map(|name| RowSlot::named(name)).collect());
        TypedForm::node(SlotPath { first, steps }, kind, cost)
    }

    /// `+ - *`.
    pub(crate) fn counted(operator: BinaryOperator, left: TypedForm, right: TypedForm) -> Option<Self> {
        let sign = match operator {
            BinaryOperator::Add => ArithmeticSign::Plus,
            BinaryOperator::Subtract => ArithmeticSign::Minus,
            BinaryOperator::Multiply => ArithmeticSign::Times,
            _ => return None,
        };
        let steps = 1 + left.steps + right.steps;
        let shape = match alike(left, right)? {
            (NumberOperand::Int(left), NumberOperand::Int(right)) => FormShape::Int(counted(sign, left, right)),
            (NumberOperand::Float(left), NumberOperand::Float(right)) => FormShape::Float(counted(sign, left, right)),
            (NumberOperand::Decimal(left), NumberOperand::Decimal(right)) => {
                FormShape::Decimal(counted(sign, left, right))
            }
            _ => return None,
        };
        Some(TypedForm::of(shape, steps))
    }

    /// `-a`.
    pub(crate) fn minus(operand: TypedForm) -> Option<Self> {
        TypedForm::counted(BinaryOperator::Multiply, operand, TypedForm::known(&Value::Int(-1)))
    }

    /// The form as a condition.
    fn condition(self) -> Option<(TypedCondition, u64)> {
        match self.shape {
            FormShape::Bool(node) => Some((node, self.steps)),
            FormShape::Place(place, _) => Some((TypedCondition::Node(Box::new(TruthTest(place))), self.steps)),
            _ => None,
        }
    }

    /// `not a`.
    pub(crate) fn not(operand: TypedForm) -> Option<Self> {
        let (node, steps) = operand.condition()?;
        Some(TypedForm::bool(NegatedTest(node), 1 + steps))
    }

    /// `a and b`, `a or b`.
    pub(crate) fn logic(until: bool, operands: Vec<TypedForm>) -> Option<Self> {
        let mut operands = operands.into_iter().map(|operand| {
            let (node, steps) = operand.condition()?;
            Some((node, 1 + steps))
        });
        let (first, steps) = operands.next()??;
        let rest = operands.collect::<Option<Vec<_>>>()?;
        Some(TypedForm::bool(LogicChain { until, first, rest }, steps))
    }

    /// `a ?? b`.
    pub(crate) fn first(operands: Vec<TypedForm>) -> Option<Self> {
        let kind = joined(operands.iter().map(TypedForm::kind));
        let places = operands.into_iter().map(|operand| match operand.shape {
            FormShape::Place(place, _) => Some((place, 1 + operand.steps)),
            _ => None,
        });
        let places = places.collect::<Option<Vec<_>>>()?;
        Some(TypedForm::node(FirstPlace(places), kind, 0))
    }

    /// `a ? b : c`, with as many branches as there are.
    pub(crate) fn choice(branches: Vec<(TypedForm, TypedForm)>, otherwise: TypedForm) -> Option<Self> {
        let results = || branches.iter().map(|(_, result)| result).chain([&otherwise]);
        let kind = joined(results().map(TypedForm::kind));
        let are_places = results().all(|form| matches!(form.shape, FormShape::Place(..)));
        match kind {
            _ if are_places => {
                let node = chosen(branches, otherwise, |form| match form.shape {
                    FormShape::Place(place, _) => Some(place),
                    _ => None,
                })?;
                Some(TypedForm::node(node, kind, 0))
            }
            ValueKind::Int => {
                let node = chosen(branches, otherwise, scalar::<i64>)?;
                Some(TypedForm::of(FormShape::Int(Box::new(node)), 0))
            }
            ValueKind::Decimal => {
                let node = chosen(branches, otherwise, scalar::<Decimal>)?;
                Some(TypedForm::of(FormShape::Decimal(Box::new(node)), 0))
            }
            ValueKind::Bool => {
                let node = chosen(branches, otherwise, |form| match form.shape {
                    FormShape::Bool(node) => Some(node),
                    _ => None,
                })?;
                Some(TypedForm::bool(node, 0))
            }
            _ => None,
        }
    }

    /// `a ~ b ~ c`.
    pub(crate) fn text(parts: Vec<TypedForm>) -> Option<Self> {
        Self::texts(parts, 1)
    }

    /// A text with parts.
    pub(super) fn template(parts: Vec<TypedForm>) -> Option<Self> {
        Self::texts(parts, 0)
    }

    /// Parts of a text, which takes so many steps beside theirs.
    fn texts(parts: Vec<TypedForm>, own: u64) -> Option<Self> {
        let steps = own + parts.iter().map(|part| part.steps).sum::<u64>();
        let parts = parts.into_iter().map(|part| {
            let kind = part.kind();
            Some(match part.shape {
                FormShape::Place(place, _) => match kind {
                    ValueKind::Text | ValueKind::Int | ValueKind::Decimal | ValueKind::Bool | ValueKind::Null => {
                        TextPart::Place(place)
                    }
                    _ => return None,
                },
                FormShape::Int(node) => TextPart::Int(node),
                FormShape::Decimal(node) => TextPart::Decimal(node),
                FormShape::Bool(node) => TextPart::Bool(node),
                FormShape::Float(_) | FormShape::Text(_) => return None,
            })
        });
        Some(TypedForm::of(FormShape::Text(Box::new(TextNode(parts.collect::<Option<_>>()?))), steps))
    }

    pub(super) fn kind(&self) -> ValueKind {
        match &self.shape {
            FormShape::Place(_, kind) => *kind,
            FormShape::Int(_) => ValueKind::Int,
            FormShape::Float(_) => ValueKind::Float,
            FormShape::Decimal(_) => ValueKind::Decimal,
            FormShape::Bool(_) => ValueKind::Bool,
            FormShape::Text(_) => ValueKind::Text,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.shape, FormShape::Place(ValuePlace::Known(Value::Null), _))
    }
}

/// Returns the kind that all have, but for those that are null.
fn joined(kinds: impl Iterator<Item = ValueKind>) -> ValueKind {
    let kinds = kinds.filter(|kind| *kind != ValueKind::Null);
    kinds.reduce(|one, other| if one == other { one } else { ValueKind::Any }).unwrap_or(ValueKind::Null)
}

fn scalar<T: ScalarKind>(form: TypedForm) -> Option<Box<dyn ScalarNode<T>>>
where
    FormShape: Holds<T>,
{
    match form.shape {
        FormShape::Place(place, _) => Some(Box::new(placed::<T>(place)?)),
        shape => shape.held(),
    }
}

/// A shape that may be a node of numbers of a kind.
trait Holds<T> {
    fn held(self) -> Option<Box<dyn ScalarNode<T>>>;
}

impl Holds<i64> for FormShape {
    fn held(self) -> Option<Box<dyn ScalarNode<i64>>> {
        if let FormShape::Int(node) = self { Some(node) } else { None }
    }
}

impl Holds<Decimal> for FormShape {
    fn held(self) -> Option<Box<dyn ScalarNode<Decimal>>> {
        if let FormShape::Decimal(node) = self { Some(node) } else { None }
    }
}

/// A choice among results, each with the steps of what runs up to there.
fn chosen<R>(
    branches: Vec<(TypedForm, TypedForm)>,
    otherwise: TypedForm,
    result: impl Fn(TypedForm) -> Option<R>,
) -> Option<BranchChoice<R>> {
    let mut before = 0;
    let branches = branches.into_iter().map(|(condition, form)| {
        let (condition, steps) = condition.condition()?;
        before += 1 + steps;
        let steps = before + form.steps;
        Some((condition, result(form)?, steps))
    });
    let branches = branches.collect::<Option<Vec<_>>>()?;
    let steps = before + otherwise.steps;
    Some(BranchChoice::of(branches, (result(otherwise)?, steps)))
}
