//! Compilation: the tree becomes nodes with functions, names and constants resolved, and is checked on the way.

mod calls;
mod fold;
mod map;

use crate::check;
use crate::error::{Diagnostic, Span};
use crate::evaluate::{
    AnyNode, ArrayNode, ChainNode, CoalesceNode, ConditionalNode, ConstantNode, EitherNode, LogicNode, MinusNode,
    NameNode, NotNode, ObjectNode, OperandNode, PairNode, PathNode, ProgramNode, VariableNode, WalkStep,
};
use crate::parser::{BinaryOperator, PathStep, SyntaxKind, SyntaxNode};
use crate::scope::{Scope, ValueKind, ValueType};
use crate::value::{ObjectShape, Text, Value};
use fold::FoldingBudget;
use indexmap::IndexSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A node and what is known of its value.
pub(crate) struct TypedNode {
    pub(crate) node: Box<dyn ProgramNode>,
    pub(crate) of: ValueType,
}

/// The compiler: what it may use, what it found wrong.
pub(crate) struct Compiler<'s> {
    /// The text that spans count in.
    pub(crate) text: &'s str,
    pub(crate) scope: &'s Scope,
    pub(crate) mistakes: Vec<Diagnostic>,
    /// The number of chains of map() that lie in one another here.
    pub(crate) chains: usize,
    /// The supplies that are left for computations while compiling.
    room: FoldingBudget,
}

impl<'s> Compiler<'s> {
    pub(crate) fn new(text: &'s str, scope: &'s Scope) -> Self {
        Compiler { text, scope, mistakes: Vec::new(), chains: 0, room: FoldingBudget::default() }
    }

