//! The types of calculated properties, before their rules are there: a calculation may be null if what it reads may be.

use super::rules::DraftedRules;
use crate::expression_slots::SlotNames;
use expression::scope::ValueKind;
use model::place::{ExpressionPlace, compile};
use model::shape::TypeShapes;
use model::types::ResourceType;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the shapes of types for compiling their expressions. A property with a condition may be null. A calculated
/// one is taken not to be, until its own expression says so: calculations rest on one another in no circle.
pub(super) fn shapes(types: &[Arc<ResourceType>], drafted: &[DraftedRules], names: &SlotNames) -> TypeShapes {
    let mut nullable = BTreeMap::new();
    let mut open = Vec::new();
    for of in types {
        for drafted in drafted.iter().filter(|drafted| drafted.type_id == of.id) {
            let Some(property) = of.field(&drafted.property) else { continue };
            let place = (of.id, property.position);
            match (&drafted.rules.condition, &drafted.rules.calculate) {
                (Some(_), _) => _ = nullable.insert(place, true),
                (None, Some(draft)) => {
                    nullable.insert(place, false);
                    open.push((place, draft));
                }
                _ => {}
            }
        }
    }
    loop {
        let shapes = TypeShapes::assuming(types, &nullable);
        let before = open.len();
        open.retain(|(place, draft)| {
            let context = shapes.get(place.0);
            let compiled = compile(&draft.text, ExpressionPlace::Calculation, context, names.clone(), ValueKind::Any);
            // One that is wrong is told of itself, and not of those that use it.
            let filled = compiled.map_or(true, |program| !program.result().nullable);
            if !filled {
                nullable.insert(*place, true);
            }
            filled
        });
        if open.len() == before {
            return shapes;
        }
    }
}
