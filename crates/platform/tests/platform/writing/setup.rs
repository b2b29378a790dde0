//! A tenant to write to, with a clock that tests set.

use accounts::users;
use configuration::{ApplyOptions, Files, apply};
use context::caller_key::CallerKey;
use context::vault::MasterKey;
use database::{Database, PostgresOptions, ReadCost, SqliteOptions};
use jiff::Timestamp;
use messages::outbox::Routes;
use model::environment::{Clock, Environment, Random};
use model::error::{Error, Result};
use platform::tenants::{Platform, Settings};
use query::request::{FieldsRequest, ItemRef, ListRequest};
use resources::{Body, IfMatch, Written};
use serde_json::{Map, Value as Json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use tenant::Tenant;
use testing::{Engine, Place, Subject, Templates};

/// Longer than a busy machine makes a job wait for a thread or a connection.
const WAIT: std::time::Duration = std::time::Duration::from_secs(60);

/// A platform with the tenant `acme` of the fixture.
pub(crate) struct Setup {
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) platform: Arc<Platform>,
    pub(crate) clock: Arc<FakeClock>,
    database: Database,
    environment: Environment,
    place: Arc<Place>,
}

/// The tenant as it is made, with the state of its randomness.
static FIXTURE: Templates<u64> = Templates::new();

/// Opens the database of a place.
fn opened(place: &Place) -> Database {
    let opened = match place.postgres() {
        None => Database::sqlite(SqliteOptions { folder: place.folder().to_owned(), readers: 2, descriptors: 192 }),
        Some(url) => Database::postgres(PostgresOptions { url: url.to_owned(), connections: 8, ..Default::default() }),
    };
    opened.unwrap().waiting(WAIT)
}

fn morning() -> FakeClock {
    let start: Timestamp = "2026-06-15T10:00:00Z".parse().unwrap();
    FakeClock(AtomicI64::new(start.as_millisecond()))
}

/// A clock that stands still until a test sets it.
pub(crate) struct FakeClock(AtomicI64);

impl FakeClock {
    pub(crate) fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000, Ordering::Relaxed);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::Relaxed)).unwrap()
    }
}

/// Numbers that are always the same, and never twice.
struct Sequence(AtomicU64);

impl Random for Sequence {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut number = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            *byte = (number >> 56) as u8;
        }
    }
}

impl Subject for Setup {
    async fn on(engine: Engine) -> Self {
        tokio::task::spawn_blocking(move || Setup::make(engine)).await.unwrap()
    }
}

impl Setup {
    fn make(engine: Engine) -> Self {
        let (place, drawn) = FIXTURE.place(engine, (), |place| {
            let (clock, random) = (Arc::new(morning()), Arc::new(Sequence(AtomicU64::new(7))));
            let environment = Environment { clock, random: Arc::clone(&random) as Arc<dyn Random> };
            let tenant = Platform::new(opened(place), environment, keyed(1)).create_tenant("acme").unwrap();
            let fixture = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/fixture"));
            let files = Files::read(fixture).unwrap();
            apply(tenant.store(), tenant.environment(), &files, ApplyOptions::default()).unwrap();
            random.0.load(Ordering::Relaxed)
        });
        let place = Arc::new(place);
        let database = opened(&place);
        let clock = Arc::new(morning());
        let environment =
            Environment { clock: Arc::clone(&clock) as _, random: Arc::new(Sequence(AtomicU64::new(drawn))) };
        let platform = Platform::new(database.clone(), environment.clone(), keyed(1));
        let tenant = platform.open("acme").unwrap();
        Setup { tenant, platform, clock, database, environment, place }
    }

    /// The same tenant as a process that just started sees it, with connections of its own. It blocks.
    pub(crate) fn restarted(&self) -> Self {
        let database = opened(&self.place);
        let platform = Platform::new(database.clone(), self.environment.clone(), keyed(1));
        let tenant = platform.open("acme").unwrap();
        let (clock, environment) = (Arc::clone(&self.clock), self.environment.clone());
        Setup { tenant, platform, clock, database, environment, place: Arc::clone(&self.place) }
    }

    /// Another node, with the master key of that number; that of the first is 1.
    pub(crate) fn node(&self, key: u8) -> Arc<Platform> {
        Platform::new(self.database.clone(), self.environment.clone(), keyed(key))
    }

    /// Another process with the same place and key.
    pub(crate) fn process(&self) -> Arc<Platform> {
        Platform::new(opened(&self.place), self.environment.clone(), keyed(1))
    }

    /// Another node, which sends by these ways.
    pub(crate) fn sender(&self, routes: Routes) -> Arc<Platform> {
        Platform::new(self.database.clone(), self.environment.clone(), Settings { routes, ..keyed(1) })
    }

    /// Applies other types in the place of the fixture's; the administrator may do all with them, others nothing.
    pub(crate) async fn apply(&self, files: &[(&str, &str)]) {
        let mut all = Files::default();
        all.insert("tenant.yaml", "tenant: acme\n");
        all.insert("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n");
        for role in ["editor", "reader", "guest"] {
            all.insert(format!("roles/{role}.yaml"), format!("role: {role}\nsystem: [restApi]\n"));
        }
        for (path, text) in files {
            all.insert(*path, *text);
        }
        let tenant = Arc::clone(&self.tenant);
        let options = ApplyOptions { allow_loss: true, ..ApplyOptions::default() };
        let job = move || drop(apply(tenant.store(), tenant.environment(), &all, options).unwrap());
        tokio::task::spawn_blocking(job).await.unwrap();
    }

