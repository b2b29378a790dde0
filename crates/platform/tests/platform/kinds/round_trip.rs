//! Whatever a kind lets in comes out in a form that it lets in again, for the same value.

use super::{kind, zone};
use database::Value;
use jiff::Timestamp;
use model::kinds;
use model::kinds::{StoredValue, ValueContext};
use proptest::prelude::*;
use serde_json::Value as Json;

/// Zones with the oddest offsets and changes.
const ZONES: [&str; 6] =
    ["UTC", "Europe/Prague", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];

/// Writes a stored value and reads it again.
fn returns(name: &str, options: &str, stored: &StoredValue, zone_name: &str) -> Result<(), TestCaseError> {
    let (kind, zone) = (kind(name, options), zone(zone_name));
    let context = ValueContext { zone: &zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let mut wire = Vec::new();
    kinds::write_property(&*kind, stored, &context, &mut wire);
    let wire = String::from_utf8(wire).unwrap();
    let json: Json = serde_json::from_str(&wire).map_err(|error| TestCaseError::fail(format!("{wire}: {error}")))?;
    prop_assert_eq!(kinds::read_property(&*kind, &json, &context), Ok(stored.clone()), "{} in {}", wire, zone_name);
    if let StoredValue::One(value) = stored
        && !value.is_null()
    {
        let plain = kinds::write_plain(&*kind, value.as_ref(), &context);
        prop_assert_eq!(kinds::read_plain(&*kind, &plain, &context), Ok(value.clone()), "{}", plain);
    }
    Ok(())
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        ".*".prop_map(Json::from),
        "[0-9:TZ+ .-]{0,30}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 20, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            prop::collection::hash_map(".{0,5}", inner, 0..5).prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn texts(text in "[^\u{0}]*") {
        for name in ["pString", "pText"] {
            returns(name, "{}", &StoredValue::One(Value::Text(text.clone())), "UTC")?;
        }
    }

    #[test]
    fn numbers(integer in any::<i64>(), float in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL) {
        returns("pInteger", "{}", &StoredValue::One(Value::Integer(integer)), "UTC")?;
        returns("pFloat", "{}", &StoredValue::One(Value::Float(float)), "UTC")?;
        returns("pRelation", r#"{"type": "city"}"#, &StoredValue::One(Value::Integer(integer)), "UTC")?;
    }

    #[test]
    fn decimals(units in -999_999_999_999_999_i64..=999_999_999_999_999, scale in 0..=15_u8) {
        let options = format!(r#"{{"precision": 18, "scale": {scale}}}"#);
        returns("pDecimal", &options, &StoredValue::One(Value::Integer(units)), "UTC")?;
    }

    #[test]
    fn days(days in -719_162..=2_932_896_i32) {
        returns("pDate", "{}", &StoredValue::One(Value::Date(days)), "UTC")?;
        let date = jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
        let kind = kind("pDate", "{}");
        let utc = zone("UTC");
        let context = ValueContext { zone: &utc, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
        prop_assert_eq!(kinds::write_plain(&*kind, Value::Date(days).as_ref(), &context), date.to_string());
    }

    #[test]
    fn instants(instant in -62_135_596_800_000_i64..=253_402_300_799_999, zone in prop::sample::select(&ZONES[..])) {
        returns("pDateTime", "{}", &StoredValue::One(Value::Timestamp(instant)), zone)?;
    }

    #[test]
    fn instants_of_our_time(instant in 0_i64..=2_000_000_000, zone in prop::sample::select(&ZONES[..])) {
        returns("pDateTime", "{}", &StoredValue::One(Value::Timestamp(instant * 1_000)), zone)?;
    }

    #[test]
    fn times(seconds in 0..86_400_u32) {
        let text = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
        returns("pTime", "{}", &StoredValue::One(Value::Text(text)), "UTC")?;
    }

    #[test]
    fn several(ids in prop::collection::vec(any::<i64>(), 0..20), uuid in any::<[u8; 16]>(), flag in any::<bool>()) {
        let members = StoredValue::Many(ids.into_iter().map(Value::Integer).collect());
        returns("pRelations", r#"{"type": "city"}"#, &members, "UTC")?;
        returns("uuid", "{}", &StoredValue::One(Value::Uuid(uuid)), "UTC")?;
        returns("pBoolean", "{}", &StoredValue::One(Value::Boolean(flag)), "UTC")?;
    }

    /// No input breaks a kind; what gets in gets in again, as the same value.
    #[test]
    fn anything(input in any_json()) {
        for entry in kinds::CATALOGUE {
            let options = match entry.name {
                "pEnum" | "pEnums" => r#"{"options": ["a"]}"#,
                "pRelation" | "pRelations" => r#"{"type": "city"}"#,
                "pRollup" => r#"{"relation": "city.country", "function": "count"}"#,
                _ => "{}",
            };
            let kind = kind(entry.name, options);
            let utc = zone("UTC");
            let context = ValueContext { zone: &utc, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
            if let Ok(stored) = kinds::accept(&*kind, &input, &context)
                && !kind.concealed()
            {
                returns(entry.name, options, &stored, "UTC")?;
            }
        }
    }

    #[test]
    fn strings_are_written_as_json_demands(text in any::<String>()) {
        let mut out = Vec::new();
        kinds::json::write_string(&mut out, &text);
        prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
    }
}
