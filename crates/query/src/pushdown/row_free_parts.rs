//! Parts that do not look at the row: the interpreter evaluates them, once for a request.

use crate::condition::Condition;
use crate::pushdown::sort::{FloatBounds, IntegerRange, ValueSort};
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::user_parts::of_user;
use crate::pushdown::weight::undecided;
use expression::catalogue::RESOURCE_LINKS;
use expression::scope::{Scope, ValueKind};
use expression::syntax::{self, BinaryOperator, CallArgument, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use expression::{Diagnostic, Program, Run, RunLimits, Value};
use model::kinds::ValueStorage;
use model::user_columns::USER_TYPE;
use std::collections::HashMap;
use std::sync::Arc;

/// Programs by the place of their part in the text: from, and to (exclusive).
pub(super) type PartPrograms = HashMap<(usize, usize), Arc<Program>>;

/// Functions that give something else for each row, or look at it by themselves.
const UNBOUND: [&str; 6] = ["setVar", "random", "randomFromList", "getRaw", "getTitle", "export"];

/// Functions that ask for more than a condition on rows knows: the row, its relations and who acts. Whoever answers
/// them elsewhere is not there, and answers that are kept would not follow what they give.
const UNANSWERED: &[&str] = &["query", "resource", "toApiArray", "currentLink", "fileFromFile"];

/// Functions without arguments that never fail.
const CERTAIN: [&str; 4] = ["today", "time", "isLoginAs", "isApiRequest"];

/// The first call of a function that nobody answers here, as what stands against it.
pub(super) fn unanswered(syntax: &SyntaxNode) -> Option<Diagnostic> {
    let refusal = |call: &FunctionCall| {
        let why =
            || format!("{}() is not asked for here: a condition knows the row, its relations and user()", call.name);
        UNANSWERED.contains(&call.name.as_str()).then(|| refused(call.name_span, why()))
    };
    let own = match &syntax.kind {
        SyntaxKind::Call(call) => refusal(call),
        SyntaxKind::Path(_, steps) => steps.iter().find_map(|step| match step {
            PathStep::Call(call) => refusal(call),
            _ => None,
        }),
        _ => None,
    };
    own.or_else(|| children(syntax).into_iter().find_map(unanswered))
}

/// The programs of all parts that do not look at the row, by their places. Of what lies in one another, the outer one;
/// and the parts of a list that is written out each by itself.
pub(super) fn programs(text: &str, syntax: &SyntaxNode, scope: &Scope) -> Result<PartPrograms, Vec<Diagnostic>> {
    let mut found = PartPrograms::new();
    collect(text, syntax, scope, &mut found)?;
    Ok(found)
}

fn collect(text: &str, syntax: &SyntaxNode, scope: &Scope, found: &mut PartPrograms) -> Result<(), Vec<Diagnostic>> {
    if !looks_at_row(syntax) {
        let program = syntax::compile(text, syntax, scope)?;
        found.insert((syntax.span.from, syntax.span.to), Arc::new(program));
        let items = matches!(syntax.kind, SyntaxKind::Array(_) | SyntaxKind::Conditional(..) | SyntaxKind::Minus(_));
        if !items && !matches!(&syntax.kind, SyntaxKind::Chain(..)) {
            return Ok(());
        }
    }
    children(syntax).into_iter().try_for_each(|child| collect(text, child, scope, found))
}

/// Returns true if a part's value depends on the row, or on something that is known only while it runs.
pub fn looks_at_row(syntax: &SyntaxNode) -> bool {
    let calls =
        |call: &FunctionCall| UNBOUND.contains(&call.name.as_str()) || RESOURCE_LINKS.contains(&call.name.as_str());
    match &syntax.kind {
        SyntaxKind::Name(_) | SyntaxKind::Variable(_) => true,
        SyntaxKind::Call(call) if calls(call) => true,
        SyntaxKind::Path(_, steps) if steps.iter().any(|step| matches!(step, PathStep::Call(call) if calls(call))) => {
            true
        }
        _ => children(syntax).into_iter().any(looks_at_row),
    }
}

/// The parts of a part.
pub fn children(syntax: &SyntaxNode) -> Vec<&SyntaxNode> {
    fn arguments(call: &FunctionCall) -> impl Iterator<Item = &SyntaxNode> {
        call.arguments.iter().map(|CallArgument { value, .. }| value)
    }
    match &syntax.kind {
        SyntaxKind::Literal(_) | SyntaxKind::Name(_) | SyntaxKind::Variable(_) => Vec::new(),
        SyntaxKind::Call(call) => arguments(call).collect(),
        SyntaxKind::Path(first, steps) => {
            let of_steps = steps.iter().flat_map(|step| match step {
                PathStep::Property(..) => Vec::new(),
                PathStep::Index(key) => vec![key],
                PathStep::Call(call) => arguments(call).collect(),
            });
            std::iter::once(&**first).chain(of_steps).collect()
        }
        SyntaxKind::Array(items) => items.iter().collect(),
        SyntaxKind::Object(entries) => entries.iter().map(|(_, entry)| entry).collect(),
        SyntaxKind::Minus(operand) | SyntaxKind::Not(operand) => vec![operand],
        SyntaxKind::Chain(first, rest) => {
            std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)).collect()
        }
        SyntaxKind::Pair(_, left, right) => vec![left, right],
        SyntaxKind::Conditional(condition, then, otherwise) => {
            std::iter::once(&**condition).chain(then.as_deref()).chain([&**otherwise]).collect()
        }
    }
}

