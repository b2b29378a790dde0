//! Statements in a text of the log, and their words.

/// The most brackets within one another that a statement of ours has.
const DEEPEST: usize = 200;

/// The statements of a text, which are those of one round trip. A text is judged, not trusted: only a whole statement
/// that reads is returned.
pub(super) fn statements(text: &str) -> impl Iterator<Item = &str> {
    parts(text).into_iter().map(str::trim).filter(|statement| is_whole(statement))
}

/// Returns the parts of a text between semicolons with a space behind, except for those in quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote) = (Vec::new(), 0, None);
    for (place, sign) in text.char_indices() {
        match (sign, quote) {
            ('\'' | '"', None) => quote = Some(sign),
            (_, Some(open)) if sign == open => quote = None,
            (';', None) if text[place..].starts_with("; ") => {
                parts.push(&text[start..place]);
                start = place + 2;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns true for a statement that reads, and of which each engine sees the same end of each text and name in quotes.
/// So no sign may begin a quote, a text or a comment that only one of them knows.
fn is_whole(statement: &str) -> bool {
    let reads = ["SELECT ", "WITH "].iter().any(|word| statement.starts_with(word));
    let Some(bare) = bare(statement).filter(|_| reads && !statement.contains(['\\', '`', '\0'])) else { return false };
    let closes = bare.matches('(').count() == bare.matches(')').count();
    let foreign = [";", "--", "/*"].iter().any(|sign| bare.contains(sign));
    let behind = |sign: char| bare.split(sign).skip(1);
    let are_values = behind('$').all(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    let are_lists =
        behind('[').all(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with(']'));
    closes && !foreign && are_values && are_lists && depth(&bare) <= DEEPEST
}

/// Returns a statement with a space in the place of each text and name in quotes; none where a quote has no end.
fn bare(statement: &str) -> Option<String> {
    let (mut bare, mut rest) = (String::new(), statement);
    while let Some(open) = rest.find(['\'', '"']) {
        let quoted = &rest[open + 1..];
        let end = quoted.find(&rest[open..=open])?;
        bare.push_str(&rest[..open]);
        bare.push(' ');
        rest = &quoted[end + 1..];
    }
    bare.push_str(rest);
    Some(bare)
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
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
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
    use super::{DEEPEST, statements, words};

    #[test]
    fn statements_without_end_are_left_out() {
        let nested = |depth: usize| format!("SELECT {}1{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(statements(&nested(DEEPEST)).count(), 1);
        assert_eq!(statements(&nested(DEEPEST + 1)).count(), 0);
    }

    #[test]
    fn texts_in_quotes_belong_to_their_statement() {
        let list = "SELECT (SELECT '[' || coalesce(string_agg(f.a, '; ('), '') || ']' FROM f) FROM \"a'b\".t10 AS r0";
        let both = format!("{list}; SELECT $1::bigint[], 'it''s'; SELECT 'open");
        assert_eq!(statements(&both).collect::<Vec<_>>(), [list, "SELECT $1::bigint[], 'it''s'"]);
        assert_eq!(words("a = '; (b' OR \"c d\".e"), ["a", "=", "'; (b'", "OR", "\"c d\"", ".", "e"]);
    }

    #[test]
    fn quotes_of_one_engine_alone_are_refused() {
        for foreign in [
            "SELECT E'a\\''; DROP TABLE t --'",
            "SELECT $a$'$a$; DROP TABLE t; SELECT '",
            "SELECT $$'$$; DROP TABLE t; SELECT '",
            "SELECT [ ' ]; DROP TABLE t; SELECT '",
            "SELECT `'`; DROP TABLE t; SELECT '",
            "SELECT 1 -- '\n; DROP TABLE t; SELECT '",
            "SELECT 1 /* ' */; DROP TABLE t; SELECT '",
            "SELECT 'a';DROP TABLE t",
            "SELECT 'a\0'",
        ] {
            assert_eq!(statements(foreign).count(), 0, "{foreign}");
        }
    }
}
