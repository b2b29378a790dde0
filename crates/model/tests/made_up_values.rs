//! Made-up values of resources with large ids.

use database::Value;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::kinds::{FakeSource, OptionTargets, ValueContext, build, fake_value};
use std::collections::{BTreeMap, BTreeSet};

fn made_up(kind: &str, id: i64, unique: bool) -> Option<Value> {
    let (types, groups, properties) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
    let targets = OptionTargets { types: &types, groups: &groups, properties: &properties, own: "person" };
    let kind = build(kind, serde_json::Map::new(), &targets).unwrap_or_else(|faults| panic!("{faults:?}"));
    let context = ValueContext { zone: &TimeZone::UTC, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    fake_value(kind.as_ref(), FakeSource { type_name: "person", title: "Person", id, unique }, &context)
}

#[test]
fn values_that_may_repeat_never_run_out() {
    for kind in ["pDate", "pMonth", "pTime", "pColor", "pDateTime"] {
        for id in [1, 96_700, 240_000, 1_000_000, 3_000_000, 20_000_000, 2_000_000_000] {
            assert!(made_up(kind, id, false).is_some(), "{kind} {id}");
        }
    }
}

#[test]
fn values_that_must_differ_run_out_and_never_repeat() {
    for (kind, count) in [("pTime", 86_400), ("pMonth", 96_600), ("pColor", 0x100_0000)] {
        assert!(made_up(kind, count - 1, true).is_some(), "{kind}");
        assert_eq!(made_up(kind, count, true), None, "{kind}");
        assert_ne!(made_up(kind, count - 1, true), made_up(kind, 1, true), "{kind}");
    }
    assert!(made_up("pDate", 2_900_000, true).is_some());
    assert_eq!(made_up("pDate", 3_000_000, true), None);
}
