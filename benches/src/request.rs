//! What the limit programs read from a request: the key, a list's parameters, bodies.

use crate::answer::{day, message};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use std::collections::HashMap;

/// The keys that are let in, in memory, with the user of each.
pub struct Keys(HashMap<String, i64>);

impl Keys {
    /// Lets this key in.
    pub fn with(key: String) -> Self {
        Keys(HashMap::from([(key, 1)]))
    }

    /// The user that the request's key belongs to.
    pub fn user(&self, headers: &HeaderMap) -> Result<i64, Box<Response>> {
        let key = headers.get("key").and_then(|key| key.to_str().ok());
        key.and_then(|key| self.0.get(key))
            .copied()
            .ok_or_else(|| Box::new(message(StatusCode::FORBIDDEN, "Invalid key.")))
    }
}

/// A list's parameters as they come.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parameters {
    page: Option<i64>,
    per_page: Option<i64>,
    order_by: Option<String>,
    filters: Option<String>,
}

#[derive(Deserialize)]
struct Filter {
    property: String,
    r#type: String,
    param: String,
}

/// A list that can be served.
pub struct List {
    /// From 1.
    pub page: i64,
    /// Rows a page.
    pub per_page: i64,
    /// The sort keys of the statement.
    pub order: &'static str,
    /// The one filter.
    pub status: Option<String>,
}

impl Parameters {
    /// Understands the parameters; gives the name of one that is wrong.
    pub fn list(self) -> Result<List, &'static str> {
        let order = match self.order_by.as_deref() {
            None | Some("id") => "id",
            Some("views") => "views, id",
            Some("-views") => "views DESC, id",
            Some(_) => return Err("orderBy"),
        };
        let mut status = None;
        if let Some(text) = &self.filters {
            let filters: Vec<Filter> = serde_json::from_str(text).map_err(|_| "filters")?;
            for filter in filters {
                if filter.property != "status" || filter.r#type != "eq" || status.is_some() {
                    return Err("filters");
                }
                status = Some(filter.param);
            }
        }
        let (page, per_page) = (self.page.unwrap_or(1), self.per_page.unwrap_or(50).min(500));
        if page < 1 || per_page < 1 {
            return Err("page");
        }
        Ok(List { page, per_page, order, status })
    }
}

/// The body that creates an article.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of an article")]
pub struct Created {
    pub title: String,
    pub body: String,
    pub status: String,
    pub views: i64,
    pub price: f64,
    pub published_at: String,
    pub author: i64,
}

/// The body that changes an article; what is absent stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patched {
    /// The new number of views.
    pub views: i64,
}

/// Milliseconds since 1970 of `YYYY-MM-DDThh:mm:ss` with `Z` or `+00:00`.
pub fn milliseconds(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if !(bytes.len() == 20 && text.ends_with('Z') || bytes.len() == 25 && text.ends_with("+00:00")) {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, of_month) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let valid = (1..=12).contains(&month) && (1..=31).contains(&of_month) && hour < 24 && minute < 60 && second < 60;
    valid.then(|| (((day(year, month, of_month) * 24 + hour) * 60 + minute) * 60 + second) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datetimes_are_read() {
        assert_eq!(milliseconds("2020-02-29T12:34:56+00:00"), Some(1_582_979_696_000));
        assert_eq!(milliseconds("2020-02-29T12:34:56Z"), Some(1_582_979_696_000));
        assert_eq!(milliseconds("2020-02-29"), None);
    }
}
