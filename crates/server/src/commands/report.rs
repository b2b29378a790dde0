//! Reports of diagnostics and plans: with source lines and carets to people, as JSON to programs.

use super::fixes::WrittenFix;
use super::output::{print_line, tell};
use super::{Console, Failure};
use configuration::{ApplyFailure as NotApplied, Change, ChangeWeight, Diagnostic, Files, IndexProposal, Plan};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The files of a folder, or what is wrong with them.
pub(super) fn read(console: &Console, folder: &Path) -> Result<Files, Failure> {
    if !folder.is_dir() {
        let advice = "Name the folder with tenant.yaml, types/, roles/, groups/, users/ and mail/.";
        let shown = folder.display();
        return Err(match folder.metadata() {
            Ok(_) => Failure::new(format!("{shown} is a file, not a folder."), advice),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Failure::new(
                format!(
                    "The folder {shown} may not be read by the account that runs this: a folder above it is closed."
                ),
                "Give the account the right, or move the files to a folder that it may read, such as /srv.",
            ),
            Err(_) => Failure::new(format!("There is no folder {shown}."), advice),
        });
    }
    Files::read(folder).map_err(|problems| diagnostics(console, folder, &Files::default(), &problems))
}

/// Prints diagnostics of the files of a folder, and gives the failure that the command ends with. For people, paths lead
/// from the present directory, so that terminals and editors open them.
pub(super) fn diagnostics(console: &Console, folder: &Path, files: &Files, problems: &[Diagnostic]) -> Failure {
    diagnostics_left(console, folder, files, problems, &[])
}

/// The same where changes were written before.
pub(super) fn diagnostics_left(
    console: &Console,
    folder: &Path,
    files: &Files,
    problems: &[Diagnostic],
    fixed: &[WrittenFix],
) -> Failure {
    let (errors, warnings): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.is_error());
    if console.shared.json {
        let mut told = json!({"ok": false, "problems": errors, "warnings": warnings});
        if !fixed.is_empty() {
            told["fixed"] = json!(fixed);
        }
        if let Err(unwritable) = print_line(told) {
            return unwritable;
        }
    } else {
        shown(folder, files, &errors);
        shown(folder, files, &warnings);
    }
    let count = if errors.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", errors.len()) };
    let fixable = errors.iter().any(|problem| problem.fixes.iter().any(|fix| fix.is_safe));
    let advice = match fixable {
        true => format!("plinth check --fix {} writes the changes that are safe.", folder.display()),
        false => String::new(),
    };
    let message = match fixed {
        [] => format!("{count} in the files. Nothing was changed."),
        [_] => format!("1 change was written. {count} in the files remain for you."),
        all => format!("{} changes were written. {count} in the files remain for you.", all.len()),
    };
    Failure::new(message, advice)
}

/// Prints diagnostics for people.
pub(super) fn shown(folder: &Path, files: &Files, problems: &[&Diagnostic]) {
    for problem in problems {
        let mut shown = (*problem).clone();
        shown.file = shown_path(folder, &problem.file);
        tell(shown.render(files.get(&problem.file)));
    }
}

/// Prints warnings where they fail, and gives the failure that the command ends with.
pub(super) fn strict(console: &Console, folder: &Path, files: &Files, warnings: &[&Diagnostic]) -> Failure {
    if console.shared.json {
        if let Err(unwritable) = print_line(json!({"ok": false, "problems": [], "warnings": warnings})) {
            return unwritable;
        }
    } else {
        shown(folder, files, warnings);
    }
    let count = if warnings.len() == 1 { "1 warning".to_owned() } else { format!("{} warnings", warnings.len()) };
    Failure::new(format!("{count} in the files, and --strict lets none pass."), "")
}

/// A file's path from the present directory.
pub(super) fn shown_path(folder: &Path, file: &str) -> String {
    let file = folder.components().collect::<PathBuf>().join(file);
    file.strip_prefix(".").unwrap_or(&file).display().to_string()
}

