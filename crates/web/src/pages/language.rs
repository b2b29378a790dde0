//! The languages of the pages, and which of them somebody reads.

use crate::browser_session::cookie;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use http::header::{self, HeaderMap, HeaderValue};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;
use unic_langid::LanguageIdentifier;

/// Tag, own name, texts. Another language is another line.
const LANGUAGES: [(&str, &str, &str); 2] =
    [("en", "English", include_str!("../../pages/en.ftl")), ("cs", "Čeština", include_str!("../../pages/cs.ftl"))];
const COOKIE: &str = "__Host-plinth-language";
const YEAR: u32 = 365 * 24 * 60 * 60;

/// The texts of one language.
pub(crate) struct Language {
    pub(crate) tag: &'static str,
    pub(super) name: &'static str,
    bundle: FluentBundle<FluentResource>,
}

/// All of them; the first is the last resort.
pub(super) struct Languages(Vec<Arc<Language>>);

impl Languages {
    pub(super) fn new() -> Self {
        Languages(LANGUAGES.into_iter().map(|language| Arc::new(Language::read(language))).collect())
    }

    pub(super) fn all(&self) -> &[Arc<Language>] {
        &self.0
    }

    /// The language of a tag such as `cs` or `cs-CZ`.
    pub(super) fn tagged(&self, tag: &str) -> Option<&Arc<Language>> {
        let primary = tag.trim().split('-').next().unwrap_or_default();
        self.0.iter().find(|language| language.tag.eq_ignore_ascii_case(primary))
    }

    /// The language that a browser was told to use before, or that it asks for.
    pub(super) fn wanted(&self, headers: &HeaderMap, cookies: bool) -> Option<&Arc<Language>> {
        let kept = if cookies { cookie(headers, COOKIE) } else { None };
        kept.and_then(|tag| self.tagged(tag)).or_else(|| self.accepted(headers))
    }

    fn accepted(&self, headers: &HeaderMap) -> Option<&Arc<Language>> {
        let mut best: Option<(f32, &Arc<Language>)> = None;
        let lines = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
        for range in lines.flat_map(|line| line.split(',')) {
            let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let quality = weight.trim().strip_prefix("q=").and_then(|quality| quality.parse().ok()).unwrap_or(0.0);
            if let Some(language) = self.tagged(tag)
                && quality > best.map_or(0.0, |(best, _)| best)
            {
                best = Some((quality, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

impl Language {
    fn read((tag, name, text): (&'static str, &'static str, &'static str)) -> Self {
        let identifier: LanguageIdentifier = tag.parse().expect("the tags are read by the tests");
        let resource = FluentResource::try_new(text.to_owned()).expect("the texts are read by the tests");
        let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
        // Marks around what is put in would be letters in titles and inputs.
        bundle.set_use_isolating(false);
        bundle.add_resource(resource).expect("no name is there twice, which the tests see");
        Language { tag, name, bundle }
    }

    /// A text; its name, where there is none.
    pub(super) fn text(&self, name: &str) -> String {
        self.text_with(name, &FluentArgs::new())
    }

    /// A text, where there is one.
    pub(crate) fn find(&self, name: &str) -> Option<String> {
        self.bundle.has_message(name).then(|| self.text(name))
    }

    /// A text with values in it.
    pub(super) fn text_with(&self, name: &str, values: &FluentArgs<'_>) -> String {
        let Some(pattern) = self.bundle.get_message(name).and_then(|message| message.value()) else {
            tracing::error!(language = self.tag, name, "a text is missing");
            return name.to_owned();
        };
        self.bundle.format_pattern(pattern, Some(values), &mut Vec::new()).into_owned()
    }

    /// A moment as people write it.
    pub(super) fn moment(&self, milliseconds: i64, zone: &TimeZone) -> String {
        let moment = Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX);
        moment.to_zoned(zone.clone()).strftime(&self.text("moment-format")).to_string()
    }

    /// Has the browser remember the language.
    pub(super) fn cookie(&self) -> Option<HeaderValue> {
        let tag = self.tag;
        HeaderValue::try_from(format!("{COOKIE}={tag}; Path=/; Max-Age={YEAR}; Secure; HttpOnly; SameSite=Lax")).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, Languages};
    use http::{HeaderMap, HeaderValue};
    use std::collections::BTreeSet;

    /// The names of the texts of a language.
    fn names(text: &str) -> BTreeSet<&str> {
        let starts = |line: &&str| line.starts_with(|first: char| first.is_ascii_lowercase());
        text.lines().filter(starts).filter_map(|line| line.split_once(" =").map(|(name, _)| name)).collect()
    }

    #[test]
    fn every_language_has_every_text() {
        let languages = Languages::new();
        let expected = names(LANGUAGES[0].2);
        for (language, (tag, _, text)) in languages.all().iter().zip(LANGUAGES) {
            assert_eq!(names(text), expected, "{tag}");
            assert!(
                expected.iter().all(|name| language.bundle.has_message(name) && !language.text(name).is_empty()),
                "{tag}"
            );
        }
    }

    #[test]
    fn templates_ask_for_texts_that_there_are() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/pages");
        let known = names(LANGUAGES[0].2);
        let mut asked = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "html") {
                let text = std::fs::read_to_string(&path).unwrap();
                for name in text.split(r#"t("#).skip(1).filter_map(|rest| rest.split(['"', '\'']).nth(1)) {
                    let literal =
                        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
                    if literal && text.contains(&format!("t(\"{name}\"")) {
                        assert!(known.contains(name), "{}: {name}", path.display());
                        asked += 1;
                    }
                }
            }
        }
        assert!(asked > 20, "{asked}");
    }

    #[test]
    fn the_cookie_goes_before_what_the_browser_asks_for() {
        let languages = Languages::new();
        let check = |accept: &'static str, cookie: Option<&'static str>, expected: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert("accept-language", HeaderValue::from_static(accept));
            cookie.map(|cookie| headers.insert("cookie", HeaderValue::from_static(cookie)));
            assert_eq!(languages.wanted(&headers, true).map(|found| found.tag), expected, "{accept} {cookie:?}");
        };
        check("", None, None);
        check("de, fr;q=0.5", None, None);
        check("cs-CZ,cs;q=0.9,en;q=0.8", None, Some("cs"));
        check("en;q=0.2, cs;q=0.8", None, Some("cs"));
        check("cs;q=0, en;q=0.1", None, Some("en"));
        check("en ; q=0.2 , cs; q=0.8", None, Some("cs"));
        check("en", Some("a=b; __Host-plinth-language=cs"), Some("cs"));
        check("en", Some("__Host-plinth-language=xx"), Some("en"));
    }
}
