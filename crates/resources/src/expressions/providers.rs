//! Providers for expressions of the platform: the resource that they are about, its relations, the acting user.

use super::kept_results::Results;
use super::parts::{Handed, Parts, Rights, Secrets};
use super::seen::SeenResource;
use crate::files::read_below;
use crate::secrets;
use context::audit::RequestChannel;
use context::nesting::EvaluationNesting;
use context::request_context::RequestContext;
use context::stored_reference::reference;
use context::stored_resource::StoredResource;
use database::Tx;
use expression::value::{Array, Value};
use expression::{Fault, HostProviders, NoProviders, Providers, Result};
use jiff::tz::TimeZone;
use model::error::Error;
use model::types::ResourceType;
use model::user_columns::USER_TYPE;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The way in which the rows of relations are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As they are.
    Look,
    /// Held against changes to the end of the transaction: what is made of them is stored.
    Hold,
}

type Rows = HashMap<(i64, i64), Option<Arc<StoredResource>>>;

/// The platform's providers, for the expressions of one request. Rows are read once and kept.
pub struct PlatformProviders<'p, 't> {
    tx: RefCell<&'p mut Tx<'t>>,
    /// The request: who acts, when, on which model.
    pub request: &'p RequestContext,
    zone: &'p TimeZone,
    pub(super) reading: Reading,
    /// The type of the resource that is written; none where nothing is.
    pub(super) written: Option<&'p ResourceType>,
    pub(super) parts: Parts<'p>,
    /// The subject of the expression; it changes from evaluation to evaluation.
    resource: RefCell<Value>,
    /// Rows by type and id; none where there is no such row.
    pub(super) rows: RefCell<Rows>,
    /// The values that are given for the moment.
    pub(super) handed: RefCell<Handed>,
    /// The results of queries.
    pub(super) results: RefCell<Results>,
    /// The place of evaluations, and the account that they are paid out of.
    pub(super) inside: EvaluationNesting,
    /// The secrets that were asked for.
    used_secrets: RefCell<Vec<Value>>,
    /// The first failure of the database: whoever asked is told that, and not what the expression made of it.
    failure: RefCell<Option<Error>>,
}

impl<'p, 't> PlatformProviders<'p, 't> {
    /// Providers within a transaction; instants are shown in the acting user's zone.
    pub fn new(tx: &'p mut Tx<'t>, request: &'p RequestContext, reading: Reading, parts: Parts<'p>) -> Self {
        Self::in_zone(tx, request, &request.actor.zone, reading, parts)
    }

