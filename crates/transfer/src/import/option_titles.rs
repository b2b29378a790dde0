//! Options by their titles, as people write them in files.

use model::kinds::ChoiceOption;

/// The value of the option that a text names: itself where it is a value or names none. A title is read in any case; where
/// two options have it, an archived one gives way, and otherwise neither is meant.
pub(super) fn option_of<'t>(options: &'t [ChoiceOption], text: &'t str) -> &'t str {
    if options.is_empty() || options.iter().any(|option| option.value == text) {
        return text;
    }
    let words = text.trim();
    let titled =
        |archived: bool| options.iter().filter(move |option| option.archived == archived && same(&option.title, words));
    let mut found = titled(false).chain(titled(true));
    let first = match (found.next(), found.next()) {
        (Some(first), Some(second)) if first.archived == second.archived => return text,
        (first, _) => first,
    };
    first.or_else(|| options.iter().find(|option| same(&option.value, words))).map_or(text, |option| &option.value)
}

/// Returns true if two texts are the same but for their case.
fn same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::option_of;
    use model::kinds::ChoiceOption;

    #[test]
    fn options_are_found_by_value_then_by_title() {
        let option = |value: &str, title: &str, archived| ChoiceOption {
            value: value.to_owned(),
            title: title.to_owned(),
            color: None,
            archived,
        };
        let options = [
            option("new", "Nový", false),
            option("old", "new", false),
            option("gone", "Zrušený", true),
            option("void", "Zrušený", false),
            option("a", "Same", false),
            option("b", "Same", false),
        ];
        for (text, expected) in [
            ("new", "new"),
            ("NOVÝ ", "new"),
            ("zrušený", "void"),
            ("Same", "Same"),
            ("Void", "void"),
            ("none", "none"),
            ("", ""),
        ] {
            assert_eq!(option_of(&options, text), expected, "{text}");
        }
        assert_eq!(option_of(&[], "x"), "x");
    }
}
