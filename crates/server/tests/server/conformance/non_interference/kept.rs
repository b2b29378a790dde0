//! Answers that are kept, by the server or by a client, follow each change of who sees what.

use super::aimed::{self, aimed};
use super::callers::{Caller, View, callers};
use super::requests::{Ask, request};
use super::tenant::{Focus, NUMBERS, Tenant, World};
use super::{body, changes, fill, own, rows, seed};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use testing::{Choices, Client, Reply};

const DEALS: usize = 4;
const ROUNDS: usize = 15;

/// What does not differ between an answer that was kept and one that was made.
fn face(reply: &Reply) -> (u16, &str, String) {
    (reply.status, reply.header("etag"), body(reply))
}

/// The answer that is kept is the one that is made; and whoever has an answer is told that it holds only if it is
/// this one.
pub(super) async fn verify(ask: &Ask, client: &Client, had: &str, place: &str) -> Reply {
    let kept = ask.send(client, None).await;
    let made = ask.send(client, Some(("cache-control", "no-cache"))).await;
    assert_eq!(face(&kept), face(&made), "{place}: {ask:?}");
    if !had.is_empty() {
        let again = ask.send(client, Some(("if-none-match", had))).await;
        let expected = if made.header("etag") == had { 304 } else { made.status };
        assert_eq!(again.status, expected, "{place}: {ask:?} with {had}");
        if expected != 304 {
            assert_eq!(face(&again), face(&made), "{place}: {ask:?} with {had}");
        }
    }
    made
}

/// Turns to something that the caller sees.
fn look(choices: &mut Choices, tenant: &mut Tenant, (view, world): &(View, World)) {
    let rows = view.iter().flat_map(|(of, rows)| rows.iter().map(move |(id, shown)| (*of, *id, shown)));
    let all: Vec<Focus> = rows
        .filter(|(of, id, _)| tenant.rows[of].contains(id))
        .flat_map(|(of, id, shown)| shown.keys().map(move |property| Focus { of, id, property }))
        .collect();
    if !all.is_empty() {
        let focus = *choices.of(&all);
        tenant.focus = Some(focus);
        tenant.aim.0 = world[focus.of][&focus.id][focus.property].clone();
    }
}

/// Another value of a row, which decides what rows of another type show.
struct Turn {
    of: &'static str,
    id: i64,
    property: &'static str,
    value: Json,
}

/// Looks for such a value, and turns to a row that it shows or hides.
fn turning(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller, (view, world): &(View, World)) -> Option<Turn> {
    const BEHIND: [(&str, &str); 3] = [("writer", "rank"), ("writer", "home"), ("place", "size")];
    for _ in 0..30 {
        let (of, property) = *choices.of(&BEHIND);
        if tenant.rows[of].is_empty() {
            continue;
        }
        let id = *choices.of(&tenant.rows[of]);
        let value = if property == "home" { tenant.row(choices, "place") } else { choices.below(NUMBERS) as i64 };
        let mut changed = world.clone();
        changed.get_mut(of)?.get_mut(&id)?[property] = json!(value);
        let after = caller.view(&changed);
        for (kind, rows) in view.iter().filter(|(kind, _)| **kind != of) {
            let keys =
                |rows: Option<&BTreeMap<&'static str, Json>>| rows.map(|row| row.keys().copied().collect::<Vec<_>>());
            let mut turned = rows.iter().filter(|(id, row)| keys(Some(*row)) != keys(after[kind].get(*id)));
            if let Some((row, shown)) = turned.next() {
                let property_shown = shown.keys().next().copied().unwrap_or("id");
                tenant.focus = Some(Focus { of: kind, id: *row, property: property_shown });
                tenant.aim.0 = world[kind][row][property_shown].clone();
                return Some(Turn { of, id, property, value: json!(value) });
            }
        }
    }
    None
}

/// The signed address of a file, and where the file is.
struct Link {
    of: &'static str,
    id: i64,
    property: &'static str,
    url: String,
}

