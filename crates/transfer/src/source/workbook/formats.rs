//! The formats of cells: they alone tell that a number is a day or a time.

use super::xml::XmlReader;
use model::error::Result;
use std::collections::HashMap;
use std::io::Read;

/// The meaning of a number in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellFormat {
    /// A number.
    Number,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A day with a time.
    DateTime,
}

/// The formats of a workbook.
pub(super) struct CellFormats {
    formats: Vec<CellFormat>,
    /// True if days count from 1904 on.
    pub(super) from_1904: bool,
}

impl CellFormats {
    /// Those of a workbook without formats.
    pub(super) fn plain(from_1904: bool) -> Self {
        CellFormats { formats: Vec::new(), from_1904 }
    }

    /// Reads the formats.
    pub(super) fn read(mut xml: XmlReader<impl Read>, from_1904: bool) -> Result<Self> {
        let (mut own, mut formats, mut in_cells) = (HashMap::new(), Vec::new(), false);
        while let Some(tag) = xml.next_start()? {
            let number = |name| tag.value(name).and_then(|id| id.parse::<u32>().ok());
            match tag.name() {
                "numFmt" => {
                    let format = of_code(tag.value("formatCode").unwrap_or_default());
                    own.extend(number("numFmtId").map(|id| (id, format)));
                }
                "cellXfs" => in_cells = true,
                "cellStyleXfs" | "cellStyles" | "dxfs" => in_cells = false,
                "xf" if in_cells => {
                    let id = number("numFmtId").unwrap_or(0);
                    formats.push(own.get(&id).copied().unwrap_or_else(|| of_id(id)));
                }
                _ => {}
            }
        }
        Ok(CellFormats { formats, from_1904 })
    }

    /// The format of a cell's style.
    pub(super) fn of(&self, style: Option<&str>) -> CellFormat {
        let index = style.and_then(|style| style.parse::<usize>().ok()).unwrap_or(0);
        self.formats.get(index).copied().unwrap_or(CellFormat::Number)
    }
}

/// The meaning of a format that all workbooks have (ECMA-376, 18.8.30).
fn of_id(id: u32) -> CellFormat {
    match id {
        14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => CellFormat::Date,
        18..=21 | 32..=35 | 45 | 47 | 55 | 56 => CellFormat::Time,
        22 => CellFormat::DateTime,
        _ => CellFormat::Number,
    }
}

/// The meaning of a format as a workbook writes it: by the letters that are no text of it.
fn of_code(code: &str) -> CellFormat {
    if code.eq_ignore_ascii_case("general") {
        return CellFormat::Number;
    }
    let code = code.replace("AM/PM", "h").replace("am/pm", "h").replace("A/P", "h");
    let (mut date, mut time, mut month) = (false, false, false);
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character.to_ascii_lowercase() {
            ';' => break,
            '"' => drop(characters.by_ref().find(|character| *character == '"')),
            '\\' | '_' | '*' => drop(characters.next()),
            '[' => {
                let inner: String = characters.by_ref().take_while(|character| *character != ']').collect();
                // A time that has passed is no time of day.
                if !inner.is_empty()
                    && inner.chars().all(|letter| matches!(letter.to_ascii_lowercase(), 'h' | 'm' | 's'))
                {
                    return CellFormat::Number;
                }
            }
            'y' | 'd' => date = true,
            'h' | 's' => time = true,
            'm' => month = true,
            _ => {}
        }
    }
    match (date || month && !time, time) {
        (true, true) => CellFormat::DateTime,
        (true, false) => CellFormat::Date,
        (false, true) => CellFormat::Time,
        (false, false) => CellFormat::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::{CellFormat, of_code};

    #[test]
    fn formats_tell_days_and_times() {
        for (code, format) in [
            ("General", CellFormat::Number),
            ("0.00E+00", CellFormat::Number),
            ("#,##0.00\\ \"Days\";[Red]-#,##0.00", CellFormat::Number),
            ("[$Kč-405]#,##0", CellFormat::Number),
            ("[h]:mm:ss", CellFormat::Number),
            ("d. m. yyyy", CellFormat::Date),
            ("[$-405]d\\. mmmm\\ yyyy;@", CellFormat::Date),
            ("mmm-yy", CellFormat::Date),
            ("yyyy\\-mm\\-dd\\Thh:mm", CellFormat::DateTime),
            ("h:mm AM/PM", CellFormat::Time),
            ("mm:ss.0", CellFormat::Time),
            ("@", CellFormat::Number),
        ] {
            assert_eq!(of_code(code), format, "{code}");
        }
    }
}
