//! Resolution: goes through the tree of an expression and notes its names and types.

use crate::name_use::{NameSort, NameUse, TypedSpan};
use crate::parts::ExpressionPart;
use crate::property::{item, property, shape};
use crate::repair::{HOLE, attempts};
use crate::surroundings::Surroundings;
use crate::text_content::{ArgumentPlace, TextContent, along, content, parameter};
use expression::catalogue::{self, FunctionEntry};
use expression::scope::{ValueKind, ValueType};
use expression::syntax::{self, BinaryOperator, CallArgument, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use expression::{Span, Value};

/// The most texts with chains that lie in one another.
const MOST_CHAINS: usize = 4;

/// The names and types of a part.
#[derive(Debug, Default)]
pub(crate) struct FoundNames {
    pub(crate) names: Vec<NameUse>,
    pub(crate) types: Vec<TypedSpan>,
}

/// Resolves a part, or as much of its beginning as can be read.
pub(crate) fn part(text: &str, part: &ExpressionPart, surroundings: &Surroundings) -> FoundNames {
    let mut found = FoundNames::default();
    let whole = (text[part.span.from..part.span.to].to_owned(), part.span.to);
    let candidates = std::iter::once(whole).chain(attempts(text, part.span.from, &part.tokens));
    let mut end = part.span.to;
    for (candidate, to) in candidates {
        let wrapped = format!("{{={candidate}}}");
        if let Ok(tree) = syntax::single(&wrapped) {
            let context = surroundings.context();
            let mut resolver = NameResolver::new(&wrapped, surroundings, context);
            resolver.offset = part.span.from;
            resolver.node(&tree);
            found = resolver.found;
            end = to;
            break;
        }
    }
    // Holes, and what was added to close the text, are no part of it.
    found.names.retain(|name| name.span.to <= end);
    found.types.retain(|typed| typed.span.to <= end);
    found
}

/// Returns the type of an expression that stands alone.
pub(crate) fn type_of(expression: &str, surroundings: &Surroundings) -> ValueType {
    chain_type(expression, surroundings, surroundings.context())
}

/// Returns the type that an expression has where bare names are properties of a value.
pub(crate) fn chain_type(expression: &str, surroundings: &Surroundings, context: ValueType) -> ValueType {
    let wrapped = format!("{{={expression}}}");
    let tree = syntax::single(&wrapped);
    tree.map(|tree| NameResolver::new(&wrapped, surroundings, context).node(&tree)).unwrap_or_default()
}

struct NameResolver<'r> {
    /// The text that the tree was read from, within `{=` and `}`.
    text: &'r str,
    surroundings: &'r Surroundings,
    /// The value whose properties bare names are.
    context: ValueType,
    /// The place of the text's third byte in the text as a whole.
    offset: usize,
    chains: usize,
    found: FoundNames,
}

impl<'r> NameResolver<'r> {
    fn new(text: &'r str, surroundings: &'r Surroundings, context: ValueType) -> Self {
        NameResolver { text, surroundings, context, offset: 0, chains: 0, found: FoundNames::default() }
    }

    fn span(&self, span: Span) -> Span {
        let shifted = |byte: usize| (byte + self.offset).saturating_sub(2);
        Span { from: shifted(span.from), to: shifted(span.to) }
    }

    fn note(&mut self, span: Span, sort: NameSort, of: &ValueType) {
        let is_hole = self.text.get(span.from..span.to).is_some_and(|written| written.trim_start_matches('$') == HOLE);
        if !is_hole {
            self.found.names.push(NameUse { span: self.span(span), sort, of: of.clone() });
        }
    }

    fn property(&mut self, from: &ValueType, name: &str, span: Span) -> ValueType {
        let of = property(from, name);
        let owner = shape(from).map(|shape| shape.name().to_owned());
        self.note(span, NameSort::Property { owner, name: name.to_owned() }, &of);
        of
    }

    fn node(&mut self, node: &SyntaxNode) -> ValueType {
        let of = self.kind(node);
        self.found.types.push(TypedSpan { span: self.span(node.span), of: of.clone() });
        of
    }

