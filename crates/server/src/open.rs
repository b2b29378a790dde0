//! From settings to the platform over its database.

use crate::commands::settings_file;
use crate::settings::{
    FileSettings, FileStorageKind, GuardSetting, MailEncryption, MailSettings, MailTransport, PoolerSetting, Settings,
    SmsTransport,
};
use context::spool::SpoolFolder;
use context::vault::{MasterKey, MasterKeys};
use database::{Database, GuardMode, PoolerMode, PostgresOptions, SqliteOptions, TimeLimit};
use messages::outbox::{Gateway, GatewayOptions, MailRoute, MailTls, Routes, SmsRoute, Smtp, SmtpOptions};
use messages::outgoing::{HttpRoute, Outgoing};
use model::environment::{Clock, DatabaseClock, Environment};
use platform::tenants::backup::{ArchivePlace, BackupPlace, BackupSchedule, Recipients, RemovedBackups, Retention};
use platform::tenants::master_key::{self, KeyFit};
use platform::tenants::{self, Platform};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tenant::storage::{BucketOptions, FileStorage};

/// The longest time that the sending of a mail may be given: what claimed it for us has an end.
const LONGEST: Duration = Duration::from_secs(35);
/// The longest time that a request of an automation may take, for the same reason.
const ASKING: Duration = Duration::from_secs(30);

/// The cause for which the platform cannot be opened.
#[derive(Debug)]
pub enum OpeningError {
    /// The database or its folder cannot be used.
    Database(database::Error),
    /// A setting or the master key is wrong.
    Refused {
        /// The description of what is wrong.
        message: String,
        /// The advice on what to do.
        advice: String,
    },
}

impl From<database::Error> for OpeningError {
    fn from(error: database::Error) -> Self {
        OpeningError::Database(error)
    }
}

/// The treatment of a master key's file that is missing while there is no tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingKey {
    /// It is made: a tenant may be.
    Make,
    /// It stays missing: the command only looks.
    Leave,
}

/// The platform over the database of the settings. It blocks.
pub fn open(settings: &Settings, environment: Environment) -> Result<Arc<Platform>, OpeningError> {
    open_with(settings, environment, MissingKey::Make)
}

/// The same, with a choice for a missing key.
pub fn open_with(
    settings: &Settings,
    environment: Environment,
    missing: MissingKey,
) -> Result<Arc<Platform>, OpeningError> {
    let data = &settings.data;
    let (routes, files) = (routes(settings)?, files(settings)?);
    let database = if data.postgres.is_empty() {
        // With two, a tenant whose lists take long leaves one to the others.
        let threads = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let readers = if data.readers == 0 { threads } else { data.readers };
        let folder = data.folder.join("tenants");
        Database::sqlite(SqliteOptions { folder, readers, descriptors: data.open_files })?
    } else {
        Database::postgres(postgres_options(settings))?
    };
    let database = database.waiting(data.wait).limited(TimeLimit::After(settings.limits.job_time));
    let default_tenant = Some(settings.default_tenant.clone()).filter(|name| !name.is_empty());
    let clock = DatabaseClock::follow(&database, Arc::clone(&environment.clock));
    let clock = clock.map_err(|error| database::Error::Failed(error.message))?;
    let environment = match &clock {
        Some(clock) => Environment { clock: Arc::clone(clock) as Arc<dyn Clock>, ..environment },
        None => environment,
    };
    let key = key(settings, &environment, &database, missing)?;
    Ok(Platform::new(
        database,
        environment,
        tenants::Settings {
            default_tenant,
            open_tenants: data.open_tenants,
            address_rate: settings.limits.requests_per_address,
            connections: settings.limits.connections,
            files,
            cache_bytes: settings.cache.bytes,
            routes,
            file_root: Some(settings.files.root.clone()).filter(|root| !root.as_os_str().is_empty()),
            key,
            file_quota: Some(settings.limits.tenant_file_bytes).filter(|bytes| *bytes > 0),
            row_bytes: match settings.limits.row_bytes {
                0 => usize::MAX,
                bytes => bytes,
            },
            spools: Some(Arc::new(SpoolFolder::new(data.folder.join("spool"), settings.limits.spool_bytes as u64))),
            clock,
            poll_interval: settings.data.poll_interval,
            places: settings.outbox.places,
            destination_places: settings.outbox.destination_places,
            removed_backups: removed_backups(settings),
            prepared: None,
        },
    ))
}

