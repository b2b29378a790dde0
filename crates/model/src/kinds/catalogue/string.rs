//! `pString`: a short text.

use crate::kinds::entry::KindEntry;
use crate::kinds::text_kind::TextKind;
use crate::kinds::text_limits::{OPTIONS, TextLimits};
use crate::kinds::value::ValueFault;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pString",
    help: "A short text, at most 255 characters without `maxLength`.",
    options: OPTIONS,
    internal: false,
    build: |options, _| Box::new(ShortTextKind { limits: TextLimits::take(options, 255, 10_000) }),
};

#[derive(Debug)]
struct ShortTextKind {
    limits: TextLimits,
}

impl TextKind for ShortTextKind {
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
