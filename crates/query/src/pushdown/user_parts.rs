//! The properties of the acting user that an expression asks for.

use crate::pushdown::row_free_parts::{children, compares, decides, looks_at_row};
use expression::Value;
use expression::syntax::{BinaryOperator, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use model::types::ALL_USER_PROPERTIES;
use std::collections::BTreeSet;

/// The properties that a part of an expression asks of the acting user, [`ALL_USER_PROPERTIES`] where they are not
/// written out. `identity` says that its value tells of a resource the id alone.
pub fn asked_of_user(syntax: &SyntaxNode, identity: bool) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    add_asked_of_user(syntax, identity, &mut names);
    names
}

/// The first part that asks for more of what the acting user refers to than its id.
pub(super) fn behind_user(syntax: &SyntaxNode) -> Option<&SyntaxNode> {
    if let Some(UserPart { path, .. }) = taken_of_user(syntax) {
        let own = path.len() < 2 || path.len() == 2 && path[1] == "id";
        if !own {
            return Some(syntax);
        }
    }
    children(syntax).into_iter().find_map(behind_user)
}

/// Adds the properties that are taken of `user()` in a part, each without what lies behind it.
fn add_asked_of_user(syntax: &SyntaxNode, identity: bool, names: &mut BTreeSet<String>) {
    match taken_of_user(syntax) {
        Some(UserPart { path, exact }) => match path.first() {
            Some(name) if is_name(name) => names.extend([name.clone()]),
            None if exact && identity => {}
            _ => names.extend([ALL_USER_PROPERTIES.to_owned()]),
        },
        None if written_in_text(syntax) => names.extend([ALL_USER_PROPERTIES.to_owned()]),
        None => {}
    }
    let compared = |other: &SyntaxNode| {
        let known = matches!(&other.kind, SyntaxKind::Literal(Value::Null | Value::Int(_)));
        known || looks_at_row(other)
    };
    for part in children(syntax) {
        let identity = match &syntax.kind {
            // A text may be compared with more than the id.
            SyntaxKind::Pair(operator, left, right) => {
                compares(*operator) && compared(if std::ptr::eq(part, &**left) { right } else { left })
            }
            SyntaxKind::Chain(_, rest) => match rest.first() {
                Some((BinaryOperator::Coalesce, _)) => identity,
                Some((operator, _)) => decides(*operator),
                None => identity,
            },
            SyntaxKind::Not(_) => true,
            SyntaxKind::Array(_) | SyntaxKind::Conditional(..) => identity,
            // What is taken of the user by steps was counted with the path.
            SyntaxKind::Path(first, _) => std::ptr::eq(part, &**first) && taken_of_user(syntax).is_some(),
            _ => false,
        };
        add_asked_of_user(part, identity, names);
    }
}

fn is_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns whether `user()` may stand in a text that is read as a part of the expression, or end a path.
fn written_in_text(syntax: &SyntaxNode) -> bool {
    fn hides(syntax: &SyntaxNode) -> bool {
        match &syntax.kind {
            SyntaxKind::Literal(Value::Text(text)) => text.lossy().contains("user"),
            SyntaxKind::Chain(..) => true,
            _ => children(syntax).into_iter().any(hides),
        }
    }
    let call = |call: &FunctionCall, received: bool| match call.name.as_str() {
        "map" => call.arguments.iter().any(|argument| hides(&argument.value)),
        name => received && name == "user",
    };
    match &syntax.kind {
        SyntaxKind::Call(known) => call(known, false),
        SyntaxKind::Path(_, steps) => {
            steps.iter().any(|step| matches!(step, PathStep::Call(known) if call(known, true)))
        }
        _ => false,
    }
}

/// The part of `user()` that an expression takes.
struct UserPart {
    /// Properties, one after the other.
    path: Vec<String>,
    /// True if that is all; if not, something else follows that is no property, or has no name that is written out.
    exact: bool,
}

fn taken_of_user(syntax: &SyntaxNode) -> Option<UserPart> {
    match &syntax.kind {
        SyntaxKind::Call(call) if call.name == "user" => Some(match call.arguments.as_slice() {
            [] => UserPart { path: Vec::new(), exact: true },
            [argument] => match &argument.value.kind {
                SyntaxKind::Literal(Value::Null) => UserPart { path: Vec::new(), exact: true },
                SyntaxKind::Literal(Value::Text(path)) => {
                    let path = path.lossy().split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect();
                    UserPart { path, exact: true }
                }
                _ => UserPart { path: Vec::new(), exact: false },
            },
            _ => UserPart { path: Vec::new(), exact: false },
        }),
        SyntaxKind::Path(first, steps) => {
            let UserPart { mut path, mut exact } = taken_of_user(first)?;
            if exact {
                let names = steps.iter().map_while(|step| match step {
                    PathStep::Property(name, _) => Some(name.clone()),
                    PathStep::Index(_) | PathStep::Call(_) => None,
                });
                path.extend(names);
                exact = steps.iter().all(|step| matches!(step, PathStep::Property(..)));
            }
            Some(UserPart { path, exact })
        }
        _ => None,
    }
}

/// The properties that are taken of `user()`, one after the other, where a part is that.
pub(super) fn of_user(syntax: &SyntaxNode) -> Option<Vec<String>> {
    taken_of_user(syntax).filter(|taken| taken.exact).map(|taken| taken.path)
}
