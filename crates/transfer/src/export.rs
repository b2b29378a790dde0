//! Reads all resources of a type, for files: in pages by id, so that memory does not grow with the type.

use context::request_context::RequestContext;
use database::ValueRef;
use model::error::Result;
use model::kinds;
use model::kinds::ValueStorage;
use model::types::ResourceAction;
use query::path::TypeAccess;
use query::request::FieldsRequest;
use resources::fields::Selection;
use resources::output::WrittenRows;
use resources::select;
use serde_json::Value as Json;
use tenant::Tenant;

/// Number of rows that are read at once.
const PAGE: i64 = 1_000;

/// A resource on its way into a file.
#[derive(Clone, Copy, Debug)]
pub enum Exported<'e> {
    /// The names of the cells, before the first resource.
    Header(&'e [String]),
    /// The values as cells.
    Cells(&'e [String]),
    /// The whole resource as JSON.
    Object(&'e [u8]),
}

/// Form in which resources are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// As cells of text, their names first; null is empty, the members of an array stand between `|`.
    Cells,
    /// As JSON in wire form.
    Objects,
}

/// Exports all resources of a type, by id, with all rights; gives how many there were. It blocks: for commands.
pub fn export(
    tenant: &Tenant,
    collection: &str,
    form: ExportForm,
    each: &mut dyn FnMut(Exported<'_>) -> Result<()>,
) -> Result<u64> {
    tenant.read_as_administrator(|tx, context| {
        let allowed = context.actor.allowed(&context.model, collection, ResourceAction::Show)?;
        let selection = Selection::new(&TypeAccess::new(context, allowed), &FieldsRequest::default())?;
        // Bytes are no part of an export, and addresses of files end soon. What is calculated when it is shown is
        // none either.
        let selection =
            selection.only(|member| member.property.kind.files().is_none() && !member.property.is_virtual());
        if form == ExportForm::Cells {
            let names: Vec<String> = selection.members.iter().map(|member| member.property.name.clone()).collect();
            each(Exported::Header(&names))?;
        }
        // All pages are of one moment.
        tx.snapshot()?;
        let (mut exported, mut last) = (0, i64::MIN);
        loop {
            let mut sql = tx.sql();
            select::after(&mut sql, &selection, last, PAGE);
            let mut page = ExportPage::default();
            tx.query(&sql, &mut |row| {
                last = row.integer(selection.id_column())?;
                match form {
                    ExportForm::Cells => page.cells.push(cells(row, &selection, context)?),
                    ExportForm::Objects => drop(page.objects.row(row, &selection, &context.value_context())?),
                }
                Ok(())
            })?;
            let fetched = page.give(each)?;
            exported += fetched;
            if fetched < PAGE.unsigned_abs() {
                return Ok(exported);
            }
        }
    })
}

/// Rows that were read and are to be given.
#[derive(Default)]
struct ExportPage {
    cells: Vec<Vec<String>>,
    objects: WrittenRows,
}

impl ExportPage {
    fn give(&self, each: &mut dyn FnMut(Exported<'_>) -> Result<()>) -> Result<u64> {
        for cells in &self.cells {
            each(Exported::Cells(cells))?;
        }
        let mut start = 0;
        for end in &self.objects.ends {
            each(Exported::Object(&self.objects.bytes[start..*end]))?;
            start = *end;
        }
        Ok((self.cells.len() + self.objects.ends.len()) as u64)
    }
}

fn cells(
    row: &database::Row<'_>,
    selection: &Selection<'_>,
    context: &RequestContext,
) -> database::Result<Vec<String>> {
    let mut cells = Vec::with_capacity(selection.members.len());
    for (index, member) in selection.members.iter().enumerate() {
        let kind = member.property.kind.as_ref();
        cells.push(match kind.storage() {
            ValueStorage::Column(column) => match row.get(index, column)? {
                ValueRef::Null => String::new(),
                value => kinds::write_plain(kind, value, &context.value_context()),
            },
            ValueStorage::Attachments => String::new(),
            ValueStorage::Links(_) => joined(row.text(index)?),
        });
    }
    Ok(cells)
}

/// The members of a JSON array between `|`; the array itself where one of them has a `|`.
fn joined(array: &str) -> String {
    let Ok(members) = serde_json::from_str::<Vec<Json>>(array) else { return array.to_owned() };
    let texts = members.iter().map(|member| member.as_str().map_or_else(|| member.to_string(), str::to_owned));
    let texts: Vec<String> = texts.collect();
    if texts.iter().any(|text| text.contains('|') || text.trim() != text || text.is_empty() || text.starts_with('[')) {
        return array.to_owned();
    }
    texts.join("|")
}
