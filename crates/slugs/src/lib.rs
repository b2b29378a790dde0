//! Slugs as Nette's webalize makes them. Letters become Latin ones as ICU transliterates them, what then is neither letter nor
//! digit separates words or vanishes.
//!
//! `letters.txt`, `kana.txt` and `pinyin.txt` say what characters become, as `value:characters`; `-` stands for what
//! separates. They hold what neither compatibility decomposition nor (for Han characters) deunicode knows as ICU does.
//!
//! Known to differ from ICU: Thai words are not parted, Burmese vowels ignore what ends the syllable, characters
//! with signs that they cannot have, and a rough breathing behind several Greek vowels.

mod greek;
mod indic;
mod korean;
mod tables;

use unicode_normalization::char::decompose_compatible;

/// A text in lower-case ASCII letters, digits and single hyphens.
pub fn webalize(text: &str) -> String {
    let letters: Vec<char> = text.chars().filter(|letter| !is_dropped(*letter)).collect();
    let mut slug = SlugBuilder { text: String::with_capacity(text.len()) };
    let mut place = 0;
    while let Some(&letter) = letters.get(place) {
        let previous = place.checked_sub(1).map(|place| letters[place]);
        place += slug.transliterate(previous, letter, &letters[place + 1..]);
    }
    slug.text.truncate(slug.text.trim_end_matches('-').len());
    slug.text
}

/// Returns true for what Nette deletes first: control characters and marks that combine.
fn is_dropped(letter: char) -> bool {
    match letter {
        '\t' | '\n' | '\r' => false,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{300}'..='\u{36f}' => true,
        _ => false,
    }
}

/// The slug so far; it never begins with a hyphen and never has two in a row.
struct SlugBuilder {
    text: String,
}

impl SlugBuilder {
    /// Adds what a letter becomes between its neighbours; gives how many letters were used up.
    fn transliterate(&mut self, previous: Option<char>, letter: char, next: &[char]) -> usize {
        if letter.is_ascii() {
            self.push(letter);
            return 1;
        }
        if let Some(value) = replaced(letter) {
            self.add(value);
        } else if is_han(letter) {
            // Each syllable of Chinese is a word.
            if previous.is_some_and(char::is_alphabetic) {
                self.push('-');
            }
            self.add(syllable(letter));
        } else if let Some(syllable) = enclosed(previous, letter, next.first().copied()) {
            self.push('-');
            self.add(syllable);
            self.push('-');
        } else if korean::is_syllable(letter) {
            korean::add(self, previous, letter);
        } else if indic::is_indic(letter) {
            indic::add(self, previous, letter, next.first().copied());
        } else if let Some(value) = next.first().and_then(|next| tables::pair(letter, *next)) {
            self.add(value);
            return 2;
        } else if matches!(letter, 'っ' | 'ッ') {
            self.add(doubled(next));
        } else if let Some(value) = greek::between(previous, letter, next.first().copied()) {
            self.add(value);
        } else if is_long_vowel(previous, letter) {
            // The sign before it was its sound.
        } else if let Some(value) = arabic_vowel(previous, letter, next.first().copied()) {
            self.add(value);
        } else if let ('เ'..='ไ', Some(&consonant @ 'ก'..='ฮ')) = (letter, next.first()) {
            // Thai writes these vowels before the consonant that they follow.
            self.add_single(consonant);
            self.add_single(letter);
            return 2;
        } else if greek::is_rough(letter) {
            greek::add_rough(self, previous, tables::letter(letter).unwrap_or_default());
        } else {
            if is_burmese_consonant(letter) && previous.is_some_and(is_burmese_consonant) {
                self.push('a');
            }
            self.add_single(letter);
            if matches!(letter, 'ん' | 'ン') && next.first().is_some_and(|next| is_ambiguous_after_n(*next)) {
                self.push('-');
            }
        }
        1
    }

    fn add(&mut self, value: &str) {
        value.chars().for_each(|letter| self.push(letter));
    }

    /// Adds what a letter becomes on its own.
    fn add_single(&mut self, letter: char) {
        match tables::letter(letter) {
            Some(value) => self.add(value),
            None => decompose_compatible(letter, |part| {
                if part.is_ascii() {
                    self.push(part);
                }
            }),
        }
    }

    fn push(&mut self, letter: char) {
        if letter.is_ascii_alphanumeric() {
            self.text.push(letter.to_ascii_lowercase());
        } else if !self.text.is_empty() && !self.text.ends_with('-') {
            self.text.push('-');
        }
    }
}