    /// The same in another zone.
    pub fn in_zone(
        tx: &'p mut Tx<'t>,
        request: &'p RequestContext,
        zone: &'p TimeZone,
        reading: Reading,
        parts: Parts<'p>,
    ) -> Self {
        PlatformProviders {
            tx: RefCell::new(tx),
            request,
            zone,
            reading,
            written: None,
            parts,
            resource: RefCell::default(),
            rows: RefCell::default(),
            handed: RefCell::default(),
            results: RefCell::default(),
            inside: request.nesting(),
            used_secrets: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// Providers for a write of a resource of a type, in the tenant's zone: rows are locked as they are read.
    pub(crate) fn of_write(
        tx: &'p mut Tx<'t>,
        request: &'p RequestContext,
        written: &'p ResourceType,
        parts: Parts<'p>,
    ) -> Self {
        Self::in_zone(tx, request, &request.model.settings.timezone, Reading::Look, parts).holding(written)
    }

    /// The same for a write of a resource of a type: rows are locked as they are read.
    pub(crate) fn holding(self, written: &'p ResourceType) -> Self {
        PlatformProviders { reading: Reading::Hold, written: Some(written), ..self }
    }

    /// The secrets that expressions asked for so far.
    pub fn used_secrets(&self) -> Vec<Value> {
        self.used_secrets.borrow().clone()
    }

    /// With whose rights resources are found.
    pub(super) fn rights(&self) -> Rights {
        self.parts.rights
    }

    /// The zone of the evaluation.
    pub fn zone(&self) -> &TimeZone {
        self.zone
    }

    /// Sets what the expression is about; gives what it was about before.
    pub fn about(&self, resource: Value) -> Value {
        self.resource.replace(resource)
    }

    /// The failure of the database that an evaluation met, if it met one.
    pub fn take_failure(&self) -> Option<Error> {
        self.failure.borrow_mut().take()
    }

    /// Fails where the job has to end.
    pub(super) fn in_time(&self) -> model::error::Result<()> {
        Ok(self.tx.borrow().check_deadline()?)
    }

    /// The transaction, for what a place asks beyond relations. Nothing else may be asked meanwhile.
    pub fn with_tx<T>(&self, work: impl FnOnce(&mut Tx<'t>) -> model::error::Result<T>) -> Result<T> {
        let mut tx = self.tx.borrow_mut();
        work(&mut tx).map_err(|error| self.failed(error))
    }

    pub(crate) fn failed(&self, error: Error) -> Fault {
        self.failure.borrow_mut().get_or_insert(error);
        Fault::new("not_read", "Data of the expression could not be read.")
    }

    /// A row that was read.
    pub fn kept(&self, type_id: i64, id: i64) -> Option<Arc<StoredResource>> {
        self.rows.borrow().get(&(type_id, id)).cloned().flatten()
    }

    fn writes_secrets(&self, function: &str) -> Result<()> {
        if self.parts.secrets == Secrets::Write {
            return Ok(());
        }
        let message = format!("{function}() works in automations alone, in steps on the database.");
        Err(Fault::new("provider_missing", message))
    }

    pub(super) fn more<T>(&self, ask: impl FnOnce(&dyn HostProviders) -> Result<T>) -> Result<T> {
        ask(self.parts.more.unwrap_or(&NoProviders))
    }
}

impl Providers for PlatformProviders<'_, '_> {
    fn resource(&self) -> Result<Value> {
        Ok(self.resource.borrow().clone())
    }

    fn local(&self, name: &str) -> Result<Value> {
        self.handed(|handed| &handed.local, name, |more| more.local(name))
    }

    fn environment(&self, name: &str) -> Result<Value> {
        Ok(self.request.model.environment.get(name).map(|text| Value::text(text)).unwrap_or_default())
    }
}

impl HostProviders for PlatformProviders<'_, '_> {
    fn row(&self, type_id: i64, id: i64) -> Result<Value> {
        if let Some(of) = self.request.model.type_by_id(type_id) {
            self.prefetch(of, &[id])?;
        }
        Ok(self.kept(type_id, id).map_or(Value::Null, |row| Value::Resource(row)))
    }

    fn rows(&self, type_id: i64, ids: &[i64]) -> Result<Value> {
        if let Some(of) = self.request.model.type_by_id(type_id) {
            self.prefetch(of, ids)?;
        }
        Ok(Value::Array(
            ids.iter().filter_map(|id| self.kept(type_id, *id)).map(|row| Value::Resource(row)).collect::<Array>(),
        ))
    }

    fn inverse(&self, type_id: i64, id: i64, name: &str) -> Result<Value> {
        self.referring(type_id, id, name)
    }

    /// The acting user; null where nobody acts, or the user is gone. Where rows are locked, the id alone locks none: a key
    /// that works has a user.
    fn user(&self) -> Result<Value> {
        let keyed = self.request.source.key.is_some();
        match self.request.user() {
            Some(user) if self.written.is_some() && keyed => Ok(reference(&self.request.model, USER_TYPE, user)),
            Some(user) if self.rights() == Rights::Shown => Ok(SeenResource::own(&self.request.model, user)),
            Some(user) => self.row(USER_TYPE, user),
            None => Ok(Value::Null),
        }
    }

    fn is_login_as(&self) -> Result<bool> {
        Ok(self.request.actor.acting.is_some())
    }

    fn is_api_request(&self) -> Result<bool> {
        Ok(self.request.source.via == RequestChannel::Api)
    }

    fn trigger(&self, name: &str) -> Result<Value> {
        self.more(|more| more.trigger(name))
    }

    fn endpoint(&self, name: &str) -> Result<Value> {
        self.more(|more| more.endpoint(name))
    }

    fn template(&self, name: &str) -> Result<Value> {
        self.handed(|handed| &handed.template, name, |more| more.template(name))
    }

    fn app_parameter(&self, name: &str) -> Result<Value> {
        self.handed(|handed| &handed.app, name, |more| more.app_parameter(name))
    }

    fn find_resource(&self, resource_type: &Value, data: &Value) -> Result<Value> {
        self.find(resource_type, data)
    }

    fn query(&self, name: &str, parameters: &Array) -> Result<Value> {
        self.run_query(name, parameters)
    }

    fn seen(&self, type_id: i64, id: i64) -> Result<Value> {
        Ok(self.seen_by_user(type_id, id)?.map_or(Value::Null, Value::Object))
    }

    fn result_row(&self, result: usize, index: usize) -> Result<Option<Value>> {
        Ok(self.row_of(result, index)?.map(|found| Value::Object(found.row)))
    }

    fn result_resource(&self, result: usize, index: usize) -> Result<Option<Value>> {
        Ok(self.row_of(result, index)?.map(|found| match found.resource {
            Some((type_id, id)) => SeenResource::value(&self.request.model, type_id, id),
            // A group is all that there is of it.
            None => Value::Object(found.row),
        }))
    }

    fn data_query(&self) -> Result<Value> {
        let (data, query) = {
            let handed = self.handed.borrow();
            (handed.data.clone(), handed.query.clone())
        };
        match (data, query) {
            (Some(rows), _) => Ok(rows),
            (None, Some((name, parameters))) => self.current_query(&name, &parameters),
            (None, None) => self.more(|more| more.data_query()),
        }
    }

    fn secret(&self, name: &str) -> Result<Value> {
        if self.parts.secrets == Secrets::None {
            return self.more(|more| more.secret(name));
        }
        let secret = self.with_tx(|tx| secrets::give(tx, self.request, name))??;
        self.used_secrets.borrow_mut().push(secret.clone());
        Ok(secret)
    }

    fn save_secret(&self, name: &str, value: &Value, title: &str, kind: &str) -> Result<Value> {
        self.writes_secrets("saveSecret")?;
        // The value may lead to rows, which are read before anything is written.
        let secret = secrets::given(self, name, value, title, kind)?;
        self.with_tx(|tx| secrets::keep(tx, self.request, &secret))?
    }

    fn remove_secret(&self, name: &str) -> Result<Value> {
        self.writes_secrets("removeSecret")?;
        self.with_tx(|tx| secrets::erase(tx, self.request, name))
    }

    fn current_link(&self) -> Result<Value> {
        Ok(self.path())
    }

    fn object_link(&self, resource: &Value, action: &str, arguments: &Value) -> Result<Value> {
        self.link_to(resource, action, arguments)
    }

    fn api_array(&self, value: &Value) -> Result<Value> {
        self.as_api(value)
    }

    fn read_file(&self, name: &str, most: usize) -> Result<Vec<u8>> {
        let refused = || Fault::new("file_missing", "The file cannot be read.");
        let root =
            self.request.file_root.as_ref().ok_or_else(|| {
                Fault::new("file_root_missing", "There is no file root: set files.root of the server.")
            })?;
        // Why not is told to nobody: it would tell what lies where.
        read_below(root, name, most).map_err(|_| refused())
    }
}
