//! Calls of functions: the arguments are evaluated, secrets taken out, the result tainted again.

use super::{EvaluationState, NodeResult, ProgramNode, bare, concealed, placed, spend, tainted};
use crate::catalogue::FunctionEntry;
use crate::error::{Diagnostic, Span};
use crate::typed::{self, FormBudget};
use crate::value::{ArrayKey, Value};
use crate::{Fault, Result, Run};
use std::borrow::Cow;

/// A call whose arguments are in order.
#[derive(Debug)]
pub(crate) struct CallNode {
    pub(crate) function: &'static FunctionEntry,
    pub(crate) arguments: Vec<Box<dyn ProgramNode>>,
    pub(crate) span: Span,
}

/// The most arguments that need no allocation.
const INLINE: usize = 4;

impl ProgramNode for CallNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.call(None, frame, run).map(Cow::Owned)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.arguments.iter_mut().for_each(|argument| typed::specialise(argument, budget));
    }
}

impl CallNode {
    /// Calls, with the value so far as first argument where there is one.
    pub(crate) fn call(
        &self,
        first: Option<Value>,
        frame: &EvaluationState,
        run: &mut Run<'_>,
    ) -> Result<Value, Box<Diagnostic>> {
        spend(run, self.span)?;
        let mark = run.mark();
        let count = self.arguments.len() + usize::from(first.is_some());
        let mut inline: [Value; INLINE] = Default::default();
        let mut many = Vec::new();
        if count > INLINE {
            run.items(count).map_err(|fault| placed(fault, self.span))?;
            many.resize(count, Value::Null);
        }
        let values = if count > INLINE { many.as_mut_slice() } else { &mut inline[..count] };
        let mut place = 0;
        if let Some(first) = first {
            values[0] = first;
            place = 1;
        }
        for argument in &self.arguments {
            values[place] = argument.evaluate(frame, run)?.into_owned();
            place += 1;
        }
        let value = tainted_call(self.function, values, run).map_err(|fault| placed(fault, self.span))?;
        run.settle(mark, &value);
        Ok(value)
    }
}

/// Functions that keep something for later: they are given secrets as they are, since what they keep comes back by
/// another way, and look themselves at what a secret may decide.
const KEEPING: [&str; 3] = ["setVar", "saveSecret", "removeSecret"];

/// Calls a function with secrets' values, so that its result is secret.
pub(crate) fn tainted_call(function: &FunctionEntry, values: &mut [Value], run: &mut Run<'_>) -> Result<Value> {
    // Every function may look at the whole of its texts, even where it makes nothing of them.
    for value in &*values {
        if let Value::Text(text) = bare(value).0 {
            run.charge(text.len() as u64 / 64)?;
        }
    }
    if !values.iter().any(|value| matches!(value, Value::Secret(_))) {
        let value = (function.call)(run, values)?;
        return Ok(if function.name == "getSecret" { tainted(value) } else { value });
    }
    if !KEEPING.contains(&function.name) {
        for value in values.iter_mut().filter(|value| matches!(value, Value::Secret(_))) {
            *value = bare(value).0.clone();
        }
    }
    (function.call)(run, values).map(tainted).map_err(concealed)
}

/// A call with `...values`: the arguments are put in order when it runs.
#[derive(Debug)]
pub(crate) struct SpreadNode {
    pub(crate) function: &'static FunctionEntry,
    /// Each with whether it is spread.
    pub(crate) positional: Vec<(bool, Box<dyn ProgramNode>)>,
    /// Each with its parameter's place.
    pub(crate) named: Vec<(usize, Box<dyn ProgramNode>)>,
    /// The parameters' defaults; none for those that are required.
    pub(crate) defaults: Vec<Option<Value>>,
    pub(crate) span: Span,
}

impl ProgramNode for SpreadNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.call(None, frame, run).map(Cow::Owned)
    }
}

