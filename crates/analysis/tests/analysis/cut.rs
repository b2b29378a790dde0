//! Texts that are cut anywhere: they are read without a panic, and complete at their dots.

use crate::shop::surroundings;
use analysis::{Analysis, TokenSort, analyse};
use expression::MAXIMUM_LENGTH;
use expression::catalogue;
use std::path::Path;

/// The examples of the page of functions.
fn examples() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/functions.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```text\n").skip(1);
    blocks.map(|block| block.split("\n=>").next().unwrap().to_owned()).collect()
}

/// Asks everything at each byte around the end.
fn ask(analysis: &Analysis<'_>, at: usize) {
    let _ = (analysis.completions(at), analysis.hover(at), analysis.signature(at), analysis.definition(at));
}

/// Returns true if a text ends in a dot that a step follows.
fn ends_in_step(text: &str) -> bool {
    let surroundings = surroundings();
    let analysis = analyse(text, &surroundings);
    let last = analysis.tokens().last();
    last.is_some_and(|last| last.sort == TokenSort::Sign && &text[last.span.from..last.span.to] == ".")
}

#[test]
fn each_example_is_read_wherever_it_is_cut() {
    let (examples, surroundings) = (examples(), surroundings());
    assert_eq!(examples.len(), catalogue::all().count());
    let mut dots = 0;
    for example in &examples {
        for template in [example.clone(), format!("{{={example}}}"), format!("a {{={example}.get()}} b")] {
            for cut in 0..=template.len() {
                let text = String::from_utf8_lossy(&template.as_bytes()[..cut]).into_owned();
                let analysis = analyse(&text, &surroundings);
                for at in [0, cut / 2, cut.saturating_sub(1), cut, cut + 1, usize::MAX] {
                    ask(&analysis, at);
                }
                if ends_in_step(&text) {
                    dots += 1;
                    assert!(!analysis.completions(text.len()).is_empty(), "{text} does not complete");
                }
            }
        }
    }
    assert!(dots >= examples.len(), "{dots}");
}

#[test]
fn each_beginning_of_an_expression_completes_behind_it() {
    let surroundings = surroundings();
    for example in examples() {
        for cut in (0..=example.len()).filter(|cut| example.is_char_boundary(*cut)) {
            // An operand behind whatever is open, as long as no text or comment is.
            let text = format!("{{={} , company.", &example[..cut]);
            let analysis = analyse(&text, &surroundings);
            let open = analysis.tokens().any(|token| {
                matches!(token.sort, TokenSort::Text { closed: false } | TokenSort::Comment { closed: false })
            });
            let labels: Vec<String> = analysis.completions(text.len()).into_iter().map(|item| item.label).collect();
            // A brace that the text closes ends the part.
            assert!(open || labels.contains(&"note".to_owned()), "{text}: {labels:?}");
        }
    }
}

#[test]
fn names_before_a_cut_are_known() {
    let surroundings = surroundings();
    let text = "{=if(company.name == 'a', {k: [lines.text, (total + 1)]}, total > 5 ? company.note : status)}";
    for cut in "{=if(company.name".len()..text.len() {
        let analysis = analyse(&text[..cut], &surroundings);
        let known = analysis.names.iter().any(|name| name.is_property("company", "name"));
        assert!(known, "{}", &text[..cut]);
    }
}

#[test]
fn what_was_added_to_close_a_text_is_no_part_of_it() {
    let surroundings = surroundings();
    for text in ["'a' && not (nßß", "(total\u{fffd}\u{fffd} 1", "[(total €", "(company.name ßß"] {
        let analysis = analyse(text, &surroundings);
        let spans = analysis.names.iter().map(|name| name.span).chain(analysis.types.iter().map(|typed| typed.span));
        for span in spans {
            let written = text.get(span.from..span.to);
            let is_whole = written.is_some_and(|part| part.matches('(').count() == part.matches(')').count());
            assert!(is_whole, "{text}: {written:?}");
        }
    }
}

#[test]
fn a_text_that_is_too_long_is_refused_and_not_read() {
    let surroundings = surroundings();
    let long = format!("{{={}1}}", "(".repeat(MAXIMUM_LENGTH));
    let analysis = analyse(&long, &surroundings);
    assert_eq!(analysis.diagnostics[0].code, "too_long");
    ask(&analysis, long.len());
    assert!(analysis.names.is_empty());
}

#[test]
fn brackets_without_end_are_read() {
    let surroundings = surroundings();
    for open in ["(", "[", "{", "{a:", "a ? ", "f(", "!", "-", "a.", "'", "/*", "$", "{=", "}"] {
        let text = format!("{{={}", open.repeat(2_000));
        let analysis = analyse(&text, &surroundings);
        ask(&analysis, text.len());
        ask(&analysis, text.len() / 2);
    }
}
