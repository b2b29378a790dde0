//! A client's request to read: parameters, parsed as far as that goes without a model.

use crate::related_request::RelatedRequest;
use crate::tag_filter::{TagFilter, TagsMode};
use model::error::{Error, Result};
use model::parameters;
use model::parameters::{RequestParameters, SomeFields};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;

/// A reference to an item of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemRef {
    /// By `id`.
    Id(i64),
    /// By `uuid`.
    Uuid([u8; 16]),
}

/// The fields that an answer has (D-19).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldsRequest {
    /// `showFields`: the allowlist; none means the default fields.
    pub show: Option<Vec<String>>,
    /// `hideFields`, applied after `showFields`.
    pub hide: Vec<String>,
    /// `propsMeta`: the fields that are described beside.
    pub describe: Option<SomeFields>,
    /// `wrapFields`: the fields whose values come with what people need to know of them.
    pub wrap: Option<SomeFields>,
    /// `_decimals`: true if decimals, and integers that floats cannot hold, come as texts.
    pub texts: bool,
    /// `_related`: the resources behind inverses.
    pub related: RelatedRequest,
    /// True if `showFields` names `tags`, and the profile has them as a field.
    pub tags: bool,
}

/// The name that stands for the tags of a resource in `showFields`. No property has it.
const TAGS: &str = "tags";

/// The parameters of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListRequest {
    /// `page`, from 1.
    pub page: Option<u64>,
    /// `perPage`, not capped yet.
    pub per_page: Option<u64>,
    /// `orderBy`: names, and whether descending; none means the type's own order.
    pub order_by: Vec<(String, bool)>,
    /// `orderDir` where there is no `orderBy`: whether by descending id.
    pub descending: Option<bool>,
    /// `showFields`, `hideFields`, `propsMeta` and `wrapFields`.
    pub fields: FieldsRequest,
    /// `tags`, `tagsMode` and `includeTagDescendants`.
    pub tags: Option<TagFilter>,
    /// `filters`, not looked into yet.
    pub filters: Vec<Json>,
    /// `for`: a relation, as `type.property`, whose filter chooses the resources.
    pub picked_for: Option<String>,
}

/// The error of an item that is not there, or not for this caller: one text for all cases (D-13).
pub fn item_missing() -> Error {
    Error::missing("item_missing", "There is no such item.")
}

impl ItemRef {
    /// Reads the item of a path: an integer or a UUID. Anything else is no item, hence missing.
    pub fn parse(text: &str) -> Result<Self> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            // An item has one address: `01` is not another spelling of `1`.
            if text.len() > 1 && text.starts_with('0') {
                return Err(item_missing());
            }
            return text.parse().map(ItemRef::Id).map_err(|_| item_missing());
        }
        // The library reads other spellings too; an item has one.
        let hyphenated = text.len() == 36 && text.is_ascii();
        let uuid = hyphenated.then(|| uuid::Uuid::try_parse(text).ok()).flatten();
        uuid.map(|uuid| ItemRef::Uuid(uuid.into_bytes())).ok_or_else(item_missing)
    }
}

impl FieldsRequest {
    /// Reads the query parameters of get-one and get-by, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, parameters::ITEM)?;
        Self::take(&mut parameters)
    }

    /// The same where the profile has tags as a field.
    #[must_use]
    pub fn with_tags(mut self) -> Self {
        if let Some(show) = &mut self.show {
            let names = show.len();
            show.retain(|name| name != TAGS);
            self.tags = show.len() < names;
        }
        self
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let names = self.show.iter().flatten().chain(&self.hide);
        names.map(|name| 32 + name.len()).sum::<usize>() + self.related.size()
    }

    /// Takes the names of fields out of gathered parameters.
    pub fn take(parameters: &mut RequestParameters) -> Result<Self> {
        let show = parameters.names("showFields")?;
        let hide = parameters.names("hideFields")?;
        let describe = parameters.some_fields("propsMeta")?;
        let wrap = parameters.some_fields("wrapFields")?;
        let related = RelatedRequest::parse(parameters.json("_related")?)?;
        let texts = takes_texts(parameters)?;
        Ok(FieldsRequest {
            show: (!show.is_empty()).then_some(show),
            hide,
            describe,
            wrap,
            texts,
            related,
            tags: false,
        })
    }
}

impl ListRequest {
    /// Reads the query parameters of a list, decoded pairs in the order of the URL, and the body of a SEARCH.
    pub fn parse(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<Self> {
        Self::take(RequestParameters::gather(query, body, parameters::LIST)?)
    }

    /// The same in the extended profile, which has tags as a field, and lists for relations.
    pub fn parse_extended(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<Self> {
        let names: Vec<&str> = parameters::LIST.iter().copied().chain([parameters::FOR]).collect();
        let mut parameters = RequestParameters::gather(query, body, &names)?;
        let picked_for = parameters.text(parameters::FOR)?.filter(|name| !name.is_empty());
        let list = Self::take(parameters)?;
        Ok(ListRequest { fields: list.fields.with_tags(), picked_for, ..list })
    }

    fn take(mut parameters: RequestParameters) -> Result<Self> {
        let descending = parameters.one_of("orderDir", &["asc", "desc"])?.map(|word| word == "desc");
        let order_by = order_of(parameters.names("orderBy")?, descending);
        let mut fields = FieldsRequest::take(&mut parameters)?;
        fields.related = fields.related.sorted_by(&order_by);
        Ok(ListRequest {
            page: parameters.positive("page", None)?,
            per_page: parameters.positive("perPage", Some(u64::MAX))?,
            descending: descending.filter(|_| order_by.is_empty()),
            order_by,
            fields,
            tags: tags_of(&mut parameters)?,
            filters: parameters.array("filters")?,
            picked_for: None,
        })
    }
}

/// Takes `_decimals` out of gathered parameters: true for `text`.
pub fn takes_texts(parameters: &mut RequestParameters) -> Result<bool> {
    Ok(parameters.one_of("_decimals", &["number", "text"])? == Some("text"))
}

/// Takes tags out of gathered parameters. No tags are no filter; what is said of their mode is checked all the same.
pub(crate) fn tags_of(parameters: &mut RequestParameters) -> Result<Option<TagFilter>> {
    let mut tags = parameters.names("tags")?;
    let all = parameters.one_of("tagsMode", &["any", "all"])? == Some("all");
    let descendants = parameters.flag("includeTagDescendants")?.unwrap_or(false);
    let mut known = HashSet::new();
    tags.retain(|tag| known.insert(tag.clone()));
    let mode = if all { TagsMode::All } else { TagsMode::Any };
    Ok((!tags.is_empty()).then_some(TagFilter { tags, mode, descendants }))
}

/// Reads the names of an order: `-name` is descending whatever `orderDir` says (D-18).
pub(crate) fn order_of(names: Vec<String>, descending: Option<bool>) -> Vec<(String, bool)> {
    let key = |name: String| match name.strip_prefix('-') {
        Some(stripped) => (stripped.to_owned(), true),
        None => (name, descending.unwrap_or(false)),
    };
    names.into_iter().map(key).collect()
}
