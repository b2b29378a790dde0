//! A request for groups of a collection: keys, values, conditions on groups, and which of them an answer has.

use crate::request::{order_of, tags_of, takes_texts};
use crate::tag_filter::TagFilter;
use model::error::{Error, Result};
use model::groups::{AggregateFunction, DatePart, GroupKey, GroupValue, MOST_KEYS, MOST_NAME, MOST_VALUES, is_name};
use model::parameters::RequestParameters;
use serde_json::{Map, Value as Json};

/// The names that a request for groups takes.
const PARAMETERS: &[&str] = &[
    "filters",
    "tags",
    "tagsMode",
    "includeTagDescendants",
    "groupBy",
    "values",
    "having",
    "orderBy",
    "page",
    "perPage",
    "fill",
    "totals",
    "_decimals",
    "_noCache",
];

/// The parameters of a request for groups. Names are not resolved yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AggregateRequest {
    /// `filters`: the rows that are grouped.
    pub filters: Vec<Json>,
    /// `tags`, `tagsMode` and `includeTagDescendants`.
    pub tags: Option<TagFilter>,
    /// `groupBy`: none is one group of all rows.
    pub keys: Vec<GroupKey>,
    /// `values`; the number of rows where none are asked for.
    pub values: Vec<GroupValue>,
    /// `having`: conditions on groups.
    pub having: Vec<Json>,
    /// `orderBy`: names of keys and values, and whether descending.
    pub order_by: Vec<(String, bool)>,
    /// `page`, from 1.
    pub page: Option<u64>,
    /// `perPage`, not capped yet.
    pub per_page: Option<u64>,
    /// `fill`: whether periods without rows are added.
    pub fill: bool,
    /// `totals`: whether the values of all rows come beside the groups.
    pub totals: bool,
    /// `_decimals`: true if decimals, and integers that floats cannot hold, come as texts.
    pub texts: bool,
}

impl AggregateRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL, and the members of a body.
    pub fn parse(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, body, PARAMETERS)?;
        let request = AggregateRequest {
            filters: parameters.array("filters")?,
            tags: tags_of(&mut parameters)?,
            keys: keys(parameters.json("groupBy")?)?,
            values: values(parameters.json("values")?)?,
            having: parameters.array("having")?,
            order_by: order_of(parameters.names("orderBy")?, None),
            page: parameters.positive("page", None)?,
            per_page: parameters.positive("perPage", Some(u64::MAX))?,
            fill: parameters.flag("fill")?.unwrap_or(false),
            totals: parameters.flag("totals")?.unwrap_or(false),
            texts: takes_texts(&mut parameters)?,
        };
        request.check_names()?;
        Ok(request)
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        // A value in memory takes a few times its text.
        let json = |values: &[Json]| values.iter().map(|value| 4 * value.to_string().len()).sum::<usize>();
        let tags: usize = self.tags.iter().flat_map(|tags| &tags.tags).map(|tag| 32 + tag.len()).sum();
        let values: usize = self.values.iter().map(|value| 256 + json(&value.filters)).sum();
        512 + tags + 256 * self.keys.len() + values + json(&self.filters) + json(&self.having)
    }

    fn check_names(&self) -> Result<()> {
        let names: Vec<&str> =
            self.keys.iter().map(|key| &key.name[..]).chain(self.values.iter().map(|value| &value.name[..])).collect();
        for (index, name) in names.iter().enumerate() {
            if !is_name(name) {
                let message = format!(
                    "The name {name:?} must begin with a letter and have letters, digits and underscores alone, at most \
                     {MOST_NAME}."
                );
                return Err(Error::invalid("group_name", message));
            }
            if names[..index].contains(name) {
                let message =
                    format!("Two keys or values are named {name:?}. Give one of them another name with \"as\".");
                return Err(Error::invalid("group_name", message));
            }
        }
        Ok(())
    }
}

