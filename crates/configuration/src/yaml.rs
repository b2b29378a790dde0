//! YAML text to a tree of nodes that know where they stand.
//!
//! What could make a small file large or a place ambiguous is refused: aliases, tags, several documents,
//! keys that are not plain words. Text from a user never decides how much memory is used.

use super::diagnostic::FilePosition;
use serde_json::{Map, Number, Value as Json};
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle, options};
use xxhash_rust::xxh3::xxh3_64;

/// The most nodes that a file may have.
const MOST_NODES: usize = 100_000;
/// The depth to which mappings and lists may nest.
const DEEPEST: usize = 32;

/// A value and where it starts.
#[derive(Debug, Clone)]
pub(crate) struct YamlNode {
    pub(crate) position: FilePosition,
    pub(crate) content: YamlContent,
}

#[derive(Debug, Clone)]
pub(crate) enum YamlContent {
    /// `plain` is false for quoted and block texts, which are never numbers, booleans or null.
    Scalar {
        text: String,
        plain: bool,
    },
    Sequence(Vec<YamlNode>),
    Mapping(YamlMapping),
}

#[derive(Debug, Clone)]
pub(crate) struct YamlMapping {
    /// True if it is written with braces.
    pub(crate) flow: bool,
    pub(crate) entries: Vec<YamlEntry>,
}

#[derive(Debug, Clone)]
pub(crate) struct YamlEntry {
    pub key: String,
    pub(crate) position: FilePosition,
    pub(crate) value: YamlNode,
}

/// Why a text is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YamlFault {
    pub(crate) position: FilePosition,
    pub message: String,
}

