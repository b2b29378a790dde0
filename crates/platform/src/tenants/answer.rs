//! Reads of collections, answered out of the cache where that holds.

use automation::canvases;
use context::caller_key::CallerKey;
use context::reads::{ReadOutcome, ReadWay};
use context::request_context::RequestContext;
use context::spool::ReadBody;
use context::versions::TypeVersions;
use database::{ReadCost, Tx};
use model::error::Result;
use query::read_query::{ReadQuery, ReadResult};
use query::request::item_missing;
use resources::{LookupKey, queries};
use std::sync::Arc;
use tenant::Tenant;
use tenant::cache::{Answer, AnswerBody, AnswerEntry, AskedAnswer, Parts};

/// Answers a query of the key's owner. Where the answer is kept, it is given if nothing that it rests on has
/// changed: that is asked of the store each time. With `fresh` nothing remembered has a part in it.
pub async fn answer(tenant: &Arc<Tenant>, key: &CallerKey, query: ReadQuery, fresh: bool) -> Result<Answer> {
    let query = Arc::new(query);
    if let ReadOutcome::Done(answer) = ReadOutcome::of(answer_unlogged(tenant, key, &query, fresh).await)? {
        return Ok(answer);
    }
    let (asked, way) = (Arc::clone(&query), query.way());
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        complete(context, execute(&asked, tx, context, None)?, 0).map(|(answer, _)| answer)
    };
    let answer = tenant.write_noting(way, key, job).await?;
    Ok(Answer { logged: answer.logged || way != ReadWay::List, ..answer })
}

/// The acting user as JSON, who may be of a type whose reads are logged.
pub async fn current_user(tenant: &Arc<Tenant>, key: &CallerKey) -> Result<Vec<u8>> {
    let job = |tx: &mut Tx<'_>, context: &RequestContext| {
        context.actor.require_command("user.current")?;
        resources::current_user(tx, context)
    };
    match ReadOutcome::of(tenant.read(ReadCost::Point, key, job).await)? {
        ReadOutcome::Done(user) => Ok(user),
        ReadOutcome::MustBeLogged => tenant.write_noting(ReadWay::Get, key, job).await,
    }
}

/// The same, unless reads of what it shows are logged: then it fails.
async fn answer_unlogged(tenant: &Arc<Tenant>, key: &CallerKey, query: &Arc<ReadQuery>, fresh: bool) -> Result<Answer> {
    if fresh || !tenant.cache().keeps() || !query.keeps() {
        let asked = Arc::clone(query);
        let job =
            move |tx: &mut Tx<'_>, context: &RequestContext| complete(context, execute(&asked, tx, context, None)?, 0);
        return tenant.read(query.cost(), key, job).await.map(|(answer, _)| answer);
    }
    if may_know(tenant, key, query) {
        let (reader, asked) = (Arc::clone(tenant), Arc::clone(query));
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| known(&reader, tx, context, &asked);
        if let Some(known) = tenant.read(ReadCost::Point, key, job).await? {
            tenant.cache().note(true);
            return Ok(known);
        }
    }
    let (reader, question) = (Arc::clone(tenant), Arc::clone(query));
    let made = tenant
        .read(query.cost(), key, move |tx, context| {
            let parts = Parts {
                cache: reader.cache(),
                tenant: reader.shared_name(),
                configuration: context.epochs.configuration,
            };
            let made = execute(&question, tx, context, Some(&parts))?;
            let (answer, versions) = complete(context, made, reader.cache().largest())?;
            Ok((answer, versions, context.clone()))
        })
        .await?;
    // Kept only now: the read was not done before it was told that its caller's rights still hold.
    let (answer, versions, context) = made;
    // Whether somebody acts as the user may be part of the answer.
    if let Some(versions) = versions.filter(|_| context.actor.acting.is_none()) {
        tenant.cache().note(false);
        tenant.latest().note(context.epochs.configuration, &versions);
        let entry = AnswerEntry {
            answer: answer.clone(),
            epochs: context.epochs,
            versions,
            window: model::file_link::window(context.now),
        };
        tenant.cache().keep_answer(asked(tenant, &context, query), entry);
    }
    Ok(answer)
}

