//! Values, calls and the steps behind them.

use super::{CallArgument, FunctionCall, ParseResult, Parser, PathStep, SyntaxKind, SyntaxNode, mistake, node};
use crate::error::Span;
use crate::lexer::TokenKind;
use crate::value::{Text, Value};

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> ParseResult<SyntaxNode> {
        let first = self.primary()?;
        let mut steps = Vec::new();
        self.steps(&mut steps)?;
        if steps.is_empty() {
            return Ok(first);
        }
        let before = self.tokens[self.position - 1].span;
        let span = first.span.joined(before);
        let height = steps.iter().map(step_height).fold(first.height, usize::max);
        node(SyntaxKind::Path(Box::new(first), steps), span, height)
    }

    /// The steps that follow, in order: a list, however many there are.
    pub(super) fn steps(&mut self, steps: &mut Vec<PathStep>) -> ParseResult<()> {
        loop {
            if self.take(".") {
                steps.push(self.named_step()?);
            } else if self.at("[") {
                steps.push(self.index()?);
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn index(&mut self) -> ParseResult<PathStep> {
        self.expect("[", "before a key")?;
        let key = self.expression()?;
        self.expect("]", "behind the key")?;
        Ok(PathStep::Index(key))
    }

    /// A property, or a call that takes the value so far.
    pub(super) fn named_step(&mut self) -> ParseResult<PathStep> {
        if self.peek().kind != TokenKind::Word {
            return Err(self.unexpected("a property or a function"));
        }
        let token = self.next();
        let name = self.word(&token).to_string();
        if self.at("(") {
            return Ok(PathStep::Call(self.call(name, token.span)?));
        }
        Ok(PathStep::Property(name, token.span))
    }

    fn call(&mut self, name: String, name_span: Span) -> ParseResult<FunctionCall> {
        self.expect("(", "before the arguments")?;
        let mut arguments: Vec<CallArgument> = Vec::new();
        while !self.at(")") {
            let spread = self.take("...");
            let named = !spread
                && self.peek().kind == TokenKind::Word
                && matches!(self.peek_second().kind, TokenKind::Sign(":"));
            let name = named.then(|| {
                let token = self.next();
                self.next();
                (self.word(&token).to_string(), token.span)
            });
            if name.is_none() && arguments.last().is_some_and(|before| before.name.is_some()) {
                let message = "Arguments without a name stand before those with one.";
                return Err(mistake("argument_order", self.peek().span, message));
            }
            arguments.push(CallArgument { name, spread, value: self.expression()? });
            if !self.take(",") {
                break;
            }
        }
        self.expect(")", "behind the arguments")?;
        Ok(FunctionCall { name, name_span, arguments })
    }

    fn primary(&mut self) -> ParseResult<SyntaxNode> {
        let token = self.peek().clone();
        let span = token.span;
        let kind = match token.kind {
            TokenKind::Int(number) => SyntaxKind::Literal(Value::Int(number)),
            TokenKind::Float(number) => SyntaxKind::Literal(Value::Float(number)),
            TokenKind::Text(text) => SyntaxKind::Literal(Value::Text(Text::from(text))),
            TokenKind::Variable => SyntaxKind::Variable(self.text[span.from + 1..span.to].to_string()),
            TokenKind::Word => return self.named(),
            TokenKind::Sign("(") => return self.parentheses(),
            TokenKind::Sign("[") => return self.array(),
            TokenKind::Sign("{") => return self.object(),
            TokenKind::Sign("~") => {
                let message = "`~` joins two strings. All bits of `a` turned round are `a ^ -1`.";
                return Err(mistake("unexpected", span, message));
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.next();
        node(kind, span, 0)
    }

    fn named(&mut self) -> ParseResult<SyntaxNode> {
        let token = self.peek().clone();
        let name = self.word(&token);
        let kind = match name {
            "true" => SyntaxKind::Literal(Value::Bool(true)),
            "false" => SyntaxKind::Literal(Value::Bool(false)),
            "null" => SyntaxKind::Literal(Value::Null),
            "and" | "or" | "xor" | "in" | "not" => return Err(self.unexpected("a value")),
            _ => {
                let name = name.to_string();
                self.next();
                if !self.at("(") {
                    return node(SyntaxKind::Name(name), token.span, 0);
                }
                let call = self.call(name, token.span)?;
                let span = token.span.joined(self.tokens[self.position - 1].span);
                let height = call_height(&call);
                return node(SyntaxKind::Call(call), span, height);
            }
        };
        self.next();
        node(kind, token.span, 0)
    }

    fn parentheses(&mut self) -> ParseResult<SyntaxNode> {
        let open = self.next();
        let mut syntax = self.expression()?;
        let close = self.expect(")", "to close the parenthesis")?;
        syntax.parenthesised = true;
        syntax.span = open.span.joined(close.span);
        Ok(syntax)
    }

    fn array(&mut self) -> ParseResult<SyntaxNode> {
        let open = self.next();
        let mut items = Vec::new();
        while !self.at("]") {
            items.push(self.expression()?);
            if !self.take(",") {
                break;
            }
        }
        let close = self.expect("]", "to close the array")?;
        let height = items.iter().map(|item| item.height).max().unwrap_or(0);
        node(SyntaxKind::Array(items), open.span.joined(close.span), height)
    }

    fn object(&mut self) -> ParseResult<SyntaxNode> {
        let open = self.next();
        let mut entries = Vec::new();
        while !self.at("}") {
            let token = self.peek().clone();
            let key = match token.kind {
                TokenKind::Word => self.word(&token).to_string(),
                TokenKind::Text(text) => text,
                TokenKind::Int(number) => number.to_string(),
                _ => return Err(self.unexpected("a key, such as a name or a string")),
            };
            self.next();
            self.expect(":", "and a value behind the key")?;
            entries.push((key, self.expression()?));
            if !self.take(",") {
                break;
            }
        }
        let close = self.expect("}", "to close the object")?;
        let height = entries.iter().map(|(_, entry)| entry.height).max().unwrap_or(0);
        node(SyntaxKind::Object(entries), open.span.joined(close.span), height)
    }
}

fn call_height(call: &FunctionCall) -> usize {
    call.arguments.iter().map(|argument| argument.value.height).max().unwrap_or(0)
}

fn step_height(step: &PathStep) -> usize {
    match step {
        PathStep::Property(..) => 0,
        PathStep::Index(key) => key.height,
        PathStep::Call(call) => call_height(call),
    }
}
