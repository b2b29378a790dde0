//! Sheets of workbooks (ECMA-376), read row by row. Of a workbook, its texts alone are in memory, within a limit.

mod archive;
mod cells;
mod formats;
mod sheet;
mod texts;
mod xml;

use super::{FileLimits, RowTaker, unreadable};
use archive::ArchiveReader;
use formats::CellFormats;
use model::error::{Error, Result};
use sheet::SheetReader;
use std::io::{Read, Seek};
use texts::SharedTexts;
use xml::XmlReader;

/// The most bytes of a part of the workbook that is no rows.
const PART: u64 = 16 << 20;
/// The most sheets of a workbook, and the most parts that one refers to.
const SHEETS: usize = 1_000;
/// The sheets that an error names.
const NAMED: usize = 20;

/// The parts of a workbook that are read.
#[derive(Default)]
struct Contents {
    /// The name of each sheet, its relationship, and whether it is shown.
    sheets: Vec<(String, String, bool)>,
    /// True if days count from 1904 on.
    from_1904: bool,
    /// The relationships: id, type, path.
    parts: Vec<(String, String, String)>,
}

/// Hands the rows of a sheet over: of that with a name or a number, else of the first that is shown.
pub(super) fn read_sheet(
    reader: impl Read + Seek,
    sheet: Option<&str>,
    limits: FileLimits,
    taker: &mut dyn RowTaker,
) -> Result<()> {
    let mut archive = ArchiveReader::open(reader, limits.unpacked).map_err(unreadable)?;
    let contents = Contents::read(&mut archive)?;
    let path = contents.sheet(sheet)?;
    let texts = match contents.part("/sharedStrings") {
        Some(path) => SharedTexts::read(XmlReader::new(archive.part(path)?, path, limits.row), limits.texts)?,
        None => SharedTexts::default(),
    };
    let formats = match contents.part("/styles") {
        Some(path) => CellFormats::read(XmlReader::new(archive.part(path)?, path, PART), contents.from_1904)?,
        None => CellFormats::plain(contents.from_1904),
    };
    let xml = XmlReader::new(archive.part(path)?, path, limits.row);
    SheetReader::new(xml, &texts, &formats).read(taker)
}

impl Contents {
    fn read(archive: &mut ArchiveReader<impl Read + Seek>) -> Result<Self> {
        let mut path = "xl/workbook.xml".to_owned();
        for (_, kind, target) in relationships(archive, "", "_rels/.rels")? {
            if kind.ends_with("/officeDocument") {
                path = target;
            }
        }
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let mut contents = Contents::default();
        let mut xml = XmlReader::new(archive.part(&path)?, &path, PART);
        while let Some(tag) = xml.next_start()? {
            match tag.name() {
                "workbookPr" => contents.from_1904 = matches!(tag.value("date1904"), Some("1" | "true")),
                "sheet" => {
                    check_count(contents.sheets.len())?;
                    let value = |name| tag.value(name).unwrap_or_default().to_owned();
                    contents.sheets.push((
                        value("name"),
                        value("id"),
                        tag.value("state").is_none_or(|state| state == "visible"),
                    ));
                }
                _ => {}
            }
        }
        drop(xml);
        let separator = if folder.is_empty() { "" } else { "/" };
        contents.parts = relationships(archive, folder, &format!("{folder}{separator}_rels/{file}.rels"))?;
        Ok(contents)
    }

    /// The path of the part of a type, of which there is one.
    fn part(&self, kind: &str) -> Option<&str> {
        self.parts.iter().find(|(_, known, _)| known.ends_with(kind)).map(|(.., path)| path.as_str())
    }

    /// The path of a sheet's part.
    fn sheet(&self, wanted: Option<&str>) -> Result<&str> {
        let path = |id: &str| {
            let part = self.parts.iter().find(|(known, kind, _)| known == id && kind.ends_with("/worksheet"));
            part.map(|(.., path)| path.as_str())
        };
        let sheets: Vec<(&str, &str, bool)> =
            self.sheets.iter().filter_map(|(name, id, shown)| Some((name.as_str(), path(id)?, *shown))).collect();
        let found = match wanted {
            None => sheets.iter().find(|(.., shown)| *shown).or(sheets.first()),
            Some(wanted) => sheets.iter().find(|(name, ..)| *name == wanted).or_else(|| {
                let number = wanted.parse::<usize>().ok()?;
                sheets.get(number.checked_sub(1)?)
            }),
        };
        if let Some((_, path, _)) = found {
            return Ok(path);
        }
        let names: Vec<String> = sheets.iter().take(NAMED).map(|(name, ..)| format!("{name:?}")).collect();
        let message = match wanted {
            Some(wanted) => format!("The workbook has no sheet {wanted:?}, but {}.", names.join(", ")),
            None => "The workbook has no sheet.".to_owned(),
        };
        Err(Error::invalid("sheet_missing", message))
    }
}

/// The relationships of a part in a folder: id, type, path.
fn relationships(
    archive: &mut ArchiveReader<impl Read + Seek>,
    folder: &str,
    path: &str,
) -> Result<Vec<(String, String, String)>> {
    let mut found = Vec::new();
    let mut xml = XmlReader::new(archive.part(path)?, path, PART);
    while let Some(tag) = xml.next_start()? {
        if tag.name() == "Relationship" && tag.value("TargetMode") != Some("External") {
            check_count(found.len())?;
            let value = |name| tag.value(name).unwrap_or_default().to_owned();
            found.push((value("Id"), value("Type"), absolute(folder, &value("Target"))));
        }
    }
    Ok(found)
}

/// Refuses one more sheet, or part, than a workbook may have: without its last parts, cells would mean something else.
fn check_count(known: usize) -> Result<()> {
    if known < SHEETS {
        return Ok(());
    }
    let message = format!("The workbook has more than {SHEETS} sheets and other parts. Save the sheet as CSV.");
    Err(Error::invalid("workbook_too_large", message))
}

/// The path of a target, seen from a folder.
fn absolute(folder: &str, target: &str) -> String {
    let (mut path, target) = match target.strip_prefix('/') {
        Some(target) => (Vec::new(), target),
        None => (folder.split('/').filter(|step| !step.is_empty()).collect(), target),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(path.pop()),
            step => path.push(step),
        }
    }
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::absolute;

    #[test]
    fn targets_are_seen_from_their_folder() {
        let paths =
            [("xl", "worksheets/sheet1.xml"), ("xl", "/xl/styles.xml"), ("", "xl/workbook.xml"), ("xl/a", "../b/./c")];
        assert_eq!(
            paths.map(|(folder, target)| absolute(folder, target)),
            ["xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml", "xl/b/c"]
        );
    }
}