    fn kind(&mut self, node: &SyntaxNode) -> ValueType {
        match &node.kind {
            SyntaxKind::Literal(value) => literal(value).into(),
            SyntaxKind::Name(name) => {
                let context = self.context.clone();
                self.property(&context, name, node.span)
            }
            SyntaxKind::Variable(name) => {
                let of = parameter("var", name, self.surroundings);
                self.note(node.span, NameSort::Variable(name.clone()), &of);
                of
            }
            SyntaxKind::Call(call) => self.call(call, None),
            SyntaxKind::Path(first, steps) => {
                let first = self.node(first);
                steps.iter().fold(first, |of, step| self.step(of, step))
            }
            SyntaxKind::Array(items) => {
                items.iter().for_each(|item| drop(self.node(item)));
                ValueKind::Array.into()
            }
            SyntaxKind::Object(entries) => {
                self.keys(entries, node.span.from);
                entries.iter().for_each(|(_, entry)| drop(self.node(entry)));
                ValueKind::Object.into()
            }
            SyntaxKind::Minus(operand) => self.node(operand),
            SyntaxKind::Not(operand) => {
                self.node(operand);
                ValueKind::Bool.into()
            }
            SyntaxKind::Chain(first, rest) => {
                let first = self.node(first);
                let rest: Vec<_> = rest.iter().map(|(operator, operand)| (*operator, self.node(operand))).collect();
                chain(first, rest)
            }
            SyntaxKind::Pair(operator, left, right) => {
                self.node(left);
                self.node(right);
                if *operator == BinaryOperator::Power { ValueKind::Float.into() } else { ValueKind::Bool.into() }
            }
            SyntaxKind::Conditional(condition, then, otherwise) => {
                let condition = self.node(condition);
                let then = then.as_ref().map_or(condition, |then| self.node(then));
                let otherwise = self.node(otherwise);
                either(then, otherwise)
            }
        }
    }

    fn step(&mut self, from: ValueType, step: &PathStep) -> ValueType {
        match step {
            PathStep::Property(name, span) => self.property(&from, name, *span),
            PathStep::Index(key) => {
                self.node(key);
                self.named_by(key, &from).unwrap_or_else(|| item(&from))
            }
            PathStep::Call(call) => self.call(call, Some(from)),
        }
    }

    /// `company['terms']`: a text in the brackets behind a resource is a property's name.
    fn named_by(&mut self, key: &SyntaxNode, from: &ValueType) -> Option<ValueType> {
        let SyntaxKind::Literal(Value::Text(name)) = &key.kind else { return None };
        from.shape.as_ref().filter(|_| from.kind != ValueKind::Object)?;
        let inside = Span { from: key.span.from + 1, to: key.span.to.saturating_sub(1) };
        let name = name.as_str().filter(|name| self.text.get(inside.from..inside.to) == Some(*name))?;
        Some(self.property(from, name, inside))
    }

    /// Notes the keys of an object: each stands before its value.
    fn keys(&mut self, entries: &[(String, SyntaxNode)], from: usize) {
        let mut from = from;
        for (key, value) in entries {
            let before = self.text.get(from..value.span.from).unwrap_or_default();
            if let Some(place) = before.rfind(key.as_str()) {
                let span = Span { from: from + place, to: from + place + key.len() };
                self.note(span, NameSort::Key(key.clone()), &ValueType::default());
            }
            from = value.span.to;
        }
    }

    fn call(&mut self, call: &FunctionCall, receiver: Option<ValueType>) -> ValueType {
        let received = receiver.is_some();
        let (mut first, mut arguments) = (receiver, Vec::new());
        for (place, argument) in call.arguments.iter().enumerate() {
            let index = place + usize::from(received);
            let at = ArgumentPlace { function: &call.name, index, received, first: first.clone().unwrap_or_default() };
            let of = self.argument(&at, argument);
            first.get_or_insert_with(|| of.clone());
            arguments.push(of);
        }
        let Some(function) = catalogue::find(&call.name) else { return ValueType::default() };
        let of = self.result(function, call, first.unwrap_or_default(), arguments);
        self.note(call.name_span, NameSort::Function(function), &of);
        of
    }

    fn argument(&mut self, at: &ArgumentPlace<'_>, argument: &CallArgument) -> ValueType {
        let Some(content) = content(at, self.surroundings) else { return self.node(&argument.value) };
        self.content(&content, &argument.value);
        self.node(&argument.value)
    }

