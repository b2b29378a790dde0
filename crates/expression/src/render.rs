//! Mistakes as people read them: the message, the line of the text, a caret below the place.

use crate::error::Diagnostic;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A mistake in a text, without colours. `origin` says where the text stands: a file, `--expression`.
pub fn render(diagnostic: &Diagnostic, text: &str, origin: &str) -> String {
    report(diagnostic, text, origin, &Renderer::plain())
}

/// The same with a terminal's colours.
pub fn render_styled(diagnostic: &Diagnostic, text: &str, origin: &str) -> String {
    report(diagnostic, text, origin, &Renderer::styled())
}

fn report(diagnostic: &Diagnostic, text: &str, origin: &str, renderer: &Renderer) -> String {
    let from = text.floor_char_boundary(diagnostic.span.from);
    let to = text.ceil_char_boundary(diagnostic.span.to).max(from);
    let label = diagnostic.suggestion.as_ref().map(|suggestion| format!("perhaps `{suggestion}`"));
    let mut annotation = AnnotationKind::Primary.span(from..to);
    if let Some(label) = &label {
        annotation = annotation.label(label.as_str());
    }
    let snippet = Snippet::source(text).path(origin).annotation(annotation);
    let title = Level::ERROR.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    renderer.render(&[title.element(snippet)])
}

#[cfg(test)]
mod tests {
    use super::{render, render_styled};
    use crate::error::{Diagnostic, Span};

    fn mistake(from: usize, to: usize, suggestion: Option<&str>) -> Diagnostic {
        let message = "There is no function uper().".to_string();
        let suggestion = suggestion.map(str::to_string);
        Diagnostic { code: "unknown_function", span: Span { from, to }, message, suggestion }
    }

    #[test]
    fn the_line_and_a_caret_are_shown() {
        let text = "first\n{=uper(name)}";
        let shown = render(&mistake(8, 12, Some("upper")), text, "types/order.yaml");
        let expected = "error[unknown_function]: There is no function uper().
 --> types/order.yaml:2:3
  |
2 | {=uper(name)}
  |   ^^^^ perhaps `upper`";
        assert_eq!(shown, expected);
    }

    #[test]
    fn any_place_is_shown() {
        for (from, to) in [(0, 0), (2, 2), (1, 2), (100, 200), (2, 1)] {
            let diagnostic = mistake(from, to, None);
            assert!(render(&diagnostic, "č", "here").contains("uper"));
            assert!(render_styled(&diagnostic, "č", "here").contains('\u{1b}'));
        }
    }
}
