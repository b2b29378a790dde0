//! The account page: the user's own keys and sessions, without scripts.

use super::view::PageView;
use super::{PageRequest, forms, see};
use accounts::keys;
use accounts::keys::ApiKey;
use accounts::sessions;
use accounts::sessions::Session;
use edge::{Problem, Reply};
use http::StatusCode;
use jiff::tz::TimeZone;
use minijinja::{Value, context};
use model::error::ErrorKind;

/// The names that browsers call themselves by, most special first, and how people call them.
const BROWSERS: [(&str, &str); 6] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];
/// The notes of the page after a form: the word in its address, and the name of the text.
const NOTES: [&str; 5] = ["key-revoked", "key-gone", "session-ended", "session-gone", "sessions-ended"];

/// GET account. Who is not signed in is led to the form for it.
pub(crate) async fn show(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, browser_session, http, .. } = page;
    let Some(visit) = &browser_session.visit else { return Ok(see("./sign-in?next=account")) };
    let job = |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
        let user = context.actor.user;
        let keys = keys::list(tx, context, Some(user))?;
        let sessions = sessions::list(tx, user, context.now)?;
        Ok((keys, sessions, context.actor.zone.clone(), context.now.as_millisecond()))
    };
    let Some((keys, sessions, zone, now)) = sessions::read_visit(tenant, visit, job).await? else {
        return Ok(see("./sign-in?next=account"));
    };
    let note = NOTES.into_iter().find(|note| http.uri.query() == Some(*note));
    let current = visit.session.id;
    let own = context! {
        name => visit.name.as_str(),
        login => visit.login.as_str(),
        note => note,
        keys => keys.iter().map(|key| key_card(view, key, &zone, now)).collect::<Vec<_>>(),
        others => sessions.iter().any(|session| session.id != current),
        sessions => sessions.iter().map(|session| session_card(view, session, &zone, current)).collect::<Vec<_>>(),
    };
    Ok(view.page(StatusCode::OK, "home.html", own))
}

/// POST revoke-key.
pub(crate) async fn revoke_key(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, browser_session, http, .. } = page;
    let form = forms::read(http, browser_session, "revoke-key", &["id"]).await?;
    let id: i64 = form.get("id").and_then(|id| id.parse().ok()).ok_or_else(unreadable)?;
    let Some(visit) = &browser_session.visit else { return Ok(see("./sign-in?next=account")) };
    let done =
        sessions::write_visit(tenant, visit, move |tx, context| keys::revoke_own(tx, context, context.actor.user, id))
            .await;
    noted(done, "./account?key-revoked", "./account?key-gone")
}

/// POST end-session: one, or all others.
pub(crate) async fn end_session(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, browser_session, http, .. } = page;
    let form = forms::read(http, browser_session, "end-session", &["id"]).await?;
    let id = form.get("id").unwrap_or_default().to_owned();
    let Some(visit) = &browser_session.visit else { return Ok(see("./sign-in?next=account")) };
    let current = visit.session.id;
    if id == "others" {
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            sessions::end_others(tx, context, context.actor.user, current)
        };
        return noted(sessions::write_visit(tenant, visit, job).await, "./account?sessions-ended", "./account");
    }
    let id: i64 = id.parse().map_err(|_| unreadable())?;
    let done =
        sessions::write_visit(tenant, visit, move |tx, context| sessions::end(tx, context, context.actor.user, id))
            .await;
    noted(done, "./account?session-ended", "./account?session-gone")
}

/// Back to the page, which says what was done; what was gone already is no error.
fn noted<T>(done: model::error::Result<Option<T>>, note: &str, gone: &str) -> Reply {
    match done {
        Ok(Some(_)) => Ok(see(note)),
        Ok(None) => Ok(see("./sign-in?next=account")),
        Err(error) if error.kind == ErrorKind::Missing => Ok(see(gone)),
        Err(error) => Err(error.into()),
    }
}

fn key_card(view: &PageView<'_>, key: &ApiKey, zone: &TimeZone, now: i64) -> Value {
    let scopes = key.scopes.json();
    let scopes: Vec<&str> = scopes.as_array().into_iter().flatten().filter_map(|scope| scope.as_str()).collect();
    context! {
        id => key.id,
        description => key.description.as_str(),
        made => view.language.moment(key.valid_from(), zone),
        expires => key.expires().map(|end| view.language.moment(end, zone)),
        over => key.expires().is_some_and(|end| end <= now),
        scopes => if scopes == ["*"] { String::new() } else { scopes.join(", ") },
    }
}

fn session_card(view: &PageView<'_>, session: &Session, zone: &TimeZone, current: i64) -> Value {
    let named = |names: &[(&str, &'static str)]| {
        names.iter().find(|(part, _)| session.agent.contains(part)).map_or("", |(_, name)| name)
    };
    context! {
        id => session.id,
        browser => named(&BROWSERS),
        system => named(&SYSTEMS),
        address => session.address.as_str(),
        begun => view.language.moment(session.created, zone),
        seen => view.language.moment(session.seen, zone),
        current => session.id == current,
    }
}

fn unreadable() -> Problem {
    Problem::invalid("field_invalid", "The form cannot be read.")
}
