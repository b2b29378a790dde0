//! The parser: precedence climbing over the grammar of docs/expressions.md. It never goes deeper than the limit on
//! height, so no text overflows the stack.

mod foreign_syntax;
mod mixes;
mod primary;
mod tree;

pub use tree::{BinaryOperator, CallArgument, FunctionCall, PathStep, SyntaxKind, SyntaxNode};

use crate::error::{Diagnostic, Span};
use crate::lexer::{SpannedToken, TokenKind, tokens};
use tree::{COMPARISON, NOT};

/// The greatest height of a tree, and the greatest depth of brackets.
pub(crate) const MAXIMUM_HEIGHT: usize = 64;

type ParseResult<T> = Result<T, Diagnostic>;

/// Reads one expression that takes the whole text.
pub(crate) fn expression(text: &str) -> ParseResult<SyntaxNode> {
    let mut parser = Parser::new(text, 0, false)?;
    let syntax = parser.expression()?;
    parser.end()?;
    Ok(syntax)
}

/// Reads the expression of a template's part from a byte on; gives the place behind it, where `}` stands.
pub(crate) fn part(text: &str, from: usize) -> ParseResult<(SyntaxNode, usize)> {
    let mut parser = Parser::new(text, from, true)?;
    let syntax = parser.expression()?;
    Ok((syntax, parser.end()?))
}