/// Returns what Nette replaces itself before ICU has its turn, after German rules in every language.
fn replaced(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Ä' | 'ä' => "ae",
        'Ö' | 'ö' => "oe",
        'Ü' | 'ü' => "ue",
        'ẞ' | 'ß' => "ss",
        'Я' | 'я' => "ya",
        'Ю' | 'ю' => "yu",
        '²' => "-2",
        '³' => "-3",
        '¹' => "-1",
        'µ' => "u",
        'º' => "o",
        '℮' => "e",
        '£' => "lb",
        '¥' => "yen",
        '€' => "eur",
        '™' => "tm",
        '®' => "-r-",
        '©' => "-c-",
        '↓' => "v",
        '\u{ad}' | '„' | '“' | '”' | '‚' | '‘' | '’' | '°' | '…' | '«' | '»' | '←' | '↑' | '→' | '↔' => {
            "-"
        }
        _ => return None,
    })
}

fn is_han(letter: char) -> bool {
    matches!(letter, '〇' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{2e80}'..='\u{2fdf}' | '\u{f900}'..='\u{faff}')
}

/// The syllable of a Han character.
fn syllable(letter: char) -> &'static str {
    if letter == '〇' {
        return "ling";
    }
    let plain = compatible(letter, |_| true).unwrap_or(letter);
    tables::syllable(plain).unwrap_or_else(|| deunicode::deunicode_char(plain).unwrap_or("").trim())
}

/// The syllable of a Han character in parentheses or a circle: nothing but beside Han characters.
fn enclosed(previous: Option<char>, letter: char, next: Option<char>) -> Option<&'static str> {
    let beside_han = [previous, next].into_iter().flatten().any(is_han);
    if !beside_han || !matches!(letter, '\u{3220}'..='\u{3247}' | '\u{3280}'..='\u{32b0}') {
        return None;
    }
    compatible(letter, is_han).map(syllable)
}

/// The first character of a letter's decomposition that is wanted.
fn compatible(letter: char, is_wanted: fn(char) -> bool) -> Option<char> {
    let mut first = None;
    decompose_compatible(letter, |part| {
        if is_wanted(part) {
            first = first.or(Some(part));
        }
    });
    first
}

/// Returns what the small tsu before a kana becomes: its consonant once more.
fn doubled(next: &[char]) -> &'static str {
    let pair = next.first().zip(next.get(1)).and_then(|(first, second)| tables::pair(*first, *second));
    let value = pair.or_else(|| next.first().and_then(|next| tables::letter(*next))).unwrap_or("");
    match value.as_bytes().first() {
        Some(b'c') => "t",
        Some(_) if matches!(next.first(), Some('ゔ' | 'ヴ' | 'っ' | 'ッ')) => "-tsu",
        Some(
            b'b' | b'd' | b'f' | b'g' | b'h' | b'j' | b'k' | b'm' | b'n' | b'p' | b'r' | b's' | b't' | b'w' | b'y'
            | b'z',
        ) if next.first().is_some_and(|next| ('ぁ'..='ヿ').contains(next)) => &value[..1],
        _ => "-tsu",
    }
}

/// Returns true if an n and a kana could be read as another kana.
fn is_ambiguous_after_n(letter: char) -> bool {
    ('ぁ'..='ヿ').contains(&letter)
        && tables::letter(letter).is_some_and(|value| value.starts_with(['a', 'e', 'i', 'o', 'u', 'y', 'n']))
}

/// Returns what an Arabic vowel sign becomes beside an Arabic letter.
fn arabic_vowel(previous: Option<char>, letter: char, next: Option<char>) -> Option<&'static str> {
    let value = match letter {
        '\u{64b}' => "an",
        '\u{64c}' => "un",
        '\u{64d}' => "in",
        '\u{64e}' => "a",
        '\u{64f}' => "u",
        '\u{650}' => "i",
        _ => return None,
    };
    [previous, next].into_iter().flatten().any(|beside| ('\u{600}'..='\u{6ff}').contains(&beside)).then_some(value)
}

/// Returns true if an Arabic letter only makes the vowel sign before it long.
fn is_long_vowel(previous: Option<char>, letter: char) -> bool {
    matches!((previous, letter), (Some('\u{64e}'), 'ا') | (Some('\u{650}'), 'ي') | (Some('\u{64f}'), 'و'))
}

fn is_burmese_consonant(letter: char) -> bool {
    matches!(letter, '\u{1000}'..='\u{1021}')
}
