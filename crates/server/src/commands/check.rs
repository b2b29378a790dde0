//! `plinth check`: tells what is wrong with a folder of files, without a database.

use super::{Console, Failure, report};
use clap::Args;

use serde_json::json;
use std::path::PathBuf;

/// Check a folder of files.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  plinth check ./my-tenant\n  plinth check --json ./my-tenant\n  plinth check --strict ./my-tenant"
)]
pub(super) struct CheckArguments {
    /// The folder with tenant.yaml
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Fail on warnings, too
    #[arg(long)]
    strict: bool,
}

/// Runs the command.
pub(super) fn run(arguments: CheckArguments, console: &Console) -> Result<(), Failure> {
    let files = report::read(console, &arguments.folder)?;
    let loaded = configuration::check(&files)
        .map_err(|problems| report::diagnostics(console, &arguments.folder, &files, &problems))?;
    let tests = configuration::check_tests(&loaded, &files);
    let (tests, of_tests) =
        tests.map_err(|problems| report::diagnostics(console, &arguments.folder, &files, &problems))?;
    let cases: usize = tests.iter().map(|test| test.cases.len()).sum();
    let model = &loaded.model;
    let (types, roles) = (model.types.len(), model.roles.len());
    let findings: Vec<_> = loaded.findings.iter().chain(&of_tests).collect();
    if arguments.strict && !findings.is_empty() {
        return Err(report::strict(console, &arguments.folder, &files, &findings));
    }
    let json = json!({
        "ok": true, "tenant": model.settings.name, "types": types, "roles": roles,
        "tests": cases, "groups": model.groups.len(), "users": loaded.users.len(), "problems": [],
        "warnings": findings,
    });
    let cases = match cases {
        0 => String::new(),
        1 => ", 1 case".to_owned(),
        many => format!(", {many} cases"),
    };
    let numbers = [(types, "type"), (roles, "role"), (model.groups.len(), "group"), (loaded.users.len(), "user")];
    let numbers =
        numbers.map(|(count, word)| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") });
    let text = format!("The files of {} are valid: {}{cases}.", model.settings.name, numbers.join(", "));
    if !console.shared.json {
        report::warnings(&arguments.folder, &files, &findings);
    }
    console.print(&text, &json)
}
