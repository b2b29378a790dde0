//! Typed forms of general nodes: what can be computed without values, by the kinds that the checker gave to names.

use super::BoolNode;
use super::logic::{Choice, Condition, IsNull, Logic, Negated, Truth};
use super::numbers::{
    Answers, AnyOf, Instant, Operand, Scalar, ScalarNode, Sign, Widened, compared, compared_integers, counted,
};
use super::places::{FirstPlace, Place, PlaceNode, Slot, SlotPath};
use super::texts::{IsWord, SameText, TextNode, TextPart, is_word};
use crate::parser::BinaryOperator;
use crate::scope::ValueKind;
use crate::value::{Decimal, Text, Value};

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

/// What a form computes.
#[derive(Debug)]
pub(super) enum FormShape {
    /// A value that lies somewhere, of a kind where it is not null.
    Place(Place, ValueKind),
    Int(Box<dyn ScalarNode<i64>>),
    Float(Box<dyn ScalarNode<f64>>),
    Decimal(Box<dyn ScalarNode<Decimal>>),
    Bool(Condition),
    Text(Box<TextNode>),
}

/// An operand of arithmetic or of a comparison.
enum Number {
    Int(Operand<i64>),
    Float(Operand<f64>),
    Decimal(Operand<Decimal>),
    Instant(Operand<Instant>),
}

/// The steps of a name.
pub(crate) fn name_steps(name: &str) -> u64 {
    1 + name.len() as u64 / 64
}

impl TypedForm {
    fn of(shape: FormShape, steps: u64) -> Self {
        TypedForm { shape, steps }
    }

    fn bool(node: impl BoolNode + 'static, steps: u64) -> Self {
        TypedForm::of(FormShape::Bool(Condition::Node(Box::new(node))), steps)
    }

    fn node(node: impl PlaceNode + 'static, kind: ValueKind, steps: u64) -> Self {
        TypedForm::of(FormShape::Place(Place::Node(Box::new(node)), kind), steps)
    }

    /// Returns true if it is more than what the general node does as well.
    pub(super) fn pays(&self) -> bool {
        !matches!(self.shape, FormShape::Place(Place::Known(_) | Place::Slot(_), _))
    }

    /// A value that is known.
    pub(crate) fn known(value: &Value) -> Self {
        let kind = match value {
            Value::Null => ValueKind::Null,
            Value::Bool(_) => ValueKind::Bool,
            Value::Int(_) => ValueKind::Int,
            Value::Float(_) => ValueKind::Float,
            Value::Decimal(_) => ValueKind::Decimal,
            Value::Text(_) => ValueKind::Text,
            _ => ValueKind::Any,
        };
        TypedForm::of(FormShape::Place(Place::Known(value.clone()), kind), 0)
    }

    /// A property of the row.
    pub(crate) fn slot(name: &str, kind: ValueKind) -> Self {
        TypedForm::of(FormShape::Place(Place::Slot(Slot::named(name)), kind), name_steps(name))
    }

    /// A path of properties.
    pub(crate) fn path(first: &str, steps: &[&str], kind: ValueKind) -> Self {
        let cost = name_steps(first) + steps.iter().map(|name| name_steps(name)).sum::<u64>();
        let (first, steps) = (Slot::named(first), steps.iter().map(|name| Slot::named(name)).collect());
        TypedForm::node(SlotPath { first, steps }, kind, cost)
    }

    /// `+ - *`.
    pub(crate) fn counted(operator: BinaryOperator, left: TypedForm, right: TypedForm) -> Option<Self> {
        let sign = match operator {
            BinaryOperator::Add => Sign::Plus,
            BinaryOperator::Subtract => Sign::Minus,
            BinaryOperator::Multiply => Sign::Times,
            _ => return None,
        };
        let steps = 1 + left.steps + right.steps;
        let shape = match alike(left, right)? {
            (Number::Int(left), Number::Int(right)) => FormShape::Int(counted(sign, left, right)),
            (Number::Float(left), Number::Float(right)) => FormShape::Float(counted(sign, left, right)),
            (Number::Decimal(left), Number::Decimal(right)) => FormShape::Decimal(counted(sign, left, right)),
            _ => return None,
        };
        Some(TypedForm::of(shape, steps))
    }

    /// `-a`.
    pub(crate) fn minus(operand: TypedForm) -> Option<Self> {
        TypedForm::counted(BinaryOperator::Multiply, operand, TypedForm::known(&Value::Int(-1)))
    }

    /// `compareDates(left, operator, right)`, which holds of less, equal or greater.
    pub(crate) fn dates(holds: [bool; 3], left: TypedForm, right: TypedForm) -> Option<Self> {
        let steps = 1 + left.steps + right.steps;
        let (Number::Instant(left), Number::Instant(right)) = (number(left)?, number(right)?) else { return None };
        // Null is the present there, or the answer is no: the general node knows.
        Some(TypedForm::bool(super::numbers::Both { holds, left, right }, steps))
    }

