//! Narrowing: a test tells something of the values that it is about, for the side where it holds and for the other.

mod zeros;

use crate::compile::{Compiler, TypedNode};
use crate::parser::{BinaryOperator, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use crate::reference::{literal, reference, write_step};
use crate::value::Value;
use values::types::{ValueKind, ValueType};
use zeros::{contrary, has_zero, is_zero, lists, refuses_zero};

/// Something that a test told of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The reference, in one way of writing: `customer.name`, `$x`, `user().name`.
    of: String,
    kind: FactKind,
}

/// The fact that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactKind {
    Null,
    NotNull,
    NotZero,
    OfKind(ValueKind),
}

/// The facts of a test.
#[derive(Debug, Default)]
pub(crate) struct TestFacts {
    pub(crate) when_true: Vec<Fact>,
    pub(crate) when_false: Vec<Fact>,
}

impl Fact {
    /// The fact that a property of the context has a value.
    pub fn filled(name: &str) -> Fact {
        Fact { of: name.to_owned(), kind: FactKind::NotNull }
    }

    /// Returns true if it is about a variable, or one whose name begins so.
    pub fn is_of_variable(&self, name: &str) -> bool {
        self.of.match_indices('$').any(|(place, _)| self.of[place + 1..].starts_with(name))
    }

    /// Returns true if it is about any variable.
    pub fn is_of_variables(&self) -> bool {
        self.of.contains('$')
    }

    /// Returns true if it is about the answer to a request.
    pub fn is_of_answer(&self) -> bool {
        self.of.starts_with("endpoint()")
    }

    /// Returns true if it is about a value that a relation leads to, which others may change.
    pub fn is_of_relation(&self) -> bool {
        let own = self.of.split_once("().").map_or(self.of.as_str(), |(_, own)| own);
        own.contains(['.', '[', '('])
    }

    /// Returns true if it tells that a reference is not null: a member that is there has an owner.
    fn fills(&self, reference: &str) -> bool {
        let rest = || self.of.strip_prefix(reference);
        match self.kind {
            FactKind::NotNull | FactKind::OfKind(_) => {
                rest().is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            }
            FactKind::Null | FactKind::NotZero => false,
        }
    }
}

impl Compiler<'_> {
    /// Narrows the type of a reference by the facts that hold here.
    pub(crate) fn narrow(&self, of: &mut ValueType, reference: &str) {
        for fact in &self.facts {
            if fact.fills(reference) {
                of.nullable = false;
            }
            if fact.of != reference {
                continue;
            }
            match fact.kind {
                FactKind::NotZero => of.nonzero = true,
                FactKind::Null => of.told = ValueKind::Null,
                FactKind::OfKind(kind) => of.told = kind,
                FactKind::NotNull => {}
            }
        }
    }

    /// Returns true if a test told something of a reference here.
    pub(crate) fn is_narrowed(&self, syntax: &SyntaxNode) -> bool {
        !self.facts.is_empty()
            && reference(syntax)
                .is_some_and(|written| self.facts.iter().any(|fact| fact.of == written || fact.fills(&written)))
    }

    /// Forgets what tests told of variables: one is set anew.
    pub(crate) fn forget_variables(&mut self) {
        for fact in self.facts.iter_mut().filter(|fact| fact.of.starts_with('$')) {
            fact.of.clear();
        }
    }

    /// Takes the facts of a test for both of its sides.
    pub(crate) fn tests_of(&self, syntax: &SyntaxNode, tested: &mut TypedNode) -> Box<TestFacts> {
        let (when_true, when_false) = (self.told(syntax, tested, true), self.told(syntax, tested, false));
        Box::new(TestFacts { when_true, when_false })
    }

    /// Lets the facts of a test hold from here on.
    pub(crate) fn assume(&mut self, syntax: &SyntaxNode, tested: &mut TypedNode, truth: bool) {
        let facts = self.told(syntax, tested, truth);
        self.facts.extend(facts);
    }

    /// Takes the facts of a test, for the side where it is true or the other.
    pub(crate) fn told(&self, syntax: &SyntaxNode, tested: &mut TypedNode, truth: bool) -> Vec<Fact> {
        let mut facts = match &mut tested.tests {
            Some(tests) if truth => std::mem::take(&mut tests.when_true),
            Some(tests) => std::mem::take(&mut tests.when_false),
            None => Vec::new(),
        };
        if truth && let Some(of) = reference(syntax).or_else(|| questioned(syntax)) {
            if tested.of.known().is_number() {
                facts.push(Fact { of: of.clone(), kind: FactKind::NotZero });
            }
            facts.push(Fact { of, kind: FactKind::NotNull });
        }
        facts
    }

    /// The facts of operands of `and` (true) or `or` (false), as a test of their own. `carried` are those of the side
    /// that all operands share; the other side has what each operand tells there.
    pub(crate) fn combined(
        &self,
        carried: Vec<Fact>,
        operands: &mut [(&SyntaxNode, TypedNode)],
        truth: bool,
    ) -> Option<Box<TestFacts>> {
        let mut common: Option<Vec<Fact>> = None;
        for (syntax, operand) in operands {
            let facts = self.told(syntax, operand, !truth);
            common = Some(match common {
                None => facts,
                Some(before) => before.into_iter().filter(|fact| facts.contains(fact)).collect(),
            });
        }
        let common = common.unwrap_or_default();
        if carried.is_empty() && common.is_empty() {
            return None;
        }
        let (when_true, when_false) = if truth { (carried, common) } else { (common, carried) };
        Some(Box::new(TestFacts { when_true, when_false }))
    }

    /// The facts of a comparison.
    pub(crate) fn compared(
        &self,
        operator: BinaryOperator,
        left: (&SyntaxNode, &TypedNode),
        right: (&SyntaxNode, &TypedNode),
    ) -> Option<Box<TestFacts>> {
        let mut tests = TestFacts::default();
        let mirrored = match operator {
            BinaryOperator::Less => BinaryOperator::Greater,
            BinaryOperator::LessOrEqual => BinaryOperator::GreaterOrEqual,
            BinaryOperator::Greater => BinaryOperator::Less,
            BinaryOperator::GreaterOrEqual => BinaryOperator::LessOrEqual,
            same => same,
        };
        side(operator, left, right.1, &mut tests);
        if !matches!(operator, BinaryOperator::In | BinaryOperator::NotIn) {
            side(mirrored, right, left.1, &mut tests);
        }
        let empty = tests.when_true.is_empty() && tests.when_false.is_empty();
        (!empty).then(|| Box::new(tests))
    }
}

