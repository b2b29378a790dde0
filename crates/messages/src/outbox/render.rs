//! From a template and values to what is sent.

use super::claim::ClaimedMessage;
use super::kept_messages::KeptLetter;
use super::message::{Channel, Template, Values};
use super::texts::TEXTS;
use jiff::Timestamp;
use lettre::Message;
use lettre::address::Envelope;
use lettre::message::header::{self, ContentTransferEncoding, ContentType};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use model::types::Model;
use std::borrow::Cow;
use std::time::SystemTime;

/// The most steps that a template may compute.
const FUEL: u64 = 100_000;
/// The longest subject, in characters.
const SUBJECT: usize = 200;

/// A mail, ready to leave.
pub(super) struct RenderedMail {
    message: Message,
    /// The parts that people read.
    letter: KeptLetter,
}

/// `Auto-Submitted: auto-generated` (RFC 3834): no holiday notice comes back.
#[derive(Clone)]
struct AutoSubmitted;

impl header::Header for AutoSubmitted {
    fn name() -> header::HeaderName {
        header::HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> header::HeaderValue {
        header::HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl RenderedMail {
    /// Returns the recipient and the sender.
    pub(crate) fn envelope(&self) -> &Envelope {
        self.message.envelope()
    }

    /// The mail as a file holds it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.message.formatted()
    }

    /// Returns the parts that people read.
    pub(crate) fn letter(&self) -> KeptLetter {
        self.letter.clone()
    }
}

/// Makes a mail. What is wrong with it is told without anything of it.
pub(super) fn mail(
    model: &Model,
    row: &ClaimedMessage,
    from: &str,
    template: Template,
    values: &Values,
) -> Result<RenderedMail, String> {
    let part = |ending: &str| {
        let name = format!("{}.{}.{ending}", template.name(), row.language);
        let text = text_of(model, &name).ok_or_else(|| format!("there is no text {name}"))?;
        fill(&name, text, model, values).map_err(|error| format!("the text {name} cannot be made: {:?}", error.kind()))
    };
    let (subject, text, html) = match template {
        Template::Plain => (values.title.clone(), values.message.clone().unwrap_or_default(), None),
        _ => (part("subject")?, part("txt")?, Some(part("html")?)),
    };
    let from: Mailbox = model.settings.mail.from.as_deref().unwrap_or(from).parse().map_err(|_| "no sender")?;
    let to = row.recipient.parse().map_err(|_| "the recipient is not an address")?;
    let single = |content: ContentType, text: String| {
        // Whatever a text holds, its lines are short and of ASCII.
        SinglePart::builder().header(content).header(ContentTransferEncoding::QuotedPrintable).body(lines(&text))
    };
    let subject: String =
        clean(&subject).split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SUBJECT).collect();
    let letter = KeptLetter { to: row.recipient.clone(), subject: subject.clone(), text: text.clone() };
    let text = single(ContentType::TEXT_PLAIN, text);
    let message = Message::builder()
        .from(from)
        .to(Mailbox::new(None, to))
        .subject(subject)
        .date(SystemTime::from(row.created))
        .message_id(Some(format!("<{}>", row.message)))
        .header(AutoSubmitted);
    let message = match html {
        Some(html) => {
            let html = single(ContentType::TEXT_HTML, html);
            message.multipart(MultiPart::alternative().singlepart(text).singlepart(html))
        }
        None => message.singlepart(text),
    };
    message.map(|message| RenderedMail { message, letter }).map_err(|error| format!("the mail cannot be made: {error}"))
}

/// Makes the text of an SMS: that of the message, or the tenant's, or ours.
pub(super) fn sms(model: &Model, row: &ClaimedMessage, template: Template, values: &Values) -> String {
    let own = format!("{}.{}.txt", template.name(), row.language);
    let text = values.message.as_deref().or_else(|| text_of(model, &own)).unwrap_or_default();
    let (tenant, validity) = (clean(&model.settings.title), validity(model, &row.language, values.expires));
    let value = |name: &str| match name {
        "tenant" => Some(tenant.as_ref()),
        "code" => Some(values.code.as_deref().unwrap_or_default()),
        "link" => Some(values.link.as_deref().unwrap_or_default()),
        "validity" => Some(validity.as_str()),
        _ => None,
    };
    // Once, from left to right: what a value holds is no placeholder.
    let (mut filled, mut rest) = (String::with_capacity(text.len() + 64), text);
    while let Some((before, after)) = rest.split_once('%') {
        filled.push_str(before);
        let found = after.split_once('%').and_then(|(name, behind)| Some((value(name)?, behind)));
        match found {
            Some((value, behind)) => {
                filled.push_str(value);
                rest = behind;
            }
            None => {
                filled.push('%');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    let kept: String = filled.chars().filter(|letter| *letter == '\n' || !hidden(*letter)).collect();
    kept.trim().to_owned()
}

/// Fails where a tenant's own text, by the name of its file, is wrong. The name stands for no text, or the text has a
/// mistake.
pub fn check(name: &str, text: &str) -> Result<(), String> {
    let template = name.split('.').next().and_then(Template::named);
    let (Some(template), Some((_, ours))) = (template, TEXTS.iter().find(|(known, _)| *known == name)) else {
        let names: Vec<&str> = TEXTS.iter().map(|(name, _)| *name).collect();
        return Err(format!("No text has this name: there are {}.", names.join(", ")));
    };
    if template.channel() == Channel::Sms {
        return Ok(());
    }
    debug_assert!(!ours.is_empty(), "each of our texts says something");
    let sample = || "x".to_owned();
    let values =
        Values { name: sample(), title: sample(), code: Some(sample()), link: Some(sample()), ..Values::default() };
    let filled = fill_with(name, text, &["x", "x"], &values);
    filled.map(drop).map_err(|error| {
        let line = error.line().map_or_else(String::new, |line| format!(" in line {line}"));
        format!(
            "The text cannot be made{line}: {}.",
            error.detail().map_or_else(|| error.kind().to_string(), str::to_owned)
        )
    })
}

/// Returns true if a text is the address of a sender, with or without a name.
pub fn is_sender(text: &str) -> bool {
    !text.contains(hidden) && text.parse::<Mailbox>().is_ok()
}

/// The tenant's own text, or ours.
fn text_of<'t>(model: &'t Model, name: &str) -> Option<&'t str> {
    let ours = || TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    model.mail.get(name).map(String::as_str).or_else(ours)
}

fn fill(name: &str, text: &str, model: &Model, values: &Values) -> Result<String, minijinja::Error> {
    let language = name.split('.').nth(1).unwrap_or_default();
    let validity = validity(model, language, values.expires);
    fill_with(name, text, &[&model.settings.title, &validity], values)
}

fn fill_with(
    name: &str,
    text: &str,
    [tenant, validity]: &[&str; 2],
    values: &Values,
) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    let html = name.ends_with(".html");
    environment.set_auto_escape_callback(move |_| if html { AutoEscape::Html } else { AutoEscape::None });
    let optional = |value: &Option<String>| value.as_deref().map(|value| clean(value).into_owned());
    environment.render_named_str(
        name,
        text,
        context! {
            tenant => clean(tenant),
            validity => *validity,
            name => clean(&values.name),
            title => clean(&values.title),
            code => optional(&values.code),
            link => optional(&values.link),
        },
    )
}

/// An instant for people, in the tenant's zone.
fn validity(model: &Model, language: &str, expires: Option<Timestamp>) -> String {
    let Some(expires) = expires else { return String::new() };
    let form = if language == "cs" { "%-d. %-m. %Y %H:%M %Z" } else { "%-d %B %Y, %H:%M %Z" };
    expires.to_zoned(model.settings.timezone.clone()).strftime(form).to_string()
}

/// A value without line ends and what else is not seen: neither headers nor the reader's eyes are led astray.
fn clean(value: &str) -> Cow<'_, str> {
    if !value.contains(hidden) {
        return Cow::Borrowed(value);
    }
    let kept = value.chars().filter_map(|letter| match letter {
        '\r' | '\n' | '\t' => Some(' '),
        letter => (!hidden(letter)).then_some(letter),
    });
    Cow::Owned(kept.collect())
}

