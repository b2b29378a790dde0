//! References: expressions that give the same twice, in one way of writing. A path of properties is one, a variable, and
//! a parameter with a written name.

use crate::parser::{FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use crate::value::Value;

/// Returns the reference that an expression is, where it is one.
pub(crate) fn reference(syntax: &SyntaxNode) -> Option<String> {
    let mut written = String::new();
    write(syntax, &mut written).then_some(written)
}

fn write(syntax: &SyntaxNode, written: &mut String) -> bool {
    match &syntax.kind {
        SyntaxKind::Name(name) => written.push_str(name),
        SyntaxKind::Variable(name) => {
            written.push('$');
            written.push_str(name);
        }
        SyntaxKind::Call(call) => return write_call(call, written),
        SyntaxKind::Path(first, steps) => {
            return write(first, written) && steps.iter().all(|step| write_step(step, written));
        }
        _ => return false,
    }
    true
}

fn write_call(call: &FunctionCall, written: &mut String) -> bool {
    let name = match call.arguments.as_slice() {
        [argument] if argument.name.is_none() && !argument.spread => literal(&argument.value),
        _ => None,
    };
    match (call.name.as_str(), name) {
        ("var", Some(name)) => {
            written.push('$');
            written.push_str(name);
        }
        ("trigger" | "user" | "endpoint" | "appParameter" | "templateVar", Some(name)) => {
            written.push_str(&call.name);
            written.push_str("().");
            written.push_str(name);
        }
        ("user", None) if call.arguments.is_empty() => written.push_str("user()"),
        ("length", _) => {
            let [argument] = call.arguments.as_slice() else { return false };
            written.push_str("length(");
            let is_written = write(&argument.value, written);
            written.push(')');
            return is_written;
        }
        _ => return false,
    }
    true
}

/// Adds a step to a reference; false where the step is none of a reference.
pub(crate) fn write_step(step: &PathStep, written: &mut String) -> bool {
    match step {
        PathStep::Property(name, _) => {
            written.push('.');
            written.push_str(name);
            true
        }
        PathStep::Index(key) => match &key.kind {
            SyntaxKind::Literal(Value::Int(place)) => {
                written.push_str(&format!("[{place}]"));
                true
            }
            _ => false,
        },
        PathStep::Call(_) => false,
    }
}

/// A text that is written out.
pub(crate) fn literal(syntax: &SyntaxNode) -> Option<&str> {
    match &syntax.kind {
        SyntaxKind::Literal(Value::Text(text)) => text.as_str(),
        _ => None,
    }
}
