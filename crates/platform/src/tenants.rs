//! Tenants: which there are, their stores and models, and the one way in for requests.

pub mod answer;
pub mod backup;
mod creation;
mod damage;
mod deletion;
mod directory;
mod failed_openings;
mod figures;
mod freezing;
mod incomplete;
mod later;
mod listener;
mod load;
pub mod master_key;
mod node;
mod platform;
mod runtimes;
mod sizes;
mod sweep;
mod uses;

pub use answer::{answer, current_user};
pub(crate) use creation::{check_name, refuse_existing};
pub use damage::{DamageReport, DamagedTenant};
pub use deletion::{DeletedTenant, parse_keep_time};
pub use failed_openings::FailedOpenings;
pub use figures::{LastBackups, OutcomeCounts, PlatformFigures, WaitingRows};
pub use incomplete::EMPTY;
pub use later::LaterTenant;
pub use master_key::KeyReport;
pub use platform::{Platform, Settings};
