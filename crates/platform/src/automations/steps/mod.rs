//! Steps: what each does, in the transaction of the run.

mod flow;
mod http;
mod message;
mod resource;

pub(super) use http::{Answered, Asked};

use super::files::{Kept, Wanted};
use super::position::Way;
use super::progress::Progress;
use super::{Action, Fetched, Step, Takes, Template, Trigger};
use crate::error::Result;
use crate::expressions::{Handed, Parts, PlatformProviders, Reading, Rights, Secrets};
use crate::tenants::Call;
use database::Tx;
use expression::value::{Array, Text};
use expression::{Program, Providers, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What expressions of automations see beyond what all see.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// For `trigger()`.
    pub(super) trigger: BTreeMap<String, Value>,
    /// For `endpoint()`.
    pub(super) endpoint: BTreeMap<String, Value>,
    /// For `var()`.
    pub(super) variables: BTreeMap<String, Value>,
}

impl Providers for Surroundings {
    fn trigger(&self, name: &str) -> expression::Result<Value> {
        Ok(self.trigger.get(name).cloned().unwrap_or_default())
    }

    fn endpoint(&self, name: &str) -> expression::Result<Value> {
        Ok(self.endpoint.get(name).cloned().unwrap_or_default())
    }

    fn local(&self, name: &str) -> expression::Result<Value> {
        Ok(self.variables.get(name).cloned().unwrap_or_default())
    }
}

/// Where a step is done.
pub(super) struct Scene<'s> {
    /// Whoever caused the run, with all rights.
    pub(super) call: &'s Call,
    /// What the run began with.
    pub(super) trigger: &'s Trigger,
    /// The run: its id, and the name that no other run has.
    pub(super) run: (i64, &'s str),
    /// Files that are stored for its step.
    pub(super) kept: &'s Kept,
    /// What its expressions fetch from.
    pub(super) query: Option<&'s Fetched>,
    /// What the automation's expressions may take of resources.
    pub(super) takes: &'s Takes,
}

/// What a step did.
#[derive(Debug)]
pub(super) enum Done {
    /// All of it; this came of it.
    Next(Json),
    /// It goes into a block of its own.
    Into(Way, Json),
    /// Somebody else has to be asked first.
    Ask(Box<Asked>),
    /// Files have to be stored first; nothing was done.
    Store(Wanted),
    /// It ends the run.
    Stop(Json),
}

impl Done {
    /// What came of it, for the record.
    pub(super) fn result(&self) -> &Json {
        match self {
            Done::Next(result) | Done::Into(_, result) | Done::Stop(result) => result,
            Done::Ask(_) | Done::Store(_) => &Json::Null,
        }
    }
}

/// Does a step.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    scene: &Scene<'_>,
    step: &Step,
    progress: &mut Progress,
    answered: Option<Answered>,
) -> Result<Done> {
    match &step.action {
        Action::If { test, then, otherwise } => flow::branch(tx, scene, progress, test, [then, otherwise]),
        Action::Set(values) => flow::set(tx, scene, progress, values),
        Action::Each(each) => flow::each(tx, scene, progress, each),
        Action::Stop(message) => {
            let message = message.as_ref().map(|message| scene.ask(tx, progress, |asking| asking.text(message)));
            Ok(Done::Stop(json!({"message": message.transpose()?.flatten()})))
        }
        Action::Create(create) => resource::create(tx, scene, progress, create),
        Action::Update(update) => resource::update(tx, scene, progress, update),
        Action::Delete(type_id, item) => resource::delete(tx, scene, progress, (*type_id, item)),
        Action::Notify(notify) => message::notify(tx, scene, progress, notify),
        Action::Mail(mail) => message::mail(tx, scene, progress, mail),
        Action::Http(http) => http::ask(tx, scene, progress, (step, http), answered),
    }
}

/// Expressions of a step, with what they see.
pub(super) struct Asking<'a, 't> {
    pub(super) providers: PlatformProviders<'a, 't>,
    about: &'a Value,
}

impl Scene<'_> {
    /// Has expressions evaluated. While they are, nothing else is done in the transaction.
    pub(super) fn ask<T>(
        &self,
        tx: &mut Tx<'_>,
        progress: &Progress,
        work: impl FnOnce(&Asking<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        self.ask_with(tx, progress, Secrets::Write, work)
    }

    /// The same, with as much of the tenant's secrets.
    pub(super) fn ask_with<T>(
        &self,
        tx: &mut Tx<'_>,
        progress: &Progress,
        secrets: Secrets,
        work: impl FnOnce(&Asking<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        let surroundings = progress.surroundings(&self.call.model, self.trigger);
        let about = surroundings.trigger.get("resource").cloned().unwrap_or_default();
        let rights = Rights::Configuration;
        let parts = Parts { more: Some(&surroundings), rights, secrets, virtuals: Some(self.takes) };
        let providers = PlatformProviders::new(tx, self.call, Reading::Look, parts);
        let asking = Asking { providers, about: &about };
        if let Some(Fetched { name, parameters }) = self.query {
            let given =
                parameters.iter().map(|(name, template)| Ok((Text::from(name.as_str()), asking.value(template)?)));
            let given: Array = given.collect::<Result<Vec<_>>>()?.into_iter().collect();
            asking.providers.hand(Handed { query: Some((name.clone(), given)), ..Handed::default() });
        }
        work(&asking)
    }
}

impl Asking<'_, '_> {
    pub(super) fn value(&self, template: &Template) -> Result<Value> {
        template.value(&self.providers, self.about)
    }

    pub(super) fn text(&self, template: &Template) -> Result<Option<String>> {
        template.text(&self.providers, self.about)
    }

    pub(super) fn json(&self, template: &Template) -> Result<Json> {
        template.json(&self.providers, self.about)
    }

    /// With secrets, for what leaves; these are told as well.
    pub(super) fn revealed(&self, template: &Template, secrets: &mut Vec<String>) -> Result<String> {
        template.revealed(&self.providers, self.about, secrets)
    }

    /// With secrets, for what leaves; these are told as well.
    pub(super) fn revealed_json(&self, template: &Template, secrets: &mut Vec<String>) -> Result<Json> {
        template.revealed_json(&self.providers, self.about, secrets)
    }

    pub(super) fn holds(&self, program: &Program) -> Result<bool> {
        super::template::holds(&self.providers, program, self.about)
    }
}
