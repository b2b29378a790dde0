//! Mails, SMS, notifications, requests and runs that a step looks for.

use super::case::{Found, mismatch};
use automation::config_tests::Letter;
use messages::outbox::{Kept, KeptLetter};
use messages::outgoing::{RequestLike, SentRequest};
use serde_json::{Map, Value as Json};

/// Holds the letters that were sent against one that is looked for.
pub(super) fn letters(wanted: &Letter, sent: &Kept, count: Option<u64>) -> Found {
    let sent = sent.letters();
    let part =
        |wanted: &Option<String>, text: &str| wanted.as_ref().is_none_or(|wanted| text.contains(wanted.as_str()));
    let to = |letter: &KeptLetter| wanted.to.as_ref().is_none_or(|to| to.eq_ignore_ascii_case(&letter.to));
    let like =
        |letter: &&KeptLetter| to(letter) && part(&wanted.subject, &letter.subject) && part(&wanted.text, &letter.text);
    let alike = sent.iter().filter(like).count();
    let words = |letter: &KeptLetter| format!("{} ({})", letter.to, first_line(letter));
    told(alike, count, || sent.iter().map(words).collect())
}

/// Holds a user's notifications against one that is looked for.
pub(super) fn notifications(there: &[Map<String, Json>], wanted: &Map<String, Json>, count: Option<u64>) -> Found {
    let agrees = |name: &str, wanted: &str, found: &str| match name {
        "title" | "body" => found.contains(wanted),
        _ => found == wanted,
    };
    let like = |one: &&Map<String, Json>| {
        wanted.iter().all(|(name, wanted)| {
            let found = one.get(name).and_then(Json::as_str).unwrap_or_default();
            agrees(name, wanted.as_str().unwrap_or_default(), found)
        })
    };
    let alike = there.iter().filter(like).count();
    let words = |one: &Map<String, Json>| one.get("title").and_then(Json::as_str).unwrap_or_default().to_owned();
    told(alike, count, || there.iter().map(words).collect())
}

/// Holds the requests that automations made against one that is looked for.
pub(super) fn requests(wanted: &RequestLike, sent: &[SentRequest], count: Option<u64>) -> Found {
    let alike = sent.iter().filter(|request| wanted.is_like(request)).count();
    let words = |request: &SentRequest| match &request.body {
        Some(body) => format!("{} {} {body}", request.method, request.url),
        None => format!("{} {}", request.method, request.url),
    };
    let mut found = told(alike, count, || sent.iter().map(words).collect());
    found.iter_mut().for_each(|mismatch| mismatch.what = "such requests".to_owned());
    found
}

/// Holds the runs of an automation against those in a state.
pub(super) fn runs(there: &[Json], state: &str, count: Option<u64>) -> Found {
    let alike = there.iter().filter(|run| run["state"] == state).count();
    let words = |run: &Json| match run["error"].as_str() {
        Some(error) => format!("{} ({error})", run["state"].as_str().unwrap_or_default()),
        None => run["state"].as_str().unwrap_or_default().to_owned(),
    };
    let mut found = told(alike, count, || there.iter().map(words).collect());
    for mismatch in &mut found {
        mismatch.what = format!("runs that are {state}");
        mismatch.found = mismatch.found.replace("nothing was sent", "it did not run");
    }
    found
}

fn told(alike: usize, count: Option<u64>, there: impl FnOnce() -> Vec<String>) -> Found {
    if count.map_or(alike > 0, |count| count == alike as u64) {
        return Vec::new();
    }
    let expected = count.map_or_else(|| "at least one".to_owned(), |count| format!("{count} of them"));
    let there = there();
    let all = if there.is_empty() { "nothing was sent".to_owned() } else { format!("in all: {}", there.join("; ")) };
    vec![mismatch("such messages", expected, format!("{alike}; {all}"))]
}

fn first_line(letter: &KeptLetter) -> &str {
    if letter.subject.is_empty() { letter.text.lines().next().unwrap_or_default() } else { &letter.subject }
}
