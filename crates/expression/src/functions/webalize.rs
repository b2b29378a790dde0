//! webalize: Nette's slugs.

/// A text in lower-case ASCII letters, digits and single hyphens.
pub(crate) fn webalize(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for letter in text.chars() {
        for byte in deunicode::deunicode_char(letter).unwrap_or("").bytes() {
            if byte.is_ascii_alphanumeric() {
                slug.push(char::from(byte.to_ascii_lowercase()));
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}
