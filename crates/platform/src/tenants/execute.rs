//! Execution of reads, by what they ask for.

use tenant::cache::Parts;

use automation::canvases;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use query::read_query::{ReadQuery, ReadResult};
use query::request::item_missing;
use resources::queries;

/// Executes a read. Where there are remembered parts, the answer may be made of them, and is to be kept.
pub(crate) fn execute(
    query: &ReadQuery,
    tx: &mut Tx<'_>,
    call: &RequestContext,
    parts: Option<&Parts<'_>>,
) -> Result<ReadResult> {
    match query {
        ReadQuery::List { collection, request } => resources::list_answer(tx, call, collection, request, parts),
        ReadQuery::One { collection, item, fields } => {
            let item = item.ok_or_else(item_missing)?;
            resources::get_one(tx, call, collection, &item, fields, parts.is_some())
        }
        ReadQuery::By { collection, property, value, fields } => {
            resources::get_first(tx, call, collection, (property, value), fields, parts.is_some())
        }
        ReadQuery::Canvas { name, request } => canvases::answer(tx, call, name, request),
        ReadQuery::Query { name, request } => queries::answer(tx, call, name, request, parts),
    }
}
