//! Names of files: what is kept of what a client calls them, and how two of one name are told apart.

use std::collections::{HashMap, HashSet};

/// Bytes of a name: what file systems take.
const LONGEST: usize = 255;
/// Names that Windows keeps for devices, whatever their ending.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A name that is harmless wherever the file may be saved to. Bytes never lie under it.
///
/// What a path has before its last part goes; so do control characters and those that change the direction of text;
/// what Windows refuses becomes a hyphen; dots and spaces at the ends go. What is nothing then is `file`.
pub(super) fn clean(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept = last.chars().filter(|character| !is_hidden(*character));
    let safe: String = kept.map(|character| if r#"<>:"|?*"#.contains(character) { '-' } else { character }).collect();
    let trimmed = safe.trim_matches(|character: char| character == '.' || character.is_whitespace());
    let name = if trimmed.is_empty() { "file" } else { trimmed };
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let name = if RESERVED.contains(&stem.as_str()) { format!("_{name}") } else { name.to_owned() };
    shortened(&name, "")
}

/// The name without its ending, for people.
pub(super) fn title(name: &str) -> &str {
    split(name).0
}

/// The names of a property's files, in lower case: none is there twice.
pub(super) struct TakenNames {
    taken: HashSet<String>,
    /// The number to try next, by the first name with a number: a thousand files of one name are a thousand tries.
    next: HashMap<String, usize>,
}

impl TakenNames {
    pub(super) fn new<'t>(names: impl Iterator<Item = &'t str>) -> Self {
        TakenNames { taken: names.map(str::to_lowercase).collect(), next: HashMap::new() }
    }

    /// Takes the name, or `name (2)` and so on where one that is taken is the same but for case.
    pub(super) fn take(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_lowercase()) {
            return name.to_owned();
        }
        let numbered = |number: usize| shortened(name, &format!(" ({number})"));
        let next = self.next.entry(numbered(2).to_lowercase()).or_insert(2);
        loop {
            let unique = numbered(*next);
            *next += 1;
            if self.taken.insert(unique.to_lowercase()) {
                return unique;
            }
        }
    }
}

/// The name with a suffix before its ending, no longer than a name may be.
fn shortened(name: &str, suffix: &str) -> String {
    let (stem, ending) = split(name);
    let ending = if ending.len() > 32 { "" } else { ending };
    let stem = if ending.is_empty() { name } else { stem };
    let room = LONGEST - suffix.len() - ending.len();
    let cut = stem.floor_char_boundary(room.min(stem.len()));
    format!("{}{suffix}{ending}", &stem[..cut])
}

/// Returns the part before the last dot, and the rest.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    }
}

/// Control characters, and what turns or hides text: a name must look like what it is.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{TakenNames, clean, title};

    fn unique<'t>(name: &str, taken: impl Iterator<Item = &'t str>) -> String {
        TakenNames::new(taken).take(name)
    }

    #[test]
    fn names_are_cleaned() {
        for (given, expected) in [
            ("report.pdf", "report.pdf"),
            ("Žluťoučký kůň.txt", "Žluťoučký kůň.txt"),
            ("../../x", "x"),
            ("/etc/passwd", "passwd"),
            ("C:\\Users\\a.txt", "a.txt"),
            ("a\0.png", "a.png"),
            ("a\r\nSet-Cookie: x.png", "aSet-Cookie- x.png"),
            ("..", "file"),
            ("", "file"),
            (" . ", "file"),
            (".htaccess", "htaccess"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("invoice\u{202e}gpj.exe", "invoicegpj.exe"),
            ("a<b>:\"c|d?e*.txt", "a-b---c-d-e-.txt"),
        ] {
            assert_eq!(clean(given), expected, "{given:?}");
        }
        let long = clean(&format!("{}.png", "ž".repeat(5_000)));
        assert!(long.len() <= 255 && long.ends_with("ž.png"), "{long}");
        assert_eq!(clean(&format!("a.{}", "b".repeat(5_000))).len(), 255);
    }

    #[test]
    fn names_are_made_unique() {
        assert_eq!(unique("a.png", ["b.png"].into_iter()), "a.png");
        assert_eq!(unique("a.png", ["A.PNG", "a (2).png"].into_iter()), "a (3).png");
        let long = format!("{}.png", "a".repeat(251));
        let other = unique(&long, [long.as_str()].into_iter());
        assert!(other.len() <= 255 && other.ends_with(" (2).png"), "{other}");
        let mut taken = TakenNames::new(["a.png"].into_iter());
        assert_eq!(
            ["A.png", "b.png", "a.png", "A (2).png"].map(|name| taken.take(name)),
            ["A (2).png", "b.png", "a (3).png", "A (2) (2).png"]
        );
        assert_eq!((title("a.tar.gz"), title("README")), ("a.tar", "README"));
    }
}