    pub(crate) fn build(&mut self, syntax: &SyntaxNode) -> TypedNode {
        let span = syntax.span;
        match &syntax.kind {
            SyntaxKind::Literal(value) => constant(value.clone()),
            SyntaxKind::Name(name) => self.name(name, span),
            SyntaxKind::Variable(name) => {
                let local = self.scope.available.has(crate::catalogue::Availability::Local);
                built(VariableNode { name: name.clone(), local, span }, ValueKind::Any)
            }
            SyntaxKind::Call(call) => self.call(call, span),
            SyntaxKind::Path(first, steps) => self.path(first, steps),
            SyntaxKind::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.build(item).node).collect();
                let known = items.iter().all(|item| item.constant().is_some());
                self.fold(built(ArrayNode { items, span }, ValueKind::Array), known)
            }
            SyntaxKind::Object(entries) => self.object(entries, span),
            SyntaxKind::Minus(operand) => {
                let operand = self.build(operand);
                let known = operand.node.constant().is_some();
                let kind = if operand.of.kind.is_scalar() { operand.of.kind } else { ValueKind::Any };
                self.fold(built(MinusNode(operand.node, span), kind), known)
            }
            SyntaxKind::Not(operand) => {
                let operand = self.build(operand).node;
                let known = operand.constant().is_some();
                self.fold(built(NotNode(operand, span), ValueKind::Bool), known)
            }
            SyntaxKind::Chain(first, rest) => self.chain(first, rest, span),
            SyntaxKind::Pair(operator, left, right) => {
                let (left, right) = (self.build(left), self.build(right));
                if let Some(sides) = several(*operator, &left.of, &right.of) {
                    return built(AnyNode::of(*operator, sides, left.node, right.node, span), ValueKind::Bool);
                }
                let (left, right) = (left.node, right.node);
                let known = left.constant().is_some() && right.constant().is_some();
                let kind = if *operator == BinaryOperator::Power { ValueKind::Float } else { ValueKind::Bool };
                self.fold(
                    built(
                        PairNode {
                            operator: *operator,
                            left: OperandNode::of(left),
                            right: OperandNode::of(right),
                            span,
                        },
                        kind,
                    ),
                    known,
                )
            }
            SyntaxKind::Conditional(condition, then, otherwise) => {
                let condition = self.build(condition);
                let then = then.as_ref().map(|then| self.build(then));
                let otherwise = self.build(otherwise);
                self.conditional(condition, then, otherwise, span)
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> TypedNode {
        if !self.scope.available.has(crate::catalogue::Availability::Context) {
            if let Some(foreign) = crate::foreign_words::value(name, span) {
                self.mistakes.push(foreign);
                return constant(Value::Null);
            }
            let function = crate::catalogue::find(name).map(|function| format!("{}()", function.name));
            let message = format!("`{name}` would be a property, and there is no resource here.");
            let message = format!("{message} A string stands in quotes, a variable is `${name}`.");
            self.mistakes.push(check::mistake("provider_missing", span, message, function));
            return constant(Value::Null);
        }
        let context = ValueType { shape: self.scope.context.clone(), ..ValueType::default() };
        let checked = check::property(&context, name, span);
        // A property may be called like a value of another language.
        let of = self.known(checked.map_err(|mistake| crate::foreign_words::value(name, span).unwrap_or(mistake)));
        TypedNode { node: Box::new(NameNode { name: name.to_string(), place: AtomicU64::default(), span }), of }
    }

    /// Returns the type that was checked, or an unknown type, with one mistake more.
    pub(crate) fn known(&mut self, checked: Result<ValueType, Diagnostic>) -> ValueType {
        checked.unwrap_or_else(|mistake| {
            self.mistakes.push(mistake);
            ValueType::default()
        })
    }

    fn object(&mut self, entries: &[(String, SyntaxNode)], span: Span) -> TypedNode {
        let mut shape = IndexSet::new();
        let mut values = Vec::new();
        for (key, syntax) in entries {
            let value = self.build(syntax).node;
            if shape.insert(Text::from(key.as_str())) {
                values.push(value);
            } else {
                let message = format!("The key `{key}` stands in the object already.");
                self.mistakes.push(check::mistake("repeated_key", syntax.span, message, None));
            }
        }
        let known = values.iter().all(|value| value.constant().is_some());
        self.fold(built(ObjectNode { shape: Arc::new(ObjectShape::of(shape)), values, span }, ValueKind::Object), known)
    }

    fn chain(&mut self, first: &SyntaxNode, rest: &[(BinaryOperator, SyntaxNode)], span: Span) -> TypedNode {
        let operator = rest.first().map_or(BinaryOperator::Add, |(operator, _)| *operator);
        let first_built = self.build(first);
        let rest_built: Vec<_> =
            rest.iter().map(|(operator, syntax)| (*operator, self.build(syntax), syntax)).collect();
        let operands = std::iter::once((&first_built, first));
        let operands = operands.chain(rest_built.iter().map(|(_, operand, syntax)| (operand, *syntax)));
        let operands: Vec<_> =
            operands.map(|(operand, syntax)| (operand.node.constant(), operand.of.kind, syntax.span)).collect();
        self.mistakes.extend(check::operands(operator, &operands));
        if operator == BinaryOperator::BitOr {
            check::piped(rest, &mut self.mistakes);
        }
        let known = std::iter::once(&first_built).chain(rest_built.iter().map(|(_, operand, _)| operand));
        let known = known.clone().all(|operand| operand.node.constant().is_some());
        let kind = match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => ValueKind::Bool,
            BinaryOperator::Join => ValueKind::Text,
            _ => ValueKind::Any,
        };
        let mut operands = Vec::with_capacity(rest_built.len() + 1);
        match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Coalesce => {
                operands.push(first_built.node);
                operands.extend(rest_built.into_iter().map(|(_, operand, _)| operand.node));
                let until = operator == BinaryOperator::Or;
                match operator {
                    BinaryOperator::Coalesce => self.fold(built(CoalesceNode(operands, span), kind), known),
                    _ => self.fold(built(LogicNode { until, operands, span }, kind), known),
                }
            }
            BinaryOperator::Join => {
                let rest = rest_built
                    .into_iter()
                    .map(|(operator, operand, syntax)| (operator, OperandNode::of(operand.node), syntax.span));
                self.fold(
                    built(ChainNode { first: OperandNode::of(first_built.node), rest: rest.collect() }, kind),
                    known,
                )
            }
            _ => {
                let mut rest = rest_built.into_iter();
                let whole = |syntax: &SyntaxNode| first.span.joined(syntax.span);
                if rest.len() == 1
                    && let Some((operator, right, _)) = rest.next()
                {
                    return self.fold(
                        built(
                            PairNode {
                                operator,
                                left: OperandNode::of(first_built.node),
                                right: OperandNode::of(right.node),
                                span,
                            },
                            kind,
                        ),
                        known,
                    );
                }
                let rest =
                    rest.map(|(operator, operand, syntax)| (operator, OperandNode::of(operand.node), whole(syntax)));
                self.fold(
                    built(ChainNode { first: OperandNode::of(first_built.node), rest: rest.collect() }, kind),
                    known,
                )
            }
        }
    }

    fn path(&mut self, first: &SyntaxNode, steps: &[PathStep]) -> TypedNode {
        let first = self.build(first);
        let known = first.node.constant().is_some();
        let (steps, of) = self.steps(steps, first.of);
        let plain = steps.iter().all(|step| matches!(step, WalkStep::Property(..)));
        let pure = steps.iter().all(|step| match step {
            WalkStep::Property(..) => true,
            WalkStep::Call(call) => {
                call.function.pure && call.arguments.iter().all(|argument| argument.constant().is_some())
            }
            _ => false,
        });
        let node = TypedNode { node: Box::new(PathNode { first: OperandNode::of(first.node), steps }), of };
        self.fold(node, known && (plain || pure))
    }

    /// Steps from a value of some type on, and the type that they lead to.
    pub(crate) fn steps(&mut self, steps: &[PathStep], mut of: ValueType) -> (Vec<WalkStep>, ValueType) {
        let mut walk = Vec::with_capacity(steps.len());
        for step in steps {
            let taken;
            (taken, of) = match step {
                PathStep::Property(name, span) if of.items.is_some() => {
                    let next = self.known(check::property(&of.item(), name, *span));
                    (WalkStep::Each(name.clone(), *span), next.of_each())
                }
                PathStep::Property(name, span) => {
                    let next = self.known(check::property(&of, name, *span));
                    (WalkStep::Property(name.clone(), AtomicU64::default(), *span), next)
                }
                PathStep::Index(key) => {
                    let node = self.build(key).node;
                    (WalkStep::Index(node, key.span), of.item())
                }
                PathStep::Call(call) => match self.call_step(call, &of) {
                    Some(step) => step,
                    None => continue,
                },
            };
            walk.push(taken);
        }
        (walk, of)
    }

    pub(crate) fn conditional(
        &mut self,
        condition: TypedNode,
        then: Option<TypedNode>,
        otherwise: TypedNode,
        span: Span,
    ) -> TypedNode {
        let same = |then: &TypedNode| then.of.kind == otherwise.of.kind;
        let kind = if then.as_ref().unwrap_or(&condition).of.kind == ValueKind::Null {
            otherwise.of.kind
        } else if otherwise.of.kind == ValueKind::Null || same(then.as_ref().unwrap_or(&condition)) {
            then.as_ref().unwrap_or(&condition).of.kind
        } else {
            ValueKind::Any
        };
        let known = [Some(&condition), then.as_ref(), Some(&otherwise)];
        let known = known.into_iter().flatten().all(|operand| operand.node.constant().is_some());
        let node: Box<dyn ProgramNode> = match then {
            Some(then) => Box::new(ConditionalNode::of(condition.node, then.node, otherwise.node, span)),
            None => {
                let otherwise = OperandNode::of(otherwise.node);
                Box::new(EitherNode { condition: condition.node, otherwise, span })
            }
        };
        self.fold(TypedNode { node, of: kind.into() }, known)
    }
}

