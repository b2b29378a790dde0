//! The properties that an expression may take, by the names that it writes out, and its questions about changes.

use crate::facts::ProgramFacts;
use crate::parser::{BinaryOperator, CallArgument, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use crate::value::Value;

/// A question of an expression about changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ChangeQuestion {
    /// The function.
    pub function: &'static str,
    /// The property, where its name is written out.
    pub property: Option<String>,
    /// The text that it may have been before, where that is written out.
    pub previous: Option<String>,
}

impl ProgramFacts {
    /// Notes the property that a step takes, whatever it takes it of.
    pub(crate) fn step(&mut self, step: &PathStep) {
        match step {
            PathStep::Property(name, _) => _ = self.names.insert(name.clone()),
            PathStep::Index(key) => match literal(key) {
                Some(name) => _ = self.names.insert(name.to_owned()),
                None => self.unnamed |= !matches!(key.kind, SyntaxKind::Literal(_)),
            },
            PathStep::Call(_) => {}
        }
    }

    /// Notes what is asked about changes: `hasChanged('status')`, or the same of changes that are given.
    pub(crate) fn asked(&mut self, function: &'static str, call: &FunctionCall, received: bool) {
        let short = !received && call.arguments.first().is_some_and(|first| literal(&first.value).is_some());
        let first = usize::from(!received && !short);
        let argument = |name: &str, place: usize| {
            let named = |argument: &&CallArgument| argument.name.as_ref().is_some_and(|(given, _)| given == name);
            let placed = call.arguments.get(place).filter(|argument| argument.name.is_none());
            call.arguments.iter().find(named).or(placed).map(|argument| &argument.value)
        };
        let Some(property) = argument("property", first) else { return };
        let property = literal(property).map(str::to_owned);
        match &property {
            Some(name) => _ = self.names.insert(name.clone()),
            None => self.unnamed = true,
        }
        let previous = argument("previousValue", first + 1).and_then(literal).map(str::to_owned);
        self.changes.insert(ChangeQuestion { function, property, previous });
    }

    /// Notes the texts that values of paths are held against: `status == 'paid'`, `status in ['new', 'paid']`, `'red'
    /// in labels`.
    pub(crate) fn compare(&mut self, operator: BinaryOperator, sides: [&SyntaxNode; 2], paths: [Option<&[String]>; 2]) {
        let equality = matches!(
            operator,
            BinaryOperator::Equal | BinaryOperator::NotEqual | BinaryOperator::Identical | BinaryOperator::NotIdentical
        );
        let within = matches!(operator, BinaryOperator::In | BinaryOperator::NotIn);
        for (side, path) in [(sides[1], paths[0]), (sides[0], paths[1])] {
            let Some(path) = path.filter(|_| equality || within) else { continue };
            let texts: Vec<&str> = match &side.kind {
                SyntaxKind::Array(items) if within => items.iter().filter_map(literal).collect(),
                _ => literal(side).into_iter().collect(),
            };
            self.compared.extend(texts.into_iter().map(|text| (path.to_vec(), text.to_owned())));
        }
    }

    /// Notes which query a call runs, or in which type it looks.
    pub(crate) fn seek(&mut self, function: &'static str, call: &FunctionCall) {
        let first = call.arguments.first().filter(|argument| argument.name.is_none() && !argument.spread);
        if let (true, Some(name)) =
            (call.arguments.len() > usize::from(function == "resource"), first.and_then(|first| literal(&first.value)))
        {
            self.sought.insert((function, name.to_owned()));
        }
    }

    /// Returns true if a call may take all that a resource has.
    pub(crate) fn spread(&mut self, function: &str, call: &FunctionCall) {
        let written = |argument: &CallArgument| {
            matches!(argument.value.kind, SyntaxKind::Array(_) | SyntaxKind::Object(_) | SyntaxKind::Literal(_))
        };
        self.unnamed |= match function {
            "export" | "toArray" | "toObject" => true,
            "query" => !call.arguments.iter().all(written),
            _ => false,
        } || call.arguments.iter().any(|argument| argument.spread);
    }
}

/// A text that is written out.
fn literal(syntax: &SyntaxNode) -> Option<&str> {
    match &syntax.kind {
        SyntaxKind::Literal(Value::Text(text)) => text.as_str(),
        _ => None,
    }
}