/// Prints why files were not applied, and gives the failure that the command ends with.
pub(super) fn not_applied(console: &Console, folder: &Path, files: &Files, failure: NotApplied) -> Failure {
    match failure {
        NotApplied::Files(problems) => diagnostics(console, folder, files, &problems),
        NotApplied::Refused(plan) => {
            if let Err(unwritable) = print(console, &plan, false) {
                return unwritable;
            }
            if plan.blocked() {
                return blocked();
            }
            let advice = match plan.completed.as_slice() {
                [] => "Allow it with --allow-loss.".to_owned(),
                // A copy of the files from before their first apply, as a rule.
                lacking => format!(
                    "A type or property without an id is a new one, whatever its name: {} has such. One that you renamed \
                     keeps its values by its old id, which the files of plinth pull have.\n\
                     If the loss is meant, allow it with --allow-loss.",
                    lacking.join(", ")
                ),
            };
            Failure::new("Values would be lost. Nothing was changed.", advice)
        }
        NotApplied::Other(error) => {
            for problem in error.problems.iter().skip(1) {
                tell(format_args!("  {}", problem.message));
            }
            error.into()
        }
    }
}

/// Returns the failure of a plan that rows prevent.
pub(super) fn blocked() -> Failure {
    let advice = "Change the rows or the files. Nothing was changed.";
    Failure::new("Existing rows do not fit the new configuration.", advice)
}

/// Prints a plan; `done` where it was carried out.
pub(super) fn print(console: &Console, plan: &Plan, done: bool) -> Result<(), Failure> {
    let loses = plan.loses();
    let json = json!({
        "ok": !plan.blocked(), "applied": done, "loses": loses, "blocked": plan.blocked(),
        "changes": plan.changes, "completed": plan.completed, "proposals": plan.proposals,
        "refused": plan.refused, "stored": plan.stored,
    });
    let mut text = refused(&plan.refused);
    text.extend(plan.stored.iter().map(stored));
    text.extend(plan.changes.iter().map(line));
    if plan.is_empty() {
        text.push("Nothing to change.".to_owned());
    }
    if !done {
        text.extend(plan.proposals.iter().map(proposal));
    }
    console.print(&text.join("\n"), &json)
}

/// Returns lines about the first problems that this version has with the files that are stored.
fn refused(problems: &[Diagnostic]) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut text: Vec<String> = problems.iter().take(SHOWN).map(|problem| format!("stored  {problem}")).collect();
    if problems.len() > SHOWN {
        text.push(format!("        and {} more problems of the stored files", problems.len() - SHOWN));
    }
    text
}

/// An expression of the stored files that runs by the rules of a former version.
fn stored(finding: &Diagnostic) -> String {
    let Diagnostic { file, line, column, code, message, .. } = finding;
    format!("stored  {file}:{line}:{column}: {code}: {message}")
}

/// An index that would serve grants, as a line for the file.
fn proposal(proposal: &IndexProposal) -> String {
    let IndexProposal { resource_type, at, line, reason, grants, .. } = proposal;
    let place = if at.is_empty() { String::new() } else { format!(", at {at}") };
    let mut text = format!("propose {resource_type}: {line}{place}\n        {reason}");
    for grant in grants {
        text.push_str(&format!("\n          {grant}"));
    }
    text
}

fn line(change: &Change) -> String {
    let weight = match change.weight {
        ChangeWeight::Safe => "safe",
        ChangeWeight::Slow => "slow",
        ChangeWeight::Loss => "LOSS",
    };
    let against = &change.finding.against;
    let mut text = format!("{:7} {}", if against.total > 0 { "REFUSED" } else { weight }, change.text);
    if against.total > 0 {
        text.push_str(&format!("\n        {}", against.message));
        for row in &against.rows {
            let value = if row.value.is_empty() { String::new() } else { format!("{:?} ", row.value) };
            text.push_str(&format!("\n          row {}: {value}{}", row.id, row.message));
        }
        let listed = u64::try_from(against.rows.len()).unwrap_or(u64::MAX);
        if against.total > listed {
            text.push_str(&format!("\n          and {} more", against.total - listed));
        }
    }
    text
}