    /// A new key of a user of the fixture, and its text.
    pub(crate) async fn key_text(&self, user: &str) -> String {
        let (tenant, login) = (Arc::clone(&self.tenant), format!("{user}@acme.test"));
        let job = move || tenant.write_as_administrator(|tx, context| users::create_key(tx, context, &login, None));
        tokio::task::spawn_blocking(job).await.unwrap().unwrap().text.unwrap()
    }

    /// A new key of a user of the fixture.
    pub(crate) async fn key(&self, user: &str) -> CallerKey {
        CallerKey::parse(&self.key_text(user).await).unwrap()
    }

    pub(crate) async fn create(&self, key: &CallerKey, collection: &str, body: Json) -> Result<Answer> {
        let (collection, body) = (collection.to_owned(), self.body(key, collection, body).await?);
        self.tenant
            .write(key, move |tx, context| resources::create_alone(tx, context, &collection, &body))
            .await
            .map(Answer::of)
    }

    pub(crate) async fn patch(&self, key: &CallerKey, collection: &str, id: i64, body: Json) -> Result<Answer> {
        self.patch_if(key, collection, id, None, body).await
    }

    pub(crate) async fn patch_if(
        &self,
        key: &CallerKey,
        collection: &str,
        id: i64,
        if_match: Option<&str>,
        body: Json,
    ) -> Result<Answer> {
        let (collection, body) = (collection.to_owned(), self.body(key, collection, body).await?);
        let if_match = if_match.map(|text| IfMatch::parse(text).unwrap());
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            resources::patch(tx, context, &collection, &ItemRef::Id(id), if_match.as_ref(), &body)
        };
        self.tenant.write(key, job).await.map(Answer::of)
    }

    pub(crate) async fn replace(&self, key: &CallerKey, collection: &str, id: i64, body: Json) -> Result<Answer> {
        let (collection, body) = (collection.to_owned(), self.body(key, collection, body).await?);
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            resources::replace(tx, context, &collection, &ItemRef::Id(id), None, &body)
        };
        self.tenant.write(key, job).await.map(Answer::of)
    }

    pub(crate) async fn delete(&self, key: &CallerKey, collection: &str, id: i64) -> Result<()> {
        let collection = collection.to_owned();
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            resources::delete(tx, context, &collection, &ItemRef::Id(id), None)
        };
        self.tenant.write(key, job).await
    }

    /// What get-one gives.
    pub(crate) async fn get(&self, key: &CallerKey, collection: &str, id: i64) -> Result<Vec<u8>> {
        let collection = collection.to_owned();
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            resources::get(tx, context, &collection, &ItemRef::Id(id), &FieldsRequest::default())
        };
        self.tenant.read(ReadCost::Point, key, job).await
    }

    /// The same with all system fields, as JSON.
    pub(crate) async fn get_with(&self, key: &CallerKey, collection: &str, id: i64, fields: &str) -> Result<Json> {
        let show = Some(fields.split(',').map(str::to_owned).collect());
        let (collection, fields) = (collection.to_owned(), FieldsRequest { show, ..FieldsRequest::default() });
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            resources::get(tx, context, &collection, &ItemRef::Id(id), &fields)
        };
        self.tenant.read(ReadCost::Point, key, job).await.map(|body| serde_json::from_slice(&body).unwrap())
    }

    /// How many resources a list says that there are.
    pub(crate) async fn count(&self, key: &CallerKey, collection: &str) -> u64 {
        let collection = collection.to_owned();
        let job = move |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            resources::list(tx, context, &collection, &ListRequest::default())
        };
        self.tenant.read(ReadCost::Scan, key, job).await.unwrap().total
    }

    pub(crate) async fn body(&self, key: &CallerKey, collection: &str, body: Json) -> Result<Body> {
        resources::prepare(&self.tenant, key, collection, object(body)).await
    }
}

fn keyed(key: u8) -> Settings {
    Settings { key: Some(MasterKey::new([key; 32]).into()), ..Settings::default() }
}

/// What a write answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) id: i64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) etag: String,
    pub(crate) json: Json,
}

impl Answer {
    fn of(written: Written) -> Self {
        let json = serde_json::from_slice(&written.body).unwrap();
        Answer { id: written.id, etag: written.etag, json, bytes: written.body }
    }
}

/// An error's code and the properties that it names.
pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error: Error = result.unwrap_err();
    let properties: Vec<&str> = error.problems.iter().map(|problem| problem.property.as_str()).collect();
    let detail = error.detail.as_deref().unwrap_or_default();
    format!("{:?} {} {}{detail}", error.kind, error.code, properties.join(",")).trim_end().to_owned()
}

fn object(json: Json) -> Map<String, Json> {
    resources::object(json).unwrap()
}