/// Adds what a comparison tells of its one side.
fn side(operator: BinaryOperator, own: (&SyntaxNode, &TypedNode), other: &TypedNode, tests: &mut TestFacts) {
    use BinaryOperator::{Equal, Identical, In, NotEqual, NotIdentical, NotIn};
    let (syntax, typed) = own;
    if typed.node.constant().is_some() || typed.of.several {
        return;
    }
    let constant = other.node.constant();
    let number = constant.and_then(|value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    });
    let is_more = number.is_some_and(|number| refuses_zero(operator, number));
    if let Some(of) = measured(syntax).filter(|_| is_more) {
        tests.when_true.push(Fact { of, kind: FactKind::NotNull });
    }
    if let Some((of, fallback)) = with_fallback(syntax) {
        return side_of_choice(operator, of, fallback, constant, tests);
    }
    let Some(of) = reference(syntax) else { return };
    let fact = |kind| Fact { of: of.clone(), kind };
    let is_null = matches!(constant, Some(Value::Null));
    match operator {
        Equal | Identical if is_null => {
            tests.when_true.push(fact(FactKind::Null));
            tests.when_false.push(fact(FactKind::NotNull));
        }
        NotEqual | NotIdentical if is_null => {
            tests.when_true.push(fact(FactKind::NotNull));
            tests.when_false.push(fact(FactKind::Null));
        }
        Equal | Identical | NotEqual | NotIdentical => {
            let holds = matches!(operator, Equal | Identical);
            let (same, unlike) = if holds {
                (&mut tests.when_true, &mut tests.when_false)
            } else {
                (&mut tests.when_false, &mut tests.when_true)
            };
            if !other.of.nullable && other.of.known() != ValueKind::Any {
                same.push(fact(match typed.of.kind {
                    ValueKind::Any if operator != Equal && operator != NotEqual => FactKind::OfKind(other.of.known()),
                    _ => FactKind::NotNull,
                }));
            }
            match number {
                Some(0.0) => unlike.push(fact(FactKind::NotZero)),
                Some(_) => same.push(fact(FactKind::NotZero)),
                None => {}
            }
        }
        In | NotIn => {
            let (listed, others) = match operator {
                In => (&mut tests.when_true, &mut tests.when_false),
                _ => (&mut tests.when_false, &mut tests.when_true),
            };
            if lists(other, |item| !item.is_null()) {
                listed.push(fact(FactKind::NotNull));
            }
            if lists(other, |item| !is_zero(item)) {
                listed.push(fact(FactKind::NotZero));
            }
            if has_zero(other) {
                others.push(fact(FactKind::NotZero));
            }
        }
        _ => {
            tests.when_true.push(fact(FactKind::NotNull));
            if is_more {
                tests.when_true.push(fact(FactKind::NotZero));
            }
            // A number that is not less than 1 is not 0; a null is neither.
            if number.is_some_and(|number| refuses_zero(contrary(operator), number)) {
                tests.when_false.push(fact(FactKind::NotZero));
            }
        }
    }
}

