//! The transforms that map() applies to each item: chains and mappings, compiled with the expression. A text that is
//! known only when the expression runs is data, never a program.

use super::Compiler;
use super::constants::joined;
use super::written_object::WrittenObject;
use crate::catalogue::FunctionEntry;
use crate::check;
use crate::error::{Span, mistake};
use crate::evaluate::MapTransform;
use crate::parser::{self, FunctionCall, MAXIMUM_HEIGHT, SyntaxKind, SyntaxNode};
use crate::value::{ArrayKey, ObjectShape, Text, Value};
use std::sync::Arc;
use values::types::ValueType;

/// The most chains that may lie in one another: each has its own height.
const MAXIMUM_CHAINS: usize = 4;

impl Compiler<'_> {
    /// The transform of a call of map() on something of a type; with a receiver, that is the iterable.
    pub(super) fn map_transform(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        receiver: bool,
        of: &ValueType,
    ) -> Option<(MapTransform, ValueType)> {
        if let Some(argument) = call.arguments.iter().find(|argument| argument.spread) {
            let message = "map() takes no `...`: its transform is read before the expression runs.";
            self.mistakes.push(mistake("chain_not_literal", argument.value.span, message, None));
            return None;
        }
        let places = check::places(function, call, receiver, &mut self.mistakes)?;
        let found = call.arguments.iter().zip(places).find(|(_, place)| *place == 1);
        let item = of.member();
        let (transform, made) = match found {
            None => (MapTransform::Chain(Vec::new(), None), item),
            Some((argument, _)) => self.transform(&argument.value, &item)?,
        };
        // An empty list stays one.
        let made = if of.item.as_ref().is_some_and(|item| item.is_nothing()) { ValueType::nothing() } else { made };
        let items = made.shape.clone().filter(|shape| shape.choices().is_none());
        Some((transform, ValueType { items, ..ValueType::array_of(made.chosen()) }))
    }

    fn transform(&mut self, syntax: &SyntaxNode, of: &ValueType) -> Option<(MapTransform, ValueType)> {
        match &syntax.kind {
            SyntaxKind::Object(entries) => {
                let names: ObjectShape = entries.iter().map(|(name, _)| Text::from(name.as_str())).collect();
                if names.len() < entries.len() {
                    let message = "A field stands in the mapping twice.";
                    self.mistakes.push(mistake("repeated_key", syntax.span, message, None));
                    return None;
                }
                let transforms: Vec<_> = entries.iter().map(|(_, entry)| self.transform(entry, of)).collect();
                let (transforms, types): (_, Vec<_>) =
                    transforms.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
                let members = entries.iter().map(|(name, _)| Arc::from(name.as_str())).zip(types);
                let made = WrittenObject::type_of(members.collect()).chosen();
                Some((MapTransform::Object(Arc::new(names), transforms, syntax.span), made))
            }
            SyntaxKind::Array(items) => {
                let transforms: Vec<_> = items.iter().map(|item| self.transform(item, of)).collect();
                let (transforms, types): (Vec<_>, Vec<_>) =
                    transforms.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
                let keyed = transforms.into_iter().enumerate().map(|(place, item)| (ArrayKey::Int(place as i64), item));
                let made = ValueType::array_of(joined(types.iter()));
                Some((MapTransform::Array(keyed.collect(), syntax.span), made))
            }
            _ => {
                let node = self.build(syntax).node;
                match node.constant() {
                    Some(value) => self.constant_transform(&value.clone(), syntax.span, MAXIMUM_HEIGHT, of),
                    None => self.not_literal(syntax.span),
                }
            }
        }
    }

    /// Of a constant, within which others may lie so deep.
    fn constant_transform(
        &mut self,
        value: &Value,
        span: Span,
        height: usize,
        of: &ValueType,
    ) -> Option<(MapTransform, ValueType)> {
        let Some(height) = height.checked_sub(1) else {
            let message = format!("The transform of map() nests more than {MAXIMUM_HEIGHT} levels.");
            self.mistakes.push(mistake("too_deep", span, message, None));
            return None;
        };
        match value {
            Value::Text(text) => self.chain_of(text.as_str()?, span, of),
            Value::Object(object) => {
                let names = object.iter().map(|(name, _)| name.clone()).collect();
                let made = object.iter().map(|(_, value)| self.constant_transform(value, span, height, of));
                let (transforms, types): (_, Vec<_>) = made.collect::<Option<Vec<_>>>()?.into_iter().unzip();
                let members = object.iter().map(|(name, _)| Arc::from(&*name.lossy())).zip(types);
                let made = WrittenObject::type_of(members.collect()).chosen();
                Some((MapTransform::Object(Arc::new(names), transforms, span), made))
            }
            Value::Array(array) => {
                let mut types = Vec::new();
                let transforms = array.iter().map(|(key, value)| {
                    let (transform, made) = self.constant_transform(value, span, height, of)?;
                    types.push(made);
                    Some((key, transform))
                });
                let transform = MapTransform::Array(transforms.collect::<Option<_>>()?, span);
                Some((transform, ValueType::array_of(joined(types.iter()))))
            }
            Value::Null => Some((MapTransform::Chain(Vec::new(), None), of.clone())),
            _ => self.not_literal(span),
        }
    }

    fn not_literal<T>(&mut self, span: Span) -> Option<T> {
        let message = "map() takes a chain such as 'customer.name.upper()', or an object or array of chains, \
                       written out: a text that is computed is never run.";
        self.mistakes.push(mistake("chain_not_literal", span, message, None));
        None
    }

    /// A chain's mistakes, of compiling and of running, are shown in it where it stands in the text as it is, else
    /// at the whole.
    fn chain_of(&mut self, chain: &str, span: Span, of: &ValueType) -> Option<(MapTransform, ValueType)> {
        if let Err(mistake) = self.take_chain(chain, span) {
            self.mistakes.push(mistake);
            return None;
        }
        let text = self.text;
        let end = span.to.saturating_sub(1);
        let inside = text.get(span.from + 1..end) == Some(chain);
        if !inside && !self.mistakes.is_empty() {
            // What is computed is mostly the same again: its mistakes are told once.
            return None;
        }
        let parsed = if inside { parser::chain(&text[..end], span.from + 1) } else { parser::chain(chain, 0) };
        let steps = match parsed {
            Ok(steps) => steps,
            Err(mut mistake) => {
                if !inside {
                    mistake.span = span;
                }
                self.mistakes.push(mistake);
                return None;
            }
        };
        if self.chains == MAXIMUM_CHAINS {
            let message = format!("At most {MAXIMUM_CHAINS} chains of map() lie in one another.");
            self.mistakes.push(mistake("too_deep", span, message, None));
            return None;
        }
        self.chains += 1;
        let before = self.mistakes.len();
        if !inside {
            self.text = "";
        }
        let found = self.findings.len();
        let outer = std::mem::replace(&mut self.path_from, span.from + 1);
        let (steps, made) = self.steps(&steps, of.clone(), &mut None);
        self.path_from = outer;
        self.text = text;
        self.chains -= 1;
        if !inside {
            self.mistakes[before..].iter_mut().for_each(|mistake| mistake.span = span);
            self.findings[found..].iter_mut().for_each(|finding| finding.place_at(span));
        }
        let place = (!inside).then_some(span);
        (self.mistakes.len() == before).then_some((MapTransform::Chain(steps, place), made))
    }
}
