//! What a caller cannot see changes nothing that it can observe (D-3).
//!
//! Callers with random rights send random requests; something that they do not see is changed; and the same requests
//! have the same answers, byte by byte, made anew as well as out of the cache. An administrator asks the same, to show
//! that what was changed decides answers of those who see it.
//!
//! Other choices are made with another `PLINTH_INTERFERENCE_SEED`.

mod addresses;
mod aimed;
mod callers;
mod changes;
mod collisions;
mod directed;
mod explained;
mod exports;
mod filters;
mod groups;
mod inverses;
mod kept;
mod requests;
mod rows;
mod scenes;
mod tenant;
mod ways;

use callers::{Caller, callers};
use changes::Stranger;
use requests::{Ask, request};
use serde_json::json;
use spec::spec;
use tenant::{KINDS, Tag, Tenant, WORDS};
use testing::{Choices, Client, Reply};

/// Times that all rights are drawn anew.
const DEALS: usize = 6;
/// Rounds with the same rights: a caller, some requests, hidden changes, and the same requests.
const ROUNDS: usize = 20;
/// Requests of a round: whatever comes to mind, and about what is changed.
const REQUESTS: usize = 2;
const AIMED: usize = 8;
/// In one round of so many an administrator asks the same.
const WATCHED: usize = 4;

/// What a test's choices begin with, where nothing else is given.
#[expect(clippy::disallowed_methods, reason = "what a test chooses is no matter of settings")]
fn seed(own: u64) -> u64 {
    std::env::var("PLINTH_INTERFERENCE_SEED").map_or(own, |given| given.parse().unwrap())
}