/// Control characters, and those that turn the direction of writing.
fn hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// A text with the line ends of mails, whichever it has.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_end().replace('\n', "\r\n") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::{TEXTS, check, clean, lines};

    #[test]
    fn our_own_texts_can_be_made() {
        for (name, text) in TEXTS {
            assert_eq!(check(name, text), Ok(()), "{name}");
        }
        assert_eq!(TEXTS.len(), 20);
    }

    #[test]
    fn mistakes_in_a_text_have_their_line() {
        let told = |name, text| check(name, text).unwrap_err();
        assert_eq!(told("reset.en.txt", "a\n{{ lnk }}"), "The text cannot be made in line 2: undefined value.");
        assert!(told("reset.en.html", "{% if %}").contains("in line 1"), "{}", told("reset.en.html", "{% if %}"));
        assert!(told("reset.de.txt", "").starts_with("No text has this name"));
        assert!(
            told("reset.en.txt", "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}")
                .contains("cannot")
        );
    }

    #[test]
    fn values_have_one_line_and_one_direction() {
        assert_eq!(clean("Ann\r\nBcc: x@y.z"), "Ann  Bcc: x@y.z");
        assert_eq!(clean("\u{202E}evil\u{0}"), "evil");
        assert_eq!(lines("a\n.\nb\r.\r\nc\n\n"), "a\r\n.\r\nb\r\n.\r\nc\r\n");
    }
}
