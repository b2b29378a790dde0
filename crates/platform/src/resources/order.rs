//! In which order a list comes (D-18).

use super::ListRequest;
use super::filters;
use super::path::{Access, Hop, Path};
use crate::error::{Error, Result};
use crate::kinds::abilities;
use crate::types::Property;

/// How many keys a list may be sorted by: each may lead through three relations, which are joined.
const MAX_KEYS: usize = 16;

/// One key of an order.
#[derive(Clone)]
pub(crate) struct SortKey<'m> {
    /// The to-one relations that lead to the property.
    pub(crate) hops: Vec<Hop<'m>>,
    pub(crate) property: &'m Property,
    pub(crate) descending: bool,
}

impl SortKey<'_> {
    /// Whether no two resources have the same value, so that further keys decide nothing.
    pub(crate) fn decides(&self) -> bool {
        self.hops.is_empty() && self.property.position == 0
    }

    /// Whether there may be no value.
    pub(crate) fn nullable(&self) -> bool {
        !(self.hops.is_empty() && (self.property.required || self.property.position < crate::types::FIRST_PROPERTY))
    }
}

/// The keys of a list. `id` is always the last, so that paging is stable.
pub(crate) fn keys<'m>(access: &Access<'m>, request: &ListRequest) -> Result<Vec<SortKey<'m>>> {
    let resource_type = access.allowed.resource_type;
    if request.order_by.len() > MAX_KEYS {
        let message = format!("A list can be sorted by at most {MAX_KEYS} properties.");
        return Err(Error::invalid("order_too_long", message));
    }
    let mut keys = Vec::with_capacity(request.order_by.len() + 1);
    for (name, descending) in &request.order_by {
        let Path { hops, property, keys: inside } = access.resolve(name)?;
        if property.is_virtual() {
            return Err(filters::unstored(name));
        }
        let orderable = inside.is_empty()
            && sortable(property)
            && !hops.iter().any(Hop::to_many)
            && !hops.iter().any(|hop| hop.property.kind.files().is_some());
        if !orderable {
            let message = format!("The property {name:?} cannot be sorted by.");
            return Err(Error::invalid("property_unsortable", message));
        }
        keys.push(SortKey { hops, property, descending: *descending });
    }
    if request.order_by.is_empty() && request.descending.is_none() {
        // What the caller may not read must not show in the order either (D-3).
        let own =
            resource_type.order_by.iter().map(|(position, descending)| (&resource_type.fields[*position], descending));
        let readable = own.filter(|(property, _)| access.allowed.field(&property.name).is_ok() && sortable(property));
        keys.extend(readable.map(|(property, descending)| SortKey {
            hops: Vec::new(),
            property,
            descending: *descending,
        }));
    }
    // What comes after a unique key decides nothing.
    match keys.iter().position(SortKey::decides) {
        Some(last) => keys.truncate(last + 1),
        None => keys.push(SortKey {
            hops: Vec::new(),
            property: &resource_type.fields[0],
            descending: request.descending.unwrap_or(false),
        }),
    }
    Ok(keys)
}

/// Whether values of the property have an order.
fn sortable(property: &Property) -> bool {
    abilities(property.kind.class()).sortable
}
