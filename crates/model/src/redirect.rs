//! Redirects after a verification: the addresses that an integration configures, and the contract's rules (R-200 to
//!

use url::Url;

/// The longest that is taken, in bytes.
const LONGEST: usize = 2_048;

/// An absolute address, http or https, without credentials (D-38). It is kept as it was written: a comparison with what
/// was configured finds it again. An international host name alone is kept in its ASCII form, as headers carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUrl(String);

/// The addresses that a challenge and the method at hand have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedirectUrls {
    /// Of the challenge.
    pub challenge: Option<RedirectUrl>,
    /// Of the method.
    pub method: Option<RedirectUrl>,
}

impl RedirectUrl {
    /// Reads an address.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        // Else `https:///evil.example` would have a host to those who repair it.
        let host = !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':', '@']);
        if text.len() > LONGEST || !web || !host {
            return None;
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, behind) = rest.split_at(end);
        // Browsers take `\` for `/`, and drop tabs and line ends wherever they are.
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"\\\"<>`".contains(&byte);
        let named = authority.bytes().all(|byte| !byte.is_ascii() || plain(byte) && byte != b'@');
        if !named || !behind.bytes().all(plain) {
            return None;
        }
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?;
        if authority.is_ascii() {
            return Some(RedirectUrl(text.to_owned()));
        }
        let port = authority.rsplit_once(':').map(|(_, port)| format!(":{port}")).unwrap_or_default();
        Some(RedirectUrl(format!("{scheme}://{host}{port}{behind}")))
    }

    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        Url::parse(&self.0).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization())
    }

    /// The address with `status=success`.
    pub fn success(&self) -> String {
        self.with("status=success")
    }

    /// The address with `status=error` and the reason, a word of `[a-z_]`.
    pub fn failure(&self, reason: &'static str) -> String {
        self.with(&format!("status=error&reason={reason}"))
    }

    /// Appends to the query, which ends where the fragment begins. What it has of the same names gives way: whoever is
    /// led there is told once.
    fn with(&self, parameters: &str) -> String {
        let (address, fragment) = match self.0.find('#') {
            Some(place) => self.0.split_at(place),
            None => (self.0.as_str(), ""),
        };
        let Some((path, query)) = address.split_once('?') else { return format!("{address}?{parameters}{fragment}") };
        let kept: Vec<&str> = query.split('&').filter(|pair| !is_ours(pair)).collect();
        let query = kept.join("&");
        let between = if query.is_empty() || query.ends_with('&') { "" } else { "&" };
        format!("{path}?{query}{between}{parameters}{fragment}")
    }
}

/// Returns true if a pair of a query has a name that is told with.
fn is_ours(pair: &str) -> bool {
    let mut names = url::form_urlencoded::parse(pair.as_bytes());
    names.next().is_some_and(|(name, _)| name == "status" || name == "reason")
}

impl RedirectUrls {
    /// Returns the address that a method leads to that was verified just now: rules 1 and 2. Whatever else happened
    /// leads nowhere: who has not verified a method has no `RedirectUrls` to ask (rule 3).
    pub fn resolve(&self, completed: bool) -> Option<&RedirectUrl> {
        match completed {
            true => self.challenge.as_ref().or(self.method.as_ref()),
            false => self.method.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RedirectUrl, RedirectUrls};

    #[test]
    fn only_absolute_addresses_of_the_web_are_taken() {
        for text in [
            "https://app.example.com",
            "HTTPS://app.example.com/a?b=c#d",
            "http://localhost:3000/done",
            "https://[::1]/done",
            "https://xn--e1afmkfd.xn--p1ai/",
            "https://app.example.com/@me?to=a@b",
        ] {
            assert!(RedirectUrl::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "javascript:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "https:evil.example",
            "https:/evil.example",
            "https:///evil.example",
            "https://",
            "https://?a",
            "http://u@evil.example",
            "http://u:p@evil.example",
            "http://@evil.example",
            "http:\\\\evil.example",
            "https://good.example\\@evil.example",
            "\thttps://x.example",
            " https://x.example",
            "https://x.example\n",
            "https://x.exa\tmple",
            "https://x.example/\r\nSet-Cookie: a=b",
            "https://x.example/\"><script>",
            "https://x.example:port/",
            "https://exa mple.example",
            "https://ex%00ample.example",
            "/done",
            "done",
            "ftp://x.example",
            "file:///etc/passwd",
            "https://příklad.example/ž",
            "https://a@příklad.example/",
            "https://příklad.exa mple/",
            "https://příklad.example:port/",
            "https://exa\u{2028}mple.example/",
            "https://a／b.example/",
            "https://a＠b.example/",
            "https://a．b？.example/",
        ] {
            assert_eq!(RedirectUrl::parse(text), None, "{text:?}");
        }
        assert_eq!(RedirectUrl::parse(&format!("https://x.example/{}", "a".repeat(3_000))), None);
    }

    #[test]
    fn an_international_host_name_is_kept_in_ascii() {
        for (text, expected) in [
            ("https://příklad.example", "https://xn--pklad-zsa96e.example"),
            ("HTTPS://PŘÍKLAD.example:8443/A?b=c#d", "HTTPS://xn--pklad-zsa96e.example:8443/A?b=c#d"),
            ("https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai/"),
        ] {
            let url = RedirectUrl::parse(text).unwrap();
            assert_eq!(url.as_str(), expected);
            assert_eq!(RedirectUrl::parse(expected), Some(url));
        }
    }

    #[test]
    fn the_status_is_appended_to_the_query() {
        for (text, expected) in [
            ("https://a.example", "https://a.example?status=success"),
            ("https://a.example/", "https://a.example/?status=success"),
            ("https://a.example/b?", "https://a.example/b?status=success"),
            ("https://a.example/b?c=d", "https://a.example/b?c=d&status=success"),
            ("https://a.example/b?c=d&", "https://a.example/b?c=d&status=success"),
            ("https://a.example/b#/c?d", "https://a.example/b?status=success#/c?d"),
            ("https://a.example/b?c#d", "https://a.example/b?c&status=success#d"),
            ("https://a.example/?status=x", "https://a.example/?status=success"),
            ("https://a.example/?a=1&status=error&reason=y&b=%20#c", "https://a.example/?a=1&b=%20&status=success#c"),
            ("https://a.example/?st%61tus=x&status&statuses=2", "https://a.example/?statuses=2&status=success"),
        ] {
            assert_eq!(RedirectUrl::parse(text).unwrap().success(), expected);
        }
        let failed = RedirectUrl::parse("https://a.example/?x=1").unwrap().failure("expired");
        assert_eq!(failed, "https://a.example/?x=1&status=error&reason=expired");
    }

    #[test]
    fn the_challenge_goes_before_the_method_once_all_is_done() {
        let url = |text| RedirectUrl::parse(text);
        let (whole, one) = (url("https://whole.example"), url("https://one.example"));
        for (challenge, method, completed, expected) in [
            (&whole, &one, false, &one),
            (&whole, &one, true, &whole),
            (&None, &one, true, &one),
            (&whole, &None, false, &None),
            (&whole, &None, true, &whole),
            (&None, &None, true, &None),
        ] {
            let redirects = RedirectUrls { challenge: challenge.clone(), method: method.clone() };
            assert_eq!(redirects.resolve(completed), expected.as_ref());
        }
    }
}
