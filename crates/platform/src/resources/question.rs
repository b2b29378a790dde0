//! A read of a collection as data, so that it can be asked of the cache and of the database alike.

use super::request::item_missing;
use super::versions::Versions;
use super::{FieldsRequest, ItemRef, ListRequest, get, list};
use crate::cache::Parts;
use crate::canvases::{self, CanvasRequest};
use crate::error::Result;
use crate::queries::{self, QueryRequest};
use crate::read_log::Way;
use crate::tenants::Call;
use database::{Cost, Tx};
use serde_json::Value as Json;

/// What is asked. Two that are equal have the same answer, for the same caller and as long as nothing changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Question {
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
        /// Which; none where the path names what no item can be.
        item: Option<ItemRef>,
        /// Which fields.
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
        /// Which fields.
        fields: FieldsRequest,
    },
    /// A page of a named query.
    Query {
        /// Its name.
        name: String,
        /// The parameters.
        request: QueryRequest,
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
pub(crate) struct Made {
    pub(crate) body: Vec<u8>,
    /// Whether it is a list without rows.
    pub(crate) empty: bool,
    /// Whether each reading of it is logged.
    pub(crate) logged: bool,
    /// The versions at which it holds; none where it must not be kept.
    pub(crate) versions: Option<Versions>,
}

impl Question {
    /// How much work it is at the database.
    pub(crate) fn cost(&self) -> Cost {
        match self {
            Question::One { .. } => Cost::Point,
            Question::List { .. } | Question::By { .. } | Question::Query { .. } | Question::Canvas { .. } => {
                Cost::Scan
            }
        }
    }

    /// Whether an answer to it may be kept.
    pub(crate) fn keeps(&self) -> bool {
        match self {
            // Only what embeds other resources is, see `get`.
            Question::One { fields, .. } => fields.show.iter().flatten().any(|name| name.contains('.')),
            Question::List { .. } | Question::By { .. } | Question::Query { .. } => true,
            // Its expressions may ask for the present.
            Question::Canvas { .. } => false,
        }
    }

    /// How resources are read by it, for the log.
    pub(crate) fn way(&self) -> Way {
        match self {
            Question::List { .. } | Question::Query { .. } | Question::Canvas { .. } => Way::List,
            Question::One { .. } => Way::Get,
            Question::By { .. } => Way::GetBy,
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        match self {
            // A value in memory takes a few times its text.
            Question::List { request, .. } => {
                let tags: usize = request.tags.iter().flat_map(|tags| &tags.tags).map(|tag| 32 + tag.len()).sum();
                256 + tags + 4 * Json::Array(request.filters.clone()).to_string().len()
            }
            Question::One { .. } | Question::Canvas { .. } => 256,
            Question::By { value, .. } => 256 + value.len(),
            Question::Query { request, .. } => request.size(),
        }
    }

    /// Asks the database. Where there are remembered parts, the answer may be made of them, and is to be kept.
    pub(crate) fn answer(&self, tx: &mut Tx<'_>, call: &Call, parts: Option<&Parts<'_>>) -> Result<Made> {
        match self {
            Question::List { collection, request } => list::answer(tx, call, collection, request, parts),
            Question::One { collection, item, fields } => {
                let item = item.ok_or_else(item_missing)?;
                get::one(tx, call, collection, &item, fields, parts.is_some())
            }
            Question::By { collection, property, value, fields } => {
                get::first(tx, call, collection, (property, value), fields, parts.is_some())
            }
            Question::Canvas { name, request } => canvases::answer(tx, call, name, request),
            Question::Query { name, request } => queries::answer(tx, call, name, request, parts),
        }
    }
}
