//! `plinth backup`: backups of tenants, made, restored and proven.

use super::table::table;
use super::{Console, Failure, backup_records, settings_file};
use crate::settings::Settings;
use clap::{Args, Subcommand};
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use platform::tenants::Platform;
use platform::tenants::backup::{
    ArchivePlace, BackupPlace, Identities, LocalArchive, Recipients, RestoreOptions, Restored, StoredArchive,
    VerifiedBackup,
};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Back tenants up, restore them, and prove that backups can be restored
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  plinth backup create --to /backup            all tenants, while a server runs\n  \
                        plinth backup create acme --to /backup\n  \
                        plinth backup verify /backup/acme-20261129T021500Z.tar.gz\n  \
                        plinth backup restore /backup/acme-20261129T021500Z.tar.gz\n  \
                        plinth backup restore /backup/acme-20261129T021500Z.tar.gz --as acme-old\n  \
                        plinth backup create --to /backup --recipient age1...    encrypted, as `age -r` does\n  \
                        plinth backup verify --identity key.txt /backup/*.age\n  \
                        plinth backup records /backup/acme-20261129T021500Z.tar.gz --type invoice\n  \
                        plinth backup list --to /backup\n  \
                        plinth backup create --to s3://bucket/prefix             with the keys of the settings"
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
        /// The folder for the archive, NAME-INSTANT.tar.gz, or s3://BUCKET/PREFIX [default: backup.to]
        #[arg(long, value_name = "FOLDER")]
        to: Option<PathBuf>,
        /// Encrypt it to a recipient of age; repeat it for several [default: backup.recipients]
        #[arg(long = "recipient", value_name = "age1...")]
        recipients: Vec<String>,
        /// Encrypt it to the recipients of a file, one in each line
        #[arg(long = "recipients-file", value_name = "FILE")]
        recipients_files: Vec<PathBuf>,
    },
    /// List the archives of a folder or a bucket
    List {
        /// The tenant [default: all tenants]
        tenant: Option<String>,
        /// The folder, or s3://BUCKET/PREFIX [default: backup.to]
        #[arg(long, value_name = "FOLDER")]
        to: Option<PathBuf>,
    },
    /// Make a tenant of an archive; the tenant must not exist
    Restore {
        /// The archive, or s3://BUCKET/PREFIX/NAME
        file: PathBuf,
        /// Restore it under another name; automations are off, and waiting mails are not sent
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        /// Switch automations off, and cancel waiting mails and SMS
        #[arg(long)]
        quiet: bool,
        /// The file of an identity of age that opens an encrypted archive
        #[arg(long = "identity", value_name = "FILE")]
        identities: Vec<PathBuf>,
    },
    /// Restore archives aside, check all that is in them, and remove them again
    Verify {
        /// The archives, or s3://BUCKET/PREFIX/NAME
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The file of an identity of age that opens encrypted archives
        #[arg(long = "identity", value_name = "FILE")]
        identities: Vec<PathBuf>,
    },
    /// Bring records of one type back, as they were
    Records(backup_records::RecordsArguments),
}

/// Runs the command.
pub(super) fn run(arguments: BackupArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    // Bytes of files come and go by way of it.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let _entered = runtime.enter();
    match arguments.command {
        BackupCommand::Create { tenant, to, recipients, recipients_files } => {
            let mut place = place(&settings, to)?;
            if !recipients.is_empty() || !recipients_files.is_empty() {
                place.recipients = read_recipients(&recipients, &recipients_files)?;
            }
            create(console, &*console.changed_platform(&settings)?, tenant, &place)
        }
        BackupCommand::List { tenant, to } => list(console, &place(&settings, to)?.archives, tenant.as_deref()),
        BackupCommand::Restore { file, name, quiet, identities } => {
            let identities = read_identities(&identities)?;
            let platform = console.new_platform(&settings)?;
            let identities = Some(&identities);
            let options = RestoreOptions { name: name.as_deref(), quiet, identities, ..RestoreOptions::default() };
            let local = fetch(&settings, &file)?;
            let bar = bar("Restoring", &file);
            let restored = platform.restore(local.path(), options, &settings.data.folder, &mut |bytes| bar.inc(bytes));
            bar.finish_and_clear();
            tell_restored(console, &restored?)
        }
        BackupCommand::Records(arguments) => backup_records::run(arguments, console),
        BackupCommand::Verify { files, identities } => {
            let identities = read_identities(&identities)?;
            let platform = console.new_platform(&settings)?;
            let mut wrong = 0;
            for file in &files {
                let verified = fetch(&settings, file).and_then(|local| {
                    let bar = bar("Verifying", file);
                    let progress = &mut |bytes| bar.inc(bytes);
                    let verified = platform.verify_backup(local.path(), &identities, &settings.data.folder, progress);
                    bar.finish_and_clear();
                    Ok(verified?)
                });
                match verified {
                    Ok(verified) => wrong += usize::from(!tell_verified(console, file, &verified)?),
                    Err(failure) => {
                        wrong += 1;
                        let message = format!("{}: {}", file.display(), failure.message);
                        console.fail(&Failure { message, ..failure });
                    }
                }
            }
            if wrong == 0 { Ok(()) } else { Err(Failure::told()) }
        }
    }
}

/// Returns the place of backups: the one that is named, or that of the settings.
fn place(settings: &Settings, to: Option<PathBuf>) -> Result<BackupPlace, Failure> {
    let place = crate::backup_place(settings, to.as_deref())
        .map_err(|error| Failure::new(error, format!("See [backup] in {}.", settings_file::list())))?;
    place.ok_or_else(|| {
        Failure::new("There is no place for backups.", "Name it with --to FOLDER or --to s3://BUCKET, or as backup.to.")
    })
}

/// Copies an archive of a bucket to this machine; one that is a file stays where it is.
pub(super) fn fetch(settings: &Settings, file: &Path) -> Result<LocalArchive, Failure> {
    let (bucket, scratch) = (crate::backup_bucket(settings), settings.data.folder.join("scratch"));
    let bar = bar("Fetching", file);
    let local = LocalArchive::get(file, &bucket, &scratch, &mut |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(local?)
}

fn read_recipients(texts: &[String], files: &[PathBuf]) -> Result<Recipients, Failure> {
    const ADVICE: &str = "`age-keygen -o key.txt` makes an identity, and tells its recipient.";
    let mut all =
        Recipients::parse(texts.iter().map(|text| text.trim())).map_err(|error| Failure::new(error, ADVICE))?;
    for file in files {
        all.extend(read_file(file, Recipients::parse_file, ADVICE)?);
    }
    Ok(all)
}

pub(super) fn read_identities(files: &[PathBuf]) -> Result<Identities, Failure> {
    let mut all = Identities::default();
    for file in files {
        let advice =
            "Give a file as `age-keygen` writes it. One with a passphrase is to be opened with `age -d` first.";
        all.extend(read_file(file, Identities::parse_file, advice)?);
    }
    Ok(all)
}

fn read_file<T>(file: &Path, parse: impl Fn(&str) -> Result<T, String>, advice: &str) -> Result<T, Failure> {
    let shown = file.display();
    let text = fs::read(file).map_err(|error| Failure::new(format!("{shown} cannot be read: {error}."), advice))?;
    let parsed = parse(&String::from_utf8_lossy(&text));
    parsed.map_err(|error| Failure::new(format!("{shown} cannot be used. {error}"), advice))
}

/// Lists the archives of a place.
fn list(console: &Console, place: &ArchivePlace, tenant: Option<&str>) -> Result<(), Failure> {
    let mut archives = place.list()?;
    archives.retain(|archive| tenant.is_none_or(|tenant| archive.tenant == tenant));
    let now = console.environment.clock.now();
    let age = |archive: &StoredArchive| now.duration_since(archive.made).as_secs().max(0).unsigned_abs();
    let items = archives.iter().map(|archive| {
        json!({
            "tenant": archive.tenant, "file": archive.path, "bytes": archive.bytes, "made": archive.made.to_string(),
            "age": age(archive), "encrypted": archive.encrypted,
        })
    });
    let rows: Vec<[String; 5]> = archives
        .iter()
        .map(|archive| {
            let encrypted = if archive.encrypted { "encrypted" } else { "plain" };
            let age = HumanDuration(Duration::from_secs(age(archive))).to_string();
            let file = archive.path.display().to_string();
            [archive.tenant.clone(), age, HumanBytes(archive.bytes).to_string(), encrypted.to_owned(), file]
        })
        .collect();
    let text = match rows.as_slice() {
        [] => format!("There is no backup in {}.", place.path().display()),
        rows => table(["tenant", "age", "size", "form", "file"], rows),
    };
    console.print(&text, &json!({"items": items.collect::<Vec<Json>>(), "hasMore": false}))
}

fn create(console: &Console, platform: &Platform, tenant: Option<String>, to: &BackupPlace) -> Result<(), Failure> {
    let names = match tenant {
        Some(name) => vec![name],
        // The lost ones are told after the others are saved.
        None => platform.tenants()?.into_iter().chain(platform.lost_tenants()?.into_keys()).collect(),
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
            "records": made.manifest.records(), "files": files, "encrypted": !to.recipients.is_empty(),
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

pub(super) fn bar(what: &'static str, of: &Path) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}: {bytes} ({bytes_per_sec})");
    let bar = ProgressBar::new_spinner().with_message(format!("{what} {}", of.display()));
    bar.enable_steady_tick(Duration::from_millis(100));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
