//! The syntax tree of an expression, for what translates expressions into something else.

use crate::compile::Built;
use crate::compile::Compiler;
use crate::error::{Diagnostic, Result, Span};
use crate::parser;
use crate::scope::Scope;
use crate::template::Program;

pub use crate::parser::{Argument, Call, Operator, Step, Syntax, SyntaxKind};

/// Reads a configured text that is one part `{=...}` and nothing else; spans count in the whole text.
pub fn single(text: &str) -> Result<Syntax, Diagnostic> {
    let several = || {
        let message = "One part {=...} and nothing else is wanted here.".to_owned();
        Diagnostic { code: "not_single", span: Span { from: 0, to: text.len() }, message, suggestion: None }
    };
    if !text.starts_with("{=") {
        return Err(several());
    }
    let (syntax, end) = parser::part(text, 2)?;
    if &text[end..] == "}" { Ok(syntax) } else { Err(several()) }
}

/// Compiles a part of an expression as a program of its own.
pub fn compile(text: &str, syntax: &Syntax, scope: &Scope) -> Result<Program, Vec<Diagnostic>> {
    let mut compiler = Compiler::new(text, scope);
    let Built { node, of } = compiler.build(syntax);
    crate::template::of_node(compiler, node, of.kind, syntax)
}
