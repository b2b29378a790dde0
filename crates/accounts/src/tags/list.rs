//! The list of tags.

use super::output::{self, TagFields};
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::{Name, PartPlace, Sql, Tx};
use model::error::{Error, Result};
use model::parameters::RequestParameters;
use model::table_names::TAG;
use model::types::ResourceAction;
use query::request::FieldsRequest;
use query::tag;
use query::tag::is_id;
use query::tag::{ROW, Tag};
use resources::Page;
use resources::list::Paging;
use serde_json::{Map, Value as Json, json};

/// The parameters of the list of tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagListRequest {
    /// `page`, from 1.
    pub page: Option<u64>,
    /// `perPage`, not capped yet.
    pub per_page: Option<u64>,
    /// `search`: a text that must be in the name or the code, whatever its case and diacritics.
    pub search: Option<String>,
    /// `parent`: the id of the tag above; empty for tags without one.
    pub parent: Option<String>,
    /// `showFields` and `hideFields`.
    pub fields: FieldsRequest,
}

const PARAMETERS: &[&str] = &["page", "perPage", "search", "parent", "showFields", "hideFields", "_noCache"];

impl TagListRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL, and the body of a SEARCH.
    pub fn parse(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, body, PARAMETERS)?;
        let request = TagListRequest {
            page: parameters.positive("page", None)?,
            per_page: parameters.positive("perPage", Some(u64::MAX))?,
            search: parameters.text("search")?.filter(|text| !text.is_empty()),
            parent: parameters.text("parent")?,
            fields: FieldsRequest::take(&mut parameters)?,
        };
        match &request.search {
            Some(text) if text.contains('\0') => {
                Err(Error::invalid("parameter_invalid", "The parameter search must not hold the character NUL."))
            }
            _ => Ok(request),
        }
    }
}

/// Lists the tags that the caller sees.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, request: &TagListRequest) -> Result<Page> {
    let allowed = context.actor.tags(ResourceAction::Show)?;
    let selection = TagFields::new(allowed, &request.fields)?;
    let Paging { page: number, per_page, offset } = Paging::new(context, request.page, request.per_page);
    tx.snapshot()?;
    let (mut count, mut page) = (tx.sql(), tx.sql());
    count.push("SELECT COUNT(*) FROM ").table(&TAG).push(" AS x");
    listed(&mut count, allowed, request);
    tag::select(&mut page);
    listed(&mut page, allowed, request);
    tag::order(&mut page);
    page.limit(per_page, offset);
    let (mut total, mut tags) = (0, Vec::new());
    tx.query_all(&[&count, &page], &mut |statement, row| {
        match statement {
            0 => total = u64::try_from(row.integer(0)?).unwrap_or(0),
            _ => tags.push(Tag::read(row)?),
        }
        Ok(())
    })?;
    let fetched = tags.len();
    let rows = output::objects(tx, context, &selection, tags)?;
    let stats = json!({"page": number, "itemsPerPage": per_page, "fetched": fetched, "total": total});
    Ok(Page { body: json!({"stats": stats, "data": rows}).to_string().into_bytes(), fetched, total })
}

/// Appends which tags are listed.
fn listed(sql: &mut Sql, allowed: AllowedTags, request: &TagListRequest) {
    sql.push(" WHERE ");
    allowed.visible(sql, &ROW);
    match request.parent.as_deref() {
        None => {}
        Some("") => _ = sql.push(" AND x.parent IS NULL"),
        // Unknown, or invisible: nothing lies below it.
        Some(parent) if !is_id(parent) => _ = sql.push(" AND FALSE"),
        Some(parent) => {
            sql.push(" AND x.parent = (SELECT p.id FROM ").table(&TAG).push(" AS p WHERE p.identifier = ").bind(parent);
            sql.push(" AND ");
            allowed.visible(sql, &Name::fixed("p"));
            sql.push(")");
        }
    }
    if let Some(text) = &request.search {
        let text = database::fold(text);
        // What the caller does not see is not searched either.
        let searched: &[&str] = if allowed.manages() { &["name", "code", "description"] } else { &["name", "code"] };
        for (index, column) in searched.iter().enumerate() {
            sql.push(if index == 0 { " AND (" } else { " OR " });
            sql.column_holds_folded(&[(PartPlace::Within, &text)], &ROW, &Name::fixed(column));
        }
        sql.push(")");
    }
}
