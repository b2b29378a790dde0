//! A read of a collection as data, so that it can be asked of the cache and of the database alike.

use crate::aggregate_request::AggregateRequest;
use crate::canvas_request::CanvasRequest;
use crate::query_request::QueryRequest;
use crate::request::{FieldsRequest, ItemRef, ListRequest};
use context::reads::ReadWay;
use context::spool::ReadBody;
use context::versions::TypeVersions;
use database::ReadCost;
use serde_json::Value as Json;

/// A request to read. Two that are equal have the same answer, for the same caller and as long as nothing changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ReadQuery {
    /// A page of a collection.
    List {
        /// Its name or id.
        collection: String,
        /// The parameters.
        request: ListRequest,
    },
    /// One resource.
    One {
        /// The collection's name or id.
        collection: String,
        /// The item; none where the path names what no item can be.
        item: Option<ItemRef>,
        /// The fields that are asked for.
        fields: FieldsRequest,
    },
    /// The first resource whose property has a value.
    By {
        /// The collection's name or id.
        collection: String,
        /// The property.
        property: String,
        /// The value, as it stands in a path.
        value: String,
        /// The fields that are asked for.
        fields: FieldsRequest,
    },
    /// A page of a named query.
    Query {
        /// Its name.
        name: String,
        /// The parameters.
        request: QueryRequest,
    },
    /// Groups of a collection.
    Groups {
        /// The collection's name or id.
        collection: String,
        /// The parameters.
        request: Box<AggregateRequest>,
    },
    /// A canvas.
    Canvas {
        /// Its name.
        name: String,
        /// The parameters.
        request: CanvasRequest,
    },
}

/// An answer out of the database.
pub struct ReadResult {
    /// The body, as JSON.
    pub body: ReadBody,
    /// True if it is a list without rows.
    pub empty: bool,
    /// True if each reading of it is logged.
    pub logged: bool,
    /// The versions at which it holds; none where it must not be kept.
    pub versions: Option<TypeVersions>,
    /// Resources that were too large for the list: `collection/id`.
    pub omitted: Vec<String>,
}

impl ReadQuery {
    /// Returns the cost of the work at the database.
    pub fn cost(&self) -> ReadCost {
        match self {
            ReadQuery::One { .. } => ReadCost::Point,
            ReadQuery::List { .. }
            | ReadQuery::By { .. }
            | ReadQuery::Query { .. }
            | ReadQuery::Groups { .. }
            | ReadQuery::Canvas { .. } => ReadCost::Scan,
        }
    }

    /// Returns true if an answer to it may be kept.
    pub fn keeps(&self) -> bool {
        match self {
            // Only what embeds other resources is, see `get`.
            ReadQuery::One { fields, .. } => fields.tags || fields.show.iter().flatten().any(|name| name.contains('.')),
            ReadQuery::List { .. } | ReadQuery::By { .. } | ReadQuery::Query { .. } | ReadQuery::Groups { .. } => true,
            // Its expressions may ask for the present.
            ReadQuery::Canvas { .. } => false,
        }
    }

    /// Returns true if decimals of the answer are wanted as texts.
    pub fn texts(&self) -> bool {
        match self {
            ReadQuery::List { request, .. } => request.fields.texts,
            ReadQuery::One { fields, .. } | ReadQuery::By { fields, .. } => fields.texts,
            ReadQuery::Query { request, .. } => request.fields.texts,
            ReadQuery::Groups { request, .. } => request.texts,
            ReadQuery::Canvas { .. } => false,
        }
    }

    /// Returns the way in which it reads resources, for the log.
    pub fn way(&self) -> ReadWay {
        match self {
            ReadQuery::List { .. } | ReadQuery::Query { .. } | ReadQuery::Canvas { .. } => ReadWay::List,
            ReadQuery::Groups { .. } => ReadWay::Aggregate,
            ReadQuery::One { .. } => ReadWay::Get,
            ReadQuery::By { .. } => ReadWay::GetBy,
        }
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        match self {
            // A value in memory takes a few times its text.
            ReadQuery::List { request, .. } => {
                let tags: usize = request.tags.iter().flat_map(|tags| &tags.tags).map(|tag| 32 + tag.len()).sum();
                let picked = request.picked_for.as_ref().map_or(0, String::len);
                256 + tags + picked + request.fields.size() + 4 * Json::Array(request.filters.clone()).to_string().len()
            }
            ReadQuery::One { fields, .. } => 256 + fields.size(),
            ReadQuery::Canvas { .. } => 256,
            ReadQuery::By { value, fields, .. } => 256 + value.len() + fields.size(),
            ReadQuery::Query { request, .. } => request.size(),
            ReadQuery::Groups { request, .. } => request.size(),
        }
    }
}
