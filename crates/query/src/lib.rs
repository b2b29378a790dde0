//! Reads of resources as data, and the SQL that they become: conditions, filters, orders, paths, full text, rights on rows.

pub mod aggregate_request;
pub mod canvas_request;
pub mod condition;
pub mod condition_shape;
pub mod condition_sql;
pub mod file_fields;
pub mod filters;
pub mod order;
pub mod path;
pub mod period;
pub mod pushdown;
pub mod query_request;
pub mod read_query;
pub mod relation_filter;
pub mod request;
pub mod row_access;
pub mod row_alias;
pub mod scalar;
pub mod scalar_sql;
pub mod search;
pub mod tag;
pub mod tag_filter;
pub mod tag_tree;
mod text_sql;
pub mod value_path;
