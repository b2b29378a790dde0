//! Batches: several operations in one transaction.
//!
//! A batch is read (`request`), its references are checked before anything runs (`references`), the rows that it
//! names are locked in one order (`locks`), and its operations are carried out one after the other (`run`).

mod failure;
mod locks;
mod members;
mod operation;
mod references;
mod request;
mod result;
mod run;

pub use failure::{FailureNotes, OperationFailure, PlacedProblem};
pub use request::{Batch, BatchInput, BatchRefusal};
pub use result::{OperationEffect, OperationOutcome, OperationResult};
pub use run::{BatchLimits, run};
