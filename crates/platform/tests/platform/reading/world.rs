//! A small tenant with rows in it, to read from.

use configuration::{ApplyOptions, Files, apply};
use context::request_context::RequestContext;
use database::{Database, PostgresOptions, SqliteOptions, Tx};
use jiff::Timestamp;
use model::environment::{Clock, Environment as Surroundings, Random};
use platform::tenants::{Platform, Settings};
use query::request::{FieldsRequest, ItemRef, ListRequest};
use resources::Body;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;
use tenant::Tenant;
use testing::{Engine, Place, Subject};

/// 2026-11-20 23:30 in Prague, a Friday.
pub(crate) const NOW: &str = "2026-11-20T22:30:00Z";

const FILES: &[(&str, &str)] = &[
    ("tenant.yaml", "tenant: acme\ntimezone: Europe/Prague\napi: {maxPageLength: 100, perPage: 20}\n"),
    (
        "types/country.yaml",
        "id: 12\nname: country\nproperties:\n  name: {id: 140, kind: pString, required: true}\n  \
         code: {id: 141, kind: pString, unique: true}\n  hidden: {id: 142, kind: pString}\n",
    ),
    (
        "types/person.yaml",
        "id: 11\nname: person\nparentProperty: chief\nproperties:\n  name: {id: 130, kind: pString, required: true, searchable: true}\n  \
         country: {id: 132, kind: pRelation, type: country}\n  chief: {id: 134, kind: pRelation, type: person}\n  \
         salary: {id: 133, kind: pInteger}\n",
    ),
    (
        "types/thing.yaml",
        "id: 10\nname: thing\norderBy: -count\nproperties:\n  \
         text:   {id: 100, kind: pString, searchable: true}\n  \
         count:  {id: 101, kind: pInteger}\n  \
         price:  {id: 102, kind: pDecimal, scale: 2}\n  \
         ratio:  {id: 103, kind: pFloat}\n  \
         flag:   {id: 104, kind: pBoolean}\n  \
         day:    {id: 105, kind: pDate}\n  \
         month:  {id: 106, kind: pMonth}\n  \
         time:   {id: 107, kind: pTime}\n  \
         at:     {id: 108, kind: pDateTime}\n  \
         state:  {id: 109, kind: pEnum, options: {new: {}, old: {}}}\n  \
         marks:  {id: 110, kind: pEnums, options: {red: {}, green: {}, blue: {}}}\n  \
         owner:  {id: 111, kind: pRelation, type: person}\n  \
         people: {id: 112, kind: pRelations, type: person}\n  \
         meta:   {id: 113, kind: pJson}\n  \
         limit:  {id: 114, kind: pInteger}\n  \
         until:  {id: 115, kind: pDate}\n",
    ),
    ("roles/part.yaml", "role: part\nsystem: [restApi]\ntypes:\n  thing: {show: {fields: [text, owner, people]}}\n"),
];

/// The wait of a job for a thread or a connection: longer than on a busy machine.
const WAIT: Duration = Duration::from_secs(60);

/// A tenant with the types country, person and thing.
pub(crate) struct World {
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) platform: Arc<Platform>,
    clock: Arc<Fixed>,
    _place: Place,
}

/// A clock that goes on when it is told to, or by a step whenever it is read, in milliseconds.
#[derive(Default)]
struct Fixed {
    passed: AtomicI64,
    step: AtomicI64,
    /// The reading from here on at which the process dies, with all behind it; zero where it lives.
    deadly: AtomicI64,
}

#[derive(Default)]
struct Counting(AtomicU64);

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        let left =
            self.deadly.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| (left > 1).then_some(left - 1));
        assert_ne!(left, Err(1), "the process is killed");
        let passed = self.passed.fetch_add(self.step.load(Ordering::Relaxed), Ordering::Relaxed);
        NOW.parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_millis(passed)
    }
}

impl Random for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        let count = self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        for (byte, counted) in bytes.iter_mut().rev().zip(count.iter().rev().cycle()) {
            *byte = *counted;
        }
    }
}

impl Subject for World {
    async fn on(engine: Engine) -> Self {
        tokio::task::block_in_place(|| World::new(engine))
    }
}

impl World {
    pub(crate) fn new(engine: Engine) -> World {
        World::with(engine, FILES)
    }

    /// A tenant of other files.
    pub(crate) fn with(engine: Engine, texts: &[(&str, &str)]) -> World {
        World::set(engine, texts, Settings::default())
    }

    /// The usual one with more files.
    pub(crate) fn also(engine: Engine, texts: &[(&str, &str)]) -> World {
        World::with(engine, &[FILES, texts].concat())
    }

    /// One of other files and settings.
    pub(crate) fn set(engine: Engine, texts: &[(&str, &str)], settings: Settings) -> World {
        let place = Place::new(engine);
        let database = match place.postgres() {
            None => Database::sqlite(SqliteOptions { folder: place.folder().to_owned(), readers: 2, descriptors: 192 }),
            Some(url) => {
                Database::postgres(PostgresOptions { url: url.to_owned(), connections: 3, ..Default::default() })
            }
        };
        let clock = Arc::new(Fixed::default());
        let surroundings =
            Surroundings { clock: Arc::clone(&clock) as Arc<dyn Clock>, random: Arc::new(Counting::default()) };
        let platform = Platform::new(database.unwrap().waiting(WAIT), surroundings, settings);
        let tenant = platform.create_tenant("acme").unwrap();
        let world = World { tenant, platform, clock, _place: place };
        world.apply(texts);
        world
    }

