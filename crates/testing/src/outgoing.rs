//! Mails and SMS as their recipients get them.

use mail_parser::{MessageParser, MimeHeaders};
use std::path::Path;

/// A mail, read by a parser that is not ours.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The addresses that it goes to.
    pub to: Vec<String>,
    /// The address that it comes from.
    pub from: String,
    /// The subject.
    pub subject: String,
    /// The Message-ID, without its brackets.
    pub id: String,
    /// The part that is text.
    pub text: String,
    /// The part that is HTML.
    pub html: String,
    /// The addresses of web pages in the text, in order.
    pub links: Vec<String>,
    /// The mail as it is.
    pub raw: String,
}

/// An SMS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sms {
    /// The number.
    pub to: String,
    /// The text.
    pub text: String,
    /// The addresses of web pages in it, in order.
    pub links: Vec<String>,
}

impl Mail {
    /// Reads a mail.
    pub fn parse(raw: &[u8]) -> Self {
        let parsed = MessageParser::default().parse(raw).expect("a mail has headers");
        let addresses = |header: Option<&mail_parser::Address<'_>>| -> Vec<String> {
            let each = header.into_iter().flat_map(|list| list.iter());
            each.map(|one| one.address().unwrap_or_default().to_owned()).collect()
        };
        let part = |kind: &str| {
            let found = parsed.parts.iter().find(|part| {
                part.content_type().is_some_and(|content| content.ctype() == "text" && content.subtype() == Some(kind))
            });
            found.and_then(|part| part.text_contents()).unwrap_or_default().to_owned()
        };
        let text = part("plain");
        Mail {
            to: addresses(parsed.to()),
            from: addresses(parsed.from()).concat(),
            subject: parsed.subject().unwrap_or_default().to_owned(),
            id: parsed.message_id().unwrap_or_default().to_owned(),
            links: links(&text),
            html: part("html"),
            text,
            raw: String::from_utf8_lossy(raw).into_owned(),
        }
    }
}

/// The mails of a folder of files, by number.
pub(crate) fn mails(folder: &Path) -> Vec<Mail> {
    numbered(folder).iter().map(|bytes| Mail::parse(bytes)).collect()
}

/// The SMS of a folder of files, by number.
pub(crate) fn texts(folder: &Path) -> Vec<Sms> {
    let read = |bytes: &Vec<u8>| {
        let all = String::from_utf8(bytes.clone()).expect("an SMS is UTF-8");
        let (head, text) = all.split_once("\n\n").expect("a text comes behind its head");
        let to = head.lines().find_map(|line| line.strip_prefix("To: ")).expect("an SMS has a number");
        Sms { to: to.to_owned(), text: text.trim_end().to_owned(), links: links(text) }
    };
    numbered(folder).iter().map(read).collect()
}

fn numbered(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<(u64, Vec<u8>)> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter_map(|path| Some((path.file_stem()?.to_str()?.parse().ok()?, std::fs::read(&path).ok()?)))
        .collect();
    files.sort();
    files.into_iter().map(|(_, bytes)| bytes).collect()
}

fn links(text: &str) -> Vec<String> {
    let words = text.split_whitespace().filter(|word| word.starts_with("http://") || word.starts_with("https://"));
    words.map(str::to_owned).collect()
}
