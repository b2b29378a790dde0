//! What filters mean, told once more over plain values: no SQL, no model, no ranges.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value as Json;
use std::cmp::Ordering;
use unicode_normalization::UnicodeNormalization;

/// Rows in wire form; the row with id 1 is the first.
pub(super) struct Tables {
    pub(super) countries: Vec<Json>,
    pub(super) people: Vec<Json>,
    pub(super) things: Vec<Json>,
}

/// A relation: its name, its target, and whether it has many.
const RELATIONS: [(&str, &str, bool); 4] =
    [("country", "country", false), ("chief", "person", false), ("owner", "person", false), ("people", "person", true)];

impl Tables {
    fn row(&self, type_name: &str, id: i64) -> &Json {
        let rows = match type_name {
            "country" => &self.countries,
            "person" => &self.people,
            _ => &self.things,
        };
        &rows[id as usize - 1]
    }

    /// The ids of things for which all filters hold.
    pub(super) fn ids(&self, filters: &[Json]) -> Vec<i64> {
        let ids = 1..=self.things.len() as i64;
        ids.filter(|id| filters.iter().all(|filter| self.holds(self.row("thing", *id), filter))).collect()
    }

    fn holds(&self, row: &Json, filter: &Json) -> bool {
        let inner = |filters: &Json, row: &Json| -> Vec<bool> {
            filters.as_array().unwrap().iter().map(|filter| self.holds(row, filter)).collect()
        };
        let param = &filter["param"];
        match filter["type"].as_str().unwrap() {
            "and" => inner(param, row).iter().all(|held| *held),
            "or" => inner(param, row).iter().any(|held| *held),
            "not" => !inner(param, row).iter().all(|held| *held),
            _ => {
                let path: Vec<&str> = filter["property"].as_str().unwrap().split('.').collect();
                self.walk(row, &path, &|value| self.leaf(value, filter, row))
            }
        }
    }

    fn walk(&self, row: &Json, path: &[&str], leaf: &dyn Fn(&Json) -> bool) -> bool {
        let value = &row[path[0]];
        if path.len() == 1 {
            return leaf(value);
        }
        let (_, target, many) = RELATIONS.iter().find(|(name, ..)| *name == path[0]).unwrap();
        if *many {
            let ids = value.as_array().into_iter().flatten();
            return ids.into_iter().any(|id| self.walk(self.row(target, id.as_i64().unwrap()), &path[1..], leaf));
        }
        match value.as_i64() {
            Some(id) => self.walk(self.row(target, id), &path[1..], leaf),
            // Indexing into null gives null, which is what a way that ends early has.
            None => self.walk(&Json::Null, &path[1..], leaf),
        }
    }

    fn leaf(&self, value: &Json, filter: &Json, row: &Json) -> bool {
        let name = filter["type"].as_str().unwrap();
        let other = filter["param"].get("$property").map(|name| &row[name.as_str().unwrap()]);
        let param = other.unwrap_or(&filter["param"]);
        if let Some(positive) =
            ["neq", "noneOf", "none", "isNotNull", "isNotEmpty"].iter().position(|negative| *negative == name)
        {
            let mut positive_filter = filter.clone();
            positive_filter["type"] = ["eq", "anyOf", "some", "isNull", "isEmpty"][positive].into();
            return !self.leaf(value, &positive_filter, row);
        }
        if let Some(rest) = name.strip_prefix("not") {
            let mut positive_filter = filter.clone();
            positive_filter["type"] = format!("{}{}", rest[..1].to_lowercase(), &rest[1..]).into();
            return !self.leaf(value, &positive_filter, row);
        }
        let list = |json: &Json| json.as_array().cloned().unwrap_or_default();
        let related = |id: &Json| self.row("person", id.as_i64().unwrap());
        let all_hold = |id: &Json| list(param).iter().all(|filter| self.holds(related(id), filter));
        match name {
            "eq" => same(value, param),
            "lt" => order(value, param) == Some(Ordering::Less),
            "lte" => matches!(order(value, param), Some(Ordering::Less | Ordering::Equal)),
            "gt" => order(value, param) == Some(Ordering::Greater),
            "gte" => matches!(order(value, param), Some(Ordering::Greater | Ordering::Equal)),
            "between" => {
                !value.is_null()
                    && (param[0].is_null() || order(value, &param[0]).unwrap().is_ge())
                    && (param[1].is_null() || order(value, &param[1]).unwrap().is_le())
            }
            "in" => list(param).iter().any(|member| same(value, member)),
            "isNull" => value.is_null() || *value == serde_json::json!([]),
            "isEmpty" => value.is_null() || *value == serde_json::json!([]) || value == "",
            "anyOf" => list(param).iter().any(|member| list(value).contains(member)),
            "allOf" => list(param).iter().all(|member| list(value).contains(member)),
            "size" => list(value).len() as i64 >= param["gte"].as_i64().unwrap(),
            "some" => list(value).iter().any(all_hold),
            "every" => list(value).iter().all(all_hold),
            "onDay" => on(value, |day| Some(day) == date(param)),
            "withinMonth" => on(value, |day| Some(day.first_of_month()) == date(param).map(Date::first_of_month)),
            "withinYear" => on(value, |day| Some(day.year()) == date(param).map(Date::year)),
            "search" => search(value, param),
            _ => text(name, value, param, filter["fold"] == true),
        }
    }
}

