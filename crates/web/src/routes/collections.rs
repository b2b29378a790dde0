//! Resources of the tenant's types.

use super::once::{WriteOutcome, memory, nothing};
use super::request::{DECIMALS, TenantRequest};
use super::route::Profile;
use accounts::proof;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use edge::{Answer, Problem, Reply, Request, etag, packing};
use http::header::{self, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use model::error::Error;
use model::types::ResourceAction;
use operations::batch::OperationEffect;
use operations::trial;
use platform::tenants;
use query::aggregate_request::AggregateRequest;
use query::read_query::ReadQuery;
use query::request::{FieldsRequest, ItemRef, ListRequest};
use resources::{Body, IfMatch, Written};
use std::borrow::Cow;
use std::sync::Arc;

/// The header of a list with the resources that it leaves out, since they are too large: `article/17, article/18`.
const OMITTED: HeaderName = HeaderName::from_static("plinth-omitted");
/// The most of them that it names.
const MOST_NAMED: usize = 100;

/// The header of an answer to a write that was only tried.
const TRIED: HeaderName = HeaderName::from_static("plinth-trial");

/// The parameter that stands for the header `If-Match`.
const IF_MATCH: &str = "_ifMatch";

/// The requests of a key's rate that groups count for: they may read all rows of a type.
const AGGREGATE_COST: u32 = 10;

/// A change of one resource: all properties, or some.
type ResourceChange =
    fn(&mut Tx<'_>, &RequestContext, &str, &ItemRef, Option<&IfMatch>, &Body) -> Result<Written, Error>;

/// GET and SEARCH /api/v1/collection/{collection}.
pub(super) async fn list(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let pairs = request.parameters()?;
    let members = request.search_members().await?;
    let list = match request.route.profile {
        Profile::Contract => ListRequest::parse(&pairs, members.as_ref())?,
        Profile::Extended => ListRequest::parse_extended(&pairs, members.as_ref())?,
    };
    let collection = request.values[0].to_owned();
    answer(&request, &key, ReadQuery::List { collection, request: list }).await
}

/// GET, SEARCH and POST /api/ext/v1/aggregate/{collection}.
pub(super) async fn aggregate(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    admit_groups(&request).await?;
    let pairs = request.parameters()?;
    let members = request.search_members().await?;
    let asked = Box::new(AggregateRequest::parse(&pairs, members.as_ref())?);
    let collection = request.values[0].to_owned();
    answer(&request, &key, ReadQuery::Groups { collection, request: asked }).await
}

/// Charges the key's rate for groups.
pub(super) async fn admit_groups(request: &TenantRequest<'_>) -> Result<(), Error> {
    request.tenant.admit_more(request.http.client, request.http.key(), AGGREGATE_COST - 1).await
}

/// GET /api/v1/collection/{collection}/{item}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let fields = fields(&request)?;
    let [collection, item, ..] = request.values;
    // Who may not ask is told so first.
    let item = ItemRef::parse(item).ok();
    answer(&request, &key, ReadQuery::One { collection: collection.to_owned(), item, fields }).await
}

/// GET /api/v1/collection/{collection}/get-by/{property}/{item}.
pub(super) async fn get_by(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let fields = fields(&request)?;
    let [collection, property, value, _] = request.values.map(str::to_owned);
    answer(&request, &key, ReadQuery::By { collection, property, value, fields }).await
}

/// Reads the fields of one resource, as the profile of the route has them.
fn fields(request: &TenantRequest<'_>) -> Result<FieldsRequest, Problem> {
    let fields = FieldsRequest::parse(&request.parameters()?)?;
    Ok(if request.route.profile == Profile::Extended { fields.with_tags() } else { fields })
}

/// Asks the cache or the database.
pub(super) async fn answer(request: &TenantRequest<'_>, key: &CallerKey, query: ReadQuery) -> Reply {
    let answer = tenants::answer(&request.tenant, key, query, etag::bypasses(&request.http)).await?;
    // The contract's answers stay as they are.
    let is_extended = edge::is_extended(request.http.uri.path());
    let packed = if is_extended { packing::packed(&answer, &request.http.headers).await } else { None };
    let is_packed = packed.is_some();
    let (body, tag) = match packed {
        Some((body, tag)) => (Answer::json(body), Cow::Owned(tag)),
        None => (Answer::of(answer.body), Cow::Borrowed(&*answer.etag)),
    };
    let reply = request.listed(answer.empty, body);
    let reply = match answer.omitted.is_empty() {
        true => reply,
        false => reply.with(OMITTED, omitted(&answer.omitted)),
    };
    let reply = match answer.logged {
        true => etag::tagged(reply, &tag),
        false => etag::validated(reply, &tag, &request.http),
    };
    if !is_extended {
        return Ok(reply);
    }
    let has_body = reply.status == StatusCode::OK;
    Ok(packing::coded(reply, is_packed && has_body))
}

/// The header of resources that were too large for their list.
fn omitted(resources: &[String]) -> HeaderValue {
    let named = resources.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    HeaderValue::try_from(named).expect("names of types and ids fit a header")
}

/// POST /api/v1/collection/{collection}.
pub(super) async fn create(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.form_of_decimals_or(request.trial_names())?;
    let (preferences, is_trial) = (request.preferences()?, request.is_trial()?);
    let collection = request.values[0].to_owned();
    let body = written(&mut request, &key).await?;
    let (answer, named) = (Arc::clone(&request.http.answer), collection.clone());
    // The note of a write that happens once comes behind it, and a proof of work before it.
    let is_alone = key.text.is_some() && !is_trial && request.idempotency_key()?.is_none();
    let create = if is_alone { resources::create_alone } else { resources::create };
    let proof = request.proof()?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        // A missing right is told before any work.
        context.actor.allowed(&context.model, &collection, ResourceAction::Create)?;
        proof::take(tx, context, proof.as_deref())?;
        answer.admitted(|| create(tx, context, &collection, &body), |written| written.body.len())
    };
    if is_trial {
        return Ok(preferences.apply(tried(&request, &key, Answer::created, job).await?));
    }
    let remember = move |written: &Written| memory(OperationEffect::Created, &named, written);
    Ok(preferences.apply(match request.write(&key, remember, job).await? {
        WriteOutcome::Now(written) => created(&request, &written.id.to_string(), written),
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// PUT /api/v1/collection/{collection}/{item}.
pub(super) async fn replace(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    change(request, &key, resources::replace).await
}

/// PATCH /api/v1/collection/{collection}/{item}.
pub(super) async fn patch(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    change(request, &key, resources::patch).await
}

/// DELETE /api/v1/collection/{collection}/{item}.
pub(super) async fn delete(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let if_match = precondition(&request, &[])?;
    request.preferences()?;
    let [collection, item, ..] = request.values;
    let (collection, item) = (collection.to_owned(), ItemRef::parse(item));
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        resources::delete(tx, context, &collection, &item.clone()?, if_match.as_ref())
    };
    match request.write(&key, nothing, job).await? {
        WriteOutcome::Now(()) => Ok(Answer::empty()),
        WriteOutcome::Before(answer) => Ok(*answer),
    }
}

async fn change(mut request: TenantRequest<'_>, key: &CallerKey, change: ResourceChange) -> Reply {
    let if_match = precondition(&request, request.trial_names())?;
    let (keeps_keys, preferences) = (keeps_keys(&request.http)?, request.preferences()?);
    let is_trial = request.is_trial()?;
    let body = written(&mut request, key).await?;
    let [collection, item, ..] = request.values;
    let (collection, item) = (collection.to_owned(), ItemRef::parse(item));
    let (answer, named) = (Arc::clone(&request.http.answer), collection.clone());
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let (item, context) = (item.clone()?, context.keeping_keys(keeps_keys));
        let work = || change(tx, &context, &collection, &item, if_match.as_ref(), &body);
        answer.admitted(work, |written| written.body.len())
    };
    if is_trial {
        return Ok(preferences.apply(tried(&request, key, Answer::json, job).await?));
    }
    let remember = move |written: &Written| memory(OperationEffect::Done, &named, written);
    Ok(preferences.apply(match request.write(key, remember, job).await? {
        WriteOutcome::Now(written) => tagged(Answer::json, written),
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// Does a write and undoes it. The answer is that of the write, without an ETag and an address: nothing is there that
/// they could be of.
async fn tried(
    request: &TenantRequest<'_>,
    key: &CallerKey,
    form: fn(Vec<u8>) -> Answer,
    job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<Written, Error> + Send + 'static,
) -> Reply {
    request.no_idempotency_key("it writes nothing")?;
    let written = trial::attempt(&request.tenant, key, request.takes_texts()?, job).await?;
    Ok(form(written.body).with(TRIED, HeaderValue::from_static("1")))
}

/// Reads the body of a write.
async fn written(request: &mut TenantRequest<'_>, key: &CallerKey) -> Result<Body, Problem> {
    let (members, long_numbers) = request.written().await?;
    let patches = request.route.profile == Profile::Extended && request.http.method == Method::PATCH;
    let (members, long_numbers) = match patches {
        true => operations::in_contract_spelling(members, long_numbers)?,
        false => (members, long_numbers),
    };
    let body = resources::prepare(&request.tenant, key, request.values[0], members).await?;
    Ok(body.with_long_numbers(long_numbers))
}

/// The precondition of a write, which may stand in the address, too: some pages cannot send the header. `beside` are the
/// other parameters that the route takes.
fn precondition(request: &TenantRequest<'_>, beside: &[&str]) -> Result<Option<IfMatch>, Problem> {
    request.takes_texts()?;
    let mut parameter = None;
    for (name, value) in request.parameters()? {
        match name.as_str() {
            DECIMALS => {}
            name if beside.contains(&name) => {}
            IF_MATCH if parameter.is_none() => parameter = Some(value),
            IF_MATCH => {
                return Err(Problem::invalid_at(
                    IF_MATCH,
                    "parameter_twice",
                    "The parameter _ifMatch is given twice.".into(),
                ));
            }
            _ => {
                return Err(Problem::invalid_at(
                    &name,
                    "parameter_unknown",
                    format!("There is no parameter {name:?}."),
                ));
            }
        }
    }
    match (parameter, if_match(&request.http)?) {
        (None, header) => Ok(header),
        (Some(value), None) => Ok(Some(IfMatch::parse(&value)?)),
        (Some(_), Some(_)) => {
            let message = "Give the ETag as If-Match or as _ifMatch, not as both.";
            Err(Problem::invalid_at(IF_MATCH, "if_match_invalid", message.into()))
        }
    }
}

pub(super) fn if_match(request: &Request) -> Result<Option<IfMatch>, Problem> {
    let mut values = request.headers.get_all(header::IF_MATCH).iter();
    let Some(first) = values.next() else { return Ok(None) };
    let invalid = || Problem::invalid("if_match_invalid", "If-Match must be given once, readably.");
    let text = first.to_str().ok().filter(|_| values.next().is_none()).ok_or_else(invalid)?;
    Ok(Some(IfMatch::parse(text)?))
}

/// Reads `X-Keep-Keys`: whether the keys that a user's old password made stay when a new one is set.
fn keeps_keys(request: &Request) -> Result<bool, Problem> {
    match request.headers.get("x-keep-keys").map(HeaderValue::as_bytes) {
        None | Some(b"false") => Ok(false),
        Some(b"true") => Ok(true),
        Some(_) => Err(Problem::invalid("keep_keys_invalid", "X-Keep-Keys must be true or false.")),
    }
}

/// Returns the answer of an item that was created under an id. The contract's answers do not have its address.
pub(super) fn created(request: &TenantRequest<'_>, id: &str, written: Written) -> Answer {
    let answer = tagged(Answer::created, written);
    match request.route.profile {
        Profile::Contract => answer,
        Profile::Extended => {
            let location = format!("{}/{id}", request.http.uri.path());
            let location = HeaderValue::try_from(location).expect("a path and a number fit a header");
            answer.with(header::LOCATION, location)
        }
    }
}

pub(super) fn tagged(answer: impl FnOnce(Vec<u8>) -> Answer, written: Written) -> Answer {
    let tag = HeaderValue::from_str(&written.etag).expect("an ETag is hexadecimal digits in quotes");
    answer(written.body).with(header::ETAG, tag)
}
