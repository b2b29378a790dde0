//! Every public call on both engines, compared; and what each engine must do under fault and load.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod batch_reads;
mod changes;
mod connections;
mod deadlines;
mod deadlocks;
mod deleted;
mod dialect;
mod dialect_texts;
mod engines;
mod faults;
mod groups;
mod hosts;
mod idle_connections;
mod leases;
mod leftovers;
mod log_copies;
mod pooler;
mod scalars;
mod schema;
mod search;
mod stale_epochs;
mod stores;
mod text;
mod tls;
mod transactions;
mod values;
mod violations;
mod write_lock;
