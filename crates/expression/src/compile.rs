//! Compilation: the tree becomes nodes with functions, names and constants resolved, and is checked on the way.

mod calls;
mod constants;
mod fold;
mod map;
mod operators;
mod written_object;

use crate::check;
use crate::error::{Diagnostic, Span, mistake};
use crate::evaluate::{
    ArrayNode, ConditionalNode, EitherNode, MinusNode, NameNode, NotNode, ObjectNode, OperandNode, PathNode,
    ProgramNode, VariableNode, WalkStep,
};
use crate::finding::Finding;
use crate::narrowing::{Fact, TestFacts};
use crate::parser::{PathStep, SyntaxKind, SyntaxNode};
use crate::reference;
use crate::scope::Scope;
use crate::value::{ObjectShape, Text, Value};
use compact_str::CompactString;
pub(crate) use constants::constant;
use fold::FoldingBudget;
use indexmap::IndexSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use values::types::{ValueKind, ValueType};
pub(crate) use written_object::WrittenObject;

/// A node and what is known of its value.
pub(crate) struct TypedNode {
    pub(crate) node: Box<dyn ProgramNode>,
    pub(crate) of: ValueType,
    /// The facts that it tells as a test.
    pub(crate) tests: Option<Box<TestFacts>>,
    /// True if it compares by order what may be null: it is false then.
    pub(crate) compares_empty: bool,
}

impl TypedNode {
    pub(crate) fn new(node: Box<dyn ProgramNode>, of: ValueType) -> Self {
        TypedNode { node, of, tests: None, compares_empty: false }
    }
}

/// The compiler: what it may use, what it found wrong.
pub(crate) struct Compiler<'s> {
    /// The text that spans count in.
    pub(crate) text: &'s str,
    pub(crate) scope: &'s Scope,
    pub(crate) mistakes: Vec<Diagnostic>,
    /// Findings, which refuse nothing.
    pub(crate) findings: Vec<Finding>,
    /// Parts that may give something else by the rules of a former version.
    pub(crate) rule_notes: Vec<Finding>,
    /// The facts that tests told, which hold where the compiler is.
    pub(crate) facts: Vec<Fact>,
    /// The number of chains of map() that lie in one another here.
    pub(crate) chains: usize,
    /// The first byte of the path that is being compiled.
    pub(crate) path_from: usize,
    /// The place of a text that is tried as a moment, and whether each sample was one.
    pub(crate) sampling: Option<Span>,
    pub(crate) sampled: bool,
    /// The places of expressions whose value is the result of all.
    pub(crate) results: Vec<Span>,
    /// The supplies that are left for computations while compiling.
    room: FoldingBudget,
}

impl<'s> Compiler<'s> {
    pub(crate) fn new(text: &'s str, scope: &'s Scope) -> Self {
        let facts = scope.facts.clone();
        let (mistakes, findings, rule_notes) = (Vec::new(), Vec::new(), Vec::new());
        let room = FoldingBudget::default();
        let (path_from, sampling, sampled) = (0, None, false);
        Compiler {
            text,
            scope,
            mistakes,
            findings,
            rule_notes,
            facts,
            chains: 0,
            path_from,
            sampling,
            sampled,
            results: Vec::new(),
            room,
        }
    }

