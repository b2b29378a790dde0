//! The properties that a type of the archive shares with that of today.

use super::outcome::LeftOutProperty;
use model::error::{Error, Result};
use model::types::{Property, ResourceType};

/// The treatment of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It is written as by anybody, and compared.
    Given,
    /// A record that comes back gets its former value, and no other record is changed: numbers, passwords, values that
    /// are read-only.
    Kept,
    /// It holds files.
    Files,
}

/// A property that both types have.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedProperty {
    /// Its position in the type of the archive.
    pub then: usize,
    /// Its position in the type of today.
    pub now: usize,
    /// The treatment of its values.
    pub treatment: Treatment,
}

/// The properties of a comparison.
#[derive(Clone, Debug)]
pub(super) struct SharedProperties {
    /// Those that both types have.
    pub shared: Vec<SharedProperty>,
    /// Those that the archive alone has.
    pub left_out: Vec<LeftOutProperty>,
}

impl SharedProperties {
    /// The properties of two types: all, or the named ones.
    pub(super) fn of(then: &ResourceType, now: &ResourceType, named: &[String]) -> Result<Self> {
        if let Some(unknown) = named.iter().find(|name| then.field(name).is_none()) {
            let message = format!("The type {} of the archive has no property {unknown:?}.", then.name);
            return Err(Error::invalid("property_unknown", message));
        }
        let (mut shared, mut left_out) = (Vec::new(), Vec::new());
        for property in then.properties() {
            let is_named = named.contains(&property.name);
            if !named.is_empty() && !is_named || named.is_empty() && is_worked_out(property) {
                continue;
            }
            let mut leave = |reason| left_out.push(LeftOutProperty { name: property.name.clone(), reason });
            match now.properties().iter().find(|other| other.name == property.name) {
                None => leave("the type does not have it any more"),
                Some(other) if other.kind.name() != property.kind.name() => leave("it is of another kind now"),
                Some(other) if is_worked_out(other) => leave("it is calculated"),
                Some(other) if is_named && Treatment::of(other) == Treatment::Kept => {
                    leave("it comes back with missing records alone");
                }
                Some(other) if relates(other) != relates(property) => leave("it refers to another type now"),
                Some(other) => {
                    let (then, now) = (property.position, other.position);
                    shared.push(SharedProperty { then, now, treatment: Treatment::of(other) });
                }
            }
        }
        Ok(SharedProperties { shared, left_out })
    }
}

impl Treatment {
    fn of(property: &Property) -> Self {
        match property {
            property if property.kind.files().is_some() => Treatment::Files,
            property if property.shown_only() || property.kind.concealed() => Treatment::Kept,
            _ => Treatment::Given,
        }
    }
}

/// Returns true if the values follow from others.
fn is_worked_out(property: &Property) -> bool {
    let kind = &property.kind;
    property.calculated.is_some() || property.is_virtual() || kind.rollup().is_some() || kind.inverse().is_some()
}

/// The name of the type that a property refers to.
fn relates(property: &Property) -> Option<&str> {
    property.kind.relation().map(|relation| relation.type_name)
}
