//! Mixes of operators that people read in two ways, though the ranks would settle them: they are refused.

use super::{BinaryOperator, ParseResult, SyntaxKind, SyntaxNode, mistake};
use crate::error::Span;

/// Refuses a ternary's condition that is a bare `??`.
pub(super) fn condition(condition: &SyntaxNode) -> ParseResult<()> {
    if operator(condition) == Some(BinaryOperator::Coalesce) { Err(beside_coalesce(condition.span)) } else { Ok(()) }
}

/// Refuses a chain of one rank with an operand that needs parentheses.
pub(super) fn chain(first: &SyntaxNode, rest: &[(BinaryOperator, SyntaxNode)], span: Span) -> ParseResult<()> {
    let Some((chained, _)) = rest.first() else { return Ok(()) };
    let minus = matches!(first.kind, SyntaxKind::Minus(_)) && !first.parenthesised;
    let mut operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
    match chained {
        BinaryOperator::Coalesce if minus || operands.any(is_operation) => Err(beside_coalesce(span)),
        BinaryOperator::Or if operands.any(|operand| operator(operand) == Some(BinaryOperator::Xor)) => {
            let message = "`xor` beside `||` may mean two things: write `(a || b) xor c` or `a || (b xor c)`.";
            Err(mistake("ambiguous", span, message))
        }
        bits if bits.is_bitwise() => operands.find(|operand| is_condition(operand)).map_or(Ok(()), |condition| {
            let (sign, both) = match bits {
                BinaryOperator::BitAnd => ("&", "that both hold is `a && b`"),
                BinaryOperator::BitOr => ("|", "that one of them holds is `a || b`"),
                _ => ("^", "that one alone holds is `a xor b`; a power is `a ** b`"),
            };
            let message = format!(
                "`{sign}` beside a comparison or negation may mean two things: {both}, and bits are compared as \
                 `(a {sign} b) == c`."
            );
            Err(mistake("ambiguous", condition.span, message))
        }),
        _ => Ok(()),
    }
}

/// The operator of a chain that stands without parentheses.
fn operator(syntax: &SyntaxNode) -> Option<BinaryOperator> {
    match &syntax.kind {
        SyntaxKind::Chain(_, rest) if !syntax.parenthesised => rest.first().map(|(operator, _)| *operator),
        _ => None,
    }
}

/// Returns true if it is a comparison or negation without parentheses.
fn is_condition(syntax: &SyntaxNode) -> bool {
    let condition = match &syntax.kind {
        SyntaxKind::Pair(operator, ..) => *operator != BinaryOperator::Power,
        SyntaxKind::Not(_) => true,
        _ => false,
    };
    condition && !syntax.parenthesised
}

fn is_operation(syntax: &SyntaxNode) -> bool {
    let operation = matches!(syntax.kind, SyntaxKind::Chain(..) | SyntaxKind::Pair(..) | SyntaxKind::Not(_));
    operation && !syntax.parenthesised
}

fn beside_coalesce(span: Span) -> super::Diagnostic {
    let message = "`??` beside another operator may mean two things: write `(a ?? b) + c` or `a ?? (b + c)`.";
    mistake("ambiguous", span, message)
}
