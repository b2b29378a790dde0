//! A tenant's files: load, check, plan, apply, pull.
//!
//! Text becomes a model or diagnostics (`load`); two models become steps (`steps`, pure); steps look at rows
//! (`examine`) and are run (`run`), all in one transaction (`apply`).

pub mod apply;
mod automation_actions;
mod automation_changes;
mod automation_file;
mod automation_set;
mod automation_slots;
mod automation_steps;
mod automation_values;
mod basis;
mod build;
mod built_in;
mod canvas_file;
mod compared;
mod convert;
mod dependencies;
mod describe;
mod diagnostic;
mod env_file;
mod examine;
mod expression_slots;
mod fetched;
mod former;
mod grant_file;
mod identity;
mod known;
mod load;
mod meaning;
mod mentioned;
mod names;
pub mod plan;
mod prepared;
mod proposals;
mod query_file;
mod recalculation;
mod relation_filters;
mod role_file;
mod rollup_rules;
mod rule_drafts;
mod rule_limits;
mod rule_order;
mod rule_reads;
mod rules;
mod run;
mod section;
mod seed;
mod source_files;
mod steps;
mod stored;
mod tags_file;
mod tenant_file;
mod test_expected;
mod test_file;
mod test_given;
mod test_outside;
mod test_rows;
mod test_step;
mod type_file;
mod upgrades;
mod user_file;
mod yaml;

pub use apply::{Applied, ApplyOptions, apply, apply_to, pull};
pub use diagnostic::Diagnostic;
pub use examine::{RowAgainst, RowConflict, StepFinding};
pub use identity::{GivenIds, IssuedIds};
pub use load::{Loaded, load};
pub use plan::{ApplyFailure, Change, ChangeWeight, Plan, plan, plan_new};
pub use prepared::Prepared;
pub use proposals::IndexProposal;
pub use recalculation::{RecalculationProgress, finish as finish_recalculation};
pub use source_files::Files;
pub use steps::{TableStep, steps};
pub use test_file::load_tests;
pub use user_file::SeedUser;

pub use apply::create;
pub use recalculation::next_left;
pub use recalculation::recalculate_left;
pub use stored::RefusedFiles;
pub use stored::load_stored;
pub use stored::make_default;
pub use stored::reached;
pub use upgrades::UPGRADES;

/// The id of the property `roles` of the type `user`.
pub(crate) const ROLES_PROPERTY: i64 = 6;

/// Checks files without a tenant's database: everything that is wrong with them, sorted by place,
/// the files that others rest on first.
pub fn check(files: &Files) -> Result<Loaded, Vec<Diagnostic>> {
    load(files, &IssuedIds::default())
}
