//! `pText`: a long text.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::TextKind;
use crate::kinds::text_limits::{OPTIONS, TextLimits};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pText",
    help: "A long text, at most 100,000 characters without `maxLength`.",
    options: OPTIONS,
    internal: false,
    build: |options, _| Box::new(LongTextKind { limits: TextLimits::take(options, 100_000, 1_000_000) }),
};

#[derive(Debug)]
struct LongTextKind {
    limits: TextLimits,
}

impl TextKind for LongTextKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn normalize(&self, text: &str) -> String {
        self.limits.normalize(text)
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        self.limits.check(text)
    }

    fn indexable(&self) -> bool {
        self.limits.indexable()
    }

    fn schema(&self) -> Json {
        self.limits.schema()
    }
}
