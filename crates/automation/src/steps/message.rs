//! Steps that tell people: notifications and mails, in the transaction of the run.

use super::{StepExpressions, StepOutcome, StepScene};
use crate::progress::RunProgress;
use crate::template::of_fault;
use database::Tx;
use expression::Value;
use expression::convert::to_text;
use messages::notifications;
use messages::notifications::{Content, Level, NewNotification, Recipient, Target};
use messages::outbox;
use messages::outbox::{Message, Template as Text, Values};
use model::automation::{MailStep, NotifyStep};
use model::email::EmailAddress;
use model::error::{Error, Result};
use model::user_columns::USER_TYPE;
use serde_json::{Value as Json, json};

/// The most addresses that a mail may go to.
const MOST: usize = 100;
/// The most characters of a subject and of a text.
const SUBJECT: usize = 200;
const TEXT: usize = 100_000;

/// Notifies users.
pub(super) fn notify(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &RunProgress,
    notify: &NotifyStep,
) -> Result<StepOutcome> {
    let new = scene.ask(tx, progress, |asking| notification(asking, notify))?;
    if new.recipients.is_empty() {
        return Ok(StepOutcome::Next(json!({"notifications": []})));
    }
    let made = notifications::create(tx, scene.context, &new)?;
    Ok(StepOutcome::Next(json!({"notifications": made.iter().map(|(id, _)| *id).collect::<Vec<_>>()})))
}

fn notification(asking: &StepExpressions<'_, '_>, notify: &NotifyStep) -> Result<NewNotification> {
    let optional = |template: &Option<_>| match template {
        Some(template) => asking.text(template),
        None => Ok(None),
    };
    let level = match optional(&notify.level)? {
        None => Level::default(),
        Some(name) => {
            let found = Level::ALL.iter().find(|(known, _)| *known == name).map(|(_, level)| *level);
            found.ok_or_else(|| {
                let known: Vec<&str> = Level::ALL.iter().map(|(known, _)| *known).collect();
                Error::invalid("not_choice", format!("The level must be one of {}.", known.join(", ")))
            })?
        }
    };
    let data = match notify.data.as_ref().map(|data| asking.json(data)).transpose()? {
        None | Some(Json::Null) => None,
        Some(Json::Object(members)) => Some(members),
        Some(_) => return Err(Error::invalid("not_object", "`data` of a notification is an object.")),
    };
    let about = notify.target.as_ref().map(|target| asking.value(target)).transpose()?;
    let resource = match about {
        None | Some(Value::Null) => None,
        Some(Value::Resource(resource)) => {
            let uuid = resource.uuid(&asking.providers).map_err(|fault| of_fault(&fault))?;
            let uuid = uuid.and_then(|uuid| uuid::Uuid::parse_str(&uuid).ok());
            uuid.map(|uuid| (resource.type_id(), resource.id(), uuid.into_bytes()))
        }
        Some(other) => {
            let message = format!("`target` of a notification is a resource, not {}.", other.kind());
            return Err(Error::invalid("wrong_kind", message));
        }
    };
    let mut recipients = Vec::new();
    each(&asking.value(&notify.to)?, &mut |value| {
        recipients.extend(recipient(value)?);
        Ok(())
    })?;
    Ok(NewNotification {
        recipients,
        content: Content {
            kind: optional(&notify.kind)?.unwrap_or_else(|| "automation".to_owned()),
            title: asking.text(&notify.title)?.unwrap_or_default(),
            body: optional(&notify.body)?,
            level,
            expires: None,
            target: Target { resource, url: optional(&notify.url)? },
            actions: Vec::new(),
            data,
        },
    })
}

fn recipient(value: &Value) -> Result<Option<Recipient>> {
    match value {
        Value::Null => Ok(None),
        Value::Int(id) => Ok(Some(Recipient::User(*id))),
        Value::Resource(resource) if resource.type_id() == USER_TYPE => Ok(Some(Recipient::User(resource.id()))),
        other => {
            let message = format!("A notification goes to users or their ids, not to {}.", other.kind());
            Err(Error::invalid("not_recipients", message))
        }
    }
}

/// Sends a mail: one for each address.
pub(super) fn mail(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &RunProgress,
    mail: &MailStep,
) -> Result<StepOutcome> {
    let (addresses, subject, text) = scene.ask(tx, progress, |asking| {
        let mut addresses = Vec::new();
        each(&asking.value(&mail.to)?, &mut |value| {
            if !value.is_null() {
                addresses.push(address(asking, value)?);
            }
            Ok(())
        })?;
        let text = |template| Ok::<_, Error>(asking.text(template)?.unwrap_or_default());
        Ok((addresses, text(&mail.subject)?, text(&mail.text)?))
    })?;
    let limits = [
        (addresses.len() <= MOST, format!("A mail goes to at most {MOST} addresses.")),
        (!subject.trim().is_empty(), "A mail has a subject.".to_owned()),
        (subject.chars().count() <= SUBJECT, format!("The subject of a mail has at most {SUBJECT} characters.")),
        (text.chars().count() <= TEXT, format!("The text of a mail has at most {TEXT} characters.")),
    ];
    if let Some((_, message)) = limits.into_iter().find(|(holds, _)| !holds) {
        return Err(Error::invalid("mail_invalid", message));
    }
    let mut rows = Vec::new();
    for address in addresses {
        let values = Values { title: subject.clone(), message: Some(text.clone()), ..Values::default() };
        let recipient = address.as_str().to_owned();
        let message = Message { template: Text::Plain, recipient, language: None, values, reference: None };
        rows.push(outbox::enqueue(tx, scene.context, &message)?);
    }
    Ok(StepOutcome::Next(json!({"outbox": rows})))
}

/// The address of a text, or of a user who signs in with one.
fn address(asking: &StepExpressions<'_, '_>, value: &Value) -> Result<EmailAddress> {
    let login = match value {
        Value::Resource(resource) if resource.type_id() == USER_TYPE => {
            resource.property("user_id", &asking.providers).map_err(|fault| of_fault(&fault))?.unwrap_or_default()
        }
        Value::Text(_) => value.clone(),
        other => {
            let message = format!("A mail goes to addresses or users, not to {}.", other.kind());
            return Err(Error::invalid("not_address", message));
        }
    };
    let text = to_text(&login, &asking.providers).map_err(|fault| of_fault(&fault))?.lossy().into_owned();
    // The message leaves the input out: not everyone who looks at runs may read it.
    EmailAddress::parse(&text).ok_or_else(|| Error::invalid("not_address", "A mail goes to e-mail addresses alone."))
}

/// A value, or each member of a list.
fn each(value: &Value, work: &mut impl FnMut(&Value) -> Result<()>) -> Result<()> {
    match value {
        Value::Array(array) => array.values().try_for_each(work),
        value => work(value),
    }
}
