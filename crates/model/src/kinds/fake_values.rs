//! Made-up values in the place of personal ones: the same for a resource each time, and another for each resource.

use super::{Kind, KindClass, ValueContext};
use database::Value;
use jiff::{SignedDuration, Span, Timestamp, civil};
use serde_json::{Value as Json, json};

/// The first day that is made up.
const FIRST_DAY: civil::Date = civil::date(1950, 1, 1);

/// The days, and the months, after which values that need not differ begin anew: some hundred years.
const DAYS: i64 = 36_500;
const MONTHS: i64 = 1_200;
/// The seconds of a day, and the colours: so many resources have values that differ.
const SECONDS: i64 = 86_400;
const COLORS: i64 = 0x100_0000;

/// The resource and the property that a value is made up for.
#[derive(Clone, Copy, Debug)]
pub struct FakeSource<'s> {
    /// The name of the resource's type.
    pub type_name: &'s str,
    /// The title in front of the number, in texts for people.
    pub title: &'s str,
    /// The resource's id.
    pub id: i64,
    /// True if no two resources may have the same value.
    pub unique: bool,
}

/// Makes up a value that the kind takes; none where it takes none of those that are known, or where it has too few that
/// differ.
pub fn fake_value(kind: &dyn Kind, source: FakeSource<'_>, context: &ValueContext<'_>) -> Option<Value> {
    if kind.concealed() || kind.holds_several() {
        return None;
    }
    let fixed = if source.unique { Vec::new() } else { fixed(kind) };
    let candidates = numbered(kind, source).into_iter().chain(fixed);
    let read = |input: Json| kind.read(&input, context).ok().filter(|value| kind.check(value).is_ok());
    candidates.into_iter().find_map(read)
}

/// The values with the resource's number in them.
fn numbered(kind: &dyn Kind, source: FakeSource<'_>) -> Vec<Json> {
    let FakeSource { type_name, title, id, unique } = source;
    // The number of one of so many values.
    let number_of = |count: i64| if unique { Some(id).filter(|id| *id < count) } else { Some(id % count) };
    match (kind.name(), kind.class()) {
        ("pEmail" | "pLogin", _) => vec![json!(format!("{type_name}-{id}@example.invalid"))],
        ("pPhone", _) => vec![json!(format!("+999{id:09}"))],
        ("pUrl", _) => vec![json!(format!("https://example.invalid/{type_name}/{id}"))],
        ("pSlug", _) => vec![json!(format!("{}-{id}", type_name.to_ascii_lowercase().replace('_', "-")))],
        ("pColor", _) => number_of(COLORS).map(|number| json!(format!("#{number:06x}"))).into_iter().collect(),
        (_, KindClass::Text) => {
            vec![json!(format!("{title} {id}")), json!(format!("{type_name}{id}")), json!(format!("{id}"))]
        }
        (_, KindClass::Integer | KindClass::Decimal { .. } | KindClass::Float) => vec![json!(id)],
        (_, KindClass::Date) => {
            let day = day(if unique { id } else { id % DAYS });
            day.map(|day| json!(day.to_string())).into_iter().collect()
        }
        (_, KindClass::Month) => {
            let day = month(if unique { id } else { id % MONTHS });
            day.map(|day| json!(day.strftime("%Y-%m").to_string())).into_iter().collect()
        }
        (_, KindClass::DateTime) => {
            let instant = Timestamp::UNIX_EPOCH.checked_add(SignedDuration::from_secs(id));
            instant.map(|instant| json!(instant.to_string())).into_iter().collect()
        }
        (_, KindClass::Time) => {
            let time = |second| json!(format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60));
            number_of(SECONDS).map(time).into_iter().collect()
        }
        (_, KindClass::Uuid) => vec![json!(format!("00000000-0000-8000-8000-{:012x}", id & 0xffff_ffff_ffff))],
        (_, KindClass::Json) => vec![json!({"id": id})],
        _ => Vec::new(),
    }
}

/// The values that many resources may share.
fn fixed(kind: &dyn Kind) -> Vec<Json> {
    match kind.class() {
        KindClass::Boolean => vec![json!(false)],
        KindClass::Integer | KindClass::Decimal { .. } | KindClass::Float => {
            [0, 1, 10, 100].map(|number| json!(number)).to_vec()
        }
        KindClass::Json => vec![json!({}), json!([])],
        KindClass::Enumeration => {
            let current = kind.choices().iter().filter(|choice| !choice.archived);
            current.map(|choice| json!(choice.value)).take(1).collect()
        }
        _ => Vec::new(),
    }
}

fn day(id: i64) -> Option<civil::Date> {
    FIRST_DAY.checked_add(Span::new().try_days(id).ok()?).ok()
}

fn month(id: i64) -> Option<civil::Date> {
    FIRST_DAY.checked_add(Span::new().try_months(id).ok()?).ok()
}
