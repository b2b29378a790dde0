//! A bulk write as it is sent.

use accounts::tags::Assignment;
use context::caller_key::CallerKey;
use model::error::{Error, InputProblem, Result};
use model::json::LongNumber;
use query::tag_filter::{TagFilter, TagsMode};
use resources::Body;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use tenant::Tenant;

/// The most resources of a bulk write, unless it says how many.
pub(super) const LIMIT: usize = 1_000;
/// The most resources of a bulk write: those beyond the usual number are changed by a job.
const MOST: usize = 100_000;
/// The same where one transaction is asked for.
pub(super) const MOST_ATOMIC: usize = 10_000;

/// The most tags of a condition.
const MOST_TAGS: usize = 100;

/// A change of all resources that filters find.
#[derive(Clone, Debug)]
pub struct BulkRequest {
    pub(super) action: BulkAction,
    pub(super) filters: Vec<Json>,
    /// The tags that the resources must have, as in a list.
    pub(super) tagged: Option<TagFilter>,
    /// The import that created the resources, where only those are meant.
    pub(super) imported: Option<i64>,
    /// True if the change is tried and undone.
    pub(super) trial: bool,
    /// True if resources that refuse the change are left out.
    pub(super) skip: bool,
    /// The most resources.
    pub(super) limit: usize,
    /// The number of resources, where that is known.
    pub(super) expect: Option<usize>,
    /// The digest of the resources and their versions, where these are known.
    pub(super) digest: Option<String>,
    /// True if all resources are changed in one transaction, however many there are.
    pub(super) atomic: bool,
    /// True if the changes are events for automations.
    pub(super) automations: bool,
    /// The bytes that were sent, for a job that carries them out.
    pub(crate) text: String,
}

/// The change of each resource.
#[derive(Clone, Debug)]
pub(super) enum BulkAction {
    Patch(Body),
    Delete,
    Tag(Assignment),
}

impl BulkAction {
    /// The word of a request for it.
    pub(super) fn word(&self) -> &'static str {
        match self {
            BulkAction::Patch(_) => "patch",
            BulkAction::Delete => "delete",
            BulkAction::Tag(_) => "tag",
        }
    }
}

/// The members of each change.
const KNOWN: [&str; 13] = [
    "action",
    "filters",
    "tagged",
    "tagsMode",
    "imported",
    "all",
    "dryRun",
    "expect",
    "limit",
    "digest",
    "skip",
    "atomic",
    "automations",
];

/// The values as they are written.
#[derive(Deserialize)]
struct RawBulk<'b> {
    #[serde(borrow)]
    set: Option<&'b RawValue>,
}

impl BulkRequest {
    /// Reads a bulk write of a collection, given its text, too.
    pub fn read(collection: &str, mut members: Map<String, Json>, text: &[u8]) -> Result<Self> {
        let word = members.get("action").and_then(Json::as_str).map(str::to_owned);
        let own: &[&str] = match word.as_deref() {
            Some("patch") => &["set"],
            Some("delete") => &[],
            Some("tag") => &["operation", "tags"],
            _ => return Err(invalid("action", "word_unknown", "action must be patch, delete or tag.")),
        };
        if let Some(name) = members.keys().find(|name| !KNOWN.contains(&name.as_str()) && !own.contains(&name.as_str()))
        {
            let message = format!("There is no property {name:?}.");
            return Err(invalid(name, "property_unknown", &message));
        }
        let action = match own {
            ["set"] => BulkAction::Patch(set(members.shift_remove("set"), numbers(text))?),
            [] => BulkAction::Delete,
            _ => BulkAction::Tag(assignment(collection, &mut members)?),
        };
        let flag = |name: &str| match members.get(name) {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(*flag),
            Some(_) => Err(invalid(name, "not_boolean", &format!("{name} must be true or false."))),
        };
        let number = |name: &str| match members.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .and_then(|number| usize::try_from(number).ok())
                .map(Some)
                .ok_or_else(|| invalid(name, "not_integer", &format!("{name} must be a whole number, 0 or more."))),
        };
        let atomic = flag("atomic")?;
        let most = if atomic { MOST_ATOMIC } else { MOST };
        let limit = number("limit")?.unwrap_or(LIMIT);
        if limit > most {
            let message = format!("limit may be at most {MOST}, or {MOST_ATOMIC} with \"atomic\": true.");
            return Err(invalid("limit", "limit_too_large", &message));
        }
        let digest = match members.get("digest") {
            None => None,
            Some(Json::String(digest)) => Some(digest.clone()),
            Some(_) => return Err(invalid("digest", "not_text", "digest must be the text of a dry run.")),
        };
        let (trial, skip, expect) = (flag("dryRun")?, flag("skip")?, number("expect")?);
        let tagged = tagged(&members)?;
        let imported = match members.get("imported") {
            None => None,
            Some(id) => Some(
                id.as_i64()
                    .ok_or_else(|| invalid("imported", "not_integer", "imported must be the id of an import."))?,
            ),
        };
        let is_narrow = tagged.is_some() || imported.is_some();
        let filters = filters(members.get("filters"), is_narrow, flag("all")?)?;
        let automations = !members.contains_key("automations") || flag("automations")?;
        let text = String::from_utf8_lossy(text).into_owned();
        Ok(BulkRequest {
            action,
            filters,
            tagged,
            imported,
            trial,
            skip,
            limit,
            expect,
            digest,
            atomic,
            automations,
            text,
        })
    }

    /// Reads what was sent before.
    pub(crate) fn of_text(collection: &str, text: &str) -> Result<Self> {
        let members = serde_json::from_str(text).map_err(|error| Error::failed(format!("a bulk write: {error}")))?;
        Self::read(collection, members, text.as_bytes())
    }

    /// Refuses a password: one for many users is none.
    pub async fn prepare(&self, tenant: &Arc<Tenant>, key: &CallerKey, collection: &str) -> Result<()> {
        let BulkAction::Patch(body) = &self.action else { return Ok(()) };
        let prepared = resources::prepare(tenant, key, collection, body.members().clone()).await?;
        match prepared.password {
            None => Ok(()),
            Some(_) => Err(invalid("password", "password_bulk", "A password is set for one user at a time.")),
        }
    }
}

