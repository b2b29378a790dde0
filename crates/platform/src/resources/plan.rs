//! What a list reads, settled before a connection is touched: names are properties, rights are checked, limits kept.

use super::ListRequest;
use super::condition::Condition;
use super::fields::Selection;
use super::filters;
use super::order::{self, SortKey};
use super::path::Access;
use crate::actor::Allowed;
use crate::error::Result;
use crate::tenants::Call;

/// A list, ready to become statements.
pub(crate) struct ListPlan<'m> {
    pub(crate) selection: Selection<'m>,
    /// What a row must satisfy to be in the list; none where all are.
    pub(crate) condition: Option<Condition<'m>>,
    pub(crate) order: Vec<SortKey<'m>>,
    pub(crate) page: u64,
    pub(crate) per_page: i64,
    pub(crate) offset: i64,
}

impl<'m> ListPlan<'m> {
    /// Plans a list of a type for the caller.
    pub(crate) fn new(call: &'m Call, allowed: Allowed<'m>, request: &ListRequest) -> Result<ListPlan<'m>> {
        let access = Access::new(call, allowed);
        let api = &call.model.settings.api;
        let cap = u64::from(api.max_page_length);
        let per_page = request.per_page.unwrap_or_else(|| u64::from(api.per_page)).min(cap);
        let page = request.page.unwrap_or(1);
        Ok(ListPlan {
            selection: Selection::new(&access, &request.fields)?,
            condition: filters::parse(&access, &request.filters, &call.context())?,
            order: order::keys(&access, request)?,
            page,
            per_page: per_page as i64,
            // A page beyond every table is as empty as the last possible one.
            offset: i64::try_from((page - 1).saturating_mul(per_page)).unwrap_or(i64::MAX),
        })
    }
}
