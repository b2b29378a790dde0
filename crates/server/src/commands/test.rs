//! `plinth test`: runs the tests of a folder, on a tenant that lives no longer than they do.

mod answers;
mod bench;
mod case;
mod environment;
mod hook;
mod messages;
mod outcome;
mod scratch;
mod time;

use super::{Console, Failure, report};
use bench::TestBench;
use clap::Args;
use outcome::CaseOutcome;

use automation::config_tests::{Case, TestFile};
use std::path::PathBuf;

/// Run the tests of a folder of files.
#[derive(Debug, Args)]
#[command(
    after_help = "The tests are the files tests/*.yaml, which docs/testing.md describes. They run on a tenant in \
                        memory,\nwith a clock that stands still. Your database is not used.\n\nExamples:\n  \
                        plinth test ./my-tenant\n  plinth test --filter customer ./my-tenant   cases with that word in \
                        their titles or files\n  plinth test --json ./my-tenant              one line for programs\n\n\
                        The exit code is 0 if all cases pass, else 1."
)]
pub(super) struct TestArguments {
    /// The folder with tenant.yaml
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Run only cases with this text in their title or file, ignoring case; may be repeated
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
}

/// Runs the command.
pub(super) fn run(arguments: TestArguments, console: &Console) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let files = report::read(console, folder)?;
    let refused = |problems: Vec<_>| report::diagnostics(console, folder, &files, &problems);
    let loaded = configuration::check(&files).map_err(refused)?;
    let errors = configuration::refused(&loaded.findings);
    if !errors.is_empty() {
        return Err(refused(errors));
    }
    let tests = configuration::load_tests(&loaded, &files).map_err(refused)?;
    let filters: Vec<String> = arguments.filter.iter().map(|text| text.to_lowercase()).collect();
    let wanted = |test: &TestFile, case: &Case| {
        let within =
            |filter: &String| case.title.to_lowercase().contains(filter) || test.file.to_lowercase().contains(filter);
        filters.is_empty() || filters.iter().any(within)
    };
    let chosen = |test: &TestFile| test.cases.iter().filter(|case| wanted(test, case)).count();
    if tests.iter().map(chosen).sum::<usize>() == 0 {
        return Err(match filters.is_empty() {
            true => Failure::new(
                format!("There are no cases in {}.", folder.join("tests").display()),
                "See docs/testing.md.",
            ),
            false => Failure::new("No case has that text in its title or file.", "Leave out --filter to run all."),
        });
    }
    let clock = &console.environment.clock;
    let (began, bench, mut outcome) = (clock.now(), TestBench::new(loaded)?, CaseOutcome::new(console.shared.json));
    for test in tests.iter().filter(|test| chosen(test) > 0) {
        outcome.file(test)?;
        let template = bench.template(test)?;
        for case in test.cases.iter().filter(|case| wanted(test, case)) {
            let found = match &template {
                Ok(template) => case::run(&bench, test, template, case)?,
                Err(refused) => vec![refused.clone()],
            };
            outcome.case(test, case, found)?;
        }
    }
    outcome.end(clock.now().duration_since(began))
}
