//! Whatever the files hold, loading them ends, with a model or with diagnostics.

use configuration::{Files, check};
use proptest::prelude::*;

/// Pieces of files, so that random texts come far.
const PIECES: [&str; 40] = [
    "name: a",
    "id: 12",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    "properties:",
    "properties: {",
    "b: {kind: pDate}",
    "b:",
    "kind: pString",
    "unique: [[b]]",
    "}",
    "]",
    "{",
    "[",
    ", ",
    "&x ",
    "*x",
    "!!str ",
    "? ",
    "- ",
    "|\n",
    ">\n",
    "'",
    "\"",
    "# größe",
    "---",
    "\t",
    "\r\n",
    "\u{feff}",
    "é",
    "type: a",
    "kind: pRelation",
    "default: 1",
    "options: [x]",
    "{=",
    "%YAML 1.2",
    "null",
    "title: Größe",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_loaded_or_refused(
        pieces in prop::collection::vec(0..PIECES.len(), 0..30),
        tenant in any::<bool>(),
    ) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        let mut files = Files::default();
        files.insert("tenant.yaml", if tenant { text.as_str() } else { "tenant: acme" });
        files.insert("types/a.yaml", text.as_str());
        files.insert("roles/a.yaml", text.as_str());
        files.insert("users/a.yaml", text.as_str());
        if let Err(problems) = check(&files) {
            prop_assert!(!problems.is_empty());
            for problem in problems {
                problem.render(files.get(&problem.file));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Right files in any layout get their ids, and are right again with them.
    #[test]
    fn ids_find_their_place_in_any_layout(
        flow in prop::collection::vec((any::<bool>(), 0..4_usize, any::<bool>()), 1..6),
        indent in 1..5_usize,
        windows in any::<bool>(),
        head in prop::sample::select(vec!["", "# größe\n", "---\n", "\n\n", "\u{feff}"]),
    ) {
        let mut text = format!("{head}title: Größe   # é\nname: a\nproperties:\n");
        for (number, (braces, comments, id)) in flow.iter().enumerate() {
            let margin = " ".repeat(indent);
            let id = if *id { Some(500 + number) } else { None };
            let comment = "# č\n".repeat(*comments);
            match (braces, id) {
                (true, None) => text.push_str(&format!("{comment}{margin}b{number}: {{kind: pDate}} # ř\n")),
                (true, Some(id)) => text.push_str(&format!("{margin}b{number}: {{ kind: pDate, id: {id} }}\n")),
                (false, None) => text.push_str(&format!("{margin}b{number}:\n{comment}{margin}{margin}kind: pDate\n")),
                (false, Some(id)) => text.push_str(&format!("{margin}b{number}:\n{margin} kind: pDate\n{margin} id: {id}\n")),
            }
        }
        if windows {
            text = text.replace('\n', "\r\n");
        }
        let mut files = Files::default();
        files.insert("tenant.yaml", "tenant: acme");
        files.insert("types/a.yaml", text.as_str());
        let loaded = check(&files).map_err(|problems| TestCaseError::fail(format!("{problems:?}\n{text}")))?;
        let again = check(&loaded.files).map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        prop_assert_eq!(&again.files, &loaded.files);
        // Without what was put in, the text is what it was.
        let with = loaded.files.get("types/a.yaml").unwrap_or_default();
        let kept = |text: &str| -> String { text.split("id: ").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect::<String>() };
        let plain = |text: &str| -> String { kept(text).chars().filter(|c| !c.is_whitespace() && *c != ',').collect() };
        prop_assert_eq!(plain(with), plain(&text));
    }
}
