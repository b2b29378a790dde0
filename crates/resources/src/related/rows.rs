//! Rows that refer to others, read for many of these at once.

use crate::fields::Selection;
use crate::output::WrittenRows;
use crate::{expand, order_sql, select};
use context::request_context::RequestContext;
use database::{Row, Sql, Tx};
use groups::OwnerValues;
use model::error::{Error, Result};
use model::kinds::{InverseSource, json};
use model::types::Property;
use query::condition::Condition;
use query::order::SortKey;
use query::row_alias::row_alias;
use query::{condition_sql, inverse_sql};
use std::collections::HashMap;

/// The most rows behind inverses that are shown at once.
const MOST_ROWS: usize = 50_000;

/// The rows that refer to a row, as a member of it.
pub(crate) struct RelatedRows<'m> {
    /// The dotted path to the inverse.
    pub(super) path: String,
    pub(crate) inverse: &'m Property,
    pub(super) source: &'m InverseSource,
    /// The most rows that are shown for one.
    pub(super) limit: usize,
    /// The conditions for a row to be shown.
    pub(crate) conditions: Vec<Condition<'m>>,
    pub(crate) order: Vec<SortKey<'m>>,
    /// The fields of the rows; none where their ids are shown.
    pub(crate) selection: Selection<'m>,
    pub(super) shows_objects: bool,
    /// True if they depend on the present.
    pub(super) timed: bool,
}

/// Rows of one owner, by their number in what was written.
#[derive(Default)]
struct OwnedRows {
    rows: Vec<usize>,
    is_cut: bool,
}

impl RelatedRows<'_> {
    /// Reads the rows that refer to some others.
    pub(super) fn read(&self, tx: &mut Tx<'_>, request: &RequestContext, owners: &[i64]) -> Result<OwnerValues> {
        let mut written = WrittenRows::for_rows(owners.len().saturating_mul(4));
        let mut owned: HashMap<i64, OwnedRows> = HashMap::new();
        let (mut ids, mut count) = (Vec::new(), 0);
        let context = request.answer_context();
        let statement = |sql: &mut Sql, owner: &mut dyn FnMut(&mut Sql)| self.statement(sql, owner);
        tx.query_for_each(owners, self.selection.width(), &statement, &mut |owner, row: &Row<'_>| {
            let of_owner = owned.entry(owner).or_default();
            if of_owner.rows.len() == self.limit {
                of_owner.is_cut = true;
                return Ok(());
            }
            count += 1;
            if count > MOST_ROWS || written.overfull() {
                return Ok(());
            }
            let id = row.integer(self.selection.id_column())?;
            of_owner.rows.push(written.ends.len());
            ids.push(id);
            if self.shows_objects {
                return written.row(row, &self.selection, &context).map(drop);
            }
            json::write_integer(&mut written.bytes, id);
            written.ends.push(written.bytes.len());
            Ok(())
        })?;
        if count > MOST_ROWS {
            return Err(too_many(&self.path));
        }
        request.reads.note_embedded(self.selection.resource_type, &ids);
        let filled = expand::fill(tx, request, &self.selection, written)?;
        Ok(self.part(&filled.bytes, &filled.ends, owned))
    }

    /// Reads the ids of the rows that refer to one, at most one more than the limit.
    pub(super) fn ids(&self, tx: &mut Tx<'_>, owner: i64) -> Result<Vec<i64>> {
        let mut sql = tx.sql();
        self.statement(&mut sql, &mut |sql| _ = sql.bind(owner));
        let column = self.selection.id_column();
        let mut ids = Vec::new();
        tx.query(&sql, &mut |row| {
            ids.push(row.integer(column)?);
            Ok(())
        })?;
        Ok(ids)
    }

    /// Appends the statement of the rows that refer to one.
    fn statement(&self, sql: &mut Sql, owner: &mut dyn FnMut(&mut Sql)) {
        let row = row_alias(0);
        select::head(sql, &self.selection, true);
        let aliases = order_sql::join(sql, &self.order);
        sql.push(" WHERE ");
        inverse_sql::refers(sql, self.source, &row, owner);
        // A sub-query that is not tied to the row would be run for each owner again.
        let push = if sql.repeats_for_each() { condition_sql::push_for_each } else { condition_sql::push };
        for condition in &self.conditions {
            sql.push(" AND ");
            push(sql, condition);
        }
        order_sql::push(sql, &self.order, &aliases);
        sql.limit(self.limit as i64 + 1, 0);
    }

    /// Puts together what belongs to each owner.
    fn part(&self, bytes: &[u8], ends: &[usize], owned: HashMap<i64, OwnedRows>) -> OwnerValues {
        let is_single = !self.inverse.kind.holds_several();
        let mut part = OwnerValues::new(if is_single { b"null" } else { b"[]" });
        for (owner, OwnedRows { rows, is_cut }) in owned {
            let row = |at: &usize| &bytes[at.checked_sub(1).map_or(0, |before| ends[before])..ends[*at]];
            if is_single {
                part.put(owner, |out| rows.first().into_iter().for_each(|at| out.extend_from_slice(row(at))));
                continue;
            }
            part.put(owner, |out| {
                out.push(b'[');
                for (index, at) in rows.iter().enumerate() {
                    out.extend_from_slice(if index > 0 { b"," } else { b"" });
                    out.extend_from_slice(row(at));
                }
                out.push(b']');
                if is_cut {
                    // A list that was cut is never silent.
                    out.extend_from_slice(b",\"");
                    out.extend_from_slice(self.inverse.name.as_bytes());
                    out.extend_from_slice(b".$more\":true");
                }
            });
        }
        part
    }
}

fn too_many(name: &str) -> Error {
    let message = format!(
        "More than {MOST_ROWS} resources would be shown as {name:?}. Ask for fewer rows, or give a limit: \
         _related={{\"{name}\": {{\"limit\": 5}}}}."
    );
    Error::invalid("related_too_many", message)
}
