//! Methods by which an account proves itself: a link or a code in a mail, or a code in a text message.

use super::code::{CodeFault, CodeShape};
use super::members::BodyMembers;
use super::validity::ChallengeValidity;
use jiff::Timestamp;
use messages::outbox::Method;
use model::error::Result;
use model::redirect::RedirectUrl;
use serde_json::{Map, Value as Json, json};

/// A method with its options, as a registration asks for it and as it is stored for retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MethodOptions {
    pub(super) secret: SecretShape,
    pub(super) validity: ChallengeValidity,
    pub(super) redirect: Option<RedirectUrl>,
}

/// The form of the secret that is sent, which decides the method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SecretShape {
    MailLink,
    MailCode(CodeShape),
    SmsCode(CodeShape, SmsOptions),
}

/// The options for a text message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SmsOptions {
    /// True if it carries a link beside the code.
    pub(super) send_link: bool,
    /// Its text with placeholders; the localised one where none.
    pub(super) message: Option<String>,
}

/// The most characters of the text of a message.
const MESSAGE: usize = 480;

impl SecretShape {
    /// Returns the form of the code, where the secret is one.
    pub(super) fn code(&self) -> Option<&CodeShape> {
        match self {
            SecretShape::MailLink => None,
            SecretShape::MailCode(code) | SecretShape::SmsCode(code, _) => Some(code),
        }
    }
}

impl MethodOptions {
    /// Reads the options of a method.
    pub(super) fn parse(method: Method, members: &Map<String, Json>, now: Timestamp) -> Result<Self> {
        let path = format!("verify_account.{}", method.name());
        let known: &[&str] = match method {
            Method::MailLink => &["validity", "redirect_url"],
            Method::MailCode => &["validity", "redirect_url", "length", "charlist"],
            Method::SmsCode => &["validity", "redirect_url", "length", "charlist", "send_link", "message"],
        };
        let members = BodyMembers::within(members, &path, known)?;
        let validity = match members.text("validity")? {
            None => ChallengeValidity::DEFAULT,
            Some(text) => ChallengeValidity::parse(text, now).ok_or_else(|| {
                let why = "must be an amount of time such as +24 hours, from 1 minute to 30 days";
                members.refuse("validity", "validity_invalid", why)
            })?,
        };
        let redirect = redirect(&members)?;
        let secret = match method {
            Method::MailLink => SecretShape::MailLink,
            Method::MailCode => SecretShape::MailCode(code(&members)?),
            Method::SmsCode => SecretShape::SmsCode(code(&members)?, sms(&members)?),
        };
        Ok(MethodOptions { secret, validity, redirect })
    }

    /// `{}` of a method that needs no options.
    pub(super) fn mail_link() -> Self {
        MethodOptions { secret: SecretShape::MailLink, validity: ChallengeValidity::DEFAULT, redirect: None }
    }

    /// The method.
    pub(super) fn method(&self) -> Method {
        match self.secret {
            SecretShape::MailLink => Method::MailLink,
            SecretShape::MailCode(_) => Method::MailCode,
            SecretShape::SmsCode(..) => Method::SmsCode,
        }
    }

    /// The options as they are stored.
    pub(super) fn stored(&self) -> String {
        let mut stored = json!({"validity": self.validity.seconds()});
        if let Some(redirect) = &self.redirect {
            stored["redirect_url"] = redirect.as_str().into();
        }
        if let SecretShape::MailCode(code) | SecretShape::SmsCode(code, _) = &self.secret {
            stored["length"] = code.length().into();
            stored["charlist"] = code.charlist().into();
        }
        if let SecretShape::SmsCode(_, sms) = &self.secret {
            stored["send_link"] = sms.send_link.into();
            if let Some(message) = &sms.message {
                stored["message"] = message.as_str().into();
            }
        }
        stored.to_string()
    }

    /// Reads options as they are stored.
    pub(super) fn of_stored(method: Method, stored: &str) -> Option<Self> {
        let stored: Json = serde_json::from_str(stored).ok()?;
        let code = || CodeShape::of_stored(stored["length"].as_i64(), stored["charlist"].as_str());
        let sms = || SmsOptions {
            send_link: stored["send_link"].as_bool().unwrap_or(false),
            message: stored["message"].as_str().map(str::to_owned),
        };
        let secret = match method {
            Method::MailLink => SecretShape::MailLink,
            Method::MailCode => SecretShape::MailCode(code()?),
            Method::SmsCode => SecretShape::SmsCode(code()?, sms()),
        };
        let validity = ChallengeValidity::of_seconds(stored["validity"].as_i64()?)?;
        Some(MethodOptions { secret, validity, redirect: stored["redirect_url"].as_str().and_then(RedirectUrl::parse) })
    }
}

