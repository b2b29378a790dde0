//! `plinth backup`: backups of tenants, made, restored and proven.

use super::{Console, Failure};
use clap::{Args, Subcommand};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use platform::tenants::Platform;
use platform::tenants::backup::{RestoreOptions, Restored, VerifiedBackup};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Back tenants up, restore them, and prove that backups can be restored
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  plinth backup create --to /backup            all tenants, while a server runs\n  \
                        plinth backup create acme --to /backup\n  \
                        plinth backup verify /backup/acme-20261129T021500Z.tar.gz\n  \
                        plinth backup restore /backup/acme-20261129T021500Z.tar.gz\n  \
                        plinth backup restore /backup/acme-20261129T021500Z.tar.gz --as acme-old"
)]
pub(super) struct BackupArguments {
    #[command(subcommand)]
    command: BackupCommand,
}

#[derive(Debug, Subcommand)]
enum BackupCommand {
    /// Write a tenant's rows and files into one archive
    Create {
        /// The tenant [default: all tenants]
        tenant: Option<String>,
        /// The folder for the archive; NAME-INSTANT.tar.gz
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
    },
    /// Make a tenant of an archive; the tenant must not exist
    Restore {
        /// The archive
        file: PathBuf,
        /// Restore it under another name; automations are off, and waiting mails are not sent
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        /// Switch automations off, and cancel waiting mails and SMS
        #[arg(long)]
        quiet: bool,
    },
    /// Restore archives aside, check all that is in them, and remove them again
    Verify {
        /// The archives
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// Runs the command.
pub(super) fn run(arguments: BackupArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    // Bytes of files come and go by way of it.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let _entered = runtime.enter();
    match arguments.command {
        BackupCommand::Create { tenant, to } => create(console, &*console.platform(&settings)?, tenant, &to),
        BackupCommand::Restore { file, name, quiet } => {
            let platform = console.new_platform(&settings)?;
            let options = RestoreOptions { name: name.as_deref(), quiet };
            let bar = bar("Restoring", &file);
            let restored = platform.restore(&file, options, &settings.data.folder, &mut |bytes| bar.inc(bytes));
            bar.finish_and_clear();
            tell_restored(console, &restored?)
        }
        BackupCommand::Verify { files } => {
            let platform = console.new_platform(&settings)?;
            let mut wrong = 0;
            for file in &files {
                let bar = bar("Verifying", file);
                let verified = platform.verify_backup(file, &settings.data.folder, &mut |bytes| bar.inc(bytes));
                bar.finish_and_clear();
                match verified {
                    Ok(verified) => wrong += usize::from(!tell_verified(console, file, &verified)?),
                    Err(error) => {
                        wrong += 1;
                        let failure = Failure::from(error);
                        let message = format!("{}: {}", file.display(), failure.message);
                        console.fail(&Failure { message, ..failure });
                    }
                }
            }
            if wrong == 0 { Ok(()) } else { Err(Failure::told()) }
        }
    }
}

fn create(console: &Console, platform: &Platform, tenant: Option<String>, to: &Path) -> Result<(), Failure> {
    let names = match tenant {
        Some(name) => vec![name],
        None => platform.tenants()?,
    };
    let mut failed = 0;
    for name in &names {
        let bar = bar("Backing up", Path::new(name));
        let made = platform.back_up(name, to, &mut |bytes| bar.inc(bytes));
        bar.finish_and_clear();
        let made = match made {
            Ok(made) => made,
            // The others are backed up all the same.
            Err(error) => {
                failed += 1;
                let failure = Failure::from(error);
                let message = format!("{name} is not backed up. {}", failure.message);
                console.fail(&Failure { message, ..failure });
                continue;
            }
        };
        let (files, _) = made.manifest.files();
        let text = format!(
            "{}: {} records and {} files of {name}, {}",
            made.path.display(),
            HumanCount(made.manifest.records()),
            HumanCount(files),
            HumanBytes(made.bytes)
        );
        let told = json!({
            "tenant": name, "file": made.path, "bytes": made.bytes, "made": made.manifest.made.to_string(),
            "records": made.manifest.records(), "files": files,
        });
        console.print(&text, &told)?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::told()) }
}

fn tell_restored(console: &Console, restored: &Restored) -> Result<(), Failure> {
    let Restored { tenant, quiet, manifest } = restored;
    let (files, _) = manifest.files();
    let mut text = format!(
        "tenant {tenant} is restored as of {}: {} records and {} files",
        manifest.made,
        HumanCount(manifest.records()),
        HumanCount(files)
    );
    if *quiet {
        text.push_str(
            "\nIts automations are off, and waiting mails and SMS are cancelled: see plinth automation list and enable.",
        );
    }
    let told = json!({
        "tenant": tenant, "made": manifest.made.to_string(), "records": manifest.records(), "files": files, "quiet": quiet,
    });
    console.print(&text, &told)
}

/// Tells what was found; returns true where the backup is whole.
fn tell_verified(console: &Console, file: &Path, verified: &VerifiedBackup) -> Result<bool, Failure> {
    let VerifiedBackup { manifest, audited, faults } = verified;
    let (files, bytes) = manifest.files();
    let shown = file.display();
    let text = match faults.as_slice() {
        [] => format!(
            "{shown}: restored and intact. {} of {}: {} records, {} files of {}, {} rows of the audit log",
            manifest.tenant,
            manifest.made,
            HumanCount(manifest.records()),
            HumanCount(files),
            HumanBytes(bytes),
            HumanCount(*audited)
        ),
        faults => format!("{shown}: broken.\n  {}", faults.join("\n  ")),
    };
    let told = json!({
        "file": file, "tenant": manifest.tenant, "made": manifest.made.to_string(), "records": manifest.records(),
        "files": files, "audited": audited, "intact": faults.is_empty(), "faults": faults,
    });
    console.print(&text, &told)?;
    Ok(faults.is_empty())
}

fn bar(what: &'static str, of: &Path) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}: {bytes} ({bytes_per_sec})");
    let bar = ProgressBar::new_spinner().with_message(format!("{what} {}", of.display()));
    bar.enable_steady_tick(Duration::from_millis(100));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
