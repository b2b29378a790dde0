//! Scalars of a YAML text with their paths, as far as the text can be read.

use crate::source_map::SourceMap;
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, options};
use std::ops::Range;

/// The most scalars of a file: a file with more is refused by the check.
const MOST_SCALARS: usize = 100_000;
/// The depth to which mappings and lists may nest.
const DEEPEST: usize = 32;

/// A key or a value.
#[derive(Debug, Clone)]
pub struct YamlScalar {
    /// The keys and indexes on the way, the own key included.
    pub path: Vec<String>,
    /// True for the key of a mapping.
    pub is_key: bool,
    /// The bytes of the file, quotes included.
    pub span: Range<usize>,
    /// The way in which it is written: plain, quoted, a block.
    pub style: ScalarStyle,
    /// The text that it means.
    pub text: String,
}

/// The scalars of a text.
#[derive(Debug)]
pub struct ScalarList {
    /// In the order of the file.
    pub scalars: Vec<YamlScalar>,
    /// True if the text could be read to its end.
    pub is_whole: bool,
}

impl YamlScalar {
    /// Returns true if an expression stands in it.
    pub fn has_expression(&self) -> bool {
        !self.is_key && self.text.contains("{=")
    }

    /// Returns the places of its text in the file; none where the file does not hold the text.
    pub fn map(&self, source: &str) -> Option<SourceMap> {
        SourceMap::new(source, &self.span, self.style, &self.text)
    }

    /// The path with dots.
    pub fn key(&self) -> String {
        self.path.join(".")
    }
}

/// A collection that is being read.
enum OpenCollection {
    Sequence(usize),
    /// The key whose value comes next.
    Mapping(Option<String>),
}

/// Reads the scalars of a text.
pub fn scalars(source: &str) -> ScalarList {
    let options = options! { emit_comments: false, flow_nesting_limit: DEEPEST, block_nesting_limit: DEEPEST };
    let mut list = ScalarList { scalars: Vec::new(), is_whole: false };
    let mut open: Vec<OpenCollection> = Vec::new();
    for event in Parser::new_from_str_with_options(source, options) {
        let Ok((event, span)) = event else { return list };
        match event {
            Event::Scalar(text, style, ..) => {
                let Some(bytes) = span.byte_range() else { return list };
                let text = text.into_owned();
                let is_key = matches!(open.last(), Some(OpenCollection::Mapping(None)));
                if is_key {
                    let mut path = path(&open);
                    path.push(text.clone());
                    list.scalars.push(YamlScalar { path, is_key, span: bytes, style, text: text.clone() });
                    if let Some(OpenCollection::Mapping(key)) = open.last_mut() {
                        *key = Some(text);
                    }
                } else {
                    list.scalars.push(YamlScalar { path: path(&open), is_key, span: bytes, style, text });
                    value_ends(&mut open);
                }
            }
            Event::SequenceStart(..) => open.push(OpenCollection::Sequence(0)),
            Event::MappingStart(..) => open.push(OpenCollection::Mapping(None)),
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                value_ends(&mut open);
            }
            Event::Alias(..) => value_ends(&mut open),
            _ => {}
        }
        if list.scalars.len() > MOST_SCALARS {
            return list;
        }
    }
    list.is_whole = true;
    list
}

fn path(open: &[OpenCollection]) -> Vec<String> {
    let steps = open.iter().map(|collection| match collection {
        OpenCollection::Sequence(index) => Some(index.to_string()),
        OpenCollection::Mapping(key) => key.clone(),
    });
    steps.flatten().collect()
}

/// Goes on behind a value.
fn value_ends(open: &mut [OpenCollection]) {
    match open.last_mut() {
        Some(OpenCollection::Sequence(index)) => *index += 1,
        Some(OpenCollection::Mapping(key)) => *key = None,
        None => {}
    }
}
