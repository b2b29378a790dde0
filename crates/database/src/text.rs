//! Comparing texts: lower case, without diacritics, by pattern. The very same in Rust and in both engines.

use unicode_normalization::UnicodeNormalization;

/// The text in Unicode lower case; every sigma is `σ`, wherever it stands in a word.
pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    unify_sigma(text.to_lowercase())
}

/// The text without combining diacritical marks (U+0300 to U+036F), in lower case: `Čeněk` is `cenek`.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let bare: String = text.nfd().filter(|character| !('\u{300}'..='\u{36f}').contains(character)).collect();
    unify_sigma(bare.to_lowercase())
}

// The engines agree on everything but which sigma ends a word.
fn unify_sigma(text: String) -> String {
    if text.contains('ς') { text.replace('ς', "σ") } else { text }
}

/// Returns true if `text` matches `pattern`, in which `%` stands for any text, `_` for one character, and
/// `\` takes away the meaning of what follows. A last, lone `\` stands for itself.
pub(crate) fn like(text: &str, pattern: &str) -> bool {
    let pattern = parse(pattern);
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut step) = (0, 0);
    // Where the last `%` stood, and how much of the text it has taken: the only place to go back to.
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(step) {
            Some(PatternStep::Many) => {
                retry = Some((step, at));
                step += 1;
                continue;
            }
            Some(PatternStep::One) => {
                at += 1;
                step += 1;
                continue;
            }
            Some(PatternStep::Exactly(character)) if *character == text[at] => {
                at += 1;
                step += 1;
                continue;
            }
            _ => {}
        }
        let Some((many, taken)) = retry else { return false };
        retry = Some((many, taken + 1));
        at = taken + 1;
        step = many + 1;
    }
    pattern[step..].iter().all(|step| matches!(step, PatternStep::Many))
}

enum PatternStep {
    Many,
    One,
    Exactly(char),
}

fn parse(pattern: &str) -> Vec<PatternStep> {
    let mut characters = pattern.chars();
    let mut steps = Vec::with_capacity(pattern.len());
    while let Some(character) = characters.next() {
        steps.push(match character {
            '%' => PatternStep::Many,
            '_' => PatternStep::One,
            '\\' => PatternStep::Exactly(characters.next().unwrap_or('\\')),
            other => PatternStep::Exactly(other),
        });
    }
    steps
}