impl<'m> RuleTranslation<'_, 'm> {
    /// Returns true if a part is bound.
    pub(super) fn is_bound(&self, syntax: &SyntaxNode) -> bool {
        self.program(syntax).is_some()
    }

    /// The program of a bound part.
    pub(super) fn program(&self, syntax: &SyntaxNode) -> Option<&Program> {
        self.rule.constants.get(&(syntax.span.from, syntax.span.to)).map(|program| &**program)
    }

    /// The value of a bound part, or the interpreter's error; none while configuration is checked.
    pub(super) fn evaluated(&self, syntax: &SyntaxNode) -> TranslationResult<Option<Result<Value, Diagnostic>>> {
        let program =
            self.program(syntax).ok_or_else(|| refused(syntax.span, "it is not known before there is a row"))?;
        if let Some(value) = program.constant() {
            return Ok(Some(Ok(value.clone())));
        }
        let Some(bindings) = self.bindings else { return Ok(None) };
        // What draws at random is not bound.
        let mut random = |bytes: &mut [u8]| bytes.fill(0);
        let (now, zone) = (bindings.now, bindings.zone.clone());
        // All parts of a rule together may take as many steps as the interpreter would for the whole of it: there may be
        // hundreds in a text. A rule that takes more holds for nothing, whichever rows its first parts decide about: what
        // is left for a part must not depend on the row, nor on what else a request asks.
        let run = Run::new(now, zone, bindings.providers, &mut random, RunLimits::default());
        let mut run = run.by_rules(self.model.rules).paid_by(&self.account);
        let value = program.evaluate(&mut run);
        self.account.give_back(run.steps_left());
        if self.account.has_ended() {
            return Err(refused(syntax.span, "the parts that do not look at the row take too many steps"));
        }
        Ok(Some(match value {
            Ok(Value::Secret(_)) => return Err(refused(syntax.span, "a secret decides nothing")),
            Err(mistake) => {
                let reason = mistake.located();
                let [file, key] = bindings.place;
                tracing::warn!(
                    file,
                    key,
                    rule = self.rule.text,
                    code = mistake.code,
                    reason,
                    "a part of a condition on rows failed, and decides for no row"
                );
                Err(mistake)
            }
            given => given,
        }))
    }

    /// Returns the sort of a bound part's value before there is one.
    pub(super) fn sort(&self, syntax: &SyntaxNode) -> TranslationResult<ValueSort> {
        let unknown = || {
            let why = "it is not known what kind of value this gives; say it with toString(), toInt(), toFloat() or \
                       toBool()";
            refused(syntax.span, why)
        };
        let program = self.program(syntax).ok_or_else(unknown)?;
        if let Some(value) = program.constant() {
            return ValueSort::of_value(value).ok_or_else(unknown);
        }
        if let Some(path) = of_user(syntax) {
            return self.of_user(&path, syntax);
        }
        match &syntax.kind {
            SyntaxKind::Array(items) => {
                items.iter().map(|item| self.sort(item)).collect::<TranslationResult<_>>().map(ValueSort::Array)
            }
            SyntaxKind::Call(FunctionCall { name, .. }) if name == "time" => {
                Ok(ValueSort::Int(IntegerRange(-(1 << 45), 1 << 45)))
            }
            SyntaxKind::Call(FunctionCall { name, .. }) if name == "today" => Ok(ValueSort::Text(false)),
            SyntaxKind::Minus(operand) if self.sort(operand)?.is_number() => Ok(ValueSort::Number(true)),
            // A date and an interval make a date.
            SyntaxKind::Chain(_, rest)
                if rest.iter().all(|(operator, _)| is_arithmetic(*operator))
                    && !matches!(program.kind(), ValueKind::Text | ValueKind::DateTime | ValueKind::Interval) =>
            {
                Ok(ValueSort::Number(true))
            }
            SyntaxKind::Chain(first, rest) if matches!(rest.as_slice(), [(BinaryOperator::Coalesce, _), ..]) => {
                let sorts =
                    rest.iter().map(|(_, operand)| self.sort(operand)).collect::<TranslationResult<Vec<_>>>()?;
                sorts.into_iter().try_fold(self.sort(first)?, united).ok_or_else(unknown)
            }
            SyntaxKind::Conditional(condition, then, otherwise) => {
                let then = self.sort(then.as_ref().unwrap_or(condition))?;
                united(then, self.sort(otherwise)?).ok_or_else(unknown)
            }
            _ => match program.kind() {
                ValueKind::Null => Ok(ValueSort::Null),
                ValueKind::Bool => Ok(ValueSort::Bool),
                ValueKind::Int | ValueKind::Float => Ok(ValueSort::Number(false)),
                ValueKind::Decimal => Ok(ValueSort::Number(true)),
                ValueKind::Text => Ok(ValueSort::Text(true)),
                ValueKind::DateTime => Ok(ValueSort::Moment),
                ValueKind::Interval => Ok(ValueSort::Interval),
                _ => Err(unknown()),
            },
        }
    }

    /// For which rows a bound part ends with an error, while it is not known whether it does.
    pub(super) fn perhaps_failing(&self, syntax: &SyntaxNode) -> Condition<'m> {
        if self.may_fail(syntax) { undecided() } else { Condition::NEVER }
    }

    fn may_fail(&self, syntax: &SyntaxNode) -> bool {
        let any = |parts: &[&SyntaxNode]| parts.iter().any(|part| self.may_fail(part));
        match &syntax.kind {
            _ if of_user(syntax).is_some_and(|path| path.len() < 3) => false,
            SyntaxKind::Literal(_) => false,
            SyntaxKind::Call(call) => !(call.arguments.is_empty() && CERTAIN.contains(&call.name.as_str())),
            SyntaxKind::Chain(_, rest) if rest.iter().any(|(operator, _)| !decides(*operator)) => true,
            SyntaxKind::Pair(operator, ..) if !compares(*operator) => true,
            // What is no array and no text contains nothing that could be asked for.
            SyntaxKind::Pair(BinaryOperator::In | BinaryOperator::NotIn, _, haystack)
                if !matches!(self.sort(haystack), Ok(ValueSort::Array(_) | ValueSort::Text(_))) =>
            {
                true
            }
            SyntaxKind::Array(_)
            | SyntaxKind::Not(_)
            | SyntaxKind::Chain(..)
            | SyntaxKind::Pair(..)
            | SyntaxKind::Conditional(..) => any(&children(syntax)),
            _ => true,
        }
    }

    /// Returns true if a part is a property of the acting user that is a day.
    pub(super) fn is_day_of_user(&self, syntax: &SyntaxNode) -> bool {
        let path = of_user(syntax);
        let Some([name]) = path.as_deref() else { return false };
        let property = self.model.type_by_id(USER_TYPE).and_then(|of| of.field(name));
        property.is_some_and(|property| ValueSort::of(property) == Some(ValueSort::Date))
    }

    fn of_user(&self, path: &[String], syntax: &SyntaxNode) -> TranslationResult<ValueSort> {
        let mut sort = ValueSort::Resource(USER_TYPE);
        for name in path {
            let ValueSort::Resource(type_id) = sort else {
                return Err(refused(syntax.span, format!("`{name}` would be a part of a plain value")));
            };
            let of = self.model.type_by_id(type_id);
            let property = of.and_then(|of| of.field(name)).filter(|property| !property.kind.concealed());
            let Some(property) = property else {
                let message = format!("The type {} has no property `{name}`.", of.map_or("", |of| &of.name));
                let code = "unknown_property";
                return Err(Diagnostic::new(code, syntax.span, message));
            };
            let sort_of = || refused(syntax.span, format!("`{name}` has no values that rows are compared with"));
            if path.last() != Some(name) && !matches!(property.kind.storage(), ValueStorage::Column(_)) {
                return Err(refused(syntax.span, format!("`{name}` has several values")));
            }
            sort = ValueSort::bound(property).ok_or_else(sort_of)?;
        }
        Ok(sort)
    }
}