/// Returns the sides of a comparison that a to-many relation leads to, where there is one: it is then about one of the
/// members. Two arrays are compared as such.
fn several(operator: BinaryOperator, left: &ValueType, right: &ValueType) -> Option<[bool; 2]> {
    let is_array = |of: &ValueType| of.kind == ValueKind::Array && !of.several;
    match operator {
        BinaryOperator::In | BinaryOperator::NotIn => left.several.then_some([true, false]),
        BinaryOperator::Power => None,
        _ if is_array(left) || is_array(right) => None,
        _ => (left.several || right.several).then_some([left.several, right.several]),
    }
}

pub(crate) fn built(node: impl ProgramNode + 'static, kind: ValueKind) -> TypedNode {
    TypedNode { node: Box::new(node), of: kind.into() }
}

pub(crate) fn constant(value: Value) -> TypedNode {
    let kind = kind_of(&value);
    built(ConstantNode(value), kind)
}

fn kind_of(value: &Value) -> ValueKind {
    match value {
        Value::Null => ValueKind::Null,
        Value::Bool(_) => ValueKind::Bool,
        Value::Int(_) => ValueKind::Int,
        Value::Float(_) => ValueKind::Float,
        Value::Decimal(_) => ValueKind::Decimal,
        Value::Text(_) => ValueKind::Text,
        Value::Array(_) => ValueKind::Array,
        Value::Object(_) => ValueKind::Object,
        _ => ValueKind::Any,
    }
}
