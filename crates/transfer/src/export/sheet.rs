//! Rows as the sheet of a workbook (ECMA-376): cells with types, so that nothing is read as a formula.

use super::archive::{Archive, OpenFile};
use super::cells::{CellColumns, CellForm, text};
use super::{RowWriter, unwritable};
use model::error::{Error, Result};
use resources::fields::Selection;
use serde_json::value::RawValue;
use std::io::Write;

/// The limits of spreadsheets: rows, of which one has the names, columns, and characters of a cell.
const ROWS: u64 = 1_048_576;
const COLUMNS: usize = 16_384;
const CHARACTERS: usize = 32_767;
/// Digits of a number that spreadsheets keep.
const DIGITS: usize = 15;
/// The day before the first that spreadsheets have, after the leap day of 1900 that never was.
const FIRST_DAY: &str = "1900-03-01";
const FIRST_NUMBER: i64 = 61;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const PARTS: [(&str, &str); 5] = [
    (
        "[Content_Types].xml",
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/><Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/><Override PartName=\"/xl/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/></Types>",
    ),
    (
        "_rels/.rels",
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
    ),
    (
        "xl/workbook.xml",
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Export\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
    ),
    (
        "xl/_rels/workbook.xml.rels",
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles\" Target=\"styles.xml\"/></Relationships>",
    ),
    (
        "xl/styles.xml",
        "<styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts><fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills><borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs><cellXfs count=\"2\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/><xf numFmtId=\"14\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>",
    ),
];

/// Writes rows as a sheet.
pub(super) struct Sheet<'w> {
    columns: CellColumns,
    /// The letters of each column.
    letters: Vec<String>,
    file: OpenFile<&'w mut dyn Write>,
    /// The number of the next row.
    row: u64,
    line: String,
}

impl<'w> Sheet<'w> {
    /// Writes the parts of the workbook before the rows, and the names of the columns.
    pub(super) fn begin(selection: &Selection<'_>, out: &'w mut dyn Write) -> Result<Self> {
        let columns = CellColumns::of(selection);
        if columns.names.len() > COLUMNS {
            return Err(too_large(&format!("A sheet has at most {COLUMNS} columns.")));
        }
        let mut archive = Archive::new(out);
        for (name, content) in PARTS {
            archive = archive.file(name, &format!("{HEAD}{content}")).map_err(unwritable)?;
        }
        let file = archive.begin("xl/worksheets/sheet1.xml").map_err(unwritable)?;
        let letters = (0..columns.names.len()).map(crate::column_letters::letters).collect();
        let line = format!(
            "{HEAD}<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData><row r=\"1\">"
        );
        let mut sheet = Sheet { columns, letters, file, row: 1, line };
        for (index, name) in sheet.columns.names.clone().iter().enumerate() {
            sheet.string(index, name)?;
        }
        sheet.end_row()?;
        Ok(sheet)
    }

    fn end_row(&mut self) -> Result<()> {
        self.line.push_str("</row>");
        self.file.write_all(self.line.as_bytes()).map_err(unwritable)?;
        self.line.clear();
        self.row += 1;
        Ok(())
    }

    fn cell(&mut self, index: usize, value: &RawValue) -> Result<()> {
        let (form, raw) = (self.columns.forms[index], value.get());
        match raw.as_bytes().first() {
            _ if form == CellForm::Document => self.string(index, raw),
            Some(b't' | b'f') => {
                self.typed(index, " t=\"b\"", if raw == "true" { "1" } else { "0" });
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') if form == CellForm::Float || digits(raw) <= DIGITS => {
                self.typed(index, "", raw);
                Ok(())
            }
            _ => {
                let text = text(Some(value), form);
                match day(&text).filter(|_| form == CellForm::Date) {
                    Some(day) => {
                        self.typed(index, " s=\"1\"", &day.to_string());
                        Ok(())
                    }
                    None => self.string(index, &text),
                }
            }
        }
    }

    fn typed(&mut self, index: usize, attributes: &str, value: &str) {
        let parts =
            ["<c r=\"", &self.letters[index], &self.row.to_string(), "\"", attributes, "><v>", value, "</v></c>"];
        self.line.extend(parts);
    }

    fn string(&mut self, index: usize, text: &str) -> Result<()> {
        if text.encode_utf16().count() > CHARACTERS {
            let message = format!(
                "A cell of a sheet has at most {CHARACTERS} characters, and one of {} has more.",
                self.columns.names.get(index).map_or("", String::as_str)
            );
            return Err(too_large(&message));
        }
        let parts = [
            "<c r=\"",
            &self.letters[index],
            &self.row.to_string(),
            "\" t=\"inlineStr\"><is><t xml:space=\"preserve\">",
        ];
        self.line.extend(parts);
        escape(&mut self.line, text);
        self.line.push_str("</t></is></c>");
        Ok(())
    }
}

impl RowWriter for Sheet<'_> {
    fn row(&mut self, row: &[u8]) -> Result<()> {
        if self.row > ROWS {
            return Err(too_large(&format!("A sheet has at most {} rows.", ROWS - 1)));
        }
        self.line.extend(["<row r=\"", &self.row.to_string(), "\">"]);
        for (index, value) in self.columns.read(row)?.into_iter().enumerate() {
            if let Some(value) = value.filter(|value| value.get() != "null") {
                self.cell(index, value)?;
            }
        }
        self.end_row()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let mut file = self.file;
        file.write_all(b"</sheetData></worksheet>").map_err(unwritable)?;
        file.end().and_then(Archive::finish).map_err(unwritable)
    }
}

fn too_large(message: &str) -> Error {
    Error::invalid("sheet_too_large", format!("{message} Use another format, or fewer fields or rows."))
}

/// Digits of a number without zeros at its ends.
fn digits(number: &str) -> usize {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').len()
}

/// The number of a day in a spreadsheet; none where it has none.
fn day(text: &str) -> Option<i64> {
    let (day, first) = (text.parse::<jiff::civil::Date>().ok()?, FIRST_DAY.parse::<jiff::civil::Date>().ok()?);
    (day >= first).then(|| i64::from((day - first).get_days()) + FIRST_NUMBER)
}

/// Appends a text to XML. What XML cannot have is written as `_x001F_`, and what looks so, too (ECMA-376, 22.9.2.19).
fn escape(out: &mut String, text: &str) {
    for (at, character) in text.char_indices() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '_' if looks_escaped(&text.as_bytes()[at..]) => out.push_str("_x005F_"),
            '\t' | '\n' => out.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push_str(&format!("_x{:04X}_", u32::from(character))),
            _ => out.push(character),
        }
    }
}

fn looks_escaped(bytes: &[u8]) -> bool {
    matches!(bytes, [b'_', b'x', a, b, c, d, b'_', ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::{day, digits, escape};

    #[test]
    fn days_and_digits_are_those_of_spreadsheets() {
        assert_eq!(["1900-03-01", "2026-11-27", "1900-02-28"].map(day), [Some(61), Some(46_353), None]);
        assert_eq!(["0.10", "-123456789012345", "1234567890123456", "1e300"].map(digits), [1, 15, 16, 1]);
    }

    #[test]
    fn what_xml_cannot_have_is_escaped() {
        let mut out = String::new();
        escape(&mut out, "a<b>&\u{1}_x0041_\r\n_x");
        assert_eq!(out, "a&lt;b&gt;&amp;_x0001__x005F_x0041__x000D_\n_x");
    }
}
