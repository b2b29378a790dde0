//! Templates: literal text with `{=...}` parts. A text that is one part alone keeps the value's kind.

use crate::analysis::Operand;
use crate::catalogue::Availability;
use crate::check;
use crate::compile::{Compiler, TypedNode};
use crate::error::{Diagnostic, Span, mistake};
use crate::evaluate::{EvaluationState, ProgramNode, bare, concealed, tainted};
use crate::facts::ProgramFacts;
use crate::finding::Finding;
use crate::narrowing::{Fact, TestFacts};
use crate::operate;
use crate::parser::{self, SyntaxNode};
use crate::scope::Scope;
use crate::typed::{self, FormBudget, FormPart, TemplateForm};
use crate::value::{Text, Value};
use crate::{Result, Run};
use values::JoinedText;
use values::types::{ResourceShape, ValueKind, ValueType};

/// The longest text that is compiled, in characters.
pub const MAXIMUM_LENGTH: usize = 10_000;

/// A compiled text: never changes, shared by threads.
#[derive(Debug)]
pub struct Program {
    /// The text, for the places of what fails as it runs.
    text: Box<str>,
    parts: Vec<TemplatePart>,
    /// All parts as one, where types allow it.
    form: Option<TemplateForm>,
    of: ValueType,
    facts: ProgramFacts,
    findings: Vec<Finding>,
    differing: Vec<Finding>,
    /// The facts that the result tells as a test, where steps may follow it.
    tests: Option<Box<TestFacts>>,
}

#[derive(Debug)]
enum TemplatePart {
    Text(Text),
    Node(Box<dyn ProgramNode>, Span),
}

impl Program {
    /// Compiles a configured text, a template.
    pub fn template(text: &str, scope: &Scope) -> Result<Program, Vec<Diagnostic>> {
        check_length(text)?;
        let mut compiler = Compiler::new(text, scope);
        let mut parts = Vec::new();
        let mut types = Vec::new();
        let mut facts = ProgramFacts::default();
        let mut literal = String::new();
        let mut position = 0;
        let mut tests = None;
        while let Some(found) = text[position..].find("{=") {
            let start = position + found;
            literal.push_str(&text[position..start]);
            if literal.ends_with('\\') && found > 0 {
                literal.pop();
                literal.push_str("{=");
                position = start + 2;
                continue;
            }
            if !literal.is_empty() {
                parts.push(TemplatePart::Text(Text::from(std::mem::take(&mut literal))));
            }
            let (syntax, end) = parser::part(text, start + 2).map_err(|mistake| vec![mistake])?;
            let span = Span { from: start, to: end + 1 };
            if !text[end..].starts_with('}') {
                let message = "The part does not end: add `}`.";
                return Err(vec![mistake("unterminated_part", span_start(start), message, None)]);
            }
            let is_alone = start == 0 && end + 1 == text.len();
            if is_alone {
                compiler.expect_result(&syntax);
            }
            let mut built = compiler.build(&syntax);
            if is_alone && scope.available.has(Availability::Trigger) {
                tests = Some(compiler.tests_of(&syntax, &mut built));
            }
            let TypedNode { node, of, .. } = built;
            facts.add(&syntax, scope);
            types.push((of, syntax));
            parts.push(TemplatePart::Node(node, span));
            position = end + 1;
        }
        literal.push_str(&text[position..]);
        if !literal.is_empty() || parts.is_empty() {
            parts.push(TemplatePart::Text(Text::from(literal)));
        }
        let (of, span) = match (parts.as_slice(), types.pop()) {
            ([TemplatePart::Node(node, _)], Some((of, syntax))) => {
                compiler.check_decision(&Operand { constant: node.constant(), of: &of, syntax: &syntax });
                (of, syntax.span)
            }
            (_, last) => {
                // Nothing else is said about a text that is not a rule.
                if !compiler.check_decided_text() {
                    for (of, syntax) in types.iter().chain(&last) {
                        compiler.check_part(of, syntax);
                    }
                }
                (ValueType::of(ValueKind::Text), Span { from: 0, to: text.len() })
            }
        };
        let (findings, differing) = (Vec::new(), Vec::new());
        finish(compiler, Program { text: text.into(), parts, form: None, of, facts, findings, differing, tests }, span)
    }

    /// Compiles a lone expression, without `{=` and `}`.
    pub fn expression(text: &str, scope: &Scope) -> Result<Program, Vec<Diagnostic>> {
        check_length(text)?;
        let mut compiler = Compiler::new(text, scope);
        let syntax = parser::expression(text).map_err(|mistake| vec![mistake])?;
        compiler.expect_result(&syntax);
        let TypedNode { node, of, .. } = compiler.build(&syntax);
        compiler.check_decision(&Operand { constant: node.constant(), of: &of, syntax: &syntax });
        of_node(compiler, node, ValueType { shape: None, ..of }, &syntax)
    }

    /// The kind of the result, as far as it is known.
    pub fn kind(&self) -> ValueKind {
        self.of.kind.at_run_time()
    }

    /// The type of the result, as far as it is known.
    pub fn result(&self) -> &ValueType {
        &self.of
    }

