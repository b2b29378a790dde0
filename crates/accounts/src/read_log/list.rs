//! Reading the log of reads: newest first, by type, resource, reader and time.

use context::request_context::RequestContext;
use database::{ColumnType, Row, Sql, Tx, Value, ValueRef};
use model::cursor::{CursorPlace, CursorPurpose};
use model::error::{Error, Result};
use model::kinds::{instant_text, read_instant};
use model::parameters::RequestParameters;
use model::table_names::READ_LOG;
use model::types::SystemPermission;
use model::user_columns::USERS;
use query::request::ItemRef;
use serde_json::{Value as Json, json};

/// A request for reads in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLogRequest {
    /// A type, by name or id; one that was dropped, by id.
    pub of: Option<String>,
    /// A resource of it, by id.
    pub item: Option<String>,
    /// A user, by id or login.
    pub user: Option<String>,
    /// The first instant, a datetime.
    pub from: Option<String>,
    /// The instant before which, a datetime.
    pub to: Option<String>,
    /// The most reads of a page.
    pub limit: u64,
    /// The `nextCursor` of the page before.
    pub cursor: Option<String>,
}

/// A page of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadLogPage {
    /// The entries.
    pub items: Vec<Json>,
    /// The cursor at which older ones begin.
    pub next: Option<String>,
}

const PARAMETERS: &[&str] = &["type", "item", "user", "from", "to", "limit", "cursor"];
/// The number of reads of a page unless another is given.
const LIMIT: u64 = 100;
/// The most reads that a page may have.
const MOST: u64 = 1_000;

impl Default for ReadLogRequest {
    fn default() -> Self {
        ReadLogRequest { of: None, item: None, user: None, from: None, to: None, limit: LIMIT, cursor: None }
    }
}

impl ReadLogRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, PARAMETERS)?;
        Ok(ReadLogRequest {
            of: parameters.text("type")?,
            item: parameters.text("item")?,
            user: parameters.text("user")?,
            from: parameters.text("from")?,
            to: parameters.text("to")?,
            limit: parameters.positive("limit", Some(u64::MAX))?.unwrap_or(LIMIT),
            cursor: parameters.text("cursor")?,
        })
    }

    /// Returns the parameters that a cursor is bound to beside the user.
    fn parameters(&self) -> Vec<String> {
        let ReadLogRequest { of, item, user, from, to, limit, cursor: _ } = self;
        let texts = [of, item, user, from, to];
        let text = |text: &Option<String>| text.as_ref().map_or_else(|| "-".to_owned(), |text| format!("={text}"));
        texts.into_iter().map(text).chain([limit.to_string()]).collect()
    }
}

/// Lists entries of the log, newest first, for administrators.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, request: &ReadLogRequest) -> Result<ReadLogPage> {
    context.actor.require(SystemPermission::Admin)?;
    if request.limit > MOST {
        return Err(invalid("limit", &format!("must be from 1 to {MOST}")));
    }
    let parameters = request.parameters();
    let purpose = CursorPurpose { user: context.actor.user, route: "read-log", parameters: &parameters };
    let user = request.user.as_deref().map(|user| user_named(tx, "user", user)).transpose()?;
    let mut sql = tx.sql();
    sql.push("SELECT l.id, l.moment, l.reader, u.p1, l.key, l.address, l.type, l.object, l.way FROM ");
    sql.table(&READ_LOG).push(" AS l LEFT JOIN ").table(&USERS).push(" AS u ON u.id = l.reader WHERE TRUE");
    if let Some(user) = user {
        sql.push(" AND l.reader = ").bind(user);
    }
    about(&mut sql, context, request)?;
    moments(&mut sql, context, "l.moment", [request.from.as_deref(), request.to.as_deref()])?;
    if let Some(cursor) = &request.cursor {
        let place = context.cursors.verify(purpose, cursor);
        let place = place.ok_or_else(|| Error::invalid("cursor_invalid", "The cursor is not one of this list."))?;
        sql.push(" AND l.id < ").bind(place.id);
    }
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    sql.push(" ORDER BY l.id DESC").limit(request.limit as i64 + 1, 0);
    let (mut items, mut last, mut more) = (Vec::new(), 0, false);
    tx.query(&sql, &mut |row| {
        more = items.len() == limit;
        if !more {
            last = row.integer(0)?;
            items.push(entry(row, context)?);
        }
        Ok(())
    })?;
    let next = more.then(|| context.cursors.sign(purpose, CursorPlace { moment: 0, id: last }));
    Ok(ReadLogPage { items, next })
}

/// Appends which type and resource are asked for.
fn about(sql: &mut Sql, context: &RequestContext, request: &ReadLogRequest) -> Result<()> {
    let Some(of) = &request.of else {
        return match request.item {
            Some(_) => Err(invalid("item", "needs the parameter type beside it")),
            None => Ok(()),
        };
    };
    let known = context.model.collection(of).map(|found| found.id);
    let id = known.or_else(|| of.parse().ok()).ok_or_else(|| invalid("type", "must be the name or id of a type"))?;
    sql.push(" AND l.type = ").bind(id);
    match request.item.as_deref().map(ItemRef::parse) {
        None => Ok(()),
        Some(Ok(ItemRef::Id(item))) => {
            sql.push(" AND l.object = ").bind(item);
            Ok(())
        }
        Some(_) => Err(invalid("item", "must be the id of a resource")),
    }
}

/// Appends between which of the instants that the parameters `from` and `to` name a log's column lies.
pub(crate) fn moments(
    sql: &mut Sql,
    context: &RequestContext,
    column: &'static str,
    [from, to]: [Option<&str>; 2],
) -> Result<()> {
    for (name, text, comparison) in [("from", from, " >= "), ("to", to, " < ")] {
        if let Some(text) = text {
            let instant =
                read_instant(text, &context.actor.zone).map_err(|_| invalid(name, "must be a date or datetime"))?;
            sql.push(" AND ").push(column).push(comparison).bind(Value::Timestamp(instant));
        }
    }
    Ok(())
}

/// The id of the user that a parameter names, who may be gone if the id is given.
pub(crate) fn user_named(tx: &mut Tx<'_>, parameter: &str, user: &str) -> Result<i64> {
    match user.parse() {
        Ok(id) => Ok(id),
        Err(_) => {
            resources::users::id_of(tx, user).map_err(|_| invalid(parameter, "must be the id or login name of a user"))
        }
    }
}

fn entry(row: &Row<'_>, context: &RequestContext) -> database::Result<Json> {
    let number = |index: usize| match row.get(index, ColumnType::Integer)? {
        ValueRef::Integer(number) => Ok(json!(number)),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let text = |index: usize| match row.get(index, ColumnType::Text)? {
        ValueRef::Text(text) => Ok(json!(text)),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let at = match row.get(1, ColumnType::Timestamp)? {
        ValueRef::Timestamp(moment) => json!(instant_text(moment, &context.actor.zone)),
        _ => Json::Null,
    };
    let name = context.model.type_by_id(row.integer(6)?).map(|found| &found.name);
    Ok(json!({
        "id": row.integer(0)?, "at": at, "userId": number(2)?, "user": text(3)?, "keyId": number(4)?,
        "address": text(5)?, "typeId": number(6)?, "type": name, "objectId": number(7)?, "way": text(8)?,
    }))
}

/// The error of a parameter of a log.
pub(crate) fn invalid(name: &str, what: &str) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter {name} {what}."))
}
