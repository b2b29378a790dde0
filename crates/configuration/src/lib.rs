//! A tenant's files: load, check, plan, apply, pull.
//!
//! Text becomes a model or diagnostics (`load`); two models become steps (`steps`, pure); steps look at rows
//! (`examine`) and are run (`run`), all in one transaction (`apply`).

pub mod apply;
mod automation_actions;
mod automation_changes;
mod automation_file;
mod automation_steps;
mod automation_values;
mod automation_variables;
mod base_model;
mod build;
mod built_in_fields;
mod calculated_types;
mod canvas_file;
mod canvas_groups;
mod convert;
mod dependencies;
mod describe;
mod diagnostic;
mod env_file;
mod examine;
#[cfg(test)]
mod example_tests;
mod expression_sites;
mod expression_slots;
mod findings;
mod fingerprint;
mod form_sections;
mod grant_file;
mod identity;
mod inverses;
mod lenient_load;
mod load;
mod names;
mod noted_check;
mod option_literals;
mod personal;
pub mod plan;
mod preparation;
mod property_lists;
mod proposals;
mod public_role;
mod query_check;
mod query_fields;
mod query_file;
mod query_groups;
mod recalculation;
mod relation_filters;
mod required_order;
mod role_file;
mod rollup_rules;
mod rule_drafts;
mod rule_limits;
mod rule_order;
mod rule_reads;
mod rules;
mod run;
pub mod scalars;
mod section;
mod seed;
mod source_files;
pub mod source_map;
mod step_fields;
mod step_values;
mod steps;
mod stored_files;
mod symbols;
mod tags_file;
mod tenant_file;
mod test_expectations;
mod test_file;
mod test_fixture;
mod test_outside;
mod test_rows;
mod test_step;
mod type_file;
mod upgrades;
mod user_file;
mod yaml;

pub use apply::{Applied, ApplyOptions, apply, apply_to, apply_within, pull};
pub use diagnostic::{Diagnostic, FileFix};
pub use examine::{RowAgainst, RowConflict, StepFinding};
pub use expression_sites::ExpressionSites;
pub use findings::refused;
pub use identity::{GivenIds, IssuedIds};
pub use load::{Loaded, load};
pub use noted_check::{NotedCheck, check_noting};
pub use plan::{ApplyFailure, Change, ChangeWeight, Plan, plan, plan_new};
pub use preparation::Prepared;
pub use proposals::IndexProposal;
pub use recalculation::{RecalculationProgress, all as recalculate_all, finish as finish_recalculation};
pub use source_files::Files;
pub use steps::{TableStep, steps};
pub use test_file::{check_tests, load_tests};
pub use user_file::SeedUser;

pub use apply::create;
pub use recalculation::next_left;
pub use recalculation::recalculate_left;
pub use stored_files::RefusedFiles;
pub use stored_files::files as stored_files;
pub use stored_files::load_stored;
pub use stored_files::make_default;
pub use stored_files::reached;
pub use stored_files::rename;
pub use stored_files::types as stored_types;
pub use upgrades::UPGRADES;

/// The id of the property `roles` of the type `user`.
pub(crate) const ROLES_PROPERTY: i64 = 6;

/// Checks files without a tenant's database: everything that is wrong with them, sorted by place,
/// the files that others rest on first.
pub fn check(files: &Files) -> Result<Loaded, Vec<Diagnostic>> {
    load(files, &IssuedIds::default())
}