fn text(name: &str, value: &Json, param: &Json, fold: bool) -> bool {
    let Some(value) = value.as_str() else { return false };
    let form = |text: &str| -> String {
        if fold {
            text.nfd().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)).collect::<String>().to_lowercase()
        } else if name.starts_with('i') {
            text.to_lowercase()
        } else {
            text.to_owned()
        }
    };
    let (value, param) = (form(value), form(param.as_str().unwrap()));
    match name {
        "contains" | "iContains" => value.contains(&param),
        "startsWith" | "iStartsWith" => value.starts_with(&param),
        "endsWith" | "iEndsWith" => value.ends_with(&param),
        "iEq" => value == param,
        "like" | "iLike" => like(&value.chars().collect::<Vec<_>>(), &param.chars().collect::<Vec<_>>()),
        other => panic!("no filter type {other}"),
    }
}

fn search(value: &Json, param: &Json) -> bool {
    let words = |json: &Json| -> Vec<String> {
        let folded = json.as_str().unwrap_or_default().nfd().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter));
        let folded = folded.collect::<String>().to_lowercase();
        let words = folded.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (has, asked) = (words(value), words(param));
    let (last, whole) = asked.split_last().unwrap();
    whole.iter().all(|word| has.contains(word)) && has.iter().any(|word| word.starts_with(last.as_str()))
}

fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('%', rest)) => (0..=text.len()).any(|skipped| like(&text[skipped..], rest)),
        Some(('_', rest)) => !text.is_empty() && like(&text[1..], rest),
        Some(('\\', rest)) if !rest.is_empty() => text.first() == rest.first() && like(&text[1..], &rest[1..]),
        Some((letter, rest)) => text.first() == Some(letter) && like(&text[1..], rest),
    }
}

fn same(left: &Json, right: &Json) -> bool {
    (left.is_null() && right.is_null()) || order(left, right) == Some(Ordering::Equal)
}

fn order(left: &Json, right: &Json) -> Option<Ordering> {
    match (left, right) {
        (Json::Null, _) | (_, Json::Null) => None,
        (Json::Bool(left), Json::Bool(right)) => Some(left.cmp(right)),
        (Json::String(left), Json::String(right)) => match (left.parse::<Timestamp>(), right.parse::<Timestamp>()) {
            (Ok(left), Ok(right)) => Some(left.cmp(&right)),
            _ => Some(left.cmp(right)),
        },
        _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

fn on(value: &Json, holds: impl Fn(Date) -> bool) -> bool {
    date(value).is_some_and(holds)
}

fn date(value: &Json) -> Option<Date> {
    let text = value.as_str()?;
    match text.parse::<Timestamp>() {
        Ok(instant) => Some(instant.to_zoned(TimeZone::get("Europe/Prague").unwrap()).date()),
        Err(_) => Some(text.parse().unwrap()),
    }
}