/// Returns true if it joins values that are true or false, or takes the one that is there.
pub(super) fn decides(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor | BinaryOperator::Coalesce)
}

/// Returns true if it compares values, whatever these are.
pub(super) fn compares(operator: BinaryOperator) -> bool {
    use BinaryOperator::{
        Equal, Greater, GreaterOrEqual, Identical, In, Less, LessOrEqual, NotEqual, NotIdentical, NotIn,
    };
    let all = [Equal, NotEqual, Identical, NotIdentical, Less, LessOrEqual, Greater, GreaterOrEqual, In, NotIn];
    all.contains(&operator)
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
    )
}

/// The sort that takes the values of both.
pub(super) fn united(one: ValueSort, other: ValueSort) -> Option<ValueSort> {
    Some(match (one, other) {
        (ValueSort::Null, sort) | (sort, ValueSort::Null) => sort,
        (ValueSort::Int(one), ValueSort::Int(other)) => ValueSort::Int(one.united(other)),
        (ValueSort::Decimal(scale, one), ValueSort::Decimal(other_scale, other)) if scale == other_scale => {
            ValueSort::Decimal(scale, one.united(other))
        }
        (ValueSort::Real(one), ValueSort::Real(other)) => {
            ValueSort::Real(FloatBounds { most: one.most.max(other.most), whole: one.whole || other.whole })
        }
        (ValueSort::Float, ValueSort::Real(real)) | (ValueSort::Real(real), ValueSort::Float) if !real.whole => {
            ValueSort::Float
        }
        (ValueSort::Text(one), ValueSort::Text(other)) => ValueSort::Text(one || other),
        (ValueSort::Units(unit, one), ValueSort::Units(same, other)) if unit == same => {
            ValueSort::Units(unit, one.united(other))
        }
        (one, other) if one == other => one,
        _ => return None,
    })
}