/// Reads a chain of map(): dotted steps, none for the item itself.
pub(crate) fn chain(text: &str, from: usize) -> ParseResult<Vec<PathStep>> {
    let mut parser = Parser::new(text, from, false)?;
    if parser.peek().kind == TokenKind::End {
        return Ok(Vec::new());
    }
    let mut steps = vec![if parser.at("[") { parser.index()? } else { parser.named_step()? }];
    parser.steps(&mut steps)?;
    parser.end()?;
    Ok(steps)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<SpannedToken>,
    position: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, from: usize, closed: bool) -> ParseResult<Self> {
        Ok(Parser { text, tokens: tokens(text, from, closed)?, position: 0, depth: 0 })
    }

    fn peek(&self) -> &SpannedToken {
        &self.tokens[self.position]
    }

    fn peek_second(&self) -> &SpannedToken {
        &self.tokens[(self.position + 1).min(self.tokens.len() - 1)]
    }

    fn word(&self, token: &SpannedToken) -> &'t str {
        if token.kind == TokenKind::Word { &self.text[token.span.from..token.span.to] } else { "" }
    }

    fn at(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(found) if found == sign)
    }

    fn at_word(&self, word: &str) -> bool {
        self.word(self.peek()) == word
    }

    /// Goes on; the end stays.
    fn next(&mut self) -> SpannedToken {
        let token = self.peek().clone();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.at(sign);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str, after: &str) -> ParseResult<SpannedToken> {
        if self.at(sign) {
            return Ok(self.next());
        }
        Err(self.unexpected(&format!("`{sign}` {after}")))
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        if let Some(foreign) = self.foreign() {
            return foreign;
        }
        let token = self.peek();
        let found = match &token.kind {
            TokenKind::End => "the end".to_string(),
            _ => format!("`{}`", &self.text[token.span.from..token.span.to]),
        };
        mistake("unexpected", token.span, format!("Expected {wanted}, found {found}."))
    }

    fn end(&self) -> ParseResult<usize> {
        match self.peek().kind {
            TokenKind::End => Ok(self.peek().span.from),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    /// One level deeper; the caller goes up again with `self.depth -= 1`, or fails altogether.
    fn enter(&mut self) -> ParseResult<()> {
        self.depth += 1;
        if self.depth > MAXIMUM_HEIGHT { Err(too_deep(self.peek().span)) } else { Ok(()) }
    }

    fn expression(&mut self) -> ParseResult<SyntaxNode> {
        self.enter()?;
        let condition = self.binary(0)?;
        let syntax = if self.at("?") { self.conditional(condition)? } else { condition };
        self.depth -= 1;
        Ok(syntax)
    }

    fn conditional(&mut self, condition: SyntaxNode) -> ParseResult<SyntaxNode> {
        mixes::condition(&condition)?;
        self.next();
        let then = if self.at(":") { None } else { Some(Box::new(self.expression()?)) };
        self.expect(":", "and the other value")?;
        let otherwise = self.expression()?;
        let span = condition.span.joined(otherwise.span);
        let height = condition.height.max(otherwise.height).max(then.as_ref().map_or(0, |then| then.height));
        node(SyntaxKind::Conditional(Box::new(condition), then, Box::new(otherwise)), span, height)
    }

    fn operator(&self) -> Option<BinaryOperator> {
        Some(match self.peek().kind {
            TokenKind::Word => match self.word(self.peek()) {
                "or" => BinaryOperator::Or,
                "xor" => BinaryOperator::Xor,
                "and" => BinaryOperator::And,
                "in" => BinaryOperator::In,
                "not" if self.word(self.peek_second()) == "in" => BinaryOperator::NotIn,
                _ => return None,
            },
            TokenKind::Sign(sign) => match sign {
                "??" => BinaryOperator::Coalesce,
                "||" => BinaryOperator::Or,
                "&&" => BinaryOperator::And,
                "|" => BinaryOperator::BitOr,
                "^" => BinaryOperator::BitXor,
                "&" => BinaryOperator::BitAnd,
                "==" => BinaryOperator::Equal,
                "!=" => BinaryOperator::NotEqual,
                "===" => BinaryOperator::Identical,
                "!==" => BinaryOperator::NotIdentical,
                "<" => BinaryOperator::Less,
                "<=" => BinaryOperator::LessOrEqual,
                ">" => BinaryOperator::Greater,
                ">=" => BinaryOperator::GreaterOrEqual,
                "~" => BinaryOperator::Join,
                "<<" => BinaryOperator::ShiftLeft,
                ">>" => BinaryOperator::ShiftRight,
                "+" => BinaryOperator::Add,
                "-" => BinaryOperator::Subtract,
                "*" => BinaryOperator::Multiply,
                "/" => BinaryOperator::Divide,
                "%" => BinaryOperator::Remainder,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Operators of a rank at least as high.
    fn binary(&mut self, minimum: u8) -> ParseResult<SyntaxNode> {
        let mut left = self.prefix(minimum)?;
        while let Some(operator) = self.operator().filter(|operator| operator.rank() >= minimum) {
            left = match operator.rank() {
                COMPARISON => self.comparison(operator, left)?,
                rank => self.chained(rank, left)?,
            };
        }
        Ok(left)
    }

    fn take_operator(&mut self, operator: BinaryOperator) {
        if operator == BinaryOperator::NotIn {
            self.next();
        }
        self.next();
    }

    fn comparison(&mut self, operator: BinaryOperator, left: SyntaxNode) -> ParseResult<SyntaxNode> {
        self.take_operator(operator);
        let right = self.binary(COMPARISON + 1)?;
        if self.operator().is_some_and(|next| next.rank() == COMPARISON) {
            let message = "Comparisons cannot be chained: write `a < b && b < c`, or put one of them in parentheses.";
            return Err(mistake("ambiguous", left.span.joined(self.peek().span), message));
        }
        let (span, height) = (left.span.joined(right.span), left.height.max(right.height));
        node(SyntaxKind::Pair(operator, Box::new(left), Box::new(right)), span, height)
    }

    fn chained(&mut self, rank: u8, first: SyntaxNode) -> ParseResult<SyntaxNode> {
        let mut rest = Vec::new();
        let (mut span, mut height) = (first.span, first.height);
        while let Some(operator) = self.operator().filter(|operator| operator.rank() == rank) {
            self.take_operator(operator);
            let operand = self.binary(rank + 1)?;
            span = span.joined(operand.span);
            height = height.max(operand.height);
            rest.push((operator, operand));
        }
        mixes::chain(&first, &rest, span)?;
        node(SyntaxKind::Chain(Box::new(first), rest), span, height)
    }

    fn prefix(&mut self, minimum: u8) -> ParseResult<SyntaxNode> {
        if !self.at("!") && !self.at_word("not") {
            return self.unary();
        }
        let sign = self.next();
        if minimum > NOT {
            let message = "Put the negation in parentheses here: `(!a)`.";
            return Err(mistake("ambiguous", sign.span, message));
        }
        self.enter()?;
        let operand = self.binary(NOT)?;
        self.depth -= 1;
        let (span, height) = (sign.span.joined(operand.span), operand.height);
        node(SyntaxKind::Not(Box::new(operand)), span, height)
    }

    fn unary(&mut self) -> ParseResult<SyntaxNode> {
        if !self.at("-") {
            return self.power();
        }
        let sign = self.next();
        self.enter()?;
        let operand = self.unary()?;
        self.depth -= 1;
        let span = sign.span.joined(operand.span);
        if !operand.parenthesised && matches!(operand.kind, SyntaxKind::Pair(BinaryOperator::Power, ..)) {
            let message = "`-a ** b` may mean two things: write `(-a) ** b` or `-(a ** b)`.";
            return Err(mistake("ambiguous", span, message));
        }
        let height = operand.height;
        node(SyntaxKind::Minus(Box::new(operand)), span, height)
    }

    fn power(&mut self) -> ParseResult<SyntaxNode> {
        let base = self.postfix()?;
        if !self.take("**") {
            return Ok(base);
        }
        self.enter()?;
        let exponent = self.unary()?;
        self.depth -= 1;
        let (span, height) = (base.span.joined(exponent.span), base.height.max(exponent.height));
        node(SyntaxKind::Pair(BinaryOperator::Power, Box::new(base), Box::new(exponent)), span, height)
    }
}

fn mistake(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

fn too_deep(span: Span) -> Diagnostic {
    let message = format!("The expression nests more than {MAXIMUM_HEIGHT} levels: set a part aside with setVar().");
    mistake("too_deep", span, message)
}

fn node(kind: SyntaxKind, span: Span, below: usize) -> ParseResult<SyntaxNode> {
    if below >= MAXIMUM_HEIGHT {
        return Err(too_deep(span));
    }
    Ok(SyntaxNode { kind, span, height: below + 1, parenthesised: false })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