    /// Notes the names in the texts of an argument.
    fn content(&mut self, content: &TextContent, node: &SyntaxNode) {
        match (&node.kind, content) {
            (SyntaxKind::Literal(Value::Text(text)), _) => {
                let Some(text) = text.as_str() else { return };
                let inside = Span { from: node.span.from + 1, to: node.span.to.saturating_sub(1) };
                // A text with escapes has its names at other places.
                if self.text.get(inside.from..inside.to) == Some(text) {
                    self.names_in(content, text, inside);
                }
            }
            (SyntaxKind::Object(entries), TextContent::Chain(_)) => {
                entries.iter().for_each(|(_, entry)| self.content(content, entry));
            }
            (SyntaxKind::Array(items), TextContent::Chain(_)) => {
                items.iter().for_each(|item| self.content(content, item));
            }
            _ => {}
        }
    }

    fn names_in(&mut self, content: &TextContent, text: &str, inside: Span) {
        match content {
            TextContent::Parameter(function) => {
                let of = parameter(function.name, text, self.surroundings);
                let sort = match function.name {
                    "var" => NameSort::Variable(text.to_owned()),
                    function => NameSort::Parameter { function, name: text.to_owned() },
                };
                self.note(inside, sort, &of);
            }
            TextContent::Property(of) => drop(self.property(&of.clone(), text, inside)),
            TextContent::Chain(of) => {
                let wrapped = format!("{{={text}}}");
                let Some(tree) = syntax::single(&wrapped).ok().filter(|_| self.chains < MOST_CHAINS) else { return };
                let mut chain = NameResolver::new(&wrapped, self.surroundings, of.clone());
                chain.offset = self.span(inside).from;
                chain.chains = self.chains + 1;
                chain.node(&tree);
                self.found.names.append(&mut chain.found.names);
            }
        }
    }

    fn result(
        &self,
        function: &FunctionEntry,
        call: &FunctionCall,
        first: ValueType,
        arguments: Vec<ValueType>,
    ) -> ValueType {
        let written = call.arguments.first().and_then(|argument| match &argument.value.kind {
            SyntaxKind::Literal(Value::Text(text)) => text.as_str(),
            _ => None,
        });
        match (function.name, written) {
            ("get" | "setVar", _) => arguments.into_iter().next_back().unwrap_or(first),
            ("if", _) => match <[ValueType; 3]>::try_from(arguments) {
                Ok([_, then, otherwise]) => either(then, otherwise),
                Err(_) => ValueType::default(),
            },
            ("user", Some(path)) => along(&self.surroundings.user(), path),
            (name, Some(parameter)) if self.surroundings.scope.parameters.contains_key(name) => {
                self::parameter(name, parameter, self.surroundings)
            }
            _ => ValueKind::of_words(function.returns).into(),
        }
    }
}

/// Returns the type of operators in a row.
fn chain(first: ValueType, rest: Vec<(BinaryOperator, ValueType)>) -> ValueType {
    match rest.first().map(|(operator, _)| *operator) {
        Some(BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor) => ValueKind::Bool.into(),
        Some(BinaryOperator::Join) => ValueKind::Text.into(),
        Some(BinaryOperator::Coalesce) => rest.into_iter().fold(first, |of, (_, operand)| either(of, operand)),
        _ => ValueType::default(),
    }
}

/// Returns the type of a value that is one of two.
fn either(left: ValueType, right: ValueType) -> ValueType {
    if right.kind == ValueKind::Null {
        return left;
    }
    if left.kind == ValueKind::Null {
        return right;
    }
    let name = |of: &ValueType| shape(of).map(|shape| shape.name().to_owned());
    if left.kind == right.kind && name(&left) == name(&right) { left } else { ValueType::default() }
}

fn literal(value: &Value) -> ValueKind {
    match value {
        Value::Null => ValueKind::Null,
        Value::Bool(_) => ValueKind::Bool,
        Value::Int(_) => ValueKind::Int,
        Value::Float(_) => ValueKind::Float,
        Value::Text(_) => ValueKind::Text,
        _ => ValueKind::Any,
    }
}