/// Returns the routes by which mails and SMS leave.
pub fn routes(settings: &Settings) -> Result<Routes, OpeningError> {
    let folder = &settings.data.folder;
    let mail = match settings.mail.transport {
        MailTransport::Files => MailRoute::Files(folder.join("mail")),
        MailTransport::Smtp => MailRoute::Smtp(smtp(&settings.mail)?),
    };
    let sms = match settings.sms.transport {
        SmsTransport::Files => SmsRoute::Files(folder.join("sms")),
        SmsTransport::Http => SmsRoute::Http(gateway(settings)?),
    };
    let public_url = Arc::new(OnceLock::new());
    if !settings.public_url.is_empty() {
        public_url.get_or_init(|| settings.public_url.clone());
    }
    let outgoing = Outgoing::new(settings.outgoing.allow_private, ASKING);
    let outgoing = HttpRoute::Network(outgoing.map_err(|error| setting(error.message))?);
    Ok(Routes { mail, sms, from: settings.mail.from.clone(), outgoing, public_url })
}

fn postgres_options(settings: &Settings) -> PostgresOptions {
    PostgresOptions {
        url: settings.data.postgres.to_string(),
        connections: settings.data.connections,
        pooler: match settings.postgres.pooler {
            PoolerSetting::Auto => PoolerMode::Auto,
            PoolerSetting::None => PoolerMode::None,
            PoolerSetting::Transaction => PoolerMode::Transaction,
        },
        direct_url: settings.postgres.direct_url.to_string(),
        guard: match settings.postgres.guard {
            GuardSetting::Auto => GuardMode::Auto,
            GuardSetting::Advisory => GuardMode::Advisory,
            GuardSetting::Row => GuardMode::Row,
        },
    }
}

pub(crate) fn smtp(settings: &MailSettings) -> Result<Smtp, OpeningError> {
    if settings.host.is_empty() {
        return Err(setting("mail.host is missing: mail.transport is smtp"));
    }
    let certificates = match settings.ca_file.as_os_str().is_empty() {
        true => Vec::new(),
        false => std::fs::read(&settings.ca_file)
            .map_err(|error| setting(format!("mail.ca_file {}: {error}", settings.ca_file.display())))?,
    };
    let tls = match settings.tls {
        MailEncryption::Starttls => MailTls::Starttls,
        MailEncryption::Tls => MailTls::Tls,
        MailEncryption::None => MailTls::None,
    };
    Smtp::new(SmtpOptions {
        host: settings.host.clone(),
        port: settings.port,
        user: settings.user.clone(),
        password: settings.password.to_string(),
        tls,
        certificates,
        hello: settings.hello.clone(),
        timeout: settings.timeout.min(LONGEST),
    })
    .map_err(|error| setting(error.message))
}

fn gateway(settings: &Settings) -> Result<Gateway, OpeningError> {
    let sms = &settings.sms;
    let options = GatewayOptions {
        url: sms.url.clone(),
        method: sms.method.clone(),
        headers: sms.headers.clone(),
        body: sms.body.clone(),
        sender: sms.sender.clone(),
        vars: sms.vars.clone(),
        success: sms.success.clone(),
        allow_private: settings.outgoing.allow_private,
    };
    Gateway::new(&options).map_err(|error| setting(error.message))
}

/// The refusal of a setting.
fn setting(problem: impl Into<String>) -> OpeningError {
    let problem: String = problem.into();
    let message = format!("The settings cannot be used: {}.", problem.trim_end_matches('.'));
    OpeningError::Refused { message, advice: format!("{} explains every setting.", settings_file::list()) }
}

/// Returns the way to buckets of backups: what `[backup]` leaves empty is that of files.
pub(crate) fn backup_bucket(settings: &Settings) -> BucketOptions {
    let (own, files) = (&settings.backup, bucket_options(&settings.files));
    let or = |own: &str, other: String| if own.is_empty() { other } else { own.to_owned() };
    BucketOptions {
        endpoint: or(&own.endpoint, files.endpoint),
        region: or(&own.region, files.region),
        access_key: or(&own.access_key, files.access_key),
        secret_key: or(&own.secret_key, files.secret_key),
        timeout: own.timeout,
        ..files
    }
}

/// Returns the place of backups: the one that is named, else that of the settings, if there is one. The error is a
/// sentence.
pub(crate) fn backup_place(settings: &Settings, to: Option<&Path>) -> Result<Option<BackupPlace>, String> {
    let recipients = Recipients::parse(settings.backup.recipients.iter().map(|text| text.trim()));
    let recipients = recipients.map_err(|error| format!("backup.recipients: {error}"))?;
    if settings.backup.access_key.is_empty() != settings.backup.secret_key.is_empty() {
        return Err("backup.access_key and backup.secret_key belong together: set both, or none.".to_owned());
    }
    let to = to.unwrap_or(&settings.backup.to);
    if to.as_os_str().is_empty() {
        return Ok(None);
    }
    let archives = ArchivePlace::parse(to, &backup_bucket(settings))?;
    Ok(Some(BackupPlace { archives, recipients, scratch: settings.data.folder.join("scratch") }))
}

/// Returns the place of the archives of removed tenants, where the server makes backups.
fn removed_backups(settings: &Settings) -> Option<RemovedBackups> {
    let to = Some(settings.backup.to.clone()).filter(|to| !to.as_os_str().is_empty())?;
    Some(RemovedBackups { to, bucket: backup_bucket(settings), keep: settings.backup.keep_deleted })
}

