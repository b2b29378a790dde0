//! The type of what is one thing or another: of branches, of the items of a list. Where they are unlike, it says so.

use super::{KindSet, ResourceShape, ValueKind, ValueType};
use std::sync::Arc;

/// The most types of which a value may be any: of one that may be of more, members are not known.
const MOST_CHOICES: usize = 8;

/// The type of a resource or an object that a test chooses.
#[derive(Debug)]
struct ChosenShape {
    name: String,
    choices: Vec<Arc<dyn ResourceShape>>,
}

impl ChosenShape {
    /// The types of one side and of the other, each once. None where there are too many.
    fn of(one: &Arc<dyn ResourceShape>, other: Option<&Arc<dyn ResourceShape>>) -> Option<Arc<dyn ResourceShape>> {
        if other.is_none() && one.choices().is_some() {
            return Some(one.clone());
        }
        let mut choices: Vec<Arc<dyn ResourceShape>> = Vec::new();
        for shape in std::iter::once(one).chain(other) {
            for choice in shape.choices().unwrap_or(std::slice::from_ref(shape)) {
                if !choices.iter().any(|known| Arc::ptr_eq(known, choice)) {
                    choices.push(choice.clone());
                }
            }
        }
        if choices.len() > MOST_CHOICES {
            return None;
        }
        let mut names: Vec<&str> = choices.iter().map(|choice| choice.name()).collect();
        names.dedup();
        Some(Arc::new(ChosenShape { name: names.join(" or "), choices }))
    }
}

impl ResourceShape for ChosenShape {
    fn name(&self) -> &str {
        &self.name
    }

    /// A property that one of them lacks is null there.
    fn property(&self, name: &str) -> Option<ValueType> {
        let found = || self.choices.iter().map(|choice| choice.property(name));
        let all = found().flatten().reduce(|one, other| one.joined(&other))?;
        let is_missing = found().any(|found| found.is_none());
        Some(if is_missing { all.or_null(true) } else { all })
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.choices.iter().flat_map(|choice| choice.names()).collect()
    }

    fn choices(&self) -> Option<&[Arc<dyn ResourceShape>]> {
        Some(&self.choices)
    }
}

/// Returns true if resources may be of one type.
pub fn may_be_same(one: &Arc<dyn ResourceShape>, other: &Arc<dyn ResourceShape>) -> bool {
    let choices = |shape: &Arc<dyn ResourceShape>| shape.choices().unwrap_or(std::slice::from_ref(shape)).to_vec();
    let others = choices(other);
    choices(one).iter().any(|choice| others.iter().any(|other| choice.name() == other.name()))
}

impl ValueType {
    /// The type of an item that is not there, in a list without any.
    pub fn nothing() -> ValueType {
        ValueType::of(ValueKind::Null)
    }

    /// Returns true if it is the type of an item that is not there.
    pub fn is_nothing(&self) -> bool {
        self.known() == ValueKind::Null && !self.nullable
    }

    /// The same type as findings know it: what goes by it refuses nothing that is stored. Relations stay as they are.
    pub fn loosely(&self) -> ValueType {
        let is_relation = self.shape.as_ref().is_some_and(|shape| shape.choices().is_none());
        if is_relation && self.kind == ValueKind::Resource {
            return self.clone();
        }
        ValueType { kind: ValueKind::Any, told: self.known(), ..self.chosen() }
    }

    /// The type of a value under a name that a place hands over: it refuses nothing that is stored.
    #[must_use]
    pub fn handed(&self) -> ValueType {
        self.chosen().loosely()
    }

    /// The same type for a value that was chosen, or lies in a list: its members are told, and refuse nothing.
    pub fn chosen(&self) -> ValueType {
        let shape = self.shape.as_ref().and_then(|shape| ChosenShape::of(shape, None));
        ValueType { shape, items: None, item: self.kept_item(), several: false, ..self.clone() }
    }

    /// The type of the items of an array that is used as a whole.
    pub fn kept_item(&self) -> Option<Arc<ValueType>> {
        match &self.items {
            Some(_) => Some(Arc::new(self.member().chosen())),
            None => self.item.clone(),
        }
    }

    /// Returns the type of what is this or that.
    #[must_use]
    pub fn joined(&self, other: &ValueType) -> ValueType {
        if self.is_nothing() || other.is_nothing() {
            return if self.is_nothing() { other.chosen() } else { self.chosen() };
        }
        let kind = match (self.kind, other.kind) {
            (ValueKind::Null, kind) | (kind, ValueKind::Null) => kind,
            (kind, others) if kind == others => kind,
            (kind, others) if kind.at_run_time() == others.at_run_time() => kind.at_run_time(),
            _ => ValueKind::Any,
        };
        let (own, others) = (self.known(), other.known());
        if own == ValueKind::Null || others == ValueKind::Null {
            let there = if own == ValueKind::Null { other } else { self };
            return ValueType { kind, told: there.known(), nullable: true, ..there.chosen() };
        }
        let told = match (own, others) {
            _ if own == others => own,
            _ if own.is_number() && others.is_number() => ValueKind::Float,
            _ => ValueKind::Any,
        };
        let kinds = self.kinds().with(other.kinds()).of_several();
        ValueType {
            told,
            unlike: if told == ValueKind::Any { kinds } else { KindSet::default() },
            nullable: self.nullable || other.nullable,
            nonzero: self.nonzero && other.nonzero,
            at_least: self.at_least.zip(other.at_least).map(|(one, other)| one.min(other)),
            shape: self
                .shape
                .as_ref()
                .zip(other.shape.as_ref())
                .and_then(|(one, other)| ChosenShape::of(one, Some(other))),
            item: joined_items(self.kept_item(), other.kept_item()),
            options: self.options.clone().filter(|_| self.options == other.options),
            reads_as: self.reads_as.filter(|_| self.reads_as == other.reads_as),
            units: self.units.joined(other.units),
            ..ValueType::of(kind)
        }
    }
}

/// Returns the type of the items of one list or of another. Of what is not known in one, nothing is known in both.
fn joined_items(one: Option<Arc<ValueType>>, other: Option<Arc<ValueType>>) -> Option<Arc<ValueType>> {
    let (one, other) = (one?, other?);
    if Arc::ptr_eq(&one, &other) {
        return Some(one);
    }
    Some(Arc::new(one.joined(&other)))
}
