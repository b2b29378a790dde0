//! In which order a list comes (D-18).

use crate::filters;
use crate::path::{PropertyPath, RelationHop, TypeAccess};
use crate::related_request::{RelatedRequest, TotalName};
use crate::related_total::RelatedTotal;
use crate::request::ListRequest;
use crate::value_path;
use crate::value_path::ValuePath;
use model::error::{Error, Result};
use model::kinds::abilities;
use model::types::Property;

/// The most keys that a list may be sorted by: each may lead through three relations, which are joined.
const MAX_KEYS: usize = 16;

/// One key of an order.
#[derive(Clone)]
pub struct SortKey<'m> {
    /// The value that it sorts by.
    pub path: ValuePath<'m>,
    /// The total of the resources behind an inverse, where that is the value; the path leads to the inverse then.
    pub total: Option<Box<RelatedTotal<'m>>>,
    /// True for the greatest value first.
    pub descending: bool,
}

impl<'m> SortKey<'m> {
    fn new(hops: Vec<RelationHop<'m>>, property: &'m Property, descending: bool) -> Self {
        SortKey { path: ValuePath::new(hops, property), total: None, descending }
    }

    /// Reads the name of a total as a key; none where it is another name.
    fn of_total(
        access: &TypeAccess<'m>,
        name: &str,
        descending: bool,
        related: &RelatedRequest,
    ) -> Result<Option<Self>> {
        let Some(total) = TotalName::parse(name)? else { return Ok(None) };
        let PropertyPath { hops, property, .. } = access.resolve(total.inverse)?;
        if hops.iter().any(|hop| hop.to_many() || hop.property.kind.files().is_some()) {
            return Err(unsortable(name));
        }
        let found = RelatedTotal::new(access, property, &total, related.options(total.inverse))?;
        Ok(Some(SortKey { total: Some(Box::new(found)), ..SortKey::new(hops, property, descending) }))
    }

    /// Returns true if there may be no value.
    pub fn nullable(&self) -> bool {
        self.total.as_ref().map_or_else(|| self.path.nullable(), |total| total.nullable())
    }

    /// Returns true if the order depends on the present.
    pub fn timed(&self) -> bool {
        self.total.as_ref().is_some_and(|total| total.timed)
    }

    /// Returns true if no two resources have the same value, so that further keys decide nothing.
    pub fn decides(&self) -> bool {
        self.path.hops.is_empty() && self.path.property.position == 0
    }
}

/// The keys of a list. `id` is always the last, so that paging is stable.
pub fn keys<'m>(access: &TypeAccess<'m>, request: &ListRequest) -> Result<Vec<SortKey<'m>>> {
    keys_or(access, request, &access.allowed.resource_type.order_by)
}

/// The same with another default order: positions, and whether descending.
pub fn keys_or<'m>(
    access: &TypeAccess<'m>,
    request: &ListRequest,
    default: &[(usize, bool)],
) -> Result<Vec<SortKey<'m>>> {
    let resource_type = access.allowed.resource_type;
    if request.order_by.len() > MAX_KEYS {
        let message = format!("A list can be sorted by at most {MAX_KEYS} properties.");
        return Err(Error::invalid("order_too_long", message));
    }
    let mut keys = Vec::with_capacity(request.order_by.len() + 1);
    for (name, descending) in &request.order_by {
        if let Some(key) = SortKey::of_total(access, name, *descending, &request.fields.related)? {
            keys.push(key);
            continue;
        }
        let PropertyPath { hops, property, keys: inside } = access.resolve(name)?;
        if property.is_virtual() {
            return Err(filters::unstored(name));
        }
        let orderable = inside.is_empty()
            && sortable(property)
            && property.kind.inverse().is_none()
            && !hops.iter().any(RelationHop::to_many)
            && !hops.iter().any(|hop| hop.property.kind.files().is_some());
        if !orderable {
            return Err(unsortable(name));
        }
        keys.push(SortKey::new(hops, property, *descending));
    }
    if request.order_by.is_empty() && request.descending.is_none() {
        // What the caller may not read must not show in the order either (D-3).
        let own = default.iter().map(|(position, descending)| (&resource_type.fields[*position], descending));
        let readable = own.filter(|(property, _)| access.allowed.field(&property.name).is_ok() && sortable(property));
        keys.extend(readable.map(|(property, descending)| SortKey::new(Vec::new(), property, *descending)));
    }
    // What comes after a unique key decides nothing.
    match keys.iter().position(SortKey::decides) {
        Some(last) => keys.truncate(last + 1),
        None => {
            let descending = request.descending.unwrap_or(false);
            keys.push(SortKey::new(Vec::new(), &resource_type.fields[0], descending));
        }
    }
    value_path::secure(access, keys.iter_mut().map(|key| &mut key.path).collect());
    Ok(keys)
}

fn unsortable(name: &str) -> Error {
    Error::invalid("property_unsortable", format!("The property {name:?} cannot be sorted by."))
}

/// Returns true if values of the property have an order.
fn sortable(property: &Property) -> bool {
    abilities(property.kind.class()).sortable
}
