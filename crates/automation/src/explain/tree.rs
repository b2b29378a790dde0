//! An expression of a grant, part by part, with what each comes to for one row.

use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use context::value_json::to_json;
use expression::convert::to_bool;
use expression::scope::Scope;
use expression::syntax::{self, BinaryOperator, FunctionCall as Named, PathStep, SyntaxKind, SyntaxNode};
use expression::{Program, Value};
use model::error::Result;
use model::place::ExpressionPlace;
use model::shape::TypeShapes;
use model::types::{Model, ResourceType, RowCondition};
use model::user_columns::USER_TYPE;
use query::pushdown;
use query::pushdown::looks_at_row;
use resources::expressions::{PlatformProviders, evaluate};
use serde::Serialize;
use serde_json::Value as Json;
use std::sync::Arc;

/// The most characters of a value that are told.
const CHARACTERS: usize = 200;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// As it is written.
    pub text: String,
    /// The result of its evaluation.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// True if the whole is as it is because of this part.
    pub decides: bool,
    /// The parts that it is made of, as far as that differs from what is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    #[serde(skip)]
    join: PartJoin,
    #[serde(skip)]
    truth: Option<bool>,
}

/// The result of the evaluation of a part.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// A value: of a resource its id, of long texts the beginning.
    Value(Json),
    /// It ends with an error, and the whole holds for nothing.
    Error {
        /// The language's code.
        code: &'static str,
        /// A message that says what is wrong.
        message: String,
    },
    /// It is not told: a secret went into it, or reads of the type are logged.
    Withheld(&'static str),
}

/// The way in which a part rests on those that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartJoin {
    And,
    Or,
    /// `xor`, and `not`.
    All,
    /// `a ? b : c`: the condition, and one of the others.
    Choice,
    /// A comparison, a function: its operands are values.
    Operands,
}

/// A rule that is looked at, and the row that it is about.
pub(super) struct RuleTree<'t, 'x> {
    pub(super) providers: &'t PlatformProviders<'t, 'x>,
    pub(super) context: &'t RequestContext,
    pub(super) of: &'t Arc<ResourceType>,
    pub(super) row: &'t Arc<StoredResource>,
    text: &'t str,
    scope: Scope,
    /// True if values are not told, since reading them is logged.
    logged: bool,
}

impl<'t, 'x> RuleTree<'t, 'x> {
    /// The tree of a rule for a row.
    pub(super) fn of(
        providers: &'t PlatformProviders<'t, 'x>,
        context: &'t RequestContext,
        resource_type: &'t Arc<ResourceType>,
        row: &'t Arc<StoredResource>,
        rule: &'t RowCondition,
    ) -> Result<Part> {
        let shape = TypeShapes::of(&context.model.types).get(resource_type.id);
        let scope = Scope::of(ExpressionPlace::Grant.available()).with_context(shape);
        let mut tree = RuleTree { providers, context, of: resource_type, row, text: &rule.text, scope, logged: false };
        tree.logged = tree.logs(&rule.syntax);
        let mut part = tree.part(&rule.syntax)?;
        part.settle();
        Ok(part)
    }

    fn part(&self, syntax: &SyntaxNode) -> Result<Part> {
        let text = self.text.get(syntax.span.from..syntax.span.to).unwrap_or_default().to_owned();
        let (outcome, truth) = match syntax::compile(self.text, syntax, &self.scope) {
            Ok(program) => self.outcome(&program, syntax)?,
            Err(mistakes) => {
                let first = mistakes.into_iter().next();
                let (code, message) = first.map_or(("unknown", String::new()), |first| (first.code, first.message));
                (Outcome::Error { code, message }, None)
            }
        };
        let join = join(syntax);
        let parts = shown(syntax, join).into_iter().map(|part| self.part(part)).collect::<Result<_>>()?;
        Ok(Part { text, outcome, decides: false, parts, join, truth })
    }

    fn outcome(&self, program: &Program, syntax: &SyntaxNode) -> Result<(Outcome, Option<bool>)> {
        let value = match evaluate(self.providers, program, Value::Resource(Arc::clone(self.row) as _))? {
            Ok(value) => value,
            Err(mistake) => {
                return Ok((Outcome::Error { code: mistake.code, message: mistake.message }, None));
            }
        };
        if matches!(value, Value::Secret(_)) {
            return Ok((Outcome::Withheld("***"), Some(false)));
        }
        let truth = Some(to_bool(&value));
        let told =
            matches!(value, Value::Bool(_)) && !matches!(syntax.kind, SyntaxKind::Name(_) | SyntaxKind::Path(..));
        if self.logged && looks_at(syntax) && !told {
            return Ok((Outcome::Withheld("reads are logged"), truth));
        }
        let outcome =
            to_json(&value, self.providers).map_or(Outcome::Withheld("not shown"), |json| Outcome::Value(cut(json)));
        Ok((outcome, truth))
    }

    /// Returns true if reads are logged of a type that a rule looks at.
    fn logs(&self, syntax: &SyntaxNode) -> bool {
        let user = self.context.model.type_by_id(USER_TYPE).is_some_and(|of| of.log_reads);
        logs_along(&self.context.model, self.of, syntax) || user && asks_user(syntax)
    }
}

