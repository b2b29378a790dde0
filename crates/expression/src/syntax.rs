//! The syntax tree of an expression, for what translates expressions into something else.

use crate::compile::Compiler;
use crate::compile::TypedNode;
use crate::error::{Diagnostic, Result, Span};
use crate::parser;
use crate::scope::Scope;
use crate::template::Program;
use values::types::ValueType;

pub use crate::parser::{BinaryOperator, CallArgument, FunctionCall, PathStep, SyntaxKind, SyntaxNode};

/// Reads a configured text that is one part `{=...}` and nothing else; spans count in the whole text.
pub fn single(text: &str) -> Result<SyntaxNode, Diagnostic> {
    let several = || {
        let message = "One part {=...} and nothing else is wanted here.".to_owned();
        Diagnostic::new("not_single", Span { from: 0, to: text.len() }, message)
    };
    if !text.starts_with("{=") {
        return Err(several());
    }
    let (syntax, end) = parser::part(text, 2)?;
    if &text[end..] == "}" { Ok(syntax) } else { Err(several()) }
}

/// Reads the parts `{=...}` of a configured text; spans count in the whole text.
pub fn parts(text: &str) -> Result<Vec<SyntaxNode>, Diagnostic> {
    let (mut parts, mut position) = (Vec::new(), 0);
    while let Some(found) = text[position..].find("{=") {
        let start = position + found;
        if found > 0 && text[..start].ends_with('\\') {
            position = start + 2;
            continue;
        }
        let (syntax, end) = parser::part(text, start + 2)?;
        parts.push(syntax);
        position = end + 1;
    }
    Ok(parts)
}

/// Compiles a part of an expression as a program of its own.
pub fn compile(text: &str, syntax: &SyntaxNode, scope: &Scope) -> Result<Program, Vec<Diagnostic>> {
    let mut compiler = Compiler::new(text, scope);
    let TypedNode { node, of, .. } = compiler.build(syntax);
    crate::template::of_node(compiler, node, ValueType { shape: None, ..of }, syntax)
}
