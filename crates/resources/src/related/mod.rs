//! Members of rows that inverses lead to: rows of other types that refer to them, and totals of those.

mod found;
mod rows;
mod tags;

pub(crate) use found::FoundRelated;
pub(crate) use rows::RelatedRows;

use super::fields::Selection;
use super::selection_draft::RelatedDraft;
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::Tx;
use groups::OwnerTotals;
use model::error::{Error, Result};
use model::types::{Property, ResourceAction, ResourceType};
use query::filters;
use query::order;
use query::path::TypeAccess;
use query::related_request::{RelatedOptions, RelatedRequest, TotalName};
use query::request::ListRequest;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The members of a selection behind its fields: rows first, then totals, then tags.
#[derive(Default)]
pub(crate) struct RelatedMembers<'m> {
    pub(crate) rows: Vec<RelatedRows<'m>>,
    pub(crate) totals: Vec<OwnerTotals<'m>>,
    /// The right to see tags, where those of each row are the last member.
    pub(crate) tags: Option<AllowedTags>,
}

impl RelatedMembers<'_> {
    /// Returns true if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.totals.is_empty() && self.tags.is_none()
    }

    /// The names of the members, in their order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let totals = self.totals.iter().flat_map(OwnerTotals::names);
        self.rows.iter().map(|rows| &rows.inverse.name[..]).chain(totals).chain(self.tags.map(|_| tags::NAME))
    }

    /// Returns true if what they show depends on the present.
    pub(crate) fn timed(&self) -> bool {
        self.rows.iter().any(|rows| rows.timed) || self.totals.iter().any(|totals| totals.timed())
    }
}

impl fmt::Debug for RelatedMembers<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.names()).finish()
    }
}

/// The options of inverses below a path, which notes those that are used.
pub(super) struct RelatedPaths<'r> {
    request: &'r RelatedRequest,
    prefix: String,
    used: std::rc::Rc<RefCell<BTreeSet<String>>>,
}

impl<'r> RelatedPaths<'r> {
    /// All options of a request.
    pub(super) fn new(request: &'r RelatedRequest) -> Self {
        RelatedPaths { request, prefix: String::new(), used: std::rc::Rc::default() }
    }

    /// Those behind a relation.
    pub(super) fn below(&self, name: &str) -> Self {
        RelatedPaths { prefix: format!("{}{name}.", self.prefix), used: self.used.clone(), ..*self }
    }

    fn path(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn options(&self, name: &str) -> Option<&'r RelatedOptions> {
        let path = self.path(name);
        let options = self.request.options(&path);
        self.used.borrow_mut().insert(path);
        options
    }

    /// Refuses options of what is not shown.
    pub(super) fn check_used(&self) -> Result<()> {
        let used = self.used.borrow();
        let unused = self.request.paths().find(|path| !used.contains(*path) && !self.request.is_sorted_by(path));
        let Some(path) = unused else { return Ok(()) };
        let message = format!(
            "The parameter _related describes {path:?}, which is neither shown nor counted. Name it in showFields."
        );
        Err(Error::invalid("parameter_invalid", message))
    }
}

/// Plans the members of an inverse that are asked for.
pub(super) fn plan<'m>(
    access: &TypeAccess<'m>,
    draft: RelatedDraft<'m>,
    paths: &RelatedPaths<'_>,
    members: &mut RelatedMembers<'m>,
) -> Result<()> {
    let inverse = draft.inverse;
    let RelatedDraft { is_shown, fields, totals, .. } = draft;
    let options = paths.options(&inverse.name);
    if is_shown {
        let selection = fields.map(|fields| fields.selection(access, &paths.below(&inverse.name))).transpose()?;
        let rows = plan_rows(access, inverse, selection, options)?;
        members.rows.push(RelatedRows { path: paths.path(&inverse.name), ..rows });
    }
    if !is_shown && options.is_some_and(|options| !options.order_by.is_empty()) {
        let message = format!(
            "The parameter _related sorts {:?}, which is not shown. Leave orderBy out, or name it in showFields.",
            inverse.name
        );
        return Err(Error::invalid("parameter_invalid", message));
    }
    if !totals.is_empty() {
        let names: Vec<String> = totals.iter().map(|total| format!("{}.{total}", inverse.name)).collect();
        let totals: Vec<TotalName<'_>> =
            names.iter().map(|name| TotalName::parse(name)).filter_map(Result::transpose).collect::<Result<_>>()?;
        members.totals.push(OwnerTotals::new(access, inverse, &totals, options)?);
    }
    Ok(())
}

fn plan_rows<'m>(
    access: &TypeAccess<'m>,
    inverse: &'m Property,
    selection: Option<Selection<'m>>,
    options: Option<&RelatedOptions>,
) -> Result<RelatedRows<'m>> {
    let (source, target) = query::related_total::behind(access, inverse, &inverse.name)?;
    let given = options.map_or(&[][..], |options| &options.filters);
    let (filters, timed) = filters::parse_noting(&target, given, &access.value_context())?;
    let order_by = options.map(|options| options.order_by.clone()).unwrap_or_default();
    // For each row another total would be worked out.
    if let Some((name, _)) = order_by.iter().find(|(name, _)| name.contains(".$")) {
        let message = format!("{:?} cannot be sorted by {name:?}: a list alone is sorted by totals.", inverse.name);
        return Err(Error::invalid("property_unsortable", message));
    }
    let asked = ListRequest { order_by, ..ListRequest::default() };
    let own = if source.order_by.is_empty() { &target.allowed.resource_type.order_by } else { &source.order_by };
    let order = order::keys_or(&target, &asked, own)?;
    Ok(RelatedRows {
        path: inverse.name.clone(),
        inverse,
        source,
        limit: options.map_or(RelatedOptions::default().limit(), RelatedOptions::limit),
        conditions: access.reachable(inverse, &target.allowed, 0).into_iter().chain(filters).collect(),
        timed: timed || order.iter().any(order::SortKey::timed),
        order,
        shows_objects: selection.is_some(),
        selection: selection.unwrap_or_else(|| Selection::empty(target.allowed.resource_type)),
    })
}

/// Returns the ids of the rows that refer to one by an inverse, in its own order, at most so many, as the caller sees
/// them.
pub(crate) fn ids(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    inverse: &Property,
    owner: i64,
    most: usize,
) -> Result<Vec<i64>> {
    let access = TypeAccess::new(request, request.actor.allowed_type(of, ResourceAction::Show)?);
    let rows = plan_rows(&access, inverse, None, None)?;
    RelatedRows { limit: most, ..rows }.ids(tx, owner)
}
