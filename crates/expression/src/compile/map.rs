//! What map() does to each item: chains and mappings, compiled with the expression. A text that is known only when
//! the expression runs is data, never a program.

use super::Compiler;
use crate::catalogue::Function;
use crate::check;
use crate::error::Span;
use crate::evaluate::Transform;
use crate::parser::{self, Call, Syntax, SyntaxKind};
use crate::scope::Type;
use crate::value::{Key, Text, Value};
use indexmap::IndexSet;
use std::sync::Arc;

/// How many chains may lie in one another: each has its own height.
const MAXIMUM_CHAINS: usize = 4;

impl Compiler<'_> {
    /// The transform of a call of map(); with a receiver, that is the iterable.
    pub(super) fn map_transform(
        &mut self,
        function: &'static Function,
        call: &Call,
        receiver: bool,
    ) -> Option<Transform> {
        if let Some(argument) = call.arguments.iter().find(|argument| argument.spread) {
            let message = "map() takes no `...`: its transform is read before the expression runs.";
            self.mistakes.push(check::mistake("chain_not_literal", argument.value.span, message, None));
            return None;
        }
        let places = check::places(function, call, receiver, &mut self.mistakes)?;
        let found = call.arguments.iter().zip(places).find(|(_, place)| *place == 1);
        found.map_or(Some(Transform::Chain(Vec::new())), |(argument, _)| self.transform(&argument.value))
    }

    fn transform(&mut self, syntax: &Syntax) -> Option<Transform> {
        match &syntax.kind {
            SyntaxKind::Object(entries) => {
                let names: IndexSet<Text> = entries.iter().map(|(name, _)| Text::from(name.as_str())).collect();
                if names.len() < entries.len() {
                    let message = "A field stands in the mapping twice.";
                    self.mistakes.push(check::mistake("repeated_key", syntax.span, message, None));
                    return None;
                }
                let transforms: Vec<_> = entries.iter().map(|(_, entry)| self.transform(entry)).collect();
                Some(Transform::Object(Arc::new(names), transforms.into_iter().collect::<Option<_>>()?))
            }
            SyntaxKind::Array(items) => {
                let transforms: Vec<_> = items.iter().map(|item| self.transform(item)).collect();
                let transforms = transforms.into_iter().collect::<Option<Vec<_>>>()?;
                let keyed = transforms.into_iter().enumerate().map(|(place, item)| (Key::Int(place as i64), item));
                Some(Transform::Array(keyed.collect()))
            }
            _ => {
                let node = self.build(syntax).node;
                match node.constant() {
                    Some(value) => self.constant_transform(&value.clone(), syntax.span),
                    None => self.not_literal(syntax.span),
                }
            }
        }
    }

    fn constant_transform(&mut self, value: &Value, span: Span) -> Option<Transform> {
        match value {
            Value::Text(text) => self.chain_of(text.as_str()?, span),
            Value::Object(object) => {
                let names = object.iter().map(|(name, _)| name.clone()).collect();
                let transforms = object.iter().map(|(_, value)| self.constant_transform(value, span));
                let transforms = transforms.collect::<Option<_>>()?;
                Some(Transform::Object(Arc::new(names), transforms))
            }
            Value::Array(array) => {
                let transforms = array.iter().map(|(key, value)| Some((key, self.constant_transform(value, span)?)));
                Some(Transform::Array(transforms.collect::<Option<_>>()?))
            }
            Value::Null => Some(Transform::Chain(Vec::new())),
            _ => self.not_literal(span),
        }
    }

    fn not_literal(&mut self, span: Span) -> Option<Transform> {
        let message = "map() takes a chain such as 'customer.name.upper()', or an object or array of chains, \
                       written out: a text that is computed is never run.";
        self.mistakes.push(check::mistake("chain_not_literal", span, message, None));
        None
    }

    /// A chain's mistakes are shown in it where it stands in the text as it is, else at the whole.
    fn chain_of(&mut self, chain: &str, span: Span) -> Option<Transform> {
        let inside = self.text.get(span.from + 1..span.to.saturating_sub(1)) == Some(chain);
        let steps = match parser::chain(chain) {
            Ok(steps) => steps,
            Err(mut mistake) => {
                mistake.span = moved(mistake.span, span, inside);
                self.mistakes.push(mistake);
                return None;
            }
        };
        if self.chains == MAXIMUM_CHAINS {
            let message = format!("At most {MAXIMUM_CHAINS} chains of map() lie in one another.");
            self.mistakes.push(check::mistake("too_deep", span, message, None));
            return None;
        }
        self.chains += 1;
        let before = self.mistakes.len();
        let outer = std::mem::take(&mut self.text);
        let (steps, _) = self.steps(&steps, Type::default());
        self.text = outer;
        self.chains -= 1;
        for mistake in &mut self.mistakes[before..] {
            mistake.span = moved(mistake.span, span, inside);
        }
        (self.mistakes.len() == before).then_some(Transform::Chain(steps))
    }
}

fn moved(inner: Span, outer: Span, inside: bool) -> Span {
    let from = outer.from + 1;
    if inside { Span { from: inner.from + from, to: inner.to + from } } else { outer }
}