    pub(crate) fn build(&mut self, syntax: &SyntaxNode) -> TypedNode {
        let span = syntax.span;
        match &syntax.kind {
            SyntaxKind::Literal(value) => constant(value.clone()),
            SyntaxKind::Name(name) => {
                let node = self.name(name, span);
                self.narrowed(node, syntax)
            }
            SyntaxKind::Variable(name) => {
                let local = self.scope.available.has(crate::catalogue::Availability::Local);
                let of = self.variable_type(name, span);
                let node = TypedNode::new(Box::new(VariableNode { name: name.clone(), local, span }), of);
                self.narrowed(node, syntax)
            }
            SyntaxKind::Call(call) => {
                let node = self.call(call, span);
                self.narrowed(node, syntax)
            }
            SyntaxKind::Path(first, steps) => self.path(first, steps),
            SyntaxKind::Array(items) => {
                let built: Vec<_> = items.iter().map(|item| self.build(item)).collect();
                let known = built.iter().all(|item| item.node.constant().is_some());
                let of = ValueType::array_of(constants::joined(built.iter().map(|item| &item.of)));
                let items = built.into_iter().map(|item| item.node).collect();
                self.fold(TypedNode::new(Box::new(ArrayNode { items, span }), of), known)
            }
            SyntaxKind::Object(entries) => self.object(entries, span),
            SyntaxKind::Minus(operand) => {
                let syntax = operand;
                let operand = self.build(syntax);
                let known = operand.node.constant().is_some();
                self.check_negated(&operand, syntax);
                let kind = operand.of.kind.at_run_time();
                let counts = kind.is_scalar() || kind == ValueKind::Interval;
                let kind = if counts { kind } else { ValueKind::Any };
                let of = ValueType { nonzero: operand.of.nonzero, units: operand.of.units, ..ValueType::of(kind) };
                let of = of.told(operand.of.known()).or_null(operand.of.nullable);
                self.fold(TypedNode::new(Box::new(MinusNode(operand.node, span)), of), known)
            }
            SyntaxKind::Not(operand) => {
                let syntax = operand;
                let mut operand = self.build(syntax);
                let known = operand.node.constant().is_some();
                self.check_condition(&operand, syntax);
                self.check_not(&operand, syntax, span);
                let (when_true, when_false) =
                    (self.told(syntax, &mut operand, false), self.told(syntax, &mut operand, true));
                let tests = Some(Box::new(TestFacts { when_true, when_false }));
                self.fold(TypedNode { tests, ..built(NotNode(operand.node, span), ValueKind::Bool) }, known)
            }
            SyntaxKind::Chain(first, rest) => self.chain(first, rest, span),
            SyntaxKind::Pair(operator, left, right) => self.pair(*operator, left, right, span),
            SyntaxKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, span)
            }
        }
    }

    /// Narrows what was built of a reference.
    fn narrowed(&self, mut built: TypedNode, syntax: &SyntaxNode) -> TypedNode {
        if !self.facts.is_empty()
            && let Some(reference) = reference::reference(syntax)
        {
            self.narrow(&mut built.of, &reference);
        }
        built
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
            self.mistakes.push(mistake("provider_missing", span, message, function));
            return constant(Value::Null);
        }
        let context = ValueType { shape: self.scope.context.clone(), ..ValueType::of(ValueKind::Any) };
        let checked = check::property(&context, name, span);
        // A property may be called like a value of another language.
        let of = self.known(checked.map_err(|mistake| crate::foreign_words::value(name, span).unwrap_or(mistake)));
        let (name, kind) = (CompactString::new(name), of.kind.at_run_time());
        TypedNode::new(Box::new(NameNode { name, kind, place: AtomicU64::default(), span }), of)
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
        let (mut values, mut members) = (Vec::new(), Vec::new());
        for (key, syntax) in entries {
            let TypedNode { node: value, of, .. } = self.build(syntax);
            if shape.insert(Text::from(key.as_str())) {
                values.push(value);
                members.push((Arc::from(key.as_str()), of));
            } else {
                let message = format!("The key `{key}` stands in the object already.");
                self.mistakes.push(mistake("repeated_key", syntax.span, message, None));
            }
        }
        let known = values.iter().all(|value| value.constant().is_some());
        let of = WrittenObject::type_of(members);
        let node = ObjectNode { shape: Arc::new(ObjectShape::of(shape)), values, span };
        self.fold(TypedNode::new(Box::new(node), of), known)
    }

    fn path(&mut self, first: &SyntaxNode, steps: &[PathStep]) -> TypedNode {
        if let [PathStep::Index(key), ..] = steps {
            self.check_index(first, key);
        }
        let from = first.span.from;
        let mut reference = if self.facts.is_empty() { None } else { reference::reference(first) };
        let first = self.build(first);
        let known = first.node.constant().is_some();
        let outer = std::mem::replace(&mut self.path_from, from);
        let (steps, of) = self.steps(steps, first.of, &mut reference);
        self.path_from = outer;
        let plain = steps.iter().all(|step| matches!(step, WalkStep::Property(..)));
        let pure = steps.iter().all(|step| match step {
            WalkStep::Property(..) => true,
            WalkStep::Call(call) => {
                call.function.pure && call.arguments.iter().all(|argument| argument.constant().is_some())
            }
            _ => false,
        });
        let (first, kind) = (OperandNode::of(first.node), of.kind.at_run_time());
        let node = TypedNode::new(Box::new(PathNode { first, steps, kind }), of);
        self.fold(node, known && (plain || pure))
    }

    /// Steps from a value of some type on, and the type that they lead to. The reference, where the value is one, is
    /// that of what they lead to afterwards.
    pub(crate) fn steps(
        &mut self,
        steps: &[PathStep],
        mut of: ValueType,
        reference: &mut Option<String>,
    ) -> (Vec<WalkStep>, ValueType) {
        let mut walk = Vec::with_capacity(steps.len());
        for step in steps {
            self.check_step(step, &of);
            let taken;
            (taken, of) = match step {
                PathStep::Property(name, span) if of.items.is_some() => {
                    let next = self.known_of(&of, check::property_of_each(&of, name, *span));
                    (WalkStep::Each(name.clone(), *span), next.of_each())
                }
                PathStep::Property(name, span) => {
                    let checked = check::property(&of, name, *span);
                    let next = self.known_of(&of, checked.map_err(|mistake| self.joined_by_dot(mistake, &of)));
                    (WalkStep::Property(name.clone(), AtomicU64::default(), *span), next)
                }
                PathStep::Index(key) => {
                    let built = self.build(key);
                    let next = written_object::indexed(&of, &built).unwrap_or_else(|| self.index_type(&of, key));
                    (WalkStep::Index(built.node, key.span), next)
                }
                PathStep::Call(call) => match self.call_step(call, &of) {
                    Some(step) => step,
                    None => continue,
                },
            };
            walk.push(taken);
            if reference.as_mut().is_some_and(|written| !reference::write_step(step, written)) {
                *reference = None;
            }
            if let Some(written) = &reference {
                self.narrow(&mut of, written);
            }
        }
        (walk, of)
    }

    pub(crate) fn conditional(
        &mut self,
        condition: &SyntaxNode,
        then: Option<&SyntaxNode>,
        otherwise: &SyntaxNode,
        span: Span,
    ) -> TypedNode {
        let syntax = condition;
        let mut condition = self.build(syntax);
        // Of `a ?: b` the first is a value, too: texts are meant there.
        if then.is_some() {
            self.check_condition(&condition, syntax);
        }
        let before = self.facts.len();
        let branches = [then.unwrap_or(syntax), otherwise];
        let is_result = self.expect_branches(span, &branches);
        let then = then.map(|then| {
            self.assume(syntax, &mut condition, true);
            let built = self.build(then);
            self.facts.truncate(before);
            built
        });
        self.assume(syntax, &mut condition, false);
        let otherwise = self.build(otherwise);
        self.facts.truncate(before);
        if is_result {
            self.check_branch(then.as_ref().unwrap_or(&condition), branches[0]);
            self.check_branch(&otherwise, branches[1]);
        }
        let of = match &then {
            Some(then) => then.of.joined(&otherwise.of),
            // A value that is chosen because it is there is not null.
            None => {
                let mut chosen = condition.of.clone().or_null(false);
                // A number that counts as yes is not 0.
                chosen.nonzero |= chosen.known().is_number();
                chosen.joined(&otherwise.of)
            }
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
        self.fold(TypedNode::new(node, of), known)
    }
}

pub(crate) fn built(node: impl ProgramNode + 'static, kind: ValueKind) -> TypedNode {
    TypedNode::new(Box::new(node), ValueType::of(kind).or_null(kind == ValueKind::Any))
}
