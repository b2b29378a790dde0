//! Requests of callers of user.register, read into values that cannot be wrong.

use super::members::BodyMembers;
use super::method::{self, MethodOptions, SecretShape};
use context::passwords::check as check_password;
use jiff::Timestamp;
use messages::outbox::Method;
use model::email::EmailAddress;
use model::error::{Error, Result};
use model::phone::PhoneNumber;
use model::redirect::RedirectUrl;
use model::types::RegistrationSettings;
use serde_json::{Map, Value as Json};

/// The most characters of names and titles.
const LINE: usize = 200;
/// The most roles that may be asked for.
const ROLES: usize = 100;

/// The body of user.register.
#[derive(Clone)]
pub(super) struct RegistrationRequest {
    pub(super) email: EmailAddress,
    pub name: String,
    pub(super) roles: Vec<String>,
    pub(super) group: Option<String>,
    /// As it was given; it is hashed before anything is written.
    pub(super) password: Option<String>,
    pub(super) phone: Option<PhoneNumber>,
    pub verification: VerificationRequest,
}

/// The verification of an account. Without methods it waits for somebody else to activate it (D-30).
#[derive(Clone, Debug)]
pub(super) struct VerificationRequest {
    pub(super) title: Option<String>,
    pub(super) redirect: Option<RedirectUrl>,
    /// Each method at most once, in the contract's order.
    pub(super) methods: Vec<MethodOptions>,
}

impl RegistrationRequest {
    /// Reads the body.
    pub(super) fn parse(members: &Map<String, Json>, now: Timestamp) -> Result<Self> {
        let known = ["user_id", "user_name", "roles", "user_group", "password", "phone", "verify_account"];
        let members = BodyMembers::of(members, &known)?;
        let email = email(&members, "user_id", members.required_text("user_id")?)?;
        members.required_text("user_name")?;
        let name = line(&members, "user_name")?.ok_or_else(|| members.missing("user_name"))?;
        let roles = members.texts("roles", ROLES)?;
        let group = members.text("user_group")?.map(str::to_owned);
        let password = members.text("password")?.map(str::to_owned);
        if let Some(password) = &password {
            check_password(password, Some(email.as_str()))?;
        }
        let phone = members.text("phone")?.map(|text| {
            let why = "must be a phone number with its country, such as +420601234567, and none of a premium rate";
            PhoneNumber::parse(text).ok_or_else(|| members.refuse("phone", "phone_invalid", why))
        });
        let phone = phone.transpose()?;
        let verification = match members.object("verify_account")? {
            Some(of) => VerificationRequest::parse(of, now)?,
            None => VerificationRequest { title: None, redirect: None, methods: vec![MethodOptions::mail_link()] },
        };
        let texts = |options: &MethodOptions| matches!(options.secret, SecretShape::SmsCode(..));
        if phone.is_none() && verification.methods.iter().any(texts) {
            return Err(members.missing("phone"));
        }
        Ok(RegistrationRequest { email, name, roles, group, password, phone, verification })
    }

    /// Refuses what the tenant does not let anybody register (R-278, D-36).
    pub(super) fn check_allowed(&self, settings: &RegistrationSettings) -> Result<()> {
        let domains = &settings.allowed_domains;
        if !domains.is_empty() && !domains.iter().any(|domain| domain.eq_ignore_ascii_case(self.email.domain())) {
            let message = format!("E-mail addresses of {} are not allowed here.", self.email.domain());
            return Err(Error::forbidden("domain_forbidden", message));
        }
        if let Some(role) = self.roles.iter().find(|role| !settings.allowed_roles.contains(role)) {
            return Err(Error::forbidden("role_forbidden", format!("The role {role:?} is not allowed here.")));
        }
        match self.group.as_ref().filter(|group| !settings.allowed_groups.contains(group)) {
            Some(group) => {
                Err(Error::forbidden("group_forbidden", format!("The group {group:?} is not allowed here.")))
            }
            None => Ok(()),
        }
    }
}

impl VerificationRequest {
    fn parse(of: &Map<String, Json>, now: Timestamp) -> Result<Self> {
        let names = Method::ALL.map(Method::name);
        let known: Vec<&str> = ["title", "redirect_url"].into_iter().chain(names).collect();
        let members = BodyMembers::within(of, "verify_account", &known)?;
        let title = line(&members, "title")?;
        let redirect = method::redirect(&members)?;
        let mut methods = Vec::new();
        for method in Method::ALL {
            // What is left out is not asked for; null would leave an account that nothing verifies.
            if of.get(method.name()).is_some_and(Json::is_null) {
                let why = "must be an object: {} for its defaults, or leave it out";
                return Err(members.refuse(method.name(), "wrong_type", why));
            }
            if let Some(options) = members.object(method.name())? {
                methods.push(MethodOptions::parse(method, options, now)?);
            }
        }
        Ok(VerificationRequest { title, redirect, methods })
    }
}

/// The address in a member.
pub(super) fn email(members: &BodyMembers<'_>, name: &str, text: &str) -> Result<EmailAddress> {
    EmailAddress::parse(text).ok_or_else(|| members.refuse(name, "email_invalid", "must be an e-mail address"))
}

/// A text of one line that people read: names, titles. None where there is nothing but white space.
fn line(members: &BodyMembers<'_>, name: &str) -> Result<Option<String>> {
    let Some(text) = members.text(name)? else { return Ok(None) };
    // Line separators end lines for some; directional formatting makes what follows read backwards.
    let turns =
        |character| matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    if text.chars().any(|character| character.is_control() || turns(character)) {
        return Err(members.refuse(name, "text_invalid", "must not hold control characters"));
    }
    if text.chars().count() > LINE {
        return Err(members.refuse(name, "too_long", &format!("must have at most {LINE} characters")));
    }
    Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
}
