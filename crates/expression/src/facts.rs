//! The facts that a program rests on, read off its tree when it is compiled. They are properties of the context's
//! resource and of those that it relates to, the present, the user.

use crate::catalogue::{self, RESOURCE_LINKS};
use crate::name_facts::ChangeQuestion;
use crate::parser::{self, BinaryOperator, CallArgument, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use crate::scope::Scope;
use crate::value::Value;
use std::collections::BTreeSet;
use values::types::{ValueKind, ValueType};

/// The facts that the value of a program rests on, beside the text itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramFacts {
    /// Paths of properties from the context's resource on, those within map() included. A path that ends in a relation
    /// whose resource is used as a value (its title, its code) ends in [`ProgramFacts::ALL`].
    pub paths: BTreeSet<Vec<String>>,
    /// The functions that are called.
    pub functions: BTreeSet<&'static str>,
    /// True if the context's resource is used as a whole: `export()`, `getTitle()`.
    pub whole: bool,
    /// True if it gives something else as time goes by.
    pub present: bool,
    /// True if it may give something else by the rules of a former version.
    pub rests_on_rules: bool,
    /// True if properties are taken of values that no path leads to, such as a function's result.
    pub loose: bool,
    /// The names of all properties that are taken, of whatever it is, those that changes are asked about included.
    pub names: BTreeSet<String>,
    /// True if properties may be taken whose names are not written out.
    pub unnamed: bool,
    /// The questions about changes.
    pub changes: BTreeSet<ChangeQuestion>,
    /// Texts that are written out and that a value is compared with, each with the path to the value.
    pub compared: BTreeSet<(Vec<String>, String)>,
    /// The queries that `query()` runs, and the types that `resource()` looks in, by name where that is written out.
    pub sought: BTreeSet<(&'static str, String)>,
}

/// The end that a path leads to, as far as it is known.
pub(crate) struct PathEnd {
    path: Vec<String>,
    pub(crate) of: ValueType,
}

impl ProgramFacts {
    /// All properties of the resource that a path leads to.
    pub const ALL: &'static str = "*";

    /// Returns true if its value is another for another user, or by chance: stored, it would be of whoever came last.
    pub fn personal(&self) -> bool {
        let functions = ["user", "isLoginAs", "isApiRequest", "currentLink", "random", "randomFromList"];
        self.calls(&functions).is_some()
    }

    /// The first of these functions that is called.
    pub fn calls<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.functions.contains(name))
    }

    /// Adds what an expression rests on.
    pub(crate) fn add(&mut self, syntax: &SyntaxNode, scope: &Scope) {
        self.value(syntax, scope);
    }

    /// An expression whose value is used: a resource then with all that it has.
    fn value(&mut self, syntax: &SyntaxNode, scope: &Scope) {
        if let Some(lead) = self.lead(syntax, scope) {
            self.used(lead);
        }
    }

    /// An expression of which only counts whether there is something, or which one.
    fn identity(&mut self, syntax: &SyntaxNode, scope: &Scope) {
        self.lead(syntax, scope);
    }

    fn used(&mut self, mut lead: PathEnd) {
        if lead.of.shape.is_some() || lead.of.items.is_some() {
            lead.path.push(ProgramFacts::ALL.to_owned());
            self.paths.insert(lead.path);
        }
    }

    /// Goes through an expression; gives where it leads to, if it is a path from the context's resource on.
    pub(crate) fn lead(&mut self, syntax: &SyntaxNode, scope: &Scope) -> Option<PathEnd> {
        match &syntax.kind {
            SyntaxKind::Literal(_) | SyntaxKind::Variable(_) => None,
            SyntaxKind::Name(name) => {
                let of = scope.context.as_ref().and_then(|shape| shape.property(name)).unwrap_or_default();
                let path = vec![name.clone()];
                self.names.insert(name.clone());
                self.paths.insert(path.clone());
                Some(PathEnd { path, of })
            }
            SyntaxKind::Call(call) => {
                self.call(call, None, false, scope);
                None
            }
            SyntaxKind::Path(first, steps) => {
                let lead = self.lead(first, scope);
                self.steps(lead, steps, scope)
            }
            SyntaxKind::Array(items) => {
                items.iter().for_each(|item| self.value(item, scope));
                None
            }
            SyntaxKind::Object(entries) => {
                entries.iter().for_each(|(_, entry)| self.value(entry, scope));
                None
            }
            SyntaxKind::Minus(operand) => {
                self.value(operand, scope);
                None
            }
            SyntaxKind::Not(operand) => {
                self.identity(operand, scope);
                None
            }
            SyntaxKind::Chain(first, rest) => {
                let truth = |operator: &BinaryOperator| {
                    matches!(operator, BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor)
                };
                let decides = rest.first().is_some_and(|(operator, _)| truth(operator));
                for operand in std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)) {
                    if decides { self.identity(operand, scope) } else { self.value(operand, scope) }
                }
                None
            }
            SyntaxKind::Pair(operator, left, right) => {
                self.pair(*operator, left, right, scope);
                None
            }
            SyntaxKind::Conditional(condition, then, otherwise) => {
                if then.is_some() {
                    self.identity(condition, scope)
                } else {
                    self.value(condition, scope)
                }
                then.iter().for_each(|then| self.value(then, scope));
                self.value(otherwise, scope);
                None
            }
        }
    }

    fn pair(&mut self, operator: BinaryOperator, left: &SyntaxNode, right: &SyntaxNode, scope: &Scope) {
        // Null and an id name a resource without a look at it; a text may be its code.
        let names = |syntax: &SyntaxNode| matches!(&syntax.kind, SyntaxKind::Literal(Value::Null | Value::Int(_)));
        let equality = matches!(
            operator,
            BinaryOperator::Equal | BinaryOperator::NotEqual | BinaryOperator::Identical | BinaryOperator::NotIdentical
        );
        if equality && (names(left) || names(right)) {
            self.identity(left, scope);
            self.identity(right, scope);
            return;
        }
        let leads = [left, right].map(|side| self.lead(side, scope));
        let paths = leads.each_ref().map(|lead| lead.as_ref().map(|lead| lead.path.as_slice()));
        self.compare(operator, [left, right], paths);
        let dates = leads.iter().flatten().any(|lead| lead.of.kind == ValueKind::DateTime);
        self.present |= dates && (is_relative(left) || is_relative(right));
        leads.into_iter().flatten().for_each(|lead| self.used(lead));
    }

    fn steps(&mut self, mut lead: Option<PathEnd>, steps: &[PathStep], scope: &Scope) -> Option<PathEnd> {
        for step in steps {
            self.step(step);
            lead = match (step, lead) {
                (PathStep::Property(name, _), Some(PathEnd { mut path, of })) => {
                    let several = of.items.is_some();
                    let Some(shape) = of.shape.or(of.items) else {
                        // Parts of a plain value are its own.
                        lead = Some(PathEnd { path, of: ValueType::default() });
                        continue;
                    };
                    path.push(name.clone());
                    self.paths.insert(path.clone());
                    let of = shape.property(name).unwrap_or_default();
                    Some(PathEnd { path, of: if several { of.of_each() } else { of } })
                }
                (PathStep::Property(..), None) => {
                    self.loose = true;
                    None
                }
                (PathStep::Index(key), lead) => {
                    self.value(key, scope);
                    self.loose |= lead.is_none();
                    lead.map(|PathEnd { path, of }| PathEnd { path, of: of.item() })
                }
                (PathStep::Call(call), lead) => {
                    self.call(call, lead, true, scope);
                    None
                }
            };
        }
        lead
    }

    fn call(&mut self, call: &FunctionCall, receiver: Option<PathEnd>, received: bool, scope: &Scope) {
        let Some(function) = catalogue::find(&call.name) else { return };
        self.functions.insert(function.name);
        self.spread(function.name, call);
        let given = call.arguments.len() + usize::from(receiver.is_some());
        match function.name {
            "map" => {
                if received && receiver.is_none() {
                    self.map_unknown(call, scope);
                }
                return self.map(call, receiver, scope);
            }
            name if ["getTitle", "export"].contains(&name) || RESOURCE_LINKS.contains(&name) => {
                let named = call
                    .arguments
                    .iter()
                    .any(|argument| argument.name.as_ref().is_none_or(|(name, _)| name == "activeResource"));
                self.whole |= receiver.is_none() && !named;
            }
            "hasChanged" | "isOnlyChange" | "changedFrom" => self.asked(function.name, call, received),
            "query" | "resource" if !received => self.seek(function.name, call),
            "today" | "time" => self.present = true,
            "strtotime" => self.present |= given < 2 && !self.has_own_day(call, receiver.as_ref(), scope),
            "date" => self.present |= given < 2,
            "compareDates" => self.present |= given < 3,
            _ => {}
        }
        let only_identity = matches!(function.name, "length" | "toBool" | "getRaw");
        if let Some(lead) = receiver.filter(|_| !only_identity) {
            self.used(lead);
        }
        for (place, argument) in call.arguments.iter().enumerate() {
            let named = argument.name.as_ref().map(|(name, _)| name.as_str());
            let parameter = named.or_else(|| function.parameters.get(place).map(|parameter| parameter.name));
            let dates = ["date", "date1", "date2", "dateTime", "timestampOrDate", "input"];
            let moment = parameter.is_some_and(|name| dates.contains(&name));
            self.present |= moment && is_relative(&argument.value);
            let first_decides = function.name == "if" && place == 0;
            if only_identity || first_decides {
                self.identity(&argument.value, scope);
            } else {
                self.value(&argument.value, scope);
            }
        }
    }

    /// map() of what no path leads to: of its transform the names alone count.
    fn map_unknown(&mut self, call: &FunctionCall, scope: &Scope) {
        let loose = self.loose;
        for argument in &call.arguments {
            self.transform(None, &argument.value, scope);
        }
        (self.loose, self.unnamed) = (loose, true);
    }

    /// map() goes on from each item.
    fn map(&mut self, call: &FunctionCall, receiver: Option<PathEnd>, scope: &Scope) {
        let named =
            |argument: &CallArgument, name: &str| argument.name.as_ref().is_some_and(|(given, _)| given == name);
        let mut lead = receiver;
        let mut transform = None;
        let received = lead.is_some();
        for (place, argument) in call.arguments.iter().enumerate() {
            let first = place == 0 && argument.name.is_none() && !received;
            if first || named(argument, "iterable") {
                lead = self.lead(&argument.value, scope);
            } else {
                transform = Some(&argument.value);
            }
        }
        // What goes through a resource takes all that it has.
        self.unnamed |= lead.as_ref().is_none_or(|lead| lead.of.shape.is_some());
        match transform {
            Some(transform) => self.transform(lead.as_ref(), transform, scope),
            None => lead.into_iter().for_each(|lead| self.used(lead)),
        }
    }

    fn transform(&mut self, from: Option<&PathEnd>, transform: &SyntaxNode, scope: &Scope) {
        match &transform.kind {
            SyntaxKind::Literal(Value::Text(text)) => {
                let Some(steps) = text.as_str().and_then(|text| parser::chain(text, 0).ok()) else { return };
                let item = from.map(|lead| PathEnd { path: lead.path.clone(), of: lead.of.item() });
                if let Some(lead) = self.steps(item, &steps, scope) {
                    self.used(lead);
                }
            }
            SyntaxKind::Object(entries) => {
                entries.iter().for_each(|(_, entry)| self.transform(from, entry, scope));
            }
            SyntaxKind::Array(items) => items.iter().for_each(|item| self.transform(from, item, scope)),
            // What is put together of constants is a chain, too, but not one that this reads.
            _ => {
                self.value(transform, scope);
                (self.loose, self.unnamed) = (true, true);
                if let Some(lead) = from {
                    self.used(PathEnd { path: lead.path.clone(), of: lead.of.clone() });
                }
            }
        }
    }
}

/// Returns true if a text that is written out means another moment as time goes by: all but a day with its year.
fn is_relative(syntax: &SyntaxNode) -> bool {
    let SyntaxKind::Literal(Value::Text(text)) = &syntax.kind else { return false };
    let bytes = text.as_bytes();
    let day = bytes.len() >= 10
        && bytes.iter().take(10).enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    !day
}
