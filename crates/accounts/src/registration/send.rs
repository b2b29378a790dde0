//! Putting a new secret into a challenge, and the message with it into the outbox: one transaction for both (D-39).

use super::challenge::AccountChallenge;
use super::method::{MethodOptions, SecretShape};
use super::secret::{self, SecretDigest};
use super::state::AccountUser;
use context::request_context::RequestContext;
use context::throttle;
use database::Tx;
use messages::outbox;
use messages::outbox::{Message, Method, Reference, Template, Values};
use model::error::{Error, Result};
use url::form_urlencoded::Serializer;

/// Makes a new secret for each of these methods and sends it. What was not sent yet of the old ones is cancelled.
pub(super) fn send<'o>(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    user: &AccountUser,
    challenge: &AccountChallenge,
    methods: impl Iterator<Item = &'o MethodOptions> + Clone,
) -> Result<()> {
    // Before anything is written, so that a caller who ignores this error has changed nothing.
    if methods.clone().any(|options| options.method() == Method::SmsCode)
        && let Some(phone) = &user.phone
        && let Some(over) = throttle::take(tx, &[throttle::TEXT.of(phone)], context.now)?
    {
        let message = "Too many text messages were sent to this number. Try again later.";
        return Err(over.error(context.now, "text_throttled", message));
    }
    for options in methods {
        send_one(tx, context, user, challenge, options)?;
    }
    Ok(())
}

fn send_one(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    user: &AccountUser,
    challenge: &AccountChallenge,
    options: &MethodOptions,
) -> Result<()> {
    let identifier = challenge.identifier.as_deref().ok_or_else(|| Error::failed("a method without a challenge"))?;
    let method = options.method();
    let secret = secret::generate(&options.secret, context.random.as_ref());
    let digest = SecretDigest::of(context.vault()?, identifier, method, &secret);
    challenge.put_secret(tx, context, options, &digest)?;
    outbox::cancel(tx, context, challenge.id, Some(method))?;

    let link = || link(user.id, identifier, method, &secret);
    let mut values = Values {
        name: user.name.clone(),
        title: challenge.title.clone().unwrap_or_else(|| title(&context.model.settings.locale).to_owned()),
        expires: Some(options.validity.end(context.now)),
        ..Values::default()
    };
    let (template, recipient) = match &options.secret {
        SecretShape::MailLink => {
            values.link = Some(link());
            (Template::VerifyLink, user.login.clone())
        }
        SecretShape::MailCode(_) => {
            values.code = Some(secret.clone());
            (Template::VerifyCode, user.login.clone())
        }
        SecretShape::SmsCode(_, sms) => {
            values.code = Some(secret.clone());
            values.link = sms.send_link.then(link);
            values.message.clone_from(&sms.message);
            // An administrator may have taken the number away since.
            let Some(phone) = user.phone.clone() else { return Ok(()) };
            (Template::VerifySms, phone)
        }
    };
    let reference = Some(Reference::Challenge(challenge.id, method));
    outbox::enqueue(tx, context, &Message { template, recipient, language: None, values, reference })?;
    Ok(())
}

/// Returns the subject of a verification where the registration names none.
fn title(language: &str) -> &'static str {
    match language {
        "cs" => "Ověření uživatelského účtu",
        _ => "User account verification",
    }
}

/// The way to user.challenge that verifies a method, from the tenant's own root. No redirect is in it.
fn link(user: i64, challenge: &str, method: Method, secret: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("userId", &user.to_string());
    query.append_pair("challengeId", challenge);
    query.append_pair("method", method.name()).append_pair("secret", secret);
    format!("/api/v1/app/user.challenge?{}", query.finish())
}