/// Returns the schedule of backups; none where there is no place for them. The error is a sentence.
pub(crate) fn backup_schedule(settings: &Settings) -> Result<Option<BackupSchedule>, String> {
    let keep = settings.backup.keep.map(|kept| Retention { days: kept.days, weeks: kept.weeks, months: kept.months });
    let place = backup_place(settings, None)?;
    Ok(place.map(|place| BackupSchedule { place, at: settings.backup.at.clone(), keep }))
}

/// Returns the path of the master key's file, unless the key is a setting.
pub fn key_file(settings: &Settings) -> PathBuf {
    match &settings.security.key_file {
        path if path.as_os_str().is_empty() => settings.data.folder.join("plinth.key"),
        path => path.clone(),
    }
}

/// The master key: the setting's own, or that of the file. A file is made only where no tenant began with a key yet.
fn key(
    settings: &Settings,
    environment: &Environment,
    database: &Database,
    missing: MissingKey,
) -> Result<Option<MasterKeys>, OpeningError> {
    let failed = |error: model::error::Error| database::Error::Failed(error.detail.unwrap_or(error.message));
    let found = found_key(settings)?;
    match (master_key::fit(database, found.as_ref()).map_err(failed)?, found) {
        (KeyFit::Foreign(tenant), found) => {
            // Another process may have made the file and the tenant meanwhile.
            if found.is_none() && key_file(settings).exists() {
                return key(settings, environment, database, missing);
            }
            let (message, advice) =
                if found.is_none() { lost_key(settings, &tenant) } else { foreign_key(settings, &tenant) };
            Err(OpeningError::Refused { message, advice })
        }
        (_, Some(keys)) => Ok(Some(keys)),
        (KeyFit::Empty, None) if missing == MissingKey::Leave => Ok(None),
        (_, None) => MasterKeys::of_file(&key_file(settings), environment.random.as_ref())
            .map(Some)
            .map_err(|error| setting(error.message)),
    }
}

/// The master key that is there: the setting's own, or that of the file.
fn found_key(settings: &Settings) -> Result<Option<MasterKeys>, OpeningError> {
    let security = &settings.security;
    if security.key.is_empty() {
        return MasterKeys::in_file(&key_file(settings)).map_err(|error| setting(error.message));
    }
    let parse = |text: &str, name: &str| {
        MasterKey::parse(text).ok_or_else(|| setting(format!("security.{name} must be 32 bytes in base64")))
    };
    let next = Some(&*security.next_key).filter(|text| !text.is_empty());
    let next = next.map(|text| parse(text, "next_key")).transpose()?;
    Ok(Some(MasterKeys::new(parse(&security.key, "key")?, next)))
}

/// Returns message and advice where the master key is not that of the tenant.
pub(crate) fn foreign_key(settings: &Settings, tenant: &str) -> (String, String) {
    let place = if settings.security.key.is_empty() {
        key_file(settings).display().to_string()
    } else {
        "security.key".to_owned()
    };
    (format!("The master key of {place} is not that of the tenant {tenant}. {UNCHANGED}"), ADVICE.to_owned())
}

/// The same where there is no master key.
fn lost_key(settings: &Settings, tenant: &str) -> (String, String) {
    let path = key_file(settings);
    let message = format!(
        "The master key is missing: the tenant {tenant} has one, and there is no file {}. {UNCHANGED}",
        path.display()
    );
    (message, ADVICE.to_owned())
}

const UNCHANGED: &str = "Nothing was changed.";
const ADVICE: &str = "Put the file of the key back, name its folder with --data DIR or the file as security.key_file \
                      (PLINTH_SECURITY_KEY_FILE), or give the key as security.key (PLINTH_SECURITY_KEY).";

/// Returns the storage of files: beside the tenant's database where that is a file, else in a folder for each tenant.
fn files(settings: &Settings) -> Result<FileStorage, OpeningError> {
    let (data, files) = (&settings.data, &settings.files);
    match files.storage {
        FileStorageKind::Folder if data.postgres.is_empty() => {
            Ok(FileStorage::folders(data.folder.join("tenants"), "files".into()))
        }
        FileStorageKind::Folder => Ok(FileStorage::folders(data.folder.join("files"), "".into())),
        FileStorageKind::S3 => FileStorage::bucket(&bucket_options(files)).map_err(|error| setting(error.to_string())),
    }
}

fn bucket_options(files: &FileSettings) -> BucketOptions {
    BucketOptions {
        endpoint: files.endpoint.clone(),
        bucket: files.bucket.clone(),
        region: files.region.clone(),
        prefix: files.prefix.clone(),
        access_key: files.access_key.to_string(),
        secret_key: files.secret_key.to_string(),
        timeout: files.timeout,
    }
}