/// Executes a read. Where there are remembered parts, the answer may be made of them, and is to be kept.
fn execute(
    query: &ReadQuery,
    tx: &mut Tx<'_>,
    context: &RequestContext,
    parts: Option<&Parts<'_>>,
) -> Result<ReadResult> {
    let of_texts = query.texts().then(|| context.with_texts());
    let context = of_texts.as_ref().unwrap_or(context);
    match query {
        ReadQuery::List { collection, request } => resources::list_answer(tx, context, collection, request, parts),
        ReadQuery::One { collection, item, fields } => {
            let item = item.ok_or_else(item_missing)?;
            resources::get_one(tx, context, collection, &item, fields, parts.is_some())
        }
        ReadQuery::By { collection, property, value, fields } => {
            resources::get_first(tx, context, collection, LookupKey { property, value }, fields, parts.is_some())
        }
        ReadQuery::Groups { collection, request } => {
            resources::aggregate_answer(tx, context, collection, request, parts.is_some())
        }
        ReadQuery::Canvas { name, request } => canvases::answer(tx, context, name, request),
        ReadQuery::Query { name, request } => queries::answer(tx, context, name, request, parts),
    }
}

/// Returns true if an answer may be kept and hold, by what is known of the key and of changes without asking the
/// store.
fn may_know(tenant: &Tenant, key: &CallerKey, query: &ReadQuery) -> bool {
    tenant.guess(key).is_some_and(|actor| {
        let asked = AskedAnswer { tenant: tenant.name(), user: actor.user, scopes: &actor.scopes, query };
        let kept = tenant.cache().answer(asked);
        kept.is_some_and(|entry| !tenant.latest().outdates(entry.epochs.configuration, &entry.versions))
    })
}

/// The answer that is kept, where it holds.
fn known(tenant: &Tenant, tx: &mut Tx<'_>, context: &RequestContext, query: &ReadQuery) -> Result<Option<Answer>> {
    if context.actor.acting.is_some() {
        return Ok(None);
    }
    let Some(entry) = tenant.cache().answer(asked(tenant, context, query)) else { return Ok(None) };
    if entry.epochs != context.epochs || entry.window != model::file_link::window(context.now) {
        return Ok(None);
    }
    let current = TypeVersions::read(tx, &entry.versions.types())?;
    tenant.latest().note(context.epochs.configuration, &current);
    Ok(entry.versions.hold(&current).then(|| entry.answer.clone()))
}

fn asked<'a>(tenant: &'a Tenant, context: &'a RequestContext, query: &'a ReadQuery) -> AskedAnswer<'a> {
    AskedAnswer { tenant: tenant.name(), user: context.actor.user, scopes: &context.actor.scopes, query }
}

/// An answer with its ETag. One of at most so many bytes that may be kept is in memory.
fn complete(context: &RequestContext, made: ReadResult, most_kept: u64) -> Result<(Answer, Option<TypeVersions>)> {
    let ReadResult { body, empty, logged, versions, omitted } = made;
    let is_kept = |bytes: u64| versions.is_some() && bytes <= most_kept;
    let body = match body {
        ReadBody::Spooled(spooled) if is_kept(spooled.len()) => {
            ReadBody::Whole(ReadBody::Spooled(spooled).into_whole()?)
        }
        body => body,
    };
    let etag = resources::etag_of(context, &body)?.into();
    let body = match body {
        ReadBody::Whole(bytes) if !is_kept(bytes.len() as u64) => ReadBody::placed(bytes, context.spools.as_ref())?,
        body => body,
    };
    let body = match body {
        ReadBody::Whole(bytes) => AnswerBody::Whole(bytes.into()),
        ReadBody::Spooled(spooled) => AnswerBody::Spooled(Arc::new(spooled)),
    };
    Ok((Answer { body, etag, empty, logged, omitted: omitted.into(), packed: Arc::default() }, versions))
}
