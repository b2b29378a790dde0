//! Calls: arguments put in the order of the parameters, checked, defaults filled in.

use super::{Compiler, TypedNode, built, constant};
use crate::analysis::{PlacedArguments, extended};
use crate::catalogue::{Availability, FunctionEntry};
use crate::check;
use crate::error::{Span, mistake};
use crate::evaluate::{CallNode, CompareDatesNode, MapNode, OperandNode, ProgramNode, RawNode, SpreadNode, WalkStep};
use crate::parser::{FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

/// A call that is ready, its first argument perhaps yet to come.
enum PreparedCall {
    Call(CallNode),
    Spread(SpreadNode),
}

impl Compiler<'_> {
    pub(super) fn call(&mut self, call: &FunctionCall, span: Span) -> TypedNode {
        let function = match check::function(call, Some(span), self.text, self.scope) {
            Ok(function) => function,
            Err(mistake) => {
                self.mistakes.push(mistake);
                // A range of cells says nothing here.
                if !crate::spreadsheet_functions::takes_ranges(&call.name) {
                    call.arguments.iter().for_each(|argument| drop(self.build(&argument.value)));
                }
                return constant(Value::Null);
            }
        };
        let plain = call.arguments.iter().all(|argument| !argument.spread && argument.name.is_none());
        match (function.name, call.arguments.as_slice()) {
            ("getRaw", [argument]) if plain => {
                if let Some(raw) = self.raw(&argument.value, span) {
                    return raw;
                }
            }
            ("map", _) => return self.map_call(function, call, span),
            ("if", [condition, then, otherwise]) if plain => {
                return self.conditional(&condition.value, Some(&then.value), &otherwise.value, span);
            }
            _ => {}
        }
        self.mistakes.extend(check::shorthand(function, call, self.scope));
        let of = self.result_type(function, call);
        let (prepared, of) = self.prepare(function, call, None, of, span);
        if function.name == "setVar" {
            // Facts about variables end here.
            self.forget_variables();
        }
        match prepared {
            None => constant(Value::Null),
            Some(PreparedCall::Spread(node)) => TypedNode::new(Box::new(node), of),
            Some(PreparedCall::Call(node)) if function.name == "compareDates" => {
                match CompareDatesNode::of(function, node.arguments, span) {
                    Ok(node) => TypedNode::new(Box::new(node), of),
                    Err(arguments) => TypedNode::new(Box::new(CallNode { function, arguments, span }), of),
                }
            }
            Some(PreparedCall::Call(node)) => {
                let known = function.pure && node.arguments.iter().all(|argument| argument.constant().is_some());
                self.fold(TypedNode::new(Box::new(node), of), known)
            }
        }
    }

    /// A call as a step: the value so far is its first argument.
    pub(super) fn call_step(&mut self, call: &FunctionCall, of: &ValueType) -> Option<(WalkStep, ValueType)> {
        let span = call.name_span;
        let function = match check::function(call, None, self.text, self.scope) {
            Ok(function) => function,
            Err(mistake) => {
                self.mistakes.push(mistake);
                return None;
            }
        };
        if let ("getRaw", [argument]) = (function.name, call.arguments.as_slice()) {
            let name = match &argument.value.kind {
                SyntaxKind::Name(name) => Some(name.clone()),
                SyntaxKind::Literal(Value::Text(name)) => Some(name.lossy().into_owned()),
                _ => None,
            };
            if let Some(name) = name {
                let checked = check::property(of, &name, argument.value.span).map(|_| ValueType::default());
                let of = self.known(checked);
                return Some((WalkStep::Raw(name, span), of));
            }
        }
        if function.name == "map" {
            self.check_iterable(function, of, self.before(call));
            let (transform, made) = self.map_transform(function, call, true, of)?;
            return Some((WalkStep::Map(transform, span), made));
        }
        let (prepared, result) = self.prepare(function, call, Some(of), returned(function), span);
        Some(match prepared? {
            PreparedCall::Call(node) => (WalkStep::Call(node), result),
            PreparedCall::Spread(node) => (WalkStep::Spread(node), result),
        })
    }

    /// `getRaw(status)`, `getRaw('status')`, `getRaw(customer.country)`: the last name is the property.
    fn raw(&mut self, value: &SyntaxNode, span: Span) -> Option<TypedNode> {
        let context = ValueType { shape: self.scope.context.clone(), ..ValueType::of(ValueKind::Any) };
        let (of, name) = match &value.kind {
            SyntaxKind::Name(name) => {
                self.build(value);
                (None, name.clone())
            }
            SyntaxKind::Literal(Value::Text(name))
                if self.scope.available.has(crate::catalogue::Availability::Context) =>
            {
                let checked = check::property(&context, &name.lossy(), value.span);
                self.known(checked);
                (None, name.lossy().into_owned())
            }
            SyntaxKind::Path(first, steps) => {
                let (PathStep::Property(name, span), before) = steps.split_last()? else { return None };
                let first = self.build(first);
                let (steps, of) = self.steps(before, first.of, &mut None);
                let checked = check::property(&of, name, *span);
                self.known(checked);
                let path =
                    crate::evaluate::PathNode { first: OperandNode::of(first.node), steps, kind: ValueKind::Any };
                (Some(Box::new(path) as Box<dyn ProgramNode>), name.clone())
            }
            _ => return None,
        };
        Some(built(RawNode { of, name, span }, ValueKind::Any))
    }

    fn map_call(&mut self, function: &'static FunctionEntry, call: &FunctionCall, span: Span) -> TypedNode {
        let given = call.arguments.iter().enumerate().find(|(place, argument)| match &argument.name {
            Some((name, _)) => name == "iterable",
            None => *place == 0,
        });
        let iterable = given.map(|(_, argument)| self.build(&argument.value));
        let of = iterable.as_ref().map(|iterable| iterable.of.clone()).unwrap_or_default();
        if let Some((_, argument)) = given {
            self.check_iterable(function, &of, argument.value.span);
        }
        let transform = self.map_transform(function, call, false, &of);
        match (iterable, transform) {
            (Some(iterable), Some((transform, made))) => {
                let iterable = OperandNode::of(iterable.node);
                TypedNode::new(Box::new(MapNode { iterable, transform, span }), made)
            }
            _ => constant(Value::Null),
        }
    }

    /// The place of what a call as a step takes; that of the call where nothing is written before it, in a chain.
    fn before(&self, call: &FunctionCall) -> Span {
        let before = Span { from: self.path_from, to: call.name_span.from.saturating_sub(1) };
        if before.from < before.to { before } else { call.name_span }
    }

    fn prepare(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        receiver: Option<&ValueType>,
        of: ValueType,
        span: Span,
    ) -> (Option<PreparedCall>, ValueType) {
        let places = check::places(function, call, receiver.is_some(), &mut self.mistakes);
        let outer = (self.sampling, self.sampled);
        let first = call.arguments.first().filter(|_| function.name == "strtotime");
        (self.sampling, self.sampled) = (first.map(|first| first.value.span), false);
        let arguments: Vec<TypedNode> = call.arguments.iter().map(|argument| self.build(&argument.value)).collect();
        let Some(places) = places else { return (None, of) };
        let spread = call.arguments.iter().any(|argument| argument.spread);
        let mut of = of;
        if !spread {
            let source = receiver.map(|of| (of, self.before(call)));
            self.check_arguments(function, call, &arguments, &places, source);
            of = self.check_result(
                function,
                call,
                &PlacedArguments { built: &arguments, places: &places },
                receiver,
                of,
            );
        } else if matches!(function.name, "arrayPush" | "arrayUnshift") {
            of = extended(call, &arguments, receiver).unwrap_or(of);
        }
        (self.sampling, self.sampled) = outer;
        let placed = arguments.into_iter().zip(places).collect();
        (self.arranged(function, call, receiver, placed, span), of)
    }

    /// Puts arguments in the order of the parameters, with defaults for those that are left out.
    fn arranged(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        receiver: Option<&ValueType>,
        placed: Vec<(TypedNode, usize)>,
        span: Span,
    ) -> Option<PreparedCall> {
        let spread = call.arguments.iter().any(|argument| argument.spread);
        if !spread {
            for (argument, (built, place)) in call.arguments.iter().zip(&placed) {
                self.mistakes.extend(check::argument(function, *place, &built.of, argument.value.span));
            }
            self.mistakes.extend(receiver.and_then(|of| check::argument(function, 0, of, span)));
        }
        if spread {
            let (arguments, places): (Vec<_>, Vec<_>) = placed.into_iter().unzip();
            return Some(PreparedCall::Spread(self.spread(function, call, arguments, &places, span)));
        }
        let first = usize::from(receiver.is_some());
        let length = placed.iter().map(|(_, place)| place + 1).max().unwrap_or(first);
        let mut slots: Vec<Option<Box<dyn ProgramNode>>> = Vec::new();
        slots.resize_with(length.max(first), || None);
        for (built, place) in placed {
            slots[place] = Some(built.node);
        }
        let mut arguments = Vec::with_capacity(length);
        for (place, slot) in slots.into_iter().enumerate().skip(first) {
            let default = || function.parameters.get(place).and_then(check::default);
            let Some(node) = slot.or_else(|| default().map(|value| constant(value).node)) else {
                let name = function.parameters.get(place).map_or("", |parameter| parameter.name);
                let message = format!("Give `{name}` too: it has no default that can be written.");
                self.mistakes.push(mistake("missing_argument", call.name_span, message, None));
                return None;
            };
            arguments.push(node);
        }
        Some(PreparedCall::Call(CallNode { function, arguments, span }))
    }

    fn spread(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        arguments: Vec<TypedNode>,
        places: &[usize],
        span: Span,
    ) -> SpreadNode {
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for ((argument, built), place) in call.arguments.iter().zip(arguments).zip(places) {
            match argument.name {
                Some(_) => named.push((*place, built.node)),
                None => positional.push((argument.spread, built.node)),
            }
        }
        let defaults = function.parameters.iter().map(check::default).collect();
        SpreadNode { function, positional, named, defaults, span }
    }

    /// Returns the type of a call's result: a parameter's own type where the place knows its parameters.
    fn result_type(&mut self, function: &FunctionEntry, call: &FunctionCall) -> ValueType {
        if crate::analysis::is_of_files(function.name) {
            self.check_named(function, call);
            return returned(function);
        }
        if let Some(parameters) = self.scope.parameters.get(function.name)
            && let [argument] = call.arguments.as_slice()
            && let SyntaxKind::Literal(Value::Text(name)) = &argument.value.kind
        {
            let name = name.lossy();
            if let Some(known) = parameters.get(&*name) {
                return known.clone();
            }
            let suggestion = check::nearest(&name, parameters.keys().map(String::as_str));
            // For env() the specification gives null for unknown names: only what looks misspelt is a mistake.
            if function.availability == Availability::Environment && suggestion.is_none() || self.sets(function.name) {
                return ValueType::default();
            }
            let message = format!("{}() knows no `{name}` here.", function.name);
            self.mistakes.push(mistake("unknown_parameter", argument.value.span, message, suggestion));
        }
        if function.name == "selection"
            && let Some(known) = self.scope.parameters.get("appParameter").and_then(|known| known.get("selection"))
        {
            return known.clone();
        }
        returned(function)
    }

    /// Returns true if the expression itself gives variables values, of which nobody else knows.
    fn sets(&self, function: &str) -> bool {
        function == "var" && self.text.contains("setVar")
    }

    /// Returns the type of `$name`.
    pub(super) fn variable_type(&mut self, name: &str, span: Span) -> ValueType {
        let Some(variables) = self.scope.parameters.get("var") else { return ValueType::default() };
        if let Some(known) = variables.get(name) {
            return known.clone();
        }
        if !self.sets("var") {
            let property = self.scope.context.as_ref().filter(|shape| shape.property(name).is_some());
            let near = || check::nearest(name, variables.keys().map(String::as_str)).map(|near| format!("${near}"));
            let (remedy, suggestion) = match property {
                Some(_) => (format!(" The property is `{name}`, without `$`."), Some(name.to_owned())),
                None => (String::new(), near()),
            };
            let message = format!("There is no variable `{name}`.{remedy}");
            self.mistakes.push(mistake("unknown_parameter", span, message, suggestion));
        }
        ValueType::default()
    }
}

/// Returns the type of a function's result that its row names.
fn returned(function: &FunctionEntry) -> ValueType {
    let kind = ValueKind::of_words(function.returns);
    ValueType::of(kind).or_null(kind == ValueKind::Any || function.returns.ends_with(" or null"))
}