    /// Applies other files.
    pub(crate) fn apply(&self, texts: &[(&str, &str)]) {
        let mut files = Files::default();
        for (path, text) in texts {
            files.insert(*path, *text);
        }
        apply(self.tenant.store(), self.tenant.environment(), &files, ApplyOptions::default())
            .unwrap_or_else(|failure| panic!("{failure:?}"));
    }

    /// Lets seconds pass.
    pub(crate) fn later(&self, seconds: i64) {
        self.clock.passed.fetch_add(seconds * 1_000, Ordering::Relaxed);
    }

    /// Lets milliseconds pass whenever somebody looks at the clock.
    pub(crate) fn step(&self, milliseconds: i64) {
        self.clock.step.store(milliseconds, Ordering::Relaxed);
    }

    /// Kills the process at the so-manieth reading of the clock from here on: no later one ends well. Zero brings it back.
    pub(crate) fn kill_at(&self, reading: i64) {
        self.clock.deadly.store(reading, Ordering::Relaxed);
    }

    /// Returns true where that reading is the next, or was.
    pub(crate) fn is_killed(&self) -> bool {
        self.clock.deadly.load(Ordering::Relaxed) == 1
    }

    /// Creates resources; they get the ids from 1 on.
    pub(crate) fn put(&self, type_name: &str, rows: &[Json]) {
        let put = |tx: &mut Tx<'_>, context: &RequestContext| {
            for row in rows {
                resources::create(tx, context, type_name, &Body::plain(row.as_object().unwrap().clone()))?;
            }
            Ok(())
        };
        tokio::task::block_in_place(|| self.tenant.write_as_administrator(put)).unwrap();
    }

    pub(crate) fn patch(&self, type_name: &str, id: i64, members: Json) {
        let body = Body::plain(members.as_object().unwrap().clone());
        let patch = |tx: &mut Tx<'_>, context: &RequestContext| {
            resources::patch(tx, context, type_name, &ItemRef::Id(id), None, &body)
        };
        tokio::task::block_in_place(|| self.tenant.write_as_administrator(patch)).unwrap();
    }

    pub(crate) fn delete(&self, type_name: &str, id: i64) {
        let delete = |tx: &mut Tx<'_>, context: &RequestContext| {
            resources::delete(tx, context, type_name, &ItemRef::Id(id), None)
        };
        tokio::task::block_in_place(|| self.tenant.write_as_administrator(delete)).unwrap();
    }

    /// The uuid of a resource.
    pub(crate) fn uuid(&self, collection: &str, id: i64) -> String {
        self.get(collection, &id.to_string(), &[]).unwrap()["uuid"].as_str().unwrap().to_owned()
    }

    /// Lists with parameters as in a query string, undecoded.
    pub(crate) fn list(&self, collection: &str, query: &[(&str, &str)]) -> Result<Json, String> {
        let request = ListRequest::parse(&pairs(query), None).map_err(|error| error.message)?;
        self.read(|tx, context| resources::list(tx, context, collection, &request).map(|page| page.body))
    }

    /// The ids of a filtered list, by id.
    pub(crate) fn ids(&self, collection: &str, filters: &Json) -> Result<Vec<i64>, String> {
        let query = [("filters", filters.to_string()), ("showFields", "id".into()), ("orderBy", "id".into())];
        let query: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let page = self.list(collection, &[&query[..], &[("perPage", "100")]].concat())?;
        let rows = page["data"].as_array().unwrap();
        assert_eq!(page["stats"]["total"].as_i64(), Some(rows.len() as i64), "{filters}");
        Ok(rows.iter().map(|row| row["id"].as_i64().unwrap()).collect())
    }

    pub(crate) fn get(&self, collection: &str, item: &str, query: &[(&str, &str)]) -> Result<Json, String> {
        let fields = FieldsRequest::parse(&pairs(query)).map_err(|error| error.message)?;
        let item = ItemRef::parse(item).map_err(|error| error.message)?;
        self.read(|tx, context| resources::get(tx, context, collection, &item, &fields))
    }

    pub(crate) fn get_by(&self, collection: &str, property: &str, value: &str) -> Result<Json, String> {
        let fields = FieldsRequest::default();
        self.read(|tx, context| resources::get_by(tx, context, collection, property, value, &fields))
    }

    fn read(
        &self,
        job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> model::error::Result<Vec<u8>>,
    ) -> Result<Json, String> {
        let read = tokio::task::block_in_place(|| self.tenant.read_as_administrator(job));
        let body = read.map_err(|error| error.to_string())?;
        Ok(serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&body))))
    }
}

pub(crate) fn pairs(query: &[(&str, &str)]) -> Vec<(String, String)> {
    query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A country, three people (3 works for 2, 2 for 1), and nothing else.
pub(crate) fn people(world: &World) {
    world.put("country", &[json!({"name": "Česko", "code": "CZ"}), json!({"name": "Österreich", "code": "AT"})]);
    world.put(
        "person",
        &[
            json!({"name": "Anna", "country": 1, "salary": 30}),
            json!({"name": "Bořek", "country": 2, "chief": 1, "salary": 20}),
            json!({"name": "Cyril", "chief": 2}),
        ],
    );
}
