//! Steps: what each does, in the transaction of the run.

mod flow;
mod http;
mod message;
mod resource;

pub(super) use http::{HttpAnswer, HttpCall};

use super::Trigger;
use super::memory::{NamePart, RunMemory};
use super::position::BlockWay;
use super::progress::RunProgress;
use super::run_values::RunIdentity;
use crate::made_files::{KeptFiles, WantedFile};
use context::request_context::RequestContext;
use database::Tx;
use expression::value::{Array, Text};
use expression::{HostProviders, Program, Providers, Value};
use model::automation::{AutomationStep, FetchedQuery, StepAction, ValueTemplate};
use model::error::Result;
use model::types::Model;
use model::used_properties::UsedProperties;
use resources::expressions::{Handed, Parts, PlatformProviders, Reading, Rights, Secrets};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values that expressions of automations see beyond those that all see.
#[derive(Debug, Default)]
pub(super) struct StepValues<'s> {
    /// For `trigger()`.
    pub(super) trigger: BTreeMap<String, Value>,
    /// For `endpoint()` and `var()`: what the run knows, as the model has it; none where there is no run.
    pub known: Option<(&'s RunMemory, &'s Arc<Model>)>,
}

impl StepValues<'_> {
    fn known(&self, part: NamePart, name: &str) -> Value {
        self.known.map(|(memory, model)| memory.value(model, part, name)).unwrap_or_default()
    }
}

impl Providers for StepValues<'_> {
    fn local(&self, name: &str) -> expression::Result<Value> {
        Ok(self.known(NamePart::Variable, name))
    }
}

impl HostProviders for StepValues<'_> {
    fn trigger(&self, name: &str) -> expression::Result<Value> {
        Ok(self.trigger.get(name).cloned().unwrap_or_default())
    }

    fn endpoint(&self, name: &str) -> expression::Result<Value> {
        Ok(self.known(NamePart::Endpoint, name))
    }
}

/// Scene in which a step is done.
pub(super) struct StepScene<'s> {
    /// The request context of the user who caused the run, with all rights.
    pub(super) context: &'s RequestContext,
    /// The trigger that the run began with.
    pub(super) trigger: &'s Trigger,
    pub(super) run: RunIdentity<'s>,
    /// Files that are stored for its step.
    pub kept: &'s KeptFiles,
    /// The query that its expressions fetch from.
    pub(super) query: Option<&'s FetchedQuery>,
    /// Values of resources that the automation's expressions may take.
    pub(super) takes: &'s UsedProperties,
}

/// Outcome of a step.
#[derive(Debug)]
pub(super) enum StepOutcome {
    /// All of it; this came of it.
    Next(Json),
    /// It goes into a block of its own.
    Into(BlockWay, Json),
    /// Somebody else has to be asked first.
    Ask(Box<HttpCall>),
    /// Files have to be stored first; nothing was done.
    Store(WantedFile),
    /// It ends the run.
    Stop(Json),
}

impl StepOutcome {
    /// Returns the result, for the record.
    pub(crate) fn result(&self) -> &Json {
        match self {
            StepOutcome::Next(result) | StepOutcome::Into(_, result) | StepOutcome::Stop(result) => result,
            StepOutcome::Ask(_) | StepOutcome::Store(_) => &Json::Null,
        }
    }
}

/// Does a step.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    step: &AutomationStep,
    progress: &mut RunProgress,
    answered: Option<HttpAnswer>,
) -> Result<StepOutcome> {
    match &step.action {
        StepAction::If { test, then, otherwise } => flow::branch(tx, scene, progress, test, [then, otherwise]),
        StepAction::Set(values) => flow::set(tx, scene, progress, values),
        StepAction::Each(each) => flow::each(tx, scene, progress, each),
        StepAction::Stop(message) => {
            let message = message.as_ref().map(|message| scene.ask(tx, progress, |asking| asking.text(message)));
            Ok(StepOutcome::Stop(json!({"message": message.transpose()?.flatten()})))
        }
        StepAction::Create(create) => resource::create(tx, scene, progress, create),
        StepAction::Update(update) => resource::update(tx, scene, progress, update),
        StepAction::Delete(type_id, item) => resource::delete(tx, scene, progress, *type_id, item),
        StepAction::Notify(notify) => message::notify(tx, scene, progress, notify),
        StepAction::Mail(mail) => message::mail(tx, scene, progress, mail),
        StepAction::Http(http) => http::ask(tx, scene, progress, step, http, answered),
    }
}

/// Expressions of a step, with what they see.
pub(super) struct StepExpressions<'a, 't> {
    pub(super) providers: PlatformProviders<'a, 't>,
    about: &'a Value,
}

impl StepScene<'_> {
    /// Has expressions evaluated. While they are, nothing else is done in the transaction.
    pub(super) fn ask<T>(
        &self,
        tx: &mut Tx<'_>,
        progress: &RunProgress,
        work: impl FnOnce(&StepExpressions<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        self.ask_with(tx, progress, Secrets::Write, work)
    }

    /// The same, with as much of the tenant's secrets.
    pub(super) fn ask_with<T>(
        &self,
        tx: &mut Tx<'_>,
        progress: &RunProgress,
        secrets: Secrets,
        work: impl FnOnce(&StepExpressions<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        let model = &self.context.model;
        let known = Some((&progress.memory, model));
        let surroundings = StepValues { trigger: self.trigger.values(model), known };
        let about = surroundings.trigger.get("resource").cloned().unwrap_or_default();
        let rights = Rights::Configuration;
        let parts = Parts { more: Some(&surroundings), rights, secrets, virtuals: Some(self.takes), inverses: true };
        let providers = PlatformProviders::new(tx, self.context, Reading::Look, parts);
        let asking = StepExpressions { providers, about: &about };
        if let Some(FetchedQuery { name, parameters }) = self.query {
            let given =
                parameters.iter().map(|(name, template)| Ok((Text::from(name.as_str()), asking.value(template)?)));
            let given: Array = given.collect::<Result<Vec<_>>>()?.into_iter().collect();
            asking.providers.hand(Handed { query: Some((name.clone(), given)), ..Handed::default() });
        }
        work(&asking)
    }
}

impl StepExpressions<'_, '_> {
    pub(super) fn value(&self, template: &ValueTemplate) -> Result<Value> {
        super::template::value(template, &self.providers, self.about)
    }

    pub(super) fn text(&self, template: &ValueTemplate) -> Result<Option<String>> {
        super::template::text(template, &self.providers, self.about)
    }

    pub(super) fn json(&self, template: &ValueTemplate) -> Result<Json> {
        super::template::json(template, &self.providers, self.about)
    }

    /// With secrets, for what leaves; these are told as well.
    pub(super) fn revealed(&self, template: &ValueTemplate, secrets: &mut Vec<String>) -> Result<String> {
        super::template::revealed(template, &self.providers, self.about, secrets)
    }

    /// With secrets, for what leaves; these are told as well.
    pub(super) fn revealed_json(&self, template: &ValueTemplate, secrets: &mut Vec<String>) -> Result<Json> {
        super::template::revealed_json(template, &self.providers, self.about, secrets)
    }

    /// Adds the secrets that expressions asked for so far.
    pub(super) fn used_secrets(&self, secrets: &mut Vec<String>) {
        for value in self.providers.used_secrets() {
            super::template::tell(&self.providers, &value, secrets);
        }
    }

    pub(crate) fn holds(&self, program: &Program) -> Result<bool> {
        super::template::holds(&self.providers, program, self.about)
    }
}
