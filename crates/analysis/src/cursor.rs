//! The cursor: what stands before it, found by tokens alone, so that a text that is wrong elsewhere does not matter.

use crate::parts::ExpressionPart;
use crate::tokens::{TextToken, TokenSort};
use expression::Span;

/// The place of a cursor in an expression.
#[derive(Debug, Clone)]
pub(crate) struct CursorContext<'t> {
    pub(crate) position: CursorPosition<'t>,
    /// The place of the name that was begun; empty where there is none.
    pub(crate) replaced: Span,
    /// The name as far as it stands before the cursor.
    pub(crate) begun: &'t str,
}

/// The names that may stand at a cursor.
#[derive(Debug, Clone)]
pub(crate) enum CursorPosition<'t> {
    /// A value: properties, functions, variables.
    Value,
    /// An operator, behind a value.
    Operator,
    /// A variable behind its `$`.
    Variable,
    /// A step behind a dot, with the expression before it.
    Step(&'t str),
    /// The text of an argument, with its beginning up to the name.
    Text(EnclosingCall<'t>, &'t str),
}

/// A call that is open at the cursor.
#[derive(Debug, Clone)]
pub(crate) struct EnclosingCall<'t> {
    pub(crate) function: &'t str,
    /// The expression before the dot, where there is one.
    pub(crate) receiver: Option<&'t str>,
    /// The first argument, where the cursor is behind it.
    pub(crate) first: Option<&'t str>,
    /// The number of arguments before the one at the cursor, without the receiver.
    pub(crate) argument: usize,
    /// The name of the parameter, where the argument begins with one.
    pub(crate) named: Option<&'t str>,
}

impl<'t> CursorContext<'t> {
    /// Returns the context at a byte of a part; none within a comment or a number, where no name may stand.
    pub(crate) fn at(text: &'t str, part: &ExpressionPart, at: usize) -> Option<Self> {
        let before = before(part, at);
        let plain = |position| Some(CursorContext { position, replaced: Span { from: at, to: at }, begun: "" });
        let Some(last) = before.last().copied() else { return plain(CursorPosition::Value) };
        let inside = at < last.span.to;
        match last.sort {
            TokenSort::Text { closed } if inside || !closed => Self::in_text(text, &before, last, at),
            TokenSort::Comment { closed } if inside || !closed => None,
            TokenSort::Number if at <= last.span.to => None,
            TokenSort::Variable if at <= last.span.to => {
                let replaced = Span { from: last.span.from + 1, to: last.span.to };
                let begun = &text[replaced.from..at.max(replaced.from)];
                Some(CursorContext { position: CursorPosition::Variable, replaced, begun })
            }
            TokenSort::Word | TokenSort::Keyword if at <= last.span.to => {
                let position = Self::position(text, &before[..before.len() - 1]);
                Some(CursorContext { position, replaced: last.span, begun: &text[last.span.from..at] })
            }
            _ => plain(Self::position(text, &before)),
        }
    }

    /// The position behind some tokens.
    fn position(text: &'t str, before: &[TextToken]) -> CursorPosition<'t> {
        let Some(last) = before.last() else { return CursorPosition::Value };
        let written = &text[last.span.from..last.span.to];
        match (last.sort, written) {
            (TokenSort::Sign, ".") => {
                let rest = &before[..before.len() - 1];
                CursorPosition::Step(path(text, rest).unwrap_or_default())
            }
            (TokenSort::Sign, ")" | "]" | "}") => CursorPosition::Operator,
            (TokenSort::Word | TokenSort::Variable | TokenSort::Number | TokenSort::Text { .. }, _) => {
                CursorPosition::Operator
            }
            (TokenSort::Keyword, "true" | "false" | "null") => CursorPosition::Operator,
            _ => CursorPosition::Value,
        }
    }

    fn in_text(text: &'t str, before: &[TextToken], string: TextToken, at: usize) -> Option<Self> {
        let call = enclosing(text, &before[..before.len() - 1])?;
        let from = string.span.from + 1;
        let closed = string.sort == TokenSort::Text { closed: true };
        let end = if closed { string.span.to - 1 } else { string.span.to };
        let written = text.get(from..at)?;
        let begins = from
            + written
                .rfind(|letter: char| letter != '_' && !letter.is_alphanumeric())
                .map_or(0, |place| place + written[place..].chars().next().map_or(0, char::len_utf8));
        let behind = &text[at..end];
        let ends = at + behind.find(|letter: char| letter != '_' && !letter.is_alphanumeric()).unwrap_or(behind.len());
        let replaced = Span { from: begins, to: ends };
        let position = CursorPosition::Text(call, &text[from..begins]);
        Some(CursorContext { position, replaced, begun: &text[begins..at] })
    }
}

/// Returns the call whose arguments a byte stands in.
pub(crate) fn enclosing_call<'t>(text: &'t str, part: &ExpressionPart, at: usize) -> Option<EnclosingCall<'t>> {
    let mut before = before(part, at);
    // A token that the cursor stands in the middle of belongs to the argument, whatever it is.
    if before.last().is_some_and(|last| at < last.span.to && last.sort != TokenSort::Sign) {
        before.pop();
    }
    enclosing(text, &before)
}