impl SpreadNode {
    /// Calls, with the value so far as first argument where there is one.
    pub(crate) fn call(
        &self,
        first: Option<Value>,
        frame: &EvaluationState,
        run: &mut Run<'_>,
    ) -> Result<Value, Box<Diagnostic>> {
        spend(run, self.span)?;
        let mark = run.mark();
        let mut values: Vec<Option<Value>> = first.into_iter().map(Some).collect();
        for (spread, node) in &self.positional {
            let value = node.evaluate(frame, run)?;
            if *spread {
                self.spread(&value, &mut values, run).map_err(|fault| placed(fault, self.span))?;
            } else {
                values.push(Some(value.into_owned()));
            }
        }
        for (place, node) in &self.named {
            let value = node.evaluate(frame, run)?.into_owned();
            self.place(*place, value, &mut values).map_err(|fault| placed(fault, self.span))?;
        }
        let mut values = self.complete(values).map_err(|fault| placed(fault, self.span))?;
        let value = tainted_call(self.function, &mut values, run).map_err(|fault| placed(fault, self.span))?;
        run.settle(mark, &value);
        Ok(value)
    }

    fn spread(&self, value: &Value, values: &mut Vec<Option<Value>>, run: &mut Run<'_>) -> Result<()> {
        let (value, secret) = bare(value);
        let mark = |value: &Value| if secret { tainted(value.clone()) } else { value.clone() };
        match value {
            Value::Null => Ok(()),
            Value::Array(array) => {
                run.items(values.len() + array.len())?;
                // They move as they are put in order, into a second list.
                run.hold((values.len() + array.len()) * 4 * size_of::<Value>())?;
                for (key, item) in array.iter() {
                    match key {
                        ArrayKey::Int(_) => values.push(Some(mark(item))),
                        ArrayKey::Text(name) => self.by_name(&name.lossy(), mark(item), values)?,
                    }
                }
                Ok(())
            }
            Value::Object(object) => {
                object.iter().try_for_each(|(name, item)| self.by_name(&name.lossy(), mark(item), values))
            }
            other => Err(Fault::new(
                "wrong_kind",
                format!("`...` spreads an array or an object, not {}: toArray(x).", other.kind()),
            )),
        }
    }

    fn by_name(&self, name: &str, value: Value, values: &mut Vec<Option<Value>>) -> Result<()> {
        let parameters = self.function.parameters;
        match parameters.iter().position(|parameter| parameter.name == name && !parameter.variadic) {
            Some(place) => self.place(place, value, values),
            None => {
                let message = format!("{}() is given an argument by a name that no parameter has.", self.function.name);
                Err(Fault::new("unknown_argument", message))
            }
        }
    }

    fn place(&self, place: usize, value: Value, values: &mut Vec<Option<Value>>) -> Result<()> {
        if values.len() <= place {
            values.resize(place + 1, None);
        }
        if values[place].is_some() {
            let message = format!("`{}` is given twice.", self.function.parameters[place].name);
            return Err(Fault::new("repeated_argument", message));
        }
        values[place] = Some(value);
        Ok(())
    }

    fn complete(&self, mut values: Vec<Option<Value>>) -> Result<Vec<Value>> {
        let function = self.function;
        let variadic = function.parameters.last().is_some_and(|parameter| parameter.variadic);
        if values.len() > function.parameters.len() && !variadic {
            let message = format!("{}() takes at most {} arguments.", function.name, function.parameters.len());
            return Err(Fault::new("too_many_arguments", message));
        }
        let required = function.parameters.iter().take_while(|parameter| is_required(parameter)).count();
        values.resize(values.len().max(required), None);
        let complete = values.into_iter().enumerate().map(|(place, value)| {
            value.or_else(|| self.defaults.get(place).cloned().flatten()).ok_or_else(|| {
                let name = function.parameters.get(place).map_or("values", |parameter| parameter.name);
                Fault::new("missing_argument", format!("{}() needs `{name}`.", function.name))
            })
        });
        complete.collect()
    }
}

fn is_required(parameter: &crate::catalogue::FunctionParameter) -> bool {
    parameter.default.is_none() && !parameter.variadic
}