impl YamlNode {
    /// Returns true if there is no value: nothing, `~` or `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.content, YamlContent::Scalar { text, plain: true } if is_null(text))
    }

    /// The scalar's text as it was written, for scalars that are not null.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            YamlContent::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// The value as JSON, by YAML's core schema.
    pub(crate) fn json(&self) -> Json {
        match &self.content {
            YamlContent::Scalar { text, plain: false } => Json::String(text.clone()),
            YamlContent::Scalar { text, plain: true } => plain(text),
            YamlContent::Sequence(members) => members.iter().map(YamlNode::json).collect(),
            YamlContent::Mapping(mapping) => Json::Object(
                mapping.entries.iter().map(|entry| (entry.key.clone(), entry.value.json())).collect::<Map<_, _>>(),
            ),
        }
    }

    /// A number that differs from those of nodes that mean something else. Places, quotes of texts, comments and the
    /// like make no difference; the order of keys does.
    pub(crate) fn digest(&self) -> u64 {
        xxh3_64(self.json().to_string().as_bytes())
    }

    /// The node at a path of keys and list indexes, or the last one on the way that exists.
    pub(crate) fn nearest(&self, path: &[String]) -> FilePosition {
        let Some((first, rest)) = path.split_first() else { return self.position };
        match &self.content {
            YamlContent::Mapping(mapping) => match mapping.entries.iter().find(|entry| entry.key == *first) {
                Some(entry) if rest.is_empty() && entry.value.is_null() => entry.position,
                Some(entry) => entry.value.nearest(rest),
                None => self.position,
            },
            YamlContent::Sequence(members) => first
                .parse()
                .ok()
                .and_then(|index: usize| members.get(index))
                .map_or(self.position, |m| m.nearest(rest)),
            YamlContent::Scalar { .. } => self.position,
        }
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn plain(text: &str) -> Json {
    match text {
        _ if is_null(text) => return Json::Null,
        "true" | "True" | "TRUE" => return Json::Bool(true),
        "false" | "False" | "FALSE" => return Json::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    // `0x1F`, `1_000`, `.inf`, `.nan` and dates stay text.
    let numeric = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    if numeric {
        if let Ok(integer) = text.parse::<i64>() {
            return Json::from(integer);
        }
        if let Some(number) = text.parse::<f64>().ok().and_then(Number::from_f64) {
            return Json::Number(number);
        }
    }
    Json::String(text.to_owned())
}

/// Reads a file's only document; an empty file is an empty mapping.
pub(crate) fn parse(source: &str) -> Result<YamlNode, YamlFault> {
    let options = options! {
        emit_comments: false,
        disallow_directives: true,
        flow_nesting_limit: DEEPEST,
        block_nesting_limit: DEEPEST,
    };
    let mut reader = YamlReader {
        events: Parser::new_from_str_with_options(source, options),
        nodes: 0,
        depth: 0,
        end: FilePosition::default(),
    };
    reader.document()
}

struct YamlReader<'s, I: Iterator<Item = Result<(Event<'s>, Span), serde_saphyr::granit_parser::ScanError>>> {
    events: I,
    nodes: usize,
    depth: usize,
    end: FilePosition,
}

impl<'s, I: Iterator<Item = Result<(Event<'s>, Span), serde_saphyr::granit_parser::ScanError>>> YamlReader<'s, I> {
    fn next(&mut self) -> Result<(Event<'s>, FilePosition), YamlFault> {
        match self.events.next() {
            Some(Ok((event, span))) => {
                let position = position(&span.start);
                self.end = position;
                Ok((event, position))
            }
            Some(Err(error)) => Err(YamlFault {
                position: position(error.marker()),
                message: format!("This is not YAML: {}.{}", error.info(), remedy(&error.info())),
            }),
            None => Ok((Event::StreamEnd, self.end)),
        }
    }

    fn document(&mut self) -> Result<YamlNode, YamlFault> {
        let mut root = None;
        loop {
            let (event, position) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                Event::StreamEnd => break,
                _ if root.is_some() => {
                    return Err(YamlFault {
                        position,
                        message: "A file holds one document; split it into files.".into(),
                    });
                }
                event => root = Some(self.node(event, position)?),
            }
        }
        Ok(root.unwrap_or_else(|| YamlNode {
            position: FilePosition { line: 1, column: 1, offset: 0 },
            content: YamlContent::Mapping(YamlMapping { flow: false, entries: Vec::new() }),
        }))
    }

    fn node(&mut self, event: Event<'s>, position: FilePosition) -> Result<YamlNode, YamlFault> {
        let refuse = |message: &str| Err(YamlFault { position, message: message.to_owned() });
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return refuse("The file has too many values.");
        }
        if event.tag().is_some() {
            return refuse("Tags are not supported. Quote a text that must stay text.");
        }
        if event.anchor_id().is_some_and(|anchor| anchor != 0) {
            return refuse("Anchors and aliases are not supported. Write the value out.");
        }
        let content = match event {
            Event::Scalar(text, style, ..) => {
                if text.contains('\0') {
                    return refuse("A text cannot hold the character NUL.");
                }
                YamlContent::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return refuse("The values nest too deep.");
                }
                let content = match event {
                    Event::MappingStart(style, ..) => self.mapping(style == StructureStyle::Flow)?,
                    _ => self.sequence()?,
                };
                self.depth -= 1;
                content
            }
            _ => return refuse("Anchors and aliases are not supported. Write the value out."),
        };
        Ok(YamlNode { position, content })
    }

    fn sequence(&mut self) -> Result<YamlContent, YamlFault> {
        let mut members = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(YamlContent::Sequence(members)),
                (event, position) => members.push(self.node(event, position)?),
            }
        }
    }

    fn mapping(&mut self, flow: bool) -> Result<YamlContent, YamlFault> {
        let mut entries: Vec<YamlEntry> = Vec::new();
        let mut keys = std::collections::HashSet::new();
        loop {
            let (event, position) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(YamlContent::Mapping(YamlMapping { flow, entries })),
                next => next,
            };
            let YamlContent::Scalar { text: key, .. } = self.node(event, position)?.content else {
                return Err(YamlFault { position, message: "A key must be a word.".to_owned() });
            };
            if !keys.insert(key.clone()) {
                return Err(YamlFault { position, message: format!("The key {key:?} is given twice.") });
            }
            let (event, value_position) = self.next()?;
            let value = self.node(event, value_position)?;
            entries.push(YamlEntry { key, position, value });
        }
    }
}

/// The remedy for the most frequent faults, as the end of a message.
fn remedy(info: &str) -> &'static str {
    match info {
        _ if info.contains("tabs disallowed") => " Indent with blanks.",
        _ if info.contains("block mapping") => " Indent the line as those around it.",
        _ if info.contains("flow mapping") => " A `}` is missing before this place, or a comma.",
        _ if info.contains("flow sequence") => " A `]` is missing before this place, or a comma.",
        _ => "",
    }
}

fn position(marker: &serde_saphyr::granit_parser::Marker) -> FilePosition {
    FilePosition { line: marker.line(), column: marker.col() + 1, offset: marker.byte_offset().unwrap_or(0) }
}
