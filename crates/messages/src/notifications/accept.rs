//! From a body to notifications, and the limits of what a notification may say.

use super::create::{Content, NewNotification, Recipient, Target};
use super::notification::{Action, Level};

use context::actor::unknown;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, InputProblem, Result};
use model::kinds::{ValueFault, is_web_address, read_instant};
use model::types::ResourceAction as TypeAction;
use query::request::ItemRef;
use serde_json::{Map, Value as Json};

/// The most recipients at a time.
const MOST_RECIPIENTS: usize = 1_000;
/// The most characters of a title, a custom id, and a type.
const MOST_TITLE: usize = 255;
const MOST_TYPE: usize = 100;
/// The most characters of a body.
const MOST_BODY: usize = 10_000;
/// The most actions, and the most characters of a label.
const MOST_ACTIONS: usize = 5;
const MOST_LABEL: usize = 100;
/// The most bytes of a link.
const MOST_LINK: usize = 2_048;
/// The most bytes of `data` as JSON.
const MOST_DATA: usize = 16 << 10;
/// The kind of a notification where nothing else is said.
const MESSAGE: &str = "message";

type ReadMember<T> = std::result::Result<T, ValueFault>;

/// Reads a body; all that is wrong with it is told at once.
pub(super) fn accept(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    members: &Map<String, Json>,
) -> Result<NewNotification> {
    let mut new = NewNotification::default();
    new.content.kind = MESSAGE.to_owned();
    let mut problems = Vec::new();
    for (name, value) in members {
        let outcome = match name.as_str() {
            "target" => target(tx, context, value)?.map(|target| new.content.target = target),
            "recipients" => recipients(value).map(|recipients| new.recipients = recipients),
            "title" | "type" | "body" | "level" | "expiresAt" | "actions" | "data" => {
                read(context, name, value, &mut new.content)
            }
            _ => {
                let Error { code, message, .. } = unknown(name);
                problems.push(InputProblem { property: name.clone(), code, message });
                continue;
            }
        };
        if let Err(fault) = outcome {
            problems.push(fault.of(name, name));
        }
    }
    if problems.is_empty() { Ok(new) } else { Err(Error::problems(problems)) }
}

/// Fails unless a notification keeps the limits, wherever it comes from.
pub(super) fn check(context: &RequestContext, new: &NewNotification) -> Result<()> {
    let content = &new.content;
    let plain = |text: &str| !text.chars().any(char::is_control);
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let custom = |recipient: &Recipient| match recipient {
        Recipient::User(_) => true,
        Recipient::Custom(id) => fits(id, MOST_TITLE) && plain(id),
    };
    let action = |action: &Action| fits(&action.label, MOST_LABEL) && plain(&action.label) && is_link(&action.url);
    let data =
        content.data.as_ref().map_or(0, |data| serde_json::to_string(data).map_or(usize::MAX, |text| text.len()));
    let rules = [
        ("recipients", !new.recipients.is_empty(), "must name a recipient".to_owned()),
        ("recipients", new.recipients.len() <= MOST_RECIPIENTS, format!("may name at most {MOST_RECIPIENTS}")),
        (
            "recipients",
            new.recipients.iter().all(custom),
            format!("must have custom ids of 1 to {MOST_TITLE} characters, without control characters"),
        ),
        ("title", fits(&content.title, MOST_TITLE), format!("must have 1 to {MOST_TITLE} characters")),
        ("title", plain(&content.title), "must not hold control characters".to_owned()),
        (
            "type",
            fits(&content.kind, MOST_TYPE) && content.kind.bytes().all(word),
            format!("must have 1 to {MOST_TYPE} letters, digits, dots, hyphens and underscores"),
        ),
        (
            "body",
            content.body.as_ref().is_none_or(|body| body.chars().count() <= MOST_BODY && !body.contains('\0')),
            format!("must have at most {MOST_BODY} characters, and no NUL"),
        ),
        (
            "expiresAt",
            content.expires.is_none_or(|at| at > context.now.as_millisecond()),
            "must lie in the future".to_owned(),
        ),
        (
            "target",
            content.target.url.as_deref().is_none_or(is_link),
            "must have a link such as /page or https://example.com".to_owned(),
        ),
        ("actions", content.actions.len() <= MOST_ACTIONS, format!("must be at most {MOST_ACTIONS}")),
        (
            "actions",
            content.actions.iter().all(action),
            format!("must have labels of 1 to {MOST_LABEL} characters, and links such as /page or https://example.com"),
        ),
        ("data", data <= MOST_DATA, format!("must have at most {MOST_DATA} bytes")),
        ("data", !content.data.as_ref().is_some_and(holds_nul), "must not hold the character NUL".to_owned()),
    ];
    let problem = |(name, _, what): (&str, bool, String)| ValueFault::new("invalid", what).of(name, name);
    let problems: Vec<InputProblem> = rules.into_iter().filter(|(_, holds, _)| !holds).map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}

fn fits(text: &str, most: usize) -> bool {
    !text.is_empty() && text.chars().count() <= most
}

/// Returns true if a text is an address of the web, or a path of the application's own.
pub fn is_link(text: &str) -> bool {
    let clean =
        !text.contains(|character: char| character.is_control() || character.is_whitespace() || character == '\\');
    let own = text.starts_with('/') && !text.starts_with("//");
    text.len() <= MOST_LINK && clean && (own || is_web_address(text))
}

fn holds_nul(members: &Map<String, Json>) -> bool {
    fn within(value: &Json) -> bool {
        match value {
            Json::String(text) => text.contains('\0'),
            Json::Array(items) => items.iter().any(within),
            Json::Object(members) => holds_nul(members),
            _ => false,
        }
    }
    members.iter().any(|(name, value)| name.contains('\0') || within(value))
}

