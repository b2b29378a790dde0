//! What a client may ask of a read: parameters, parsed as far as that goes without a model.

use crate::error::Result;
use serde_json::{Map, Value as Json};

/// Which item of a collection is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemRef {
    /// By `id`.
    Id(i64),
    /// By `uuid`.
    Uuid([u8; 16]),
}

/// Which fields an answer has (D-19).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldsRequest {
    /// `showFields`: the allowlist; none means the default fields.
    pub show: Option<Vec<String>>,
    /// `hideFields`, applied after `showFields`.
    pub hide: Vec<String>,
}

/// The parameters of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListRequest {
    /// `page`, from 1.
    pub page: Option<u64>,
    /// `perPage`, not capped yet.
    pub per_page: Option<u64>,
    /// `orderBy`: names, and whether descending; none means the type's own order.
    pub order_by: Vec<(String, bool)>,
    /// `orderDir` where there is no `orderBy`: whether by descending id.
    pub descending: Option<bool>,
    /// `showFields` and `hideFields`.
    pub fields: FieldsRequest,
    /// `filters`, not looked into yet.
    pub filters: Vec<Json>,
}

impl ItemRef {
    /// Reads the item of a path: an integer or a UUID. Anything else is no item, hence missing.
    pub fn parse(_text: &str) -> Result<Self> {
        todo!()
    }
}

impl FieldsRequest {
    /// Reads the query parameters of get-one and get-by, decoded pairs in the order of the URL.
    pub fn parse(_query: &[(String, String)]) -> Result<Self> {
        todo!()
    }
}

impl ListRequest {
    /// Reads the query parameters of a list, decoded pairs in the order of the URL, and the body of a SEARCH.
    pub fn parse(_query: &[(String, String)], _body: Option<&Map<String, Json>>) -> Result<Self> {
        todo!()
    }
}
