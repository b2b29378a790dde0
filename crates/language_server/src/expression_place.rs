//! The expression at a cursor, also in a text that is no YAML for the moment.

use crate::positions::LineIndex;
use crate::workspace::{FilePlace, Workspace};
use analysis::Surroundings;
use configuration::scalars::scalars;
use configuration::source_map::SourceMap;
use serde_json::Value as Json;

/// An expression with the cursor in it.
#[derive(Debug)]
pub(crate) struct ExpressionPlace {
    pub(crate) text: String,
    /// The byte of the text at the cursor.
    pub(crate) at: usize,
    pub(crate) map: SourceMap,
    pub(crate) surroundings: Surroundings,
}

/// Returns the expression at the position of a request.
pub(crate) fn find(workspace: &mut Workspace, place: &FilePlace, params: &Json) -> Option<ExpressionPlace> {
    let byte = LineIndex::new(&place.text).byte(params.get("position")?)?;
    let list = scalars(&place.text);
    let under = |span: &std::ops::Range<usize>| (span.start..=span.end).contains(&byte);
    let scalar = list.scalars.iter().find(|scalar| under(&scalar.span) && scalar.has_expression());
    if let Some(scalar) = scalar {
        let map = scalar.map(&place.text)?;
        let surroundings = surroundings(workspace, place, &scalar.path)?;
        return Some(ExpressionPlace { at: map.text_byte(byte), text: scalar.text.clone(), map, surroundings });
    }
    if list.is_whole { None } else { in_broken(workspace, place, byte) }
}

/// Returns what an expression may name: as it was checked last, or else as it is checked now.
fn surroundings(workspace: &mut Workspace, place: &FilePlace, path: &[String]) -> Option<Surroundings> {
    let known = workspace.folder(&place.folder).and_then(|folder| folder.surroundings(&place.file, path));
    known.or_else(|| workspace.checked(&place.folder)?.surroundings(&place.file, path))
}

/// Returns the expression that was begun on a line of a text that is no YAML: a quote is missing, as a rule. The text is
/// read with another expression in its place.
fn in_broken(workspace: &mut Workspace, place: &FilePlace, byte: usize) -> Option<ExpressionPlace> {
    const INSTEAD: &str = "\"{=null}\"";
    let line = LineIndex::new(&place.text).line_around(byte);
    let before = &place.text[line.start..byte];
    let begins = line.start + before.rfind("{=")?;
    let quoted = place.text[..begins].ends_with(['"', '\'']);
    let start = if quoted { begins - 1 } else { begins };
    let closing = closing(&place.text[line.start..start]);
    let (head, tail) = (&place.text[..start], &place.text[line.end..]);
    let repaired = format!("{head}{INSTEAD}{closing}{tail}");
    let list = scalars(&repaired);
    let scalar = list.scalars.iter().find(|scalar| scalar.span.start == start && !scalar.is_key)?;
    let text = &place.text[begins..line.end];
    let surroundings = match self::surroundings(workspace, place, &scalar.path) {
        Some(known) => known,
        None => {
            let folder = workspace.checked(&place.folder)?;
            let mut files = folder.files.clone();
            files.insert(place.file.clone(), repaired);
            // Its mistakes are told elsewhere.
            let _ = folder.note(&files);
            folder.surroundings(&place.file, &scalar.path)?
        }
    };
    let map = SourceMap::plain(begins, text);
    Some(ExpressionPlace { text: text.to_owned(), at: byte - begins, map, surroundings })
}

/// Returns the brackets that close what a line opens.
fn closing(line: &str) -> String {
    let (mut open, mut quote) = (Vec::new(), None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '{') => open.push('}'),
            (None, '[') => open.push(']'),
            (None, '}' | ']') => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}