impl Part {
    /// Says of which parts it is that the whole is as it is.
    fn settle(&mut self) {
        self.decides = true;
        let failed = self.parts.iter().position(|part| part.truth.is_none());
        let first = |truth: bool| self.parts.iter().position(|part| part.truth == Some(truth));
        let deciding: Vec<usize> = match (self.join, self.truth) {
            (PartJoin::Operands, None) => failed.into_iter().collect(),
            (PartJoin::Operands, _) => Vec::new(),
            (_, None) => failed.into_iter().collect(),
            (PartJoin::And, Some(false)) => first(false).into_iter().collect(),
            (PartJoin::Or, Some(true)) => first(true).into_iter().collect(),
            (PartJoin::Choice, _) => {
                let holds = self.parts.first().is_some_and(|part| part.truth == Some(true));
                let chosen = if holds { 1 } else { 2 };
                vec![0, chosen.min(self.parts.len().saturating_sub(1))]
            }
            _ => (0..self.parts.len()).collect(),
        };
        for index in deciding {
            if let Some(part) = self.parts.get_mut(index).filter(|part| !part.decides) {
                part.settle();
            }
        }
    }

    /// The smallest parts that decide.
    pub(super) fn because(&self, texts: &mut Vec<String>) {
        let mut deciding = self.parts.iter().filter(|part| part.decides).peekable();
        if deciding.peek().is_none() {
            texts.push(self.text.clone());
        }
        deciding.for_each(|part| part.because(texts));
    }

    /// Returns true if it is true; none where it ends with an error.
    pub(super) fn truth(&self) -> Option<bool> {
        self.truth
    }
}

fn join(syntax: &SyntaxNode) -> PartJoin {
    match &syntax.kind {
        SyntaxKind::Chain(_, rest) => match rest.first().map(|(operator, _)| *operator) {
            Some(BinaryOperator::And) => PartJoin::And,
            Some(BinaryOperator::Or) => PartJoin::Or,
            Some(BinaryOperator::Xor) => PartJoin::All,
            _ => PartJoin::Operands,
        },
        SyntaxKind::Not(_) => PartJoin::All,
        SyntaxKind::Conditional(_, Some(_), _) => PartJoin::Choice,
        SyntaxKind::Call(Named { name, arguments, .. }) if name == "if" && arguments.len() == 3 => PartJoin::Choice,
        _ => PartJoin::Operands,
    }
}

/// The parts that are told of a part: not what is written out, and not where a path leads through.
fn shown(syntax: &SyntaxNode, join: PartJoin) -> Vec<&SyntaxNode> {
    let whole = match &syntax.kind {
        SyntaxKind::Path(first, steps) => {
            matches!(first.kind, SyntaxKind::Name(_)) && steps.iter().all(|step| matches!(step, PathStep::Property(..)))
        }
        _ => false,
    };
    let written = |part: &&SyntaxNode| {
        join != PartJoin::Operands || !(matches!(part.kind, SyntaxKind::Literal(_)) || is_written(part))
    };
    if whole { Vec::new() } else { pushdown::children(syntax).into_iter().filter(written).collect() }
}

/// Returns true if a part is a list or number that is written out.
fn is_written(syntax: &SyntaxNode) -> bool {
    match &syntax.kind {
        SyntaxKind::Literal(_) => true,
        SyntaxKind::Array(items) => items.iter().all(is_written),
        SyntaxKind::Minus(operand) => is_written(operand),
        _ => false,
    }
}

fn looks_at(syntax: &SyntaxNode) -> bool {
    looks_at_row(syntax) || asks_user(syntax)
}

fn asks_user(syntax: &SyntaxNode) -> bool {
    let user = matches!(&syntax.kind, SyntaxKind::Call(function) if function.name == "user");
    user || pushdown::children(syntax).into_iter().any(asks_user)
}

fn logs_along(model: &Model, resource_type: &ResourceType, syntax: &SyntaxNode) -> bool {
    let further = |first: &str, steps: &[PathStep]| {
        let mut here = Some(resource_type);
        for name in std::iter::once(first).chain(steps.iter().map_while(|step| match step {
            PathStep::Property(name, _) => Some(name.as_str()),
            _ => None,
        })) {
            if here.is_some_and(|resource_type| resource_type.log_reads) {
                return true;
            }
            let relation =
                here.and_then(|resource_type| resource_type.field(name)).and_then(|field| field.kind.relation());
            here =
                relation.and_then(|relation| model.type_by_id(relation.type_id)).map(|resource_type| &**resource_type);
        }
        false
    };
    let own = match &syntax.kind {
        SyntaxKind::Name(name) => further(name, &[]),
        SyntaxKind::Path(first, steps) => match &first.kind {
            SyntaxKind::Name(name) => further(name, steps),
            _ => false,
        },
        _ => false,
    };
    own || pushdown::children(syntax).into_iter().any(|part| logs_along(model, resource_type, part))
}

/// A value without what makes it long.
fn cut(json: Json) -> Json {
    match json {
        Json::String(text) if text.chars().nth(CHARACTERS).is_some() => {
            Json::String(text.chars().take(CHARACTERS).chain("...".chars()).collect())
        }
        Json::Array(_) | Json::Object(_) => {
            let text = json.to_string();
            if text.chars().nth(CHARACTERS).is_none() { json } else { cut(Json::String(text)) }
        }
        other => other,
    }
}