/// Reads `groupBy`: a name, or an array of names and objects; in an address also names with commas between them.
fn keys(given: Option<Json>) -> Result<Vec<GroupKey>> {
    let fault = || invalid("groupBy", "needs the name of a property, or an array of names and objects");
    let members = match given {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::String(names)) => {
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            names.map(|name| Json::String(name.to_owned())).collect()
        }
        Some(Json::Array(members)) => members,
        Some(object @ Json::Object(_)) => vec![object],
        Some(_) => return Err(fault()),
    };
    if members.len() > MOST_KEYS {
        return Err(invalid("groupBy", &format!("takes at most {MOST_KEYS} keys")));
    }
    let key = |member: Json| match member {
        Json::String(name) => Ok(GroupKey { property: name.clone(), name, by: None, each: false }),
        Json::Object(members) => object_key(&members),
        _ => Err(fault()),
    };
    members.into_iter().map(key).collect()
}

fn object_key(members: &Map<String, Json>) -> Result<GroupKey> {
    let known = ["property", "by", "as", "each"];
    if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(invalid("groupBy", &format!("has no member {name:?} in its objects")));
    }
    let property = text(members, "property")?.ok_or_else(|| invalid("groupBy", "needs \"property\" in each object"))?;
    let by = text(members, "by")?.map(|by| word("groupBy", "by", &by, &DatePart::ALL)).transpose()?;
    let each = match members.get("each") {
        None => false,
        Some(Json::Bool(each)) => *each,
        Some(_) => return Err(invalid("groupBy", "needs true or false as \"each\"")),
    };
    let name = text(members, "as")?.unwrap_or_else(|| property.clone());
    Ok(GroupKey { name, property, by, each })
}

/// Reads `values`: an object of functions by name.
fn values(given: Option<Json>) -> Result<Vec<GroupValue>> {
    let members = match given {
        None | Some(Json::Null) => Map::new(),
        Some(Json::Object(members)) => members,
        Some(_) => return Err(invalid("values", "needs an object: a name and a function for each value")),
    };
    if members.len() > MOST_VALUES {
        return Err(invalid("values", &format!("takes at most {MOST_VALUES} values")));
    }
    if members.is_empty() {
        return Ok(vec![GroupValue::count()]);
    }
    members.into_iter().map(value).collect()
}

fn value((name, given): (String, Json)) -> Result<GroupValue> {
    let function = |text: &str| word("values", "function", text, &AggregateFunction::ALL);
    let (function, property, filters) = match given {
        Json::String(text) => (function(&text)?, None, Vec::new()),
        Json::Object(members) => {
            let known = ["function", "property", "filters"];
            if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
                return Err(invalid("values", &format!("has no member {name:?} in its objects")));
            }
            let given = text(&members, "function")?;
            let given = given.ok_or_else(|| invalid("values", "needs \"function\" in each object"))?;
            let filters = match members.get("filters") {
                None => Vec::new(),
                Some(Json::Array(filters)) => filters.clone(),
                Some(_) => return Err(invalid("values", "needs an array as \"filters\"")),
            };
            (function(&given)?, text(&members, "property")?, filters)
        }
        _ => return Err(invalid("values", "needs the name of a function or an object for each value")),
    };
    if property.is_none() && function != AggregateFunction::Count {
        return Err(invalid("values", &format!("needs a property for {name:?}; count alone takes none")));
    }
    Ok(GroupValue { name, function, property, filters })
}

fn text(members: &Map<String, Json>, name: &str) -> Result<Option<String>> {
    match members.get(name) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Error::invalid("parameter_invalid", format!("The member {name:?} must be a string."))),
    }
}

fn word<T: Copy>(parameter: &str, member: &str, given: &str, known: &[(&'static str, T)]) -> Result<T> {
    let found = known.iter().find(|(name, _)| *name == given).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        invalid(parameter, &format!("has no {member} {given:?}; there are {}", names.join(", ")))
    })
}

fn invalid(name: &str, what: &str) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter {name} {what}."))
}
