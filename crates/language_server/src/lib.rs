//! The language server: checks a tenant's files while they are written, and answers an editor about their expressions.
//!
//! It speaks the Language Server Protocol over any reader and writer. All input is hostile: messages and documents have
//! limits, and what cannot be read is answered with an error.

mod actions;
mod answers;
mod declarations;
mod documents;
mod expression_place;
mod framing;
mod positions;
mod problems;
mod renaming;
mod server;
mod tenant_folder;
mod uri;
mod workspace;

pub use server::{SessionEnd, serve};