/// The member `redirect_url`.
pub(super) fn redirect(members: &BodyMembers<'_>) -> Result<Option<RedirectUrl>> {
    let Some(text) = members.text("redirect_url")? else { return Ok(None) };
    let why = "must be an absolute address, http or https, without credentials";
    RedirectUrl::parse(text).map(Some).ok_or_else(|| members.refuse("redirect_url", "redirect_invalid", why))
}

fn code(members: &BodyMembers<'_>) -> Result<CodeShape> {
    let (length, charlist) = (members.integer("length")?, members.text("charlist")?);
    CodeShape::parse(length, charlist).map_err(|fault| match fault {
        CodeFault::Length => members.refuse("length", "length_invalid", "must be from 4 to 64"),
        CodeFault::Charlist => {
            let why =
                "must name at least 2 different characters of visible ASCII, such as 0-9A-Z, and no range backwards";
            members.refuse("charlist", "charlist_invalid", why)
        }
        CodeFault::Few => {
            members.refuse("charlist", "code_weak", "and length must leave at least 10,000 different codes")
        }
    })
}

fn sms(members: &BodyMembers<'_>) -> Result<SmsOptions> {
    let send_link = members.boolean("send_link")?.unwrap_or(false);
    let message = members.text("message")?;
    if let Some(text) = message {
        let clean = text.chars().all(|character| character == '\n' || !character.is_control());
        if text.trim().is_empty() || text.chars().count() > MESSAGE || !clean {
            let why = "must have 1 to 480 characters, without control characters other than line ends";
            return Err(members.refuse("message", "message_invalid", why));
        }
        if !send_link && !text.contains("%code%") {
            return Err(members.refuse("message", "message_invalid", "must have %code% in it"));
        }
    }
    Ok(SmsOptions { send_link, message: message.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::MethodOptions;
    use messages::outbox::Method;
    use serde_json::{Value as Json, json};

    fn parse(method: Method, options: &Json) -> Result<MethodOptions, String> {
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        MethodOptions::parse(method, options.as_object().unwrap(), now).map_err(|error| error.message)
    }

    #[test]
    fn options_come_back_as_they_were_stored() {
        for (method, options) in [
            (Method::MailLink, json!({})),
            (Method::MailLink, json!({"validity": "+2 days", "redirect_url": "https://a.example/b"})),
            (Method::MailCode, json!({})),
            (Method::MailCode, json!({"length": 8, "charlist": "0-9A-Z", "validity": "+1 minute"})),
            (Method::SmsCode, json!({"send_link": true, "message": "%tenant%: %code% %link% (%validity%)"})),
        ] {
            let read = parse(method, &options).unwrap();
            assert_eq!(MethodOptions::of_stored(method, &read.stored()).as_ref(), Some(&read));
        }
    }

    #[test]
    fn every_option_is_judged_under_its_name() {
        for (method, options, expected) in [
            (Method::MailLink, json!({"length": 6}), "verify_account.mail_link.length is unknown."),
            (Method::MailCode, json!({"send_link": true}), "verify_account.mail_code.send_link is unknown."),
            (Method::MailCode, json!({"length": "6"}), "verify_account.mail_code.length must be an integer."),
            (Method::MailCode, json!({"length": 6.0}), "verify_account.mail_code.length must be an integer."),
            (Method::MailCode, json!({"length": 3}), "verify_account.mail_code.length must be from 4 to 64."),
            (Method::SmsCode, json!({"send_link": 1}), "verify_account.sms_code.send_link must be true or false."),
            (Method::SmsCode, json!({"message": "Hello"}), "verify_account.sms_code.message must have %code% in it."),
            (Method::SmsCode, json!({"message": ["%code%"]}), "verify_account.sms_code.message must be a text."),
        ] {
            assert_eq!(parse(method, &options).unwrap_err(), expected);
        }
        for method in Method::ALL {
            for (option, value) in [("validity", json!("-1 day")), ("redirect_url", json!("//evil"))] {
                let refused = parse(method, &json!({option: value})).unwrap_err();
                assert!(
                    refused.starts_with(&format!("verify_account.{}.{option} must be", method.name())),
                    "{refused}"
                );
            }
        }
    }
}