    /// `== != === !== < <= > >= in not in`.
    pub(crate) fn compared(operator: BinaryOperator, left: TypedForm, right: TypedForm) -> Option<Self> {
        use BinaryOperator::{Equal, Identical, In, NotEqual, NotIdentical, NotIn};
        let steps = 1 + left.steps + right.steps;
        if let In | NotIn = operator {
            return contained(left, &right, operator == NotIn, steps);
        }
        let answers = answers(operator)?;
        let negated = matches!(operator, NotEqual | NotIdentical);
        if let Equal | NotEqual | Identical | NotIdentical = operator {
            match (left, right) {
                (TypedForm { shape: FormShape::Place(place, _), .. }, right) if right.is_null() => {
                    return Some(TypedForm::bool(IsNull { place, negated }, steps));
                }
                (left, right) if left.kind() == ValueKind::Text && right.kind() == ValueKind::Text => {
                    let as_written = matches!(operator, Identical | NotIdentical);
                    return same(left, right, as_written, negated, steps);
                }
                (left, right) => {
                    let same_kind = left.kind() == right.kind() && left.kind() != ValueKind::DateTime;
                    if matches!(operator, Identical | NotIdentical) && !same_kind {
                        return None;
                    }
                    return order(answers, left, right, steps);
                }
            }
        }
        order(answers, left, right, steps)
    }

    /// The form as a condition.
    fn condition(self) -> Option<(Condition, u64)> {
        match self.shape {
            FormShape::Bool(node) => Some((node, self.steps)),
            FormShape::Place(place, _) => Some((Condition::Node(Box::new(Truth(place))), self.steps)),
            _ => None,
        }
    }

    /// `not a`.
    pub(crate) fn not(operand: TypedForm) -> Option<Self> {
        let (node, steps) = operand.condition()?;
        Some(TypedForm::bool(Negated(node), 1 + steps))
    }

