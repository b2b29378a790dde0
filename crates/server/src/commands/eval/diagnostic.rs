//! A mistake in an expression, drawn for the terminal: the source line, and a caret under the part that is wrong.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use expression::Diagnostic;

/// The mistake and its place in the text.
pub(super) fn drawn(text: &str, mistake: &Diagnostic, colours: bool) -> String {
    let from = text.floor_char_boundary(mistake.span.from.min(text.len()));
    let to = text.ceil_char_boundary(mistake.span.to.clamp(from, text.len()));
    let annotation = AnnotationKind::Primary.span(from..to);
    let title = Level::ERROR.primary_title(mistake.message.as_str()).id(mistake.code);
    let mut group = Group::with_title(title);
    if !text.is_empty() {
        group = group.element(Snippet::source(text).annotation(annotation));
    }
    if let Some(suggestion) = &mistake.suggestion {
        group = group.element(Level::HELP.message(format!("did you mean `{suggestion}`?")));
    }
    if let Some(corrected) = &mistake.corrected {
        group = group.element(Level::HELP.message(format!("write `{corrected}`")));
    }
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

#[cfg(test)]
mod tests {
    use super::drawn;
    use expression::{Diagnostic, Span};

    fn mistake(from: usize, to: usize) -> Diagnostic {
        let message = "There is no function upr().".to_owned();
        Diagnostic::new("unknown_function", Span { from, to }, message).suggesting(Some("upper".to_owned()))
    }

    #[test]
    fn the_part_that_is_wrong_is_marked() {
        let text = drawn("Ž: {=upr(name)}", &mistake(6, 9), false);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "error[unknown_function]: There is no function upr().");
        let source = lines.iter().position(|line| line.contains("{=upr(name)}")).unwrap();
        let column = lines[source].chars().position(|character| character == 'u').unwrap();
        assert_eq!(lines[source + 1].chars().position(|character| character == '^'), Some(column), "{text}");
        assert_eq!(lines[source + 1].matches('^').count(), 3, "{text}");
        assert!(text.contains("did you mean `upper`?"), "{text}");
    }

    #[test]
    fn no_place_is_too_odd_to_be_drawn() {
        for (text, from, to) in [("", 0, 0), ("a", 1, 1), ("a", 5, 9), ("ž", 1, 1), ("ab", 2, 1), ("a\nb", 2, 3)] {
            assert!(drawn(text, &mistake(from, to), false).contains("upr"), "{text:?} {from} {to}");
        }
    }
}
