//! The e-mail address that an account is made for: a mailbox in ASCII that has one spelling.

use email_address::Options;
use std::fmt;

/// An address in lower case, as logins are kept. Nothing that mail servers, or people, might read in two ways is one:
/// no quotes, comments, address literals or letters beyond ASCII, so that no two accounts look or sort alike (A051,
/// A052), and nothing in it ends a line of a message's head (A050).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress {
    text: String,
    at: usize,
}

impl EmailAddress {
    /// Reads an address.
    pub fn parse(text: &str) -> Option<Self> {
        let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
        if !plain || text.len() > 254 || email_address::EmailAddress::parse_with_options(text, options).is_err() {
            return None;
        }
        let text = text.to_ascii_lowercase();
        let at = text.rfind('@')?;
        let domain = &text[at + 1..];
        let label = |label: &str| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        // The last label of a host name is never a number: what looks so is an address of the network (RFC 1123, 2.1).
        let top = domain.rsplit('.').next()?;
        let named = top.bytes().any(|byte| byte.is_ascii_alphabetic());
        (domain.split('.').all(label) && named).then_some(EmailAddress { text, at })
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the part behind the `@`.
    pub fn domain(&self) -> &str {
        &self.text[self.at + 1..]
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::EmailAddress;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let read = EmailAddress::parse(text);
        assert_eq!(read.as_ref().map(|read| (read.as_str(), read.domain())), expected, "{text:?}");
    }

    #[test]
    fn mailboxes_are_read_into_one_spelling() {
        check("ann@example.com", Some(("ann@example.com", "example.com")));
        check("Ann.O'Neil+news@Mail.Example.COM", Some(("ann.o'neil+news@mail.example.com", "mail.example.com")));
        check("a@xn--e1afmkfd.xn--p1ai", Some(("a@xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai")));
        let longest = format!("{}@example.com", "a".repeat(64));
        check(&longest, Some((&longest, "example.com")));
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_none() {
        for text in [
            "",
            "ann",
            "ann@",
            "@example.com",
            "ann@localhost",
            "ann@example.com.",
            "ann@example..com",
            "ann@.example.com",
            "ann@-example.com",
            "ann@example-.com",
            ".ann@example.com",
            "ann.@example.com",
            "a..n@example.com",
            " ann@example.com",
            "ann@example.com ",
            "ann@example.com\n",
            "a@x.cz\r\nBcc: all@x.cz",
            "a@x.cz\0",
            "a@evil.com@allowed.cz",
            "\"a b\"@allowed.cz",
            "\"a\"@allowed.cz",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a(comment)@example.com",
            "Ann <ann@example.com>",
            "<ann@example.com>",
            "ann@example.com,bob@example.com",
            "ann@exam_ple.com",
            "ann@exámple.com",
            "ánn@example.com",
            "ann@example.com\u{301}",
            "\u{ff41}nn@example.com",
            "ann\u{202e}@example.com",
            "adm\u{131}n@example.com",
        ] {
            check(text, None);
        }
        check(&format!("{}@example.com", "a".repeat(65)), None);
        check(&format!("a@{}.com", "b".repeat(64)), None);
        check(&format!("a@{}com", "bcdefgh.".repeat(32)), None);
    }
}
