//! `plinth check`: tells what is wrong with a folder of files, without a database.

use super::output::{print_line, tell};
use super::{Console, Failure, fixes, public_role, report, sarif};
use clap::Args;
use configuration::{Diagnostic, Files, Loaded};
use serde_json::json;
use std::path::PathBuf;

/// Check a folder of files.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth check ./my-tenant\n  plinth check --json ./my-tenant\n  \
                        plinth check --strict ./my-tenant\n  plinth check --fix ./my-tenant\n  \
                        plinth check --sarif ./my-tenant > plinth.sarif")]
pub(super) struct CheckArguments {
    /// The folder with tenant.yaml
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Fail on warnings, too
    #[arg(long)]
    strict: bool,
    /// Write the changes that cannot alter a right value into the files
    #[arg(long)]
    fix: bool,
    /// Print the problems as SARIF 2.1.0, for code scanning
    #[arg(long, conflicts_with = "json")]
    sarif: bool,
}

/// Files that were checked.
struct CheckedFiles {
    loaded: Loaded,
    cases: usize,
    /// All that is said of them, none of which refuses them.
    warnings: Vec<Diagnostic>,
}

/// Runs the command.
pub(super) fn run(arguments: CheckArguments, console: &Console) -> Result<(), Failure> {
    let mut files = report::read(console, &arguments.folder)?;
    let mut fixed = Vec::new();
    if arguments.fix {
        fixed = fixes::write(&arguments.folder, &mut files, |files| match checked(files) {
            Ok(checked) => checked.warnings,
            Err(problems) => problems,
        })?;
        if !console.shared.json {
            fixed.iter().for_each(|fixed| tell(fixed.line(&arguments.folder)));
        }
    }
    let outcome = checked(&files);
    if arguments.sarif {
        let problems = outcome.as_ref().map_or_else(|problems| problems, |checked| &checked.warnings);
        print_line(sarif::log(&arguments.folder, problems))?;
    }
    let CheckedFiles { loaded, cases, warnings } = match outcome {
        Ok(checked) => checked,
        Err(_) if arguments.sarif => return Err(Failure::new("There are problems in the files.", "")),
        Err(problems) => {
            return Err(report::diagnostics_left(console, &arguments.folder, &files, &problems, &fixed));
        }
    };
    let refs: Vec<_> = warnings.iter().collect();
    if arguments.strict && !warnings.is_empty() {
        return Err(match arguments.sarif {
            true => Failure::new("There are warnings in the files, and --strict lets none pass.", ""),
            false => report::strict(console, &arguments.folder, &files, &refs),
        });
    }
    if arguments.sarif {
        return Ok(());
    }
    let model = &loaded.model;
    let (types, roles) = (model.types.len(), model.roles.len());
    let json = json!({
        "ok": true, "tenant": model.settings.name, "types": types, "roles": roles,
        "tests": cases, "groups": model.groups.len(), "users": loaded.users.len(), "problems": [],
        "warnings": warnings, "fixed": fixed, "public": public_role::json(model),
    });
    if !console.shared.json {
        report::shown(&arguments.folder, &files, &refs);
    }
    let public = public_role::text(model).map(|text| format!("\n{text}"));
    console.print(&(summary(&loaded, cases) + &public.unwrap_or_default()), &json)
}

/// Checks files with their tests: what they are, or all that is said of them.
fn checked(files: &Files) -> Result<CheckedFiles, Vec<Diagnostic>> {
    let loaded = configuration::check(files)?;
    let (cases, warnings) = match configuration::check_tests(&loaded, files) {
        Ok((tests, findings)) => {
            let all = loaded.findings.iter().cloned().chain(findings).collect::<Vec<_>>();
            (tests.iter().map(|test| test.cases.len()).sum(), all)
        }
        Err(problems) => return Err(loaded.findings.into_iter().chain(problems).collect()),
    };
    let refused = configuration::refused(&warnings);
    if refused.is_empty() { Ok(CheckedFiles { loaded, cases, warnings }) } else { Err(refused) }
}

fn summary(loaded: &Loaded, cases: usize) -> String {
    let cases = match cases {
        0 => String::new(),
        1 => ", 1 case".to_owned(),
        many => format!(", {many} cases"),
    };
    let model = &loaded.model;
    let numbers = [
        (model.types.len(), "type"),
        (model.roles.len(), "role"),
        (model.groups.len(), "group"),
        (loaded.users.len(), "user"),
    ];
    let numbers =
        numbers.map(|(count, word)| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") });
    format!("The files of {} are valid: {}{cases}.", model.settings.name, numbers.join(", "))
}