fn read(context: &RequestContext, name: &str, value: &Json, content: &mut Content) -> ReadMember<()> {
    match name {
        "title" => content.title = text(value)?,
        "type" => content.kind = text(value)?,
        "body" => content.body = optional(value, text)?,
        "level" => {
            let level = Level::ALL.iter().find(|(name, _)| value.as_str() == Some(name));
            let names = Level::ALL.map(|(name, _)| name).join(", ");
            content.level = level.ok_or_else(|| ValueFault::new("not_choice", format!("must be one of {names}")))?.1;
        }
        "expiresAt" => content.expires = optional(value, |value| read_instant(&text(value)?, &context.actor.zone))?,
        "actions" => content.actions = array(value)?.iter().map(action).collect::<ReadMember<_>>()?,
        _ => {
            content.data = optional(value, |value| {
                value.as_object().cloned().ok_or_else(|| ValueFault::new("not_object", "must be an object"))
            })?;
        }
    }
    Ok(())
}

fn optional<T>(value: &Json, read: impl FnOnce(&Json) -> ReadMember<T>) -> ReadMember<Option<T>> {
    if value.is_null() { Ok(None) } else { read(value).map(Some) }
}

fn text(value: &Json) -> ReadMember<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| ValueFault::new("not_text", "must be a text"))
}

fn array(value: &Json) -> ReadMember<&Vec<Json>> {
    value.as_array().ok_or_else(|| ValueFault::new("not_array", "must be an array"))
}

fn recipients(value: &Json) -> ReadMember<Vec<Recipient>> {
    let items = array(value)?;
    if items.len() > MOST_RECIPIENTS {
        return Err(ValueFault::new("too_many", format!("may name at most {MOST_RECIPIENTS}")));
    }
    let recipient = |item: &Json| {
        let members = item.as_object().filter(|members| members.len() == 1)?;
        match (members.get("userId"), members.get("customId")) {
            (Some(id), None) => id.as_i64().map(Recipient::User),
            (None, Some(id)) => id.as_str().map(|id| Recipient::Custom(id.to_owned())),
            _ => None,
        }
    };
    let fault =
        || ValueFault::new("not_recipients", "must be objects such as {\"userId\": 7} or {\"customId\": \"a\"}");
    items.iter().map(|item| recipient(item).ok_or_else(fault)).collect()
}

fn action(value: &Json) -> ReadMember<Action> {
    let fault = || ValueFault::new("not_actions", "must be objects with label and url, which are texts");
    let members = value.as_object().filter(|members| members.len() == 2).ok_or_else(fault)?;
    match (members.get("label"), members.get("url")) {
        (Some(Json::String(label)), Some(Json::String(url))) => Ok(Action { label: label.clone(), url: url.clone() }),
        _ => Err(fault()),
    }
}

/// Reads `{type, item, url}`: a resource that the caller sees, a link, or both.
fn target(tx: &mut Tx<'_>, context: &RequestContext, value: &Json) -> Result<ReadMember<Target>> {
    let fault = || {
        let what = "must be an object with type and item, with url, or with all three";
        Ok(Err(ValueFault::new("not_target", what)))
    };
    if value.is_null() {
        return Ok(Ok(Target::default()));
    }
    let Some(members) = value.as_object() else { return fault() };
    if members.keys().any(|name| !["type", "item", "url"].contains(&name.as_str())) {
        return fault();
    }
    let reference = |name: &str| match members.get(name) {
        None | Some(Json::Null) => Some(None),
        Some(Json::String(text)) => Some(Some(text.clone())),
        Some(Json::Number(number)) => Some(Some(number.to_string())),
        Some(_) => None,
    };
    let (Some(of), Some(item), Some(Ok(url))) =
        (reference("type"), reference("item"), Some(optional(members.get("url").unwrap_or(&Json::Null), text)))
    else {
        return fault();
    };
    let (of, item) = match (of, item) {
        (Some(of), Some(item)) => (of, item),
        (None, None) if url.is_some() => return Ok(Ok(Target { resource: None, url })),
        _ => return fault(),
    };
    Ok(match resource(tx, context, &of, &item)? {
        Some(resource) => Ok(Target { resource: Some(resource), url }),
        None => Err(ValueFault::new("target_missing", "must be an existing resource")),
    })
}

/// A resource that the caller sees: the ids of type and resource, and its UUID.
fn resource(tx: &mut Tx<'_>, context: &RequestContext, of: &str, item: &str) -> Result<Option<(i64, i64, [u8; 16])>> {
    let (Ok(allowed), Ok(item)) = (context.actor.allowed(&context.model, of, TypeAction::Show), ItemRef::parse(item))
    else {
        return Ok(None);
    };
    let mut sql = tx.sql();
    sql.push("SELECT id, uuid FROM ").table(&allowed.resource_type.table).push(" WHERE ");
    match item {
        ItemRef::Id(id) => sql.push("id = ").bind(id),
        ItemRef::Uuid(uuid) => sql.push("uuid = ").bind(Value::Uuid(uuid)),
    };
    let mut found: Option<(i64, i64, [u8; 16])> = None;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Uuid(uuid) = row.get(1, ColumnType::Uuid)? {
            found = Some((allowed.resource_type.id, row.integer(0)?, uuid));
        }
        Ok(())
    })?;
    let Some((_, id, _)) = found else { return Ok(None) };
    // One that the caller does not see is none.
    Ok(resources::readable_of_row(tx, context, &allowed, id)?.and(found))
}
