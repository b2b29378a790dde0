//! A browser that comes with the token of a session: who is there, and jobs of theirs.

use super::session::{Browser, Session};
use super::{SessionToken, change, find};
use context::audit::{RequestChannel, RequestSource};
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use model::error::Result;
use resources::users::Person;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// The greatest age of the note of the last use, in milliseconds.
const NOTED: i64 = 60 * 1_000;

/// A browser in a session that lives.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The session.
    pub session: Session,
    /// The token that leads to it.
    pub token: SessionToken,
    /// True if that is another than the one that came: the browser has to be told.
    pub renewed: bool,
    /// The user's login.
    pub login: String,
    /// The user's name.
    pub name: String,
    /// The address that the browser is at now.
    pub address: IpAddr,
}

/// The session of a token, if it lives. It is noted that it is used; and where the user's roles have changed since
/// its token was made, it gets another.
pub async fn visit(tenant: &Arc<Tenant>, token: &SessionToken, address: IpAddr) -> Result<Option<Visit>> {
    let (reader, now, came) = (Arc::clone(tenant), tenant.environment().clock.now(), token.clone());
    let found = tenant
        .store()
        .read(ReadCost::Point, move |tx| {
            let model = reader.model_in(tx)?;
            find::find(tx, &came, &model, now)
        })
        .await?;
    let Some((session, person)) = found else { return Ok(None) };
    let renewed = session.rights != person.rights();
    let mut visit = Visit {
        session,
        token: token.clone(),
        renewed,
        login: person.login().to_owned(),
        name: person.name().to_owned(),
        address,
    };
    if !renewed && now.as_millisecond() - visit.session.seen < NOTED {
        return Ok(Some(visit));
    }
    if renewed {
        visit.token = SessionToken::generate(tenant.environment().random.as_ref());
    }
    let (session, old, new) = (visit.session.clone(), token.clone(), visit.token.clone());
    let rights = person.rights();
    let noted = tenant
        .store()
        .write(move |tx| change::renew(tx, &session, &old, renewed.then_some(&new), &rights, now))
        .await?;
    visit.session.seen = now.as_millisecond();
    // Where a request beside this one was first, its answer brings the token that holds.
    Ok((noted || !renewed).then_some(visit))
}

/// Runs a job that reads, for the user of a session. The job may be run again.
pub async fn read_visit<T: Send + 'static>(
    tenant: &Arc<Tenant>,
    visit: &Visit,
    mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
) -> Result<Option<T>> {
    let (token, address) = (visit.token.clone(), visit.address);
    tenant
        .read_elevated(ReadCost::Scan, move |tx, context| match visiting(tx, context, &token, address)? {
            Some(own) => job(tx, &own).map(Some),
            None => Ok(None),
        })
        .await
}

/// Runs a job that ends sessions or revokes keys in one transaction, for the user of a session. It may be run again.
pub async fn write_visit<T: Send + 'static>(
    tenant: &Arc<Tenant>,
    visit: &Visit,
    mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
) -> Result<Option<T>> {
    let (token, address) = (visit.token.clone(), visit.address);
    tenant
        .write_beside_freeze(move |tx, context| match visiting(tx, context, &token, address)? {
            Some(own) => job(tx, &own).map(Some),
            None => Ok(None),
        })
        .await
}

/// Begins a session of a user for another reason than a password, a verification that was completed, in the place
/// of the one that the browser had. None where the user may not sign in.
pub async fn begin_session(
    tenant: &Arc<Tenant>,
    user: i64,
    browser: Browser,
    before: Option<SessionToken>,
) -> Result<Option<SessionToken>> {
    tenant
        .write_beside_freeze(move |tx, context| {
            let Some(person) = Person::active(tx, user, &context.model, context.now)? else { return Ok(None) };
            change::begin(tx, context, &person, &browser, before.as_ref()).map(Some)
        })
        .await
}

/// The same call, made by the user of a session and with the user's own rights.
fn visiting(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    token: &SessionToken,
    address: IpAddr,
) -> Result<Option<RequestContext>> {
    let found = find::find(tx, token, &context.model, context.now)?;
    let source = RequestSource { via: RequestChannel::Page, key: None, address: Some(address) };
    let Some((_, person)) = found else { return Ok(None) };
    Ok(Some(context.as_actor_without_read_log(person.into_actor(tx, &context.model)?).come_from(source)))
}
