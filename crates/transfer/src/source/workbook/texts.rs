//! The texts of a workbook, to which its cells refer by number.

use super::cells::unescaped;
use super::xml::{XmlItem, XmlReader};
use model::error::{Error, Result};
use std::io::Read;

/// Texts one behind the other.
#[derive(Default)]
pub(super) struct SharedTexts {
    text: String,
    /// The end of each.
    ends: Vec<u32>,
}

impl SharedTexts {
    /// Reads the texts, which may take so many bytes.
    pub(super) fn read(mut xml: XmlReader<impl Read>, most: usize) -> Result<Self> {
        let mut texts = SharedTexts::default();
        let (mut one, mut taken) = (String::new(), TextPlace::default());
        while let Some(item) = xml.next()? {
            match item {
                XmlItem::End(name) if name == "si" => {
                    texts.push(&one, most)?;
                    one.clear();
                    xml.restart();
                }
                item => taken.take(&item, &mut one),
            }
        }
        Ok(texts)
    }

    fn push(&mut self, text: &str, most: usize) -> Result<()> {
        self.text.push_str(&unescaped(text));
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        if self.text.len() + 4 * self.ends.len() <= most.min(u32::MAX as usize) {
            return Ok(());
        }
        let message = format!("The texts of the workbook take more than {} MB. Save the sheet as CSV.", most >> 20);
        Err(Error::invalid("workbook_too_large", message))
    }

    /// The text of a number.
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }
}

/// The place of the reader in a rich text: its words are taken, and how they are pronounced is not.
#[derive(Default)]
pub(super) struct TextPlace {
    in_text: bool,
    in_phonetic: bool,
}

impl TextPlace {
    /// Appends the piece if it is of the text.
    pub(super) fn take(&mut self, item: &XmlItem, text: &mut String) {
        match item {
            XmlItem::Start(tag) => self.turn(tag.name(), true),
            XmlItem::End(name) => self.turn(name, false),
            XmlItem::Text(piece) if self.in_text && !self.in_phonetic => text.push_str(piece),
            XmlItem::Text(_) => {}
        }
    }

    fn turn(&mut self, name: &str, on: bool) {
        match name {
            "t" => self.in_text = on,
            "rPh" => self.in_phonetic = on,
            _ => {}
        }
    }
}
