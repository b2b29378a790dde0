//! The XML of a workbook's parts: elements by their local names, and the texts in them.

use crate::source::row_limit::RowLimit;
use crate::source::unreadable;
use model::error::{Error, Result};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

/// The version of XML that all workbooks have.
const VERSION: XmlVersion = XmlVersion::Implicit1_0;

/// A reader of one part.
pub(super) struct XmlReader<R: Read> {
    reader: Reader<BufReader<RowLimit<R>>>,
    buffer: Vec<u8>,
    /// The bytes that the item under way may still have.
    left: Rc<Cell<u64>>,
    most: u64,
    /// The path of the part.
    path: String,
    /// The elements that have begun and not ended.
    depth: usize,
    /// The number of the last row, where the part has rows.
    line: u64,
}

/// A piece of XML that matters.
pub(super) enum XmlItem {
    /// An element begins.
    Start(XmlTag),
    /// The element of that name ends.
    End(String),
    /// A piece of text.
    Text(String),
}

/// The beginning of an element.
pub(super) struct XmlTag {
    name: String,
    /// Its attributes by their local names.
    attributes: Vec<(String, String)>,
}

impl XmlTag {
    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The value of an attribute.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl<R: Read> XmlReader<R> {
    /// A reader of the part of that path, in which an item has at most so many bytes.
    pub(super) fn new(reader: R, path: &str, most: u64) -> Self {
        let (limited, left) = RowLimit::new(reader, most);
        let mut reader = Reader::from_reader(limited);
        reader.config_mut().expand_empty_elements = true;
        XmlReader { reader, buffer: Vec::new(), left, most, path: path.to_owned(), depth: 0, line: 0 }
    }

    /// Begins another item.
    pub(super) fn restart(&mut self) {
        self.left.set(self.most);
    }

    /// Notes the number of the row that begins, for messages.
    pub(super) fn begin_line(&mut self, line: u64) {
        self.line = line;
    }

    /// Reads to the end what is not looked at: a part that is damaged there is not taken for a whole one.
    pub(super) fn finish(self) -> Result<()> {
        self.left.set(u64::MAX);
        let (path, line) = (self.path, self.line);
        let rest = io::copy(&mut self.reader.into_inner(), &mut io::sink());
        rest.map(drop).map_err(|error| misread(&path, line, error))
    }

    fn fault(&self, error: impl fmt::Display) -> Error {
        misread(&self.path, self.line, error)
    }

    /// The next piece; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<XmlItem>> {
        loop {
            self.buffer.clear();
            let item = match self.reader.read_event_into(&mut self.buffer) {
                Ok(Event::Eof) if self.depth > 0 => return Err(self.fault("it ends in the middle")),
                Ok(Event::Eof) => return Ok(None),
                Ok(event) => read_item(&event),
                Err(error) => Err(told(error)),
            };
            let Some(item) = item.map_err(|message| self.fault(message))? else { continue };
            match item {
                XmlItem::Start(_) => self.depth += 1,
                XmlItem::End(_) => self.depth = self.depth.saturating_sub(1),
                XmlItem::Text(_) => {}
            }
            return Ok(Some(item));
        }
    }

    /// The beginning of the next element; none at the end.
    pub(super) fn next_start(&mut self) -> Result<Option<XmlTag>> {
        loop {
            match self.next()? {
                None => return Ok(None),
                Some(XmlItem::Start(tag)) => return Ok(Some(tag)),
                Some(XmlItem::End(_) | XmlItem::Text(_)) => {}
            }
        }
    }
}

/// The piece that an event is; none where it does not matter.
fn read_item(event: &Event<'_>) -> std::result::Result<Option<XmlItem>, String> {
    let item = match event {
        Event::Start(tag) => XmlItem::Start(read_tag(tag)?),
        Event::End(tag) => XmlItem::End(text(tag.local_name().as_ref())),
        Event::Text(piece) => XmlItem::Text(piece.xml_content(VERSION).map_err(told)?.into_owned()),
        Event::CData(piece) => XmlItem::Text(piece.xml_content(VERSION).map_err(told)?.into_owned()),
        Event::GeneralRef(name) => {
            let character = match name.resolve_char_ref().map_err(told)? {
                Some(character) => character.to_string(),
                None => {
                    let name = name.decode().map_err(told)?;
                    let known = quick_xml::escape::resolve_xml_entity(&name);
                    known.ok_or_else(|| format!("there is no entity {name:?}"))?.to_owned()
                }
            };
            XmlItem::Text(character)
        }
        Event::Eof | Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
            return Ok(None);
        }
    };
    Ok(Some(item))
}

fn read_tag(tag: &BytesStart<'_>) -> std::result::Result<XmlTag, String> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(told)?;
        let value = attribute.normalized_value(VERSION).map_err(told)?.into_owned();
        attributes.push((text(attribute.key.local_name().as_ref()), value));
    }
    Ok(XmlTag { name: text(tag.local_name().as_ref()), attributes })
}

fn told(error: impl fmt::Display) -> String {
    error.to_string()
}

/// The error of a part that cannot be read, with its place.
fn misread(path: &str, line: u64, error: impl fmt::Display) -> Error {
    let error = error.to_string();
    let error = error.strip_prefix("I/O error: ").unwrap_or(&error);
    match line {
        0 => unreadable(format!("its part {path}: {error}")),
        line => unreadable(format!("its part {path}, at the row {line}: {error}")),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
