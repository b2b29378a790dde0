//! Keys of tests about others: their answers, their calls of hooks, and the requests and messages that went to them.

use super::automation_actions::METHODS;
use super::section::{FileProblems, FileSection};
use super::test_file::{NameSubject, NameUse, unknown};
use super::test_rows::{NamedRows, known_rows};
use super::yaml::YamlContent;
use automation::config_tests::{HookStep, Letter, Signature, hooks};
use context::secret_store::{NewSecret, SecretKind};
use messages::outgoing::{GivenAnswer, RequestLike};
use model::types::Model;
use reqwest::header::HeaderName;
use serde_json::Value as Json;

/// The answers of a file.
pub(super) fn answers(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<GivenAnswer> {
    let Some(entry) = section.take("answers", problems) else { return Vec::new() };
    let YamlContent::Sequence(members) = &entry.value.content else {
        let message = "answers must be a list, such as `- {url: https://erp.example.com/paid, status: 200}`.";
        problems.push(section.problem(entry.value.position, "answers", "wrong_value", message));
        return Vec::new();
    };
    let mut all = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let opened = FileSection::open(section.file, format!("{}.{index}", section.key("answers")), member, problems);
        all.extend(opened.map(|about| answer(about, problems)));
    }
    all
}

/// Reads an answer to requests: the method and the address of these, and the answer itself.
pub(super) fn answer(mut about: FileSection<'_>, problems: &mut FileProblems) -> GivenAnswer {
    let like =
        RequestLike { method: method(&mut about, problems), url: url(&mut about, problems), ..Default::default() };
    let status = about.integer("status", 200..=599, problems).and_then(|status| u16::try_from(status).ok());
    let headers = headers(&mut about, problems);
    let body = about.take("body", problems).map(|entry| entry.value.json());
    about.finish(problems);
    GivenAnswer { like, status: status.unwrap_or(200), headers, body }
}

/// Reads the description of a request that is looked for.
pub(super) fn http(mut about: FileSection<'_>, problems: &mut FileProblems) -> RequestLike {
    let like = RequestLike {
        method: method(&mut about, problems),
        url: url(&mut about, problems),
        headers: headers(&mut about, problems),
        body: about.take("body", problems).map(|entry| entry.value.json()),
    };
    about.finish(problems);
    like
}

/// A call of a hook.
pub(super) fn hook(
    section: &mut FileSection<'_>,
    model: &Model,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Option<HookStep> {
    let body = section.require("with", problems);
    if let Some(entry) = body {
        known_rows(section, entry, rows, problems);
    }
    let headers = headers(section, problems);
    let signature = section.choice("signature", &Signature::ALL, problems).unwrap_or(Signature::Valid);
    let entry = section.take("hook", problems)?;
    let name = section.text_of(entry, problems)?;
    if !hooks(model).any(|(known, _)| known == name) {
        let known = hooks(model).map(|(known, _)| known);
        unknown(section, NameUse::value(entry, &name), NameSubject::HOOK, known, problems);
        return None;
    }
    Some(HookStep { name, body: body?.value.json(), headers, signature })
}

/// The secrets of a file, by name.
pub(super) fn secrets(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<NewSecret> {
    let Some(list) = section.section("secrets", problems) else { return Vec::new() };
    let mut all = Vec::new();
    for entry in &list.mapping.entries {
        let (kind, value) = match entry.value.json() {
            document @ (Json::Object(_) | Json::Array(_)) => (SecretKind::Json, document.to_string()),
            _ => (SecretKind::String, entry.value.text().unwrap_or_default().to_owned()),
        };
        let secret = NewSecret { name: entry.key.clone(), title: None, kind, value };
        match secret.check() {
            Ok(()) => all.push(secret),
            Err(error) => {
                problems.push(list.problem(entry.value.position, &entry.key, "wrong_value", &error.message));
            }
        }
    }
    all
}

/// Reads the description of a message that is looked for.
pub(super) fn letter(section: &mut FileSection<'_>, key: &'static str, problems: &mut FileProblems) -> Option<Letter> {
    let mut about = section.section(key, problems)?;
    let letter = Letter {
        to: about.text("to", problems),
        subject: if key == "mail" { about.text("subject", problems) } else { None },
        text: about.text("text", problems),
    };
    about.finish(problems);
    Some(letter)
}

fn method(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<String> {
    let names: Vec<(&'static str, &'static str)> = METHODS.iter().map(|(name, _)| (*name, *name)).collect();
    section.choice("method", &names, problems).map(str::to_owned)
}

fn url(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<String> {
    let entry = section.take("url", problems)?;
    let text = section.text_of(entry, problems)?;
    let address = RequestLike::address(&text);
    if address.is_none() {
        let message =
            "url must be an address of http or https, such as https://erp.example.com/paid; * stands for any part.";
        problems.push(section.problem(entry.value.position, "url", "wrong_value", message));
    }
    address
}

/// Headers by name, in lower case as they are compared.
fn headers(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<(String, String)> {
    let Some(list) = section.section("headers", problems) else { return Vec::new() };
    let mut all = Vec::new();
    for entry in &list.mapping.entries {
        let value = list.text_of(entry, problems);
        match HeaderName::from_bytes(entry.key.as_bytes()) {
            Ok(name) => all.extend(value.map(|value| (name.to_string(), value))),
            Err(_) => {
                let message = format!("{:?} is not the name of a header.", entry.key);
                problems.push(list.problem(entry.position, &entry.key, "wrong_value", &message));
            }
        }
    }
    all
}