/// The tokens that begin before a byte, without comments that end before it.
fn before(part: &ExpressionPart, at: usize) -> Vec<TextToken> {
    let tokens = part.tokens.iter().filter(|token| token.span.from < at);
    let over = |token: &&TextToken| token.sort == TokenSort::Comment { closed: true } && token.span.to <= at;
    tokens.filter(|token| !over(token)).copied().collect()
}

fn enclosing<'t>(text: &'t str, tokens: &[TextToken]) -> Option<EnclosingCall<'t>> {
    let written = |place: usize| &text[tokens[place].span.from..tokens[place].span.to];
    let (mut depth, mut commas) = (0_usize, Vec::new());
    let open = (0..tokens.len()).rev().find(|place| {
        if tokens[*place].sort != TokenSort::Sign {
            return false;
        }
        match written(*place) {
            ")" | "]" | "}" => depth += 1,
            "[" | "{" if depth == 0 => commas.clear(),
            "(" if depth == 0 => {
                let is_call = *place > 0 && tokens[*place - 1].sort == TokenSort::Word;
                if !is_call {
                    commas.clear();
                }
                return is_call;
            }
            "(" | "[" | "{" => depth -= 1,
            "," if depth == 0 => commas.push(*place),
            _ => {}
        }
        false
    })?;
    let is_step = open >= 2 && tokens[open - 2].sort == TokenSort::Sign && written(open - 2) == ".";
    let receiver = if is_step { path(text, &tokens[..open - 2]) } else { None };
    let first = commas.last().map(|comma| text[tokens[open].span.to..tokens[*comma].span.from].trim());
    let begins = commas.first().map_or(open, |comma| *comma) + 1;
    let named = tokens.get(begins).filter(|token| token.sort == TokenSort::Word);
    let named = named.filter(|_| tokens.len() > begins + 1 && written(begins + 1) == ":");
    Some(EnclosingCall {
        function: written(open - 1),
        receiver,
        first,
        argument: commas.len(),
        named: named.map(|_| written(begins)),
    })
}

/// Returns the path that some tokens end with, such as `a.b[0].c('x')`.
fn path<'t>(text: &'t str, tokens: &[TextToken]) -> Option<&'t str> {
    let written = |place: usize| &text[tokens[place].span.from..tokens[place].span.to];
    let end = tokens.last()?.span.to;
    let mut place = tokens.len().checked_sub(1)?;
    loop {
        let mut bare = false;
        while tokens[place].sort == TokenSort::Sign {
            let closing = written(place);
            if !matches!(closing, ")" | "]" | "}") {
                return None;
            }
            place = opening(text, tokens, place)?;
            let Some(previous) = place.checked_sub(1) else { break };
            let previous_ends_value = match tokens[previous].sort {
                TokenSort::Word => true,
                TokenSort::Variable | TokenSort::Text { .. } => closing == "]",
                TokenSort::Sign => closing == "]" && matches!(written(previous), ")" | "]" | "}"),
                _ => false,
            };
            if !previous_ends_value || closing == "}" {
                bare = true;
                break;
            }
            place = previous;
            if tokens[place].sort != TokenSort::Sign {
                break;
            }
        }
        let dotted = place >= 2 && tokens[place - 1].sort == TokenSort::Sign && written(place - 1) == ".";
        if bare || !dotted {
            return Some(&text[tokens[place].span.from..end]);
        }
        place -= 2;
    }
}

/// The bracket that a closing one belongs to.
fn opening(text: &str, tokens: &[TextToken], from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (0..=from).rev().find(|place| {
        let token = tokens[*place];
        if token.sort != TokenSort::Sign {
            return false;
        }
        match &text[token.span.from..token.span.to] {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth = depth.saturating_sub(1),
            _ => return false,
        }
        depth == 0
    })
}
