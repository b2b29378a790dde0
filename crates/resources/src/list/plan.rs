//! Plan of what a list reads, settled before a connection is touched: names are properties, rights are checked, limits
//! kept.

use crate::fields::Selection;
use crate::{metadata, picker};
use context::actor::Allowed;
use context::request_context::RequestContext;
use model::error::Result;
use query::condition::Condition;
use query::filters;
use query::order;
use query::order::SortKey;
use query::path::TypeAccess;
use query::request::ListRequest;

/// A list, ready to become statements.
pub(crate) struct ListPlan<'m> {
    pub(crate) selection: Selection<'m>,
    /// Metadata of the fields, as JSON.
    pub(crate) metadata: Option<Vec<u8>>,
    /// Condition that a row must satisfy to be in the list; none where all do.
    pub(crate) condition: Option<Condition<'m>>,
    /// True if that, or what is shown, depends on the present.
    pub(crate) timed: bool,
    pub(crate) order: Vec<SortKey<'m>>,
    /// True if rows that are too large for a list are left out.
    pub(crate) sparing: bool,
    pub(crate) page: u64,
    pub(crate) per_page: i64,
    pub(crate) offset: i64,
}

/// Page of a list that is asked for (D-17).
#[derive(Clone, Copy, Debug)]
pub struct Paging {
    /// The number of the page, from one.
    pub page: u64,
    /// The number of rows of a page.
    pub per_page: i64,
    /// The number of rows before the page.
    pub offset: i64,
}

impl Paging {
    /// The page of that number, with the tenant's length where none is asked for, and at most its longest.
    pub fn new(request: &RequestContext, page: Option<u64>, per_page: Option<u64>) -> Self {
        let api = &request.model.settings.api;
        let cap = u64::from(api.max_page_length);
        let per_page = per_page.unwrap_or_else(|| u64::from(api.per_page)).min(cap);
        let page = page.unwrap_or(1);
        // A page beyond every table is as empty as the last possible one.
        let offset = i64::try_from((page - 1).saturating_mul(per_page)).unwrap_or(i64::MAX);
        Paging { page, per_page: per_page as i64, offset }
    }
}

impl<'m> ListPlan<'m> {
    /// Plans a list of a type for the caller.
    pub(crate) fn new(request: &'m RequestContext, allowed: Allowed<'m>, list: &ListRequest) -> Result<ListPlan<'m>> {
        let access = TypeAccess::new(request, allowed);
        let Paging { page, per_page, offset } = Paging::new(request, list.page, list.per_page);
        let (filters, timed) = filters::parse_noting(&access, &list.filters, &request.value_context())?;
        let tags = list.tags.as_ref().map(|tags| tags.condition(request, access.allowed.resource_type)).transpose()?;
        let picked = match &list.picked_for {
            Some(name) => picker::condition(request, &access.allowed, name)?,
            None => None,
        };
        let selection = Selection::new(&access, &list.fields)?;
        let visible = selection.secured.as_ref().and_then(|secured| secured.visible.clone());
        let order = order::keys(&access, list)?;
        Ok(ListPlan {
            metadata: metadata::of(&access, &selection, list.fields.describe.as_ref())?,
            timed: timed
                || picked.is_some()
                || selection.timed()
                || request.actor.timed
                || order.iter().any(SortKey::timed),
            selection,
            condition: all([filters, picked, tags.map(Condition::Tagged), visible]),
            order,
            sparing: false,
            page,
            per_page,
            offset,
        })
    }
}

/// That all of the conditions hold that there are.
fn all<'m>(conditions: [Option<Condition<'m>>; 4]) -> Option<Condition<'m>> {
    let mut conditions = conditions.into_iter().flatten();
    let first = conditions.next()?;
    let rest: Vec<_> = conditions.collect();
    if rest.is_empty() {
        return Some(first);
    }
    Some(Condition::All(std::iter::once(first).chain(rest).collect()))
}
