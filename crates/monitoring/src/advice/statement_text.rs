//! Statements in a text of the log, and their words.

/// The most brackets within one another that a statement of ours has.
const DEEPEST: usize = 200;

/// The statements of a text, which are those of one round trip. A text is judged, not trusted: only a whole statement
/// that reads is returned.
pub(super) fn statements(text: &str) -> impl Iterator<Item = &str> {
    text.split("; ").map(str::trim).filter(|statement| is_whole(statement))
}

fn is_whole(statement: &str) -> bool {
    let reads = ["SELECT ", "WITH "].iter().any(|word| statement.starts_with(word));
    let closes = statement.matches('(').count() == statement.matches(')').count();
    let foreign = [";", "\\", "--", "/*", "$$", "'", "\0"].iter().any(|sign| statement.contains(sign));
    reads && closes && !foreign && depth(statement) <= DEEPEST
}

/// Returns the most brackets within one another.
fn depth(statement: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for byte in statement.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Returns the words and signs of a statement.
pub(super) fn words(statement: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = statement.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if is_letter(first) => rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len()),
            _ if ["<=", ">=", "<>", "!=", "::", "||"].iter().any(|sign| rest.starts_with(sign)) => 2,
            _ => first.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// Returns the place of the bracket that closes the one at `open`, or the end.
pub(super) fn closing(words: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (place, word) in words.iter().enumerate().skip(open) {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    words.len()
}

/// Returns the parts between words that stand in no bracket.
pub(super) fn split<'w, 't>(words: &'w [&'t str], between: &str) -> Vec<&'w [&'t str]> {
    let (mut parts, mut start, mut place) = (Vec::new(), 0, 0);
    while place < words.len() {
        if words[place] == "(" {
            place = closing(words, place);
        } else if words[place] == between {
            parts.push(&words[start..place]);
            start = place + 1;
        }
        place += 1;
    }
    parts.push(&words[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, statements};

    #[test]
    fn statements_without_end_are_left_out() {
        let nested = |depth: usize| format!("SELECT {}1{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(statements(&nested(DEEPEST)).count(), 1);
        assert_eq!(statements(&nested(DEEPEST + 1)).count(), 0);
    }
}
