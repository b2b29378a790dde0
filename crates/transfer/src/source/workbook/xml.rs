//! The XML of a workbook's parts: elements by their local names, and the texts in them.

use crate::source::row_limit::RowLimit;
use crate::source::unreadable;
use model::error::Result;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::cell::Cell;
use std::io::{BufReader, Read};
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
    /// A reader of XML in which an item has at most so many bytes.
    pub(super) fn new(reader: R, most: u64) -> Self {
        let (limited, left) = RowLimit::new(reader, most);
        let mut reader = Reader::from_reader(limited);
        reader.config_mut().expand_empty_elements = true;
        XmlReader { reader, buffer: Vec::new(), left, most }
    }

    /// Begins another item.
    pub(super) fn restart(&mut self) {
        self.left.set(self.most);
    }

    /// The next piece; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<XmlItem>> {
        loop {
            self.buffer.clear();
            let item = match self.reader.read_event_into(&mut self.buffer).map_err(unreadable)? {
                Event::Eof => return Ok(None),
                Event::Start(tag) => XmlItem::Start(read_tag(&tag)?),
                Event::End(tag) => XmlItem::End(text(tag.local_name().as_ref())),
                Event::Text(piece) => XmlItem::Text(piece.xml_content(VERSION).map_err(unreadable)?.into_owned()),
                Event::CData(piece) => XmlItem::Text(piece.xml_content(VERSION).map_err(unreadable)?.into_owned()),
                Event::GeneralRef(name) => {
                    let character = match name.resolve_char_ref().map_err(unreadable)? {
                        Some(character) => character.to_string(),
                        None => {
                            let name = name.decode().map_err(unreadable)?;
                            let known = quick_xml::escape::resolve_xml_entity(&name);
                            known.ok_or_else(|| unreadable(format!("there is no entity {name:?}")))?.to_owned()
                        }
                    };
                    XmlItem::Text(character)
                }
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            };
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

fn read_tag(tag: &BytesStart<'_>) -> Result<XmlTag> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(unreadable)?;
        let value = attribute.normalized_value(VERSION).map_err(unreadable)?.into_owned();
        attributes.push((text(attribute.key.local_name().as_ref()), value));
    }
    Ok(XmlTag { name: text(tag.local_name().as_ref()), attributes })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
