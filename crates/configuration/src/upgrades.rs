//! Derived data that a store of another version gets anew: full text, counts by value, rollups.

use super::stored_files;
use context::tables::StoreUpgrade;
use query::search;
use resources::{tally, totals};

/// All of it, in the order in which it is built.
pub const UPGRADES: &[StoreUpgrade] = &[
    StoreUpgrade {
        name: Some("search"),
        form: search::form,
        forms: search::forms,
        renew: |tx| stored_files::types(tx)?.map_or(Ok(()), |model| search::renew(tx, &model)),
    },
    StoreUpgrade {
        name: Some("tally"),
        form: |_| tally::FORM.to_owned(),
        forms: || tally::FORM.to_owned(),
        renew: |tx| {
            let model = stored_files::types(tx)?;
            tally::renew(tx, model.as_ref())
        },
    },
    StoreUpgrade { name: None, form: |_| String::new(), forms: String::new, renew: totals::forget_all },
];