    /// The name of the type of the resource that it gives, where that is known.
    pub fn resource(&self) -> Option<&str> {
        let shape = self.of.shape.as_deref().filter(|_| self.of.kind == ValueKind::Resource);
        shape.map(ResourceShape::name)
    }

    /// Returns true if it is a text that parts are put into, or that has none.
    pub fn is_text(&self) -> bool {
        !matches!(self.parts.as_slice(), [TemplatePart::Node(..)])
    }

    /// Returns the facts that the result rests on.
    pub fn facts(&self) -> &ProgramFacts {
        &self.facts
    }

    /// Returns the findings, in the order of the text.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the parts that may give something else by the rules of a former version, with what they gave.
    pub fn differing(&self) -> &[Finding] {
        &self.differing
    }

    /// Returns the facts that the result tells where it is true, or false. Only programs of places with a trigger keep
    /// them: steps follow there.
    pub fn told(&self, truth: bool) -> &[Fact] {
        match &self.tests {
            Some(tests) if truth => &tests.when_true,
            Some(tests) => &tests.when_false,
            None => &[],
        }
    }

    /// The result, where it is known without running.
    pub fn constant(&self) -> Option<&Value> {
        match self.parts.as_slice() {
            [TemplatePart::Node(node, _)] => node.constant(),
            _ => None,
        }
    }

    /// Runs the program. A result that a secret went into is [`Value::Secret`].
    pub fn evaluate(&self, run: &mut Run<'_>) -> Result<Value, Diagnostic> {
        let frame = EvaluationState::of(run.providers);
        let value = match self.parts.as_slice() {
            [TemplatePart::Node(node, _)] => node.result(&frame, run),
            [TemplatePart::Text(text)] => Ok(Value::Text(text.clone())),
            parts => match self.form.as_ref().and_then(|form| form.text(&frame, run)) {
                Some(text) => Ok(text),
                None => joined(parts, &frame, run),
            },
        };
        value.map_err(|mistake| mistake.within(&self.text))
    }
}

/// The program that a node alone is.
pub(crate) fn of_node(
    compiler: Compiler<'_>,
    node: Box<dyn ProgramNode>,
    of: ValueType,
    syntax: &SyntaxNode,
) -> Result<Program, Vec<Diagnostic>> {
    let mut facts = ProgramFacts::default();
    facts.add(syntax, compiler.scope);
    let text = compiler.text.into();
    finish(
        compiler,
        Program {
            text,
            parts: vec![TemplatePart::Node(node, syntax.span)],
            form: None,
            of,
            facts,
            findings: Vec::new(),
            differing: Vec::new(),
            tests: None,
        },
        syntax.span,
    )
}

fn joined(parts: &[TemplatePart], frame: &EvaluationState, run: &mut Run<'_>) -> Result<Value, Diagnostic> {
    let mut text = JoinedText::default();
    let mut secret = false;
    for part in parts {
        match part {
            TemplatePart::Text(literal) => {
                run.reserve(literal.len()).map_err(|fault| fault.at(Span::default()))?;
                text.push(literal.as_bytes());
            }
            TemplatePart::Node(node, span) => {
                let value = node.evaluate(frame, run).map_err(|mistake| *mistake)?;
                let (value, is_secret) = bare(&value);
                secret |= is_secret;
                let appended = operate::append(run, &mut text, value);
                appended.map_err(|fault| if is_secret { concealed(fault) } else { fault }.at(*span))?;
            }
        }
    }
    let text = Value::Text(text.text());
    Ok(if secret { tainted(text) } else { text })
}

fn finish(mut compiler: Compiler<'_>, mut program: Program, span: Span) -> Result<Program, Vec<Diagnostic>> {
    if compiler.mistakes.is_empty() {
        compiler.mistakes.extend(check::result(compiler.scope.wants, program.kind(), span));
    }
    if !compiler.mistakes.is_empty() {
        return Err(compiler.mistakes);
    }
    if !compiler.scope.general {
        let mut budget = FormBudget::default();
        if program.is_text() {
            let parts = program.parts.iter().map(|part| match part {
                TemplatePart::Text(text) => FormPart::Text(text),
                TemplatePart::Node(node, _) => FormPart::Node(&**node),
            });
            program.form = TemplateForm::of(parts, &mut budget);
        }
        for part in &mut program.parts {
            if let TemplatePart::Node(node, _) = part {
                typed::specialise(node, &mut budget);
            }
        }
    }
    program.findings = compiler.findings;
    program.differing = compiler.rule_notes;
    program.facts.rests_on_rules = !program.differing.is_empty();
    program.findings.sort_by_key(|finding| finding.diagnostic.span.from);
    Ok(program)
}

fn check_length(text: &str) -> Result<(), Vec<Diagnostic>> {
    if text.len() <= MAXIMUM_LENGTH || text.chars().count() <= MAXIMUM_LENGTH {
        return Ok(());
    }
    let message = format!("An expression has at most {MAXIMUM_LENGTH} characters.");
    Err(vec![mistake("too_long", Span { from: 0, to: text.len() }, message, None)])
}

fn span_start(from: usize) -> Span {
    Span { from, to: from + 2 }
}
