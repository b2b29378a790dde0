//! One way to talk to SQLite and PostgreSQL: stores, transactions, statements, values.
//!
//! The engine behind a [`Database`] is private to this crate: a difference between the two is a method here, and each
//! has a test on both. The crate knows nothing of types, users or HTTP.

mod calendar;
mod case_tables;
mod change_mark;
mod database;
mod ddl;
mod deadline;
mod deleted;
mod epochs;
mod error;
mod facts;
mod fair_queue;
mod figures;
mod fold_pattern;
mod job;
mod lease;
mod options;
mod plan_text;
mod postgres;
mod recent_users;
mod request_jobs;
mod row;
mod schema;
mod search;
mod sql;
mod sqlite;
mod store;
mod store_size;
mod text;
mod thread_time;
mod tx;
mod value;

pub use change_mark::ChangeMark;
pub use database::{Database, StoreWorkshop};
pub use deadline::TimeLimit;
pub use deleted::{DeletedStore, StoreNames};
pub use epochs::Epochs;
pub use error::{ConstraintViolation, Error};
pub use facts::{PostgresFacts, ServerFacts};
pub use figures::{ConnectionCounts, DatabaseReport, JobFigures, JobKind};
pub use fold_pattern::PartPlace;
pub use job::{ReadCost, ReplayableJob};
pub use lease::{LeaseClaim, LeaseGrant};
pub use options::{GuardMode, PoolerMode, PostgresOptions, SqliteOptions, StoreGuard};
pub use postgres::{RoleNames, grants};
pub use recent_users::RecentUsers;
pub use request_jobs::{NotedJob, NotedStatement, RequestJobs, with_request_jobs, with_request_timeline};
pub use row::Row;
pub use schema::{ColumnSpec, IndexSpec, Name, TableDescription, TableSpec};
pub use search::{SEARCH_FORMS, SearchSpec, SearchWords, UNICODE_VERSION, words};
pub use sql::{JsonStep, JsonType, Sql, SqlFragment, TextForm};
pub use store::{BlockingWriter, Store};
pub use text::{fold, lower};
pub use tx::{OwnedStatement, Tx};
pub use value::{ColumnType, Value, ValueRef};

/// The result of calls of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
