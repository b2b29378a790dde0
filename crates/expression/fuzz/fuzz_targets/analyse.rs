//! Fuzzes the analysis of texts that are cut at each byte: the checker in a place whose types are known, and what
//! editors ask. Parts that are marked lie in the text, and typed nodes give what the general evaluator gives.
#![no_main]

use analysis::{Surroundings, analyse};
use expression::example_place;
use expression::scope::Scope;
use expression::{Program, RunLimits, Span};
use std::sync::LazyLock;

/// Small limits, so that each unit is short.
const LIMITS: RunLimits = RunLimits { fuel: 10_000, memory: 256 * 1024, items: 1_000, queries: 2 };

static SURROUNDINGS: LazyLock<Surroundings> = LazyLock::new(|| Surroundings::from(example_place::scope()));
/// The same place for the general evaluator.
static GENERAL: LazyLock<Scope> = LazyLock::new(|| example_place::scope().without_typed_nodes());

// A text as it is, and cut at one byte, which its own bytes choose: a unit that looked at each cut would take as long as
// fifty others. A test of `analysis` looks at each cut of the seeds.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let chosen = bytes.iter().fold(0xcbf2_9ce4_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    let at = |shift: u32| (chosen.rotate_left(shift) as usize) % (text.len() + 2);
    look(&text, &[at(0), text.len()]);
    let cut = &text[..text.floor_char_boundary(at(11).min(text.len()))];
    look(cut, &[cut.len()]);
});

/// Asks everything of a text, and of some places in it what editors ask.
fn look(text: &str, places: &[usize]) {
    let analysis = analyse(text, &SURROUNDINGS);
    for at in places.iter().copied() {
        let _ = (analysis.completions(at), analysis.hover(at), analysis.signature(at), analysis.definition(at));
    }
    for name in &analysis.names {
        within(text, name.span);
    }
    let scope = &SURROUNDINGS.scope;
    match compiled(text, scope) {
        Err(mistakes) => mistakes.iter().for_each(|mistake| within(text, mistake.span)),
        Ok(typed) => {
            for finding in typed.findings() {
                within(text, finding.diagnostic.span);
                finding.fixes.iter().for_each(|fix| within(text, fix.span));
            }
            agree(text, &typed);
        }
    }
}

fn compiled(text: &str, scope: &Scope) -> Result<Program, Vec<expression::Diagnostic>> {
    if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) }
}

fn within(text: &str, span: Span) {
    assert!(span.from <= span.to && text.get(span.from..span.to).is_some(), "{span:?} is no part of {text:?}");
}

fn agree(text: &str, typed: &Program) {
    let Ok(general) = compiled(text, &GENERAL) else {
        panic!("without typed nodes {text:?} is refused");
    };
    let shown = |program: &Program| match example_place::run(program, LIMITS) {
        Ok(value) => expression::wire::encode(&value).map_or_else(|fault| fault.code.to_owned(), |json| json.to_string()),
        Err(mistake) => format!("{} {:?}", mistake.code, mistake.span),
    };
    let (one, other) = (shown(typed), shown(&general));
    // Typed nodes take fewer steps, and less memory meanwhile.
    let is_short = ["fuel_spent", "memory_spent"].iter().any(|code| other.starts_with(code));
    assert!(one == other || is_short, "{text:?}: typed nodes give {one}, the general evaluator {other}");
}
