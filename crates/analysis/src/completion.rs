//! Completion: the names that may stand at a cursor.

use crate::cursor::{CursorContext, CursorPosition, EnclosingCall};
use crate::property::{property, shape, words};
use crate::resolve::{chain_type, type_of};
use crate::signature;
use crate::surroundings::Surroundings;
use crate::text_content::{ArgumentPlace, TextContent, content};
use expression::Span;
use expression::catalogue::{self, FunctionEntry};
use expression::members::members;
use expression::scope::{ValueKind, ValueType};

/// A name that may stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompletionItem {
    /// The name, as it is written.
    pub label: String,
    /// The sort of name.
    pub sort: CompletionSort,
    /// The type of a value, or the signature of a function.
    pub detail: String,
    /// A line of help; empty where there is none.
    pub help: &'static str,
    /// The part of the text that the name takes the place of.
    pub replaced: Span,
}

/// The sort of a completed name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CompletionSort {
    /// A property.
    Property,
    /// A variable.
    Variable,
    /// A parameter that a function takes by name.
    Parameter,
    /// A function.
    Function,
    /// A word of the language.
    Keyword,
}

const OPERATORS: [&str; 5] = ["and", "in", "not in", "or", "xor"];
const VALUES: [&str; 4] = ["false", "not", "null", "true"];

/// Returns the items for a context, sorted: properties first, each sort by name.
pub(crate) fn items(context: &CursorContext<'_>, surroundings: &Surroundings) -> Vec<CompletionItem> {
    let mut list = CompletionList { context, items: Vec::new() };
    match &context.position {
        CursorPosition::Value => {
            list.properties(&surroundings.context());
            list.functions(surroundings, |_| true);
            list.words(&VALUES);
            let prefixed = list.context.begun.is_empty();
            if prefixed {
                list.parameters("var", CompletionSort::Variable, "$", surroundings);
            }
        }
        CursorPosition::Operator => list.words(&OPERATORS),
        CursorPosition::Variable => list.parameters("var", CompletionSort::Variable, "", surroundings),
        CursorPosition::Step(before) => list.steps(&type_of(before, surroundings), surroundings),
        CursorPosition::Text(call, path) => list.text(call, path, surroundings),
    }
    let mut items = list.items;
    items.sort_by(|left, right| (left.sort, &left.label).cmp(&(right.sort, &right.label)));
    items.dedup_by(|left, right| left.label == right.label && left.sort == right.sort);
    items
}

struct CompletionList<'c> {
    context: &'c CursorContext<'c>,
    items: Vec<CompletionItem>,
}

impl CompletionList<'_> {
    fn push(&mut self, label: String, sort: CompletionSort, detail: String, help: &'static str) {
        if self.is_begun(&label) {
            self.items.push(CompletionItem { label, sort, detail, help, replaced: self.context.replaced });
        }
    }

    /// Returns true if a name begins as the text does.
    fn is_begun(&self, name: &str) -> bool {
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
        let (name, begun) = (name.trim_start_matches('$'), self.context.begun);
        begun.is_empty() || lower(name).starts_with(&lower(begun))
    }

    fn properties(&mut self, of: &ValueType) {
        let Some(shape) = shape(of) else { return };
        let own = shape.names().into_iter().map(|name| name.to_string());
        for name in own.chain(["id".to_owned(), "uuid".to_owned()]) {
            // A place that is about no resource has a shape without properties.
            if shape.property(&name).is_some() || !shape.names().is_empty() {
                let detail = words(&property(of, &name));
                self.push(name, CompletionSort::Property, detail, "");
            }
        }
    }

    fn functions(&mut self, surroundings: &Surroundings, fits: impl Fn(&FunctionEntry) -> bool) {
        let available = &surroundings.scope.available;
        let exist = catalogue::all().filter(|function| available.has(function.availability) && fits(function));
        for function in exist {
            if !self.is_begun(function.name) {
                continue;
            }
            let detail = signature::line(function);
            self.push(function.name.to_owned(), CompletionSort::Function, detail, function.help);
        }
    }

    fn words(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.push((*word).to_owned(), CompletionSort::Keyword, String::new(), ""));
    }

    fn parameters(&mut self, function: &str, sort: CompletionSort, before: &str, surroundings: &Surroundings) {
        for (name, of) in surroundings.scope.parameters.get(function).into_iter().flatten() {
            self.push(format!("{before}{name}"), sort, words(of), "");
        }
    }

    /// Completions behind a dot: properties of the value, and functions that take it first.
    fn steps(&mut self, of: &ValueType, surroundings: &Surroundings) {
        self.properties(of);
        for (name, of) in members(of) {
            self.push(name.to_owned(), CompletionSort::Property, words(&of), "");
        }
        let kind = of.kind;
        self.functions(surroundings, |function| {
            function.parameters.first().is_some_and(|first| kind.serves(ValueKind::of_words(first.kind)))
        });
    }

    fn text(&mut self, call: &EnclosingCall<'_>, path: &str, surroundings: &Surroundings) {
        let first = call.receiver.or(call.first);
        let place = ArgumentPlace {
            function: call.function,
            index: call.index(),
            received: call.receiver.is_some(),
            first: first.map(|first| type_of(first, surroundings)).unwrap_or_default(),
        };
        match content(&place, surroundings) {
            Some(TextContent::Parameter(function)) if path.is_empty() => {
                let sort = if function.name == "var" { CompletionSort::Variable } else { CompletionSort::Parameter };
                self.parameters(function.name, sort, "", surroundings);
            }
            Some(TextContent::Property(of)) if path.is_empty() => self.properties(&of),
            Some(TextContent::Chain(of)) => match path.strip_suffix('.') {
                Some(before) => self.steps(&chain_type(before, surroundings, of), surroundings),
                None if path.is_empty() => self.steps(&of, surroundings),
                None => {}
            },
            _ => {}
        }
    }
}