/// Returns the reference and the literal of `x ?? 0`.
fn with_fallback(syntax: &SyntaxNode) -> Option<(String, &Value)> {
    let SyntaxKind::Chain(first, rest) = &syntax.kind else { return None };
    let [(BinaryOperator::Coalesce, SyntaxNode { kind: SyntaxKind::Literal(fallback), .. })] = rest.as_slice() else {
        return None;
    };
    Some((reference(first)?, fallback))
}

/// Adds what a comparison with a constant tells of `x` in `x ?? fallback`: on the side where the fallback does not
/// stand, x is there.
fn side_of_choice(
    operator: BinaryOperator,
    of: String,
    fallback: &Value,
    constant: Option<&Value>,
    tests: &mut TestFacts,
) {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Identical, Less, LessOrEqual, NotEqual, NotIdentical};
    let as_number = |value: &Value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    };
    let Some(constant) = constant else { return };
    let fact = |kind| Fact { of: of.clone(), kind };
    let holds = match (as_number(fallback), as_number(constant), fallback, constant) {
        (Some(fallback), Some(number), ..) => {
            if refuses_zero(operator, number) {
                tests.when_true.push(fact(FactKind::NotZero));
            }
            if number == 0.0 && matches!(operator, Equal | Identical) {
                tests.when_false.push(fact(FactKind::NotZero));
            }
            match operator {
                Equal | Identical => fallback == number,
                NotEqual | NotIdentical => fallback != number,
                Less => fallback < number,
                LessOrEqual => fallback <= number,
                Greater => fallback > number,
                GreaterOrEqual => fallback >= number,
                _ => return,
            }
        }
        (None, None, Value::Text(fallback), Value::Text(text)) => match operator {
            Equal | Identical => fallback.as_bytes() == text.as_bytes(),
            NotEqual | NotIdentical => fallback.as_bytes() != text.as_bytes(),
            _ => return,
        },
        _ => return,
    };
    let side = if holds { &mut tests.when_false } else { &mut tests.when_true };
    side.push(fact(FactKind::NotNull));
}

/// Returns the reference whose length is asked for: `length(x)`, `x.length()`.
fn measured(syntax: &SyntaxNode) -> Option<String> {
    subject(syntax, &["length"]).map(|(of, _)| of)
}

/// Returns the reference that a true answer says to be there: `toBool(x)`, `startsWith(x, 'a')`, `contains(x, 'a')`.
fn questioned(syntax: &SyntaxNode) -> Option<String> {
    let (of, call) = subject(syntax, &["toBool", "length", "startsWith", "endsWith", "contains"])?;
    let found = call.arguments.last().and_then(|argument| literal(&argument.value));
    let asks = !matches!(call.name.as_str(), "startsWith" | "endsWith" | "contains");
    (asks || found.is_some_and(|text| !text.is_empty())).then_some(of)
}

/// Returns the reference that a call of one of some functions is about: its first argument, or what stands before it.
fn subject<'s>(syntax: &'s SyntaxNode, names: &[&str]) -> Option<(String, &'s FunctionCall)> {
    match &syntax.kind {
        SyntaxKind::Call(call) if names.contains(&call.name.as_str()) => {
            let first = call.arguments.first().filter(|first| first.name.is_none() && !first.spread)?;
            Some((reference(&first.value)?, call))
        }
        SyntaxKind::Path(first, steps) => {
            let (PathStep::Call(call), before) = steps.split_last()? else { return None };
            let mut written = reference(first).filter(|_| names.contains(&call.name.as_str()))?;
            before.iter().all(|step| write_step(step, &mut written)).then_some((written, call))
        }
        _ => None,
    }
}
