//! The scripts of India that share a layout: Devanagari to Malayalam. A consonant has an a unless a sign says else.

use super::SlugBuilder;
use std::sync::LazyLock;

/// The texts that the characters of a block become, by their place in it; `.` is nothing.
static VALUES: LazyLock<Vec<&str>> = LazyLock::new(|| TEXT.split_ascii_whitespace().collect());

const TEXT: &str = "\
    . m m h a a a i i u u r l e e e ai o o o au ka kha ga gha na ca cha ja jha na ta \
    tha da dha na ta tha da dha na na pa pha ba bha ma ya ra ra la la la va sa sa sa ha . . . . a i \
    i u u r r e e e ai o o o au . . . om . . . . . . . qa kha ga za ra rha fa ya \
    r l l l . . 0 1 2 3 4 5 6 7 8 9";

/// The place of the dot that makes another consonant.
const NUKTA: usize = 0x3c;
/// The place of the consonant h.
const HA: usize = 0x39;
/// The place of the sign that takes a consonant's vowel away.
const VIRAMA: usize = 0x4d;

/// Returns true if a letter is of those scripts.
pub(super) fn is_indic(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{d7f}')
}

/// Adds a letter.
pub(super) fn add(slug: &mut SlugBuilder, previous: Option<char>, letter: char, next: Option<char>) {
    let place = place(letter);
    let mut value = VALUES.get(place).copied().unwrap_or(".");
    let previous = previous.filter(|letter| is_indic(*letter)).map(self::place);
    let follows_consonant = previous.is_some_and(|previous| is_consonant(previous) || previous == NUKTA);
    if follows_consonant && is_sign(place) && slug.text.ends_with('a') {
        slug.text.pop();
    }
    if place == HA
        && previous == Some(VIRAMA)
        && slug.text.ends_with(['k', 'g', 'c', 'j', 't', 'd', 'p', 'b', 'r', 'l', 's'])
    {
        // Together they would read as one aspirated consonant.
        slug.push('-');
    }
    if is_vowel(place) && previous.is_some_and(|previous| !matches!(previous, 0..=3 | VIRAMA)) {
        // A vowel of its own would read as the end of the syllable before it.
        slug.push('-');
    }
    if matches!(place, 0x01 | 0x02) {
        // Before a consonant the sign is the nasal that goes with it.
        let next = next.filter(|letter| is_indic(*letter)).map(self::place);
        value = match next {
            Some(0x2a..=0x2e) | None => "m",
            Some(next) if is_consonant(next) => "n",
            _ => "m",
        };
    }
    if value != "." {
        slug.add(value);
    }
}

fn place(letter: char) -> usize {
    letter as usize % 0x80
}

fn is_vowel(place: usize) -> bool {
    matches!(place, 0x04..=0x14 | 0x60 | 0x61)
}

fn is_consonant(place: usize) -> bool {
    matches!(place, 0x15..=0x39 | 0x58..=0x5f)
}

/// Returns true if a consonant loses its a before it.
fn is_sign(place: usize) -> bool {
    matches!(place, 0x3e..=VIRAMA | 0x55..=0x57 | 0x62 | 0x63)
}