/// An answer without what is different in each: its date, and the request's id.
#[derive(Debug, PartialEq, Eq)]
struct Face {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Face {
    fn of(reply: &Reply) -> Self {
        let own = |name: &str| name == "date" || name == "x-request-id";
        let headers = reply.headers.iter().filter(|(name, _)| !own(name.as_str()));
        let mut headers: Vec<_> = headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
        headers.sort();
        Face { status: reply.status, headers, body: body(reply) }
    }
}

/// The body of an answer, without the request's id.
fn body(reply: &Reply) -> String {
    let text = String::from_utf8_lossy(&reply.bytes).into_owned();
    match text.split_once("\"requestId\":\"") {
        Some((before, rest)) => before.to_owned() + rest.split_once('"').map_or("", |(_, after)| after),
        None => text,
    }
}

/// The answers of a caller to a request: as they come, made anew, and to whoever has the body of the first already.
async fn answers(ask: &Ask, client: &Client, known: Option<&str>) -> (Vec<Face>, String) {
    let kept = ask.send(client, None).await;
    let made = ask.send(client, Some(("cache-control", "no-cache"))).await;
    let tag = known.unwrap_or(kept.header("etag")).to_owned();
    let mut faces = vec![Face::of(&kept), Face::of(&made)];
    if !tag.is_empty() {
        faces.push(Face::of(&ask.send(client, Some(("if-none-match", &tag))).await));
    }
    (faces, tag)
}

#[spec("D-3", "D-12")]
async fn what_is_hidden_changes_no_answer(mut tenant: Tenant) {
    let seed = seed(20_261_122);
    let choices = &mut Choices::new(seed);
    let stranger = fill(choices, &mut tenant).await;
    let (mut asked, mut shown, mut watched, mut noticed) = (0, 0, 0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        own(choices, &mut tenant, &callers).await;
        for round in 0..ROUNDS {
            let caller = choices.of(&callers);
            let seen_now = rows::verify(&tenant, caller).await;
            rows::focus(choices, &mut tenant, caller, &seen_now);
            let asks = asks(choices, &tenant, caller);
            let (mut before, mut seen) = (Vec::new(), Vec::new());
            for ask in &asks {
                before.push(answers(ask, &caller.client, None).await);
                if round % WATCHED == 0 {
                    seen.push(Face::of(&ask.send(&tenant.admin, None).await));
                }
            }
            // What tells of changes tells of another moment, too, which must not matter.
            tenant.server.clock().advance(1);
            let view = seen_now.0;
            let mut changes = Vec::from_iter(rows::strike(choices, &mut tenant, caller, &view).await);
            for _ in 0..1 + choices.below(3) {
                changes.push(changes::unseen(choices, &mut tenant, &stranger, (caller, &view)).await);
            }
            tenant.server.clock().advance(-1);
            for (ask, (before, tag)) in asks.iter().zip(&before) {
                let known = (!tag.is_empty()).then_some(tag.as_str());
                let (after, _) = answers(ask, &caller.client, known).await;
                assert_eq!(
                    *before, after,
                    "seed {seed}, deal {deal}, round {round}, {:?}: {} sees {:?}\nasks {ask:?}\nhidden: {changes:#?}",
                    tenant.focus, caller.name, caller.sees
                );
                asked += 1;
                shown += usize::from(before[0].status == 200);
            }
            for (ask, seen) in asks.iter().zip(&seen) {
                watched += 1;
                noticed += usize::from(Face::of(&ask.send(&tenant.admin, None).await) != *seen);
            }
        }
    }
    println!(
        "{shown} of {asked} requests had an answer; of {watched}, {noticed} have another one for an administrator"
    );
    assert!(shown * 3 > asked, "only {shown} of {asked} requests had an answer");
    assert!(noticed * 30 > watched, "only {noticed} of {watched} answers depend on what was changed");
}

/// Requests of a round.
fn asks(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Vec<Ask> {
    let mut asks: Vec<Ask> = (0..REQUESTS).map(|_| request(choices, tenant, caller)).collect();
    asks.extend((0..AIMED).map(|_| aimed::aimed(choices, tenant, caller)));
    asks
}

/// Fills the tenant with resources, public tags, and what belongs to a stranger.
async fn fill(choices: &mut Choices, tenant: &mut Tenant) -> Stranger {
    const ROLE: &str = "role: stranger\nsystem: [restApi, notifications, createPrivateTags]\ntypes: {}\n";
    let client = tenant.server.role("stranger", ROLE).await;
    let stranger = Stranger { name: "stranger", client, user: tenant.server.user("stranger").await };
    for (kind, count) in [("user", 4), ("place", 6), ("writer", 8), ("story", 16)] {
        for _ in 0..count {
            tenant.create(choices, tenant::kind(kind)).await;
        }
    }
    for number in 0..5 {
        let mut body = json!({"name": format!("{} {number}", choices.of(&WORDS)), "code": format!("code{number}")});
        if number > 2 {
            body["parent"] = json!(choices.of(&tenant.tags).id);
        }
        let id = tenant.admin.create("tags", body).await["id"].as_str().unwrap().to_owned();
        tenant.tags.push(Tag { id, owner: None });
    }
    for number in 0..4 {
        let body =
            json!({"name": format!("{} {number}", choices.of(&WORDS)), "parent": choices.of(&tenant.tags[..5]).id});
        let id = stranger.client.create("tags", body).await["id"].as_str().unwrap().to_owned();
        tenant.tags.push(Tag { id, owner: Some(stranger.name.to_owned()) });
    }
    for _ in 0..60 {
        let (kind, tag) = (choices.of(&KINDS).name, choices.of(&tenant.tags).clone());
        let item = tenant.row(choices, kind);
        changes::assign(choices, tenant, kind, item, &tag).await;
    }
    changes::send(choices, tenant, json!({"userId": stranger.user})).await;
    stranger
}

/// Gives callers what is their own: private tags and notifications.
async fn own(choices: &mut Choices, tenant: &mut Tenant, callers: &[Caller]) {
    tenant.people = callers.iter().map(|caller| caller.user).collect();
    for caller in callers {
        let body = json!({"name": format!("{} of {}", choices.of(&WORDS), caller.name), "private": true});
        let made = caller.client.post("collection/tags", body).await;
        if made.status == 201 {
            let tag = Tag { id: made.at("/id").as_str().unwrap().to_owned(), owner: Some(caller.name.clone()) };
            let (kind, item) = ("story", tenant.row(choices, "story"));
            changes::assign(choices, tenant, kind, item, &tag).await;
            tenant.tags.push(tag);
        }
        let to = if choices.once_in(3) { json!({"customId": "crm-1"}) } else { json!({"userId": caller.user}) };
        changes::send(choices, tenant, to).await;
    }
}
