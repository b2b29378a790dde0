//! A shop's types for the tests.

use analysis::Surroundings;
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use std::collections::HashMap;
use std::sync::Arc;

/// A type of the shop, by its name.
#[derive(Debug)]
pub(crate) struct ShopType(&'static str);

impl ResourceShape for ShopType {
    fn name(&self) -> &str {
        self.0
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        Some(match (self.0, name) {
            ("invoice", "company") => ValueType::resource(Arc::new(ShopType("company"))),
            ("invoice", "lines") => ValueType::resources(Arc::new(ShopType("line"))),
            ("invoice", "total") => ValueKind::Decimal.into(),
            ("invoice", "status") | ("company", "name" | "note") | ("line", "text") | ("user", "name") => {
                ValueKind::Text.into()
            }
            ("user", "company") => ValueType::resource(Arc::new(ShopType("company"))),
            _ => return None,
        })
    }

    fn names(&self) -> Vec<Arc<str>> {
        let names: &[&str] = match self.0 {
            "invoice" => &["company", "lines", "total", "status"],
            "company" => &["name", "note"],
            "line" => &["text"],
            _ => &["name", "company"],
        };
        names.iter().map(|name| Arc::from(*name)).collect()
    }
}

/// A place about an invoice, with a variable, a trigger and a user.
pub(crate) fn surroundings() -> Surroundings {
    let invoice: Arc<dyn ResourceShape> = Arc::new(ShopType("invoice"));
    let trigger = HashMap::from([
        ("resource".to_owned(), ValueType::resource(Arc::clone(&invoice))),
        ("changes".to_owned(), ValueKind::Changes.into()),
    ]);
    let variable = HashMap::from([("found".to_owned(), ValueType::resource(Arc::new(ShopType("company"))))]);
    let scope = Scope::of(AvailableProviders::ALL)
        .with_context(Some(invoice))
        .with_parameters(HashMap::from([("trigger", trigger), ("var", variable)]));
    let mut surroundings = Surroundings::from(scope);
    surroundings.user = Some(Arc::new(ShopType("user")));
    surroundings
}
