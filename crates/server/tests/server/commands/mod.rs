//! The command line as a person and as a program meet it: arguments in; text, JSON and exit codes out.

mod accounts;
mod activation;
mod audit;
mod authorities;
mod automation_variables;
mod backup_bucket;
mod backup_bucket_faults;
mod backup_creators;
mod backup_records;
mod backup_schedule;
mod backups;
mod canvas_values;
mod checking;
mod clones;
mod configuration;
mod damaged_files;
mod database_roles;
mod deleted_tenants;
mod demo;
mod descriptions;
mod doctor;
mod editor;
mod expressions;
mod files;
mod first_request;
mod form_sections;
mod frozen_tenants;
mod full_disks;
mod importing;
mod importing_values;
mod importing_waits;
mod journal;
mod keys;
mod later_stores;
mod lists;
mod log;
pub(crate) mod many;
mod mistakes;
mod outage;
mod output;
mod pages;
mod pooler;
pub(crate) mod program;
mod removed_backups;
mod rotation;
mod sarif;
mod scrubbed_clones;
mod secrets;
mod service;
mod shell;
mod spreadsheet_user;
mod step_facts;
mod tenants;
mod terminal;
mod trials;
mod trials_documentation;
mod trials_killed;
mod trials_messages;
mod trials_mistakes;
mod trials_outside;
mod tutorial;
mod version;

use std::path::Path;
use std::process::Command;

/// What a run of the program gave: exit code, standard output and standard error.
struct Run {
    code: i32,
    out: String,
    err: String,
}

/// Runs `plinth` over a data folder, in an empty environment.
fn plinth(data: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_plinth"))
        .args(arguments)
        .arg("--data")
        .arg(data.join("data"))
        .current_dir(data)
        .env_clear()
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
