//! Text of TypeScript: lines, blocks, names and comments that no text of a tenant leaves.

/// The members that every object has, as far as they may be names of properties.
pub(super) const OF_OBJECTS: [&str; 7] =
    ["constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"];

/// A module that is being written.
#[derive(Default)]
pub(super) struct Text {
    written: String,
    depth: usize,
}

impl Text {
    /// Adds lines.
    pub(super) fn line(&mut self, lines: &str) {
        for line in lines.split('\n') {
            if !line.is_empty() {
                self.written.extend(std::iter::repeat_n("    ", self.depth));
            }
            self.written.push_str(line);
            self.written.push('\n');
        }
    }

    /// Adds a block below its head.
    pub(super) fn block(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.line("}");
    }

    /// Adds a member of an interface. `mark` is `?` for one that may be missing.
    pub(super) fn member(&mut self, member: &str, mark: &str, of: &str) {
        self.line(&Text::of_member(member, mark, of));
    }

    /// Returns a member of an interface.
    pub(super) fn of_member(member: &str, mark: &str, of: &str) -> String {
        // Every object has functions of these names, which must not make an object without the member a wrong one.
        let inherited = if !mark.is_empty() && OF_OBJECTS.contains(&member) { " | Function" } else { "" };
        format!("{}{mark}: {of}{inherited};", name(member))
    }

    /// Adds an interface of members; without any, an object has none.
    pub(super) fn interface(&mut self, name: &str, members: &[String]) {
        match members {
            [] => self.line(&format!("export type {name} = Record<string, never>;")),
            members => self.block(&format!("export interface {name}"), |text| {
                members.iter().for_each(|member| text.line(member));
            }),
        }
    }

    pub(super) fn into_string(self) -> String {
        self.written
    }
}

/// A name of a member, in quotes where it needs them.
pub(super) fn name(text: &str) -> String {
    let is_plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !text.starts_with(|letter: char| letter.is_ascii_digit())
        && !text.is_empty();
    if is_plain { text.to_owned() } else { literal(text) }
}

/// A text as a literal.
pub(super) fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A union of texts; `never` for none.
pub(super) fn union<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let texts: Vec<String> = texts.map(literal).collect();
    if texts.is_empty() { "never".to_owned() } else { texts.join(" | ") }
}

/// A comment, on a line.
pub(super) fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("/** {} */", words.join(" ").replace("*/", "*\u{200b}/"))
}

/// The title and description of a thing, as sentences; nothing where they only repeat its name.
pub(super) fn sentences(name: &str, title: &str, description: &str) -> Option<String> {
    let ended = |text: &str| match text.ends_with(['.', '!', '?']) {
        true => text.to_owned(),
        false => format!("{text}."),
    };
    let tells = |text: &&str| !text.is_empty() && !text.eq_ignore_ascii_case(name);
    let sentences: Vec<String> = [title, description].iter().copied().filter(tells).map(ended).collect();
    (!sentences.is_empty()).then(|| comment(&sentences.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::{comment, name, union};

    #[test]
    fn no_text_of_a_tenant_ends_a_literal_or_a_comment() {
        assert_eq!(["a_b", "class", "a-b", "1a", ""].map(name), ["a_b", "class", "\"a-b\"", "\"1a\"", "\"\""]);
        assert_eq!(union(["a\"|b", "\n\\"].into_iter()), "\"a\\\"|b\" | \"\\n\\\\\"");
        assert_eq!(union(std::iter::empty()), "never");
        assert!(!comment("x */ evil(); /*\n").contains("*/ evil"));
    }
}
