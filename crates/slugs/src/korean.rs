//! Korean syllables: three parts each, with a hyphen where the border would be read wrongly.

use super::SlugBuilder;

const INITIALS: [&str; 19] =
    ["g", "kk", "n", "d", "tt", "l", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"];
const VOWELS: [&str; 21] = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu",
    "ui", "i",
];
const FINALS: [&str; 28] = [
    "", "g", "kk", "gs", "n", "nj", "nh", "d", "l", "lg", "lm", "lb", "ls", "lt", "lp", "lh", "m", "b", "bs", "s",
    "ss", "ng", "j", "ch", "k", "t", "p", "h",
];

/// The first syllable's number; the others follow by initial, vowel and final.
const FIRST: usize = 0xac00;

/// Returns true if a letter is a whole syllable.
pub(super) fn is_syllable(letter: char) -> bool {
    matches!(letter, '가'..='힣')
}

/// Adds a syllable.
pub(super) fn add(slug: &mut SlugBuilder, previous: Option<char>, letter: char) {
    let number = letter as usize - FIRST;
    let initial = INITIALS[number / (VOWELS.len() * FINALS.len())];
    if previous.filter(|previous| is_syllable(*previous)).is_some_and(|previous| is_ambiguous(last(previous), initial))
    {
        slug.push('-');
    }
    slug.add(initial);
    slug.add(VOWELS[number / FINALS.len() % VOWELS.len()]);
    slug.add(last(letter));
}

fn last(letter: char) -> &'static str {
    FINALS[(letter as usize - FIRST) % FINALS.len()]
}

/// Returns true if the end of a syllable and the begin of the next read as other ones.
fn is_ambiguous(last: &str, initial: &str) -> bool {
    match (last, initial) {
        ("", _) => false,
        (_, "") => true,
        ("gs" | "ls" | "bs" | "s", "s" | "ss") => true,
        ("nj", "j" | "jj") | ("j", "j") => true,
        ("lg" | "ng", "g") | ("lb", "b") | ("lt" | "t", "t") | ("lp" | "p", "p") | ("k", "k" | "kk") => true,
        _ => false,
    }
}