    /// `a and b`, `a or b`.
    pub(crate) fn logic(until: bool, operands: Vec<TypedForm>) -> Option<Self> {
        let mut operands = operands.into_iter().map(|operand| {
            let (node, steps) = operand.condition()?;
            Some((node, 1 + steps))
        });
        let (first, steps) = operands.next()??;
        let rest = operands.collect::<Option<Vec<_>>>()?;
        Some(TypedForm::bool(Logic { until, first, rest }, steps))
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
        let steps = 1 + parts.iter().map(|part| part.steps).sum::<u64>();
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

    fn kind(&self) -> ValueKind {
        match &self.shape {
            FormShape::Place(_, kind) => *kind,
            FormShape::Int(_) => ValueKind::Int,
            FormShape::Float(_) => ValueKind::Float,
            FormShape::Decimal(_) => ValueKind::Decimal,
            FormShape::Bool(_) => ValueKind::Bool,
            FormShape::Text(_) => ValueKind::Text,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.shape, FormShape::Place(Place::Known(Value::Null), _))
    }
}

/// Returns the kind that all have, but for those that are null.
fn joined(kinds: impl Iterator<Item = ValueKind>) -> ValueKind {
    let kinds = kinds.filter(|kind| *kind != ValueKind::Null);
    kinds.reduce(|one, other| if one == other { one } else { ValueKind::Any }).unwrap_or(ValueKind::Null)
}

/// The form as an operand: a number, or an instant.
fn number(form: TypedForm) -> Option<Number> {
    let operand = match form.shape {
        FormShape::Int(node) => return Some(Number::Int(Operand::Node(node))),
        FormShape::Float(node) => return Some(Number::Float(Operand::Node(node))),
        FormShape::Decimal(node) => return Some(Number::Decimal(Operand::Node(node))),
        FormShape::Bool(_) | FormShape::Text(_) => return None,
        FormShape::Place(place, kind) => (place, kind),
    };
    Some(match operand {
        (place, ValueKind::Int) => Number::Int(placed(place)?),
        (place, ValueKind::Float) => Number::Float(placed(place)?),
        (place, ValueKind::Decimal) => Number::Decimal(placed(place)?),
        (place, ValueKind::DateTime) => Number::Instant(placed(place)?),
        _ => return None,
    })
}

fn placed<T: Scalar>(place: Place) -> Option<Operand<T>> {
    Some(match place {
        Place::Known(value) => Operand::known(T::of(&value)?),
        Place::Slot(slot) => Operand::Slot(slot),
        place @ Place::Node(_) => Operand::Node(Box::new(place)),
    })
}

/// Returns two numbers as numbers of one kind, as the operators make them alike.
fn alike(left: TypedForm, right: TypedForm) -> Option<(Number, Number)> {
    use Number::{Decimal, Float, Int};
    Some(match (number(left)?, number(right)?) {
        (Int(left), Float(right)) => (Float(Operand::Node(Box::new(Widened(left)))), Float(right)),
        (Float(left), Int(right)) => (Float(left), Float(Operand::Node(Box::new(Widened(right))))),
        (Int(left), Decimal(right)) => (Decimal(exact(left)), Decimal(right)),
        (Decimal(left), Int(right)) => (Decimal(left), Decimal(exact(right))),
        (Decimal(left), Float(Operand::Known(right))) => (Decimal(left), Decimal(written(right.0)?)),
        (Float(Operand::Known(left)), Decimal(right)) => (Decimal(written(left.0)?), Decimal(right)),
        (Decimal(_), Float(_)) | (Float(_), Decimal(_)) => return None,
        pair => pair,
    })
}

fn exact(number: Operand<i64>) -> Operand<Decimal> {
    match number {
        Operand::Known(known) => Operand::known(Decimal::from(known.0)),
        number => Operand::Node(Box::new(Widened(number))),
    }
}

fn written(number: f64) -> Option<Operand<Decimal>> {
    Decimal::of_float(number).map(Operand::known)
}

fn answers(operator: BinaryOperator) -> Option<Answers> {
    let (order, both_null, one_null) = match operator {
        BinaryOperator::Equal | BinaryOperator::Identical => ([false, true, false], true, false),
        BinaryOperator::NotEqual | BinaryOperator::NotIdentical => ([true, false, true], false, true),
        BinaryOperator::Less => ([true, false, false], false, false),
        BinaryOperator::LessOrEqual => ([true, true, false], false, false),
        BinaryOperator::Greater => ([false, false, true], false, false),
        BinaryOperator::GreaterOrEqual => ([false, true, true], false, false),
        _ => return None,
    };
    Some(Answers { order, both_null, one_null })
}

fn order(answers: Answers, left: TypedForm, right: TypedForm, steps: u64) -> Option<TypedForm> {
    let node = match alike(left, right)? {
        (Number::Int(left), Number::Int(right)) => compared_integers(answers, left, right),
        (Number::Float(left), Number::Float(right)) => compared(answers, left, right),
        (Number::Decimal(left), Number::Decimal(right)) => compared(answers, left, right),
        (Number::Instant(left), Number::Instant(right)) => compared(answers, left, right),
        _ => return None,
    };
    Some(TypedForm::of(FormShape::Bool(node), steps))
}

/// Two texts that are the same or not.
fn same(left: TypedForm, right: TypedForm, as_written: bool, negated: bool, steps: u64) -> Option<TypedForm> {
    let (FormShape::Place(left, _), FormShape::Place(right, _)) = (left.shape, right.shape) else { return None };
    Some(match (left, right) {
        (place, Place::Known(Value::Text(word))) | (Place::Known(Value::Text(word)), place) if is_word(&word) => {
            TypedForm::bool(IsWord { place, words: vec![word], negated }, steps)
        }
        (left, right) => TypedForm::bool(SameText { places: [left, right], as_written, negated }, steps),
    })
}

/// `a in [b, c]`, of words or of integers that are known.
fn contained(left: TypedForm, right: &TypedForm, negated: bool, steps: u64) -> Option<TypedForm> {
    let FormShape::Place(Place::Known(Value::Array(list)), _) = &right.shape else { return None };
    let words = list.values().map(|item| match item {
        Value::Text(text) if is_word(text) => Some(text.clone()),
        _ => None,
    });
    if let (ValueKind::Text, Some(words)) = (left.kind(), words.collect::<Option<Vec<Text>>>()) {
        let FormShape::Place(place, _) = left.shape else { return None };
        return Some(TypedForm::bool(IsWord { place, words, negated }, steps));
    }
    let items = list.values().map(i64::of).collect::<Option<Vec<_>>>()?;
    let Number::Int(operand) = number(left)? else { return None };
    Some(TypedForm::bool(AnyOf { operand, items, negated }, steps))
}

fn scalar<T: Scalar>(form: TypedForm) -> Option<Box<dyn ScalarNode<T>>>
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
) -> Option<Choice<R>> {
    let mut before = 0;
    let branches = branches.into_iter().map(|(condition, form)| {
        let (condition, steps) = condition.condition()?;
        before += 1 + steps;
        let steps = before + form.steps;
        Some((condition, result(form)?, steps))
    });
    let branches = branches.collect::<Option<Vec<_>>>()?;
    let steps = before + otherwise.steps;
    Some(Choice { branches, otherwise: (result(otherwise)?, steps) })
}