/// The addresses that the caller is given now.
async fn links(caller: &Caller) -> Vec<Link> {
    let mut links = Vec::new();
    for (of, property) in [("story", "cover"), ("place", "map")] {
        if !caller.sees.get(of).is_some_and(|seen| seen.properties.contains(property)) {
            continue;
        }
        let fields = [("showFields", format!("id,{property}")), ("perPage", "500".to_owned())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        let reply = caller.client.query(&format!("collection/{of}"), &fields).await;
        let rows = if reply.status == 200 { reply.at("/data") } else { Json::Array(Vec::new()) };
        let given = rows.as_array().unwrap().iter().filter_map(|row| {
            let url = row[property]["url"].as_str()?.to_owned();
            Some(Link { of, id: row["id"].as_i64().unwrap(), property, url })
        });
        links.extend(given);
    }
    links
}

/// Signed addresses open files for as long as the caller sees these; gives how many were refused.
async fn follow(links: &[Link], tenant: &Tenant, caller: &Caller, place: &str) -> usize {
    let world = tenant.world().await;
    let view = caller.view(&world);
    let mut refused = 0;
    for Link { of, id, property, url } in links {
        let shown = view.get(of).and_then(|rows| rows.get(id)).is_some_and(|shown| shown.contains_key(property));
        let status = tenant.server.client().get(url).await.status;
        if !shown {
            assert_eq!(status, 403, "{place}: {url} of {of} {id}");
            refused += 1;
        }
    }
    refused
}

#[spec("D-3", "D-28")]
async fn answers_that_are_kept_follow_what_decides(mut tenant: Tenant) {
    let seed = seed(20_261_123);
    let choices = &mut Choices::new(seed);
    fill(choices, &mut tenant).await;
    let (mut asked, mut different, mut refused) = (0, 0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        own(choices, &mut tenant, &callers).await;
        for round in 0..ROUNDS {
            let caller = choices.of(&callers);
            let seen = rows::verify(&tenant, caller).await;
            rows::focus(choices, &mut tenant, caller, &seen);
            let turns = if choices.once_in(4) { None } else { turning(choices, &mut tenant, caller, &seen) };
            if turns.is_none() && choices.once_in(2) {
                look(choices, &mut tenant, &seen);
            }
            let mut asks = vec![request(choices, &tenant, caller)];
            asks.extend((0..5).map(|_| aimed(choices, &tenant, caller)));
            asks.extend(aimed::whole(&tenant, caller));
            let mut before = Vec::new();
            for ask in &asks {
                // Windows of lists are kept once they are asked for again.
                ask.send(&caller.client, None).await;
                before.push(ask.send(&caller.client, None).await);
            }
            let links = links(caller).await;
            let mut done = Vec::new();
            for number in 0..2 {
                done.push(match turns.as_ref().filter(|_| number == 0) {
                    Some(Turn { of, id, property, value }) => {
                        let path = format!("collection/{of}/{id}");
                        let body = Json::Object([((*property).to_owned(), value.clone())].into_iter().collect());
                        changes::sent(
                            tenant.admin.patch(&path, body.clone()).await.status,
                            &format!("PATCH {path} {body}"),
                        )
                    }
                    None => changes::deciding(choices, &mut tenant).await,
                });
                let place = format!(
                    "seed {seed}, deal {deal}, round {round}: {} sees {:?}\nchanged: {done:#?}",
                    caller.name, caller.sees
                );
                for (ask, before) in asks.iter().zip(&mut before) {
                    let made = verify(ask, &caller.client, before.header("etag"), &place).await;
                    asked += 1;
                    different += usize::from(face(&made) != face(before));
                    *before = made;
                }
            }
            let place = format!("seed {seed}, deal {deal}, round {round}: {}\nchanged: {done:#?}", caller.name);
            refused += follow(&links, &tenant, caller, &place).await;
        }
    }
    println!("of {asked} answers, {different} are others after a change; {refused} addresses of files were refused");
    assert!(refused > 0, "no address of a file ended");
    assert!(different * 30 > asked, "only {different} of {asked} answers rest on what was changed");
}
