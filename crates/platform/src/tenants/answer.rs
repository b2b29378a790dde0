//! Reads of collections, answered out of the cache where that holds.

use super::{Call, Tenant};
use crate::cache::{Answer, Asked, Entry, Parts};
use crate::error::Result;
use crate::files;
use crate::keys::KeyText;
use crate::read_log::{RECORDED, Way};
use crate::resources::versions::Versions;
use crate::resources::{self, Question};
use database::{Cost, Tx};
use std::sync::Arc;

impl Tenant {
    /// Answers a question of the key's owner. Where the answer is kept, it is given if nothing that it rests on has
    /// changed: that is asked of the store each time. With `fresh` nothing remembered has a part in it.
    pub async fn answer(self: &Arc<Self>, key: &KeyText, question: Question, fresh: bool) -> Result<Answer> {
        let question = Arc::new(question);
        match self.answer_unlogged(key, &question, fresh).await {
            Err(error) if error.code == RECORDED => {}
            answer => return answer,
        }
        let (asked, way) = (Arc::clone(&question), question.way());
        let job = move |tx: &mut Tx<'_>, call: &Call| asked.answer(tx, call, None).map(|made| complete(call, made).0);
        let answer = self.write_noting(way, key, job).await?;
        Ok(Answer { logged: answer.logged || way != Way::List, ..answer })
    }

    /// The acting user as JSON, who may be of a type whose reads are logged.
    pub async fn current_user(self: &Arc<Self>, key: &KeyText) -> Result<Vec<u8>> {
        let job = |tx: &mut Tx<'_>, call: &Call| {
            call.actor.require_command("user.current")?;
            resources::current_user(tx, call)
        };
        match self.read(Cost::Point, key, job).await {
            Err(error) if error.code == RECORDED => self.write_noting(Way::Get, key, job).await,
            read => read,
        }
    }

    /// The same, unless reads of what it shows are logged: then it fails.
    async fn answer_unlogged(self: &Arc<Self>, key: &KeyText, question: &Arc<Question>, fresh: bool) -> Result<Answer> {
        if fresh || !self.cache.keeps() || !question.keeps() {
            let asked = Arc::clone(question);
            let job = move |tx: &mut Tx<'_>, call: &Call| asked.answer(tx, call, None).map(|made| complete(call, made));
            return self.read(question.cost(), key, job).await.map(|(answer, _)| answer);
        }
        if self.may_know(key, question) {
            let (tenant, asked) = (Arc::clone(self), Arc::clone(question));
            let job = move |tx: &mut Tx<'_>, call: &Call| tenant.known(tx, call, &asked);
            if let Some(known) = self.read(Cost::Point, key, job).await? {
                self.cache.note(true);
                return Ok(known);
            }
        }
        let (tenant, asked) = (Arc::clone(self), Arc::clone(question));
        let made = self
            .read(question.cost(), key, move |tx, call| {
                let parts =
                    Parts { cache: &tenant.cache, tenant: &tenant.name, configuration: call.epochs.configuration };
                let (answer, versions) = complete(call, asked.answer(tx, call, Some(&parts))?);
                Ok((answer, versions, call.clone()))
            })
            .await?;
        // Kept only now: the read was not done before it was told that its caller's rights still hold.
        let (answer, versions, call) = made;
        // Whether somebody acts as the user may be part of the answer.
        if let Some(versions) = versions.filter(|_| call.actor.acting.is_none()) {
            self.cache.note(false);
            self.latest.note(call.epochs.configuration, &versions);
            let entry =
                Entry { answer: answer.clone(), epochs: call.epochs, versions, window: files::window(call.now) };
            self.cache.keep_answer(self.asked(&call, question), entry);
        }
        Ok(answer)
    }

    /// Whether an answer may be kept and hold, by what is known of the key and of changes without asking the store.
    fn may_know(&self, key: &KeyText, question: &Question) -> bool {
        self.guess(key).is_some_and(|actor| {
            let asked = Asked { tenant: &self.name, user: actor.user, scopes: &actor.scopes, question };
            let kept = self.cache.answer(asked);
            kept.is_some_and(|entry| !self.latest.outdates(entry.epochs.configuration, &entry.versions))
        })
    }

    /// The answer that is kept, where it holds.
    fn known(&self, tx: &mut Tx<'_>, call: &Call, question: &Question) -> Result<Option<Answer>> {
        if call.actor.acting.is_some() {
            return Ok(None);
        }
        let Some(entry) = self.cache.answer(self.asked(call, question)) else { return Ok(None) };
        if entry.epochs != call.epochs || entry.window != files::window(call.now) {
            return Ok(None);
        }
        let current = Versions::read(tx, &entry.versions.types())?;
        self.latest.note(call.epochs.configuration, &current);
        Ok(entry.versions.hold(&current).then(|| entry.answer.clone()))
    }

    fn asked<'a>(&'a self, call: &'a Call, question: &'a Question) -> Asked<'a> {
        Asked { tenant: &self.name, user: call.actor.user, scopes: &call.actor.scopes, question }
    }
}

/// An answer with its ETag.
fn complete(call: &Call, made: resources::Made) -> (Answer, Option<Versions>) {
    let etag = resources::etag(call, &made.body).into();
    (Answer { body: made.body.into(), etag, empty: made.empty, logged: made.logged }, made.versions)
}