/// The tags that resources must have.
fn tagged(members: &Map<String, Json>) -> Result<Option<TagFilter>> {
    let mode = match members.get("tagsMode").map(Json::as_str) {
        None | Some(Some("any")) => TagsMode::Any,
        Some(Some("all")) => TagsMode::All,
        Some(_) => return Err(invalid("tagsMode", "word_unknown", "tagsMode must be any or all.")),
    };
    let Some(given) = members.get("tagged") else { return Ok(None) };
    let ids = given.as_array().filter(|ids| (1..=MOST_TAGS).contains(&ids.len()));
    let ids: Option<Vec<String>> = ids.and_then(|ids| ids.iter().map(|id| id.as_str().map(str::to_owned)).collect());
    let mut tags = ids.ok_or_else(|| {
        invalid("tagged", "not_array", &format!("tagged must be an array of 1 to {MOST_TAGS} ids of tags."))
    })?;
    tags.sort();
    tags.dedup();
    Ok(Some(TagFilter { tags, mode, descendants: false }))
}

/// The filters, of which there must be one, unless all resources are meant on purpose.
fn filters(given: Option<&Json>, is_narrow: bool, all: bool) -> Result<Vec<Json>> {
    let filters = match given {
        None => Vec::new(),
        Some(Json::Array(filters)) => filters.clone(),
        Some(_) => return Err(invalid("filters", "not_array", "filters must be an array.")),
    };
    match (filters.is_empty() && !is_narrow, all) {
        (true, false) => {
            let message = "filters is empty. Send \"all\": true if you mean all resources.";
            Err(invalid("filters", "required", message))
        }
        (false, true) => Err(invalid("all", "all_filtered", "all cannot be true beside filters.")),
        _ => Ok(filters),
    }
}

fn set(given: Option<Json>, numbers: Vec<LongNumber>) -> Result<Body> {
    match given {
        Some(Json::Object(members)) => {
            let (members, numbers) = crate::patch_members::in_contract_spelling(members, numbers)?;
            Ok(Body::plain(members).with_long_numbers(numbers))
        }
        _ => Err(invalid("set", "required", "set must be an object with values.")),
    }
}

/// The numbers of many digits among the values.
fn numbers(text: &[u8]) -> Vec<LongNumber> {
    let raw = serde_json::from_slice::<RawBulk<'_>>(text).ok().and_then(|raw| raw.set);
    raw.map(|set| model::json::long_numbers(set.get().as_bytes())).unwrap_or_default()
}

fn assignment(collection: &str, members: &mut Map<String, Json>) -> Result<Assignment> {
    let mut given = Map::from_iter([("type".to_owned(), collection.into()), ("item".to_owned(), "0".into())]);
    for name in ["operation", "tags"] {
        given.extend(members.shift_remove(name).map(|value| (name.to_owned(), value)));
    }
    Assignment::parse(&given)
}

fn invalid(name: &str, code: &'static str, message: &str) -> Error {
    Error::problems(vec![InputProblem { property: name.to_owned(), code, message: message.to_owned() }])
}
