//! From settings to the platform over its database.

use crate::settings::{FileStorageKind, MailEncryption, MailSettings, MailTransport, Settings, SmsTransport};
use database::{Database, PostgresOptions, SqliteOptions};
use platform::files::{BucketOptions, FileStorage};
use platform::outbox::{Gateway, GatewayOptions, MailRoute, MailTls, Routes, SmsRoute, Smtp, SmtpOptions};
use platform::outgoing::{HttpRoute, Outgoing};
use platform::tenants::{self, Platform};
use platform::vault::{Keys, MasterKey};
use platform::work::World;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The longest time that the sending of a mail may be given: what claimed it for us has an end.
const LONGEST: Duration = Duration::from_secs(35);
/// The longest time that a request of an automation may take, for the same reason.
const ASKING: Duration = Duration::from_secs(30);

/// The platform over the database of the settings. It blocks.
pub fn open(settings: &Settings, world: World) -> database::Result<Arc<Platform>> {
    let data = &settings.data;
    let database = if data.postgres.is_empty() {
        // With two, a tenant whose lists take long leaves one to the others.
        let threads = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let readers = if data.readers == 0 { threads } else { data.readers };
        let folder = data.folder.join("tenants");
        Database::sqlite(SqliteOptions { folder, readers, open_files: data.open_files })?
    } else {
        Database::postgres(PostgresOptions { url: data.postgres.clone(), connections: data.connections })?
    };
    let database = database.waiting(data.wait);
    let default_tenant = Some(settings.default_tenant.clone()).filter(|name| !name.is_empty());
    let key = key(settings, &world)?;
    let routes = routes(settings)?;
    Ok(Platform::new(
        database,
        world,
        tenants::Settings {
            default_tenant,
            open_tenants: data.open_files,
            address_rate: settings.limits.requests_per_address,
            files: files(settings)?,
            cache_bytes: settings.cache.bytes,
            routes,
            file_root: Some(settings.files.root.clone()).filter(|root| !root.as_os_str().is_empty()),
            key: Some(key),
            file_quota: Some(settings.limits.tenant_file_bytes).filter(|bytes| *bytes > 0),
            prepared: None,
        },
    ))
}

/// How mails and SMS leave.
pub fn routes(settings: &Settings) -> database::Result<Routes> {
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
    let outgoing = HttpRoute::Network(outgoing.map_err(|error| database::Error::Failed(error.message))?);
    Ok(Routes { mail, sms, from: settings.mail.from.clone(), outgoing, public_url })
}

fn smtp(settings: &MailSettings) -> database::Result<Smtp> {
    if settings.host.is_empty() {
        return Err(database::Error::Failed("mail.host is missing: mail.transport is smtp".to_owned()));
    }
    let certificates = match settings.ca_file.as_os_str().is_empty() {
        true => Vec::new(),
        false => std::fs::read(&settings.ca_file).map_err(|error| {
            database::Error::Failed(format!("mail.ca_file {}: {error}", settings.ca_file.display()))
        })?,
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
        password: settings.password.clone(),
        tls,
        certificates,
        hello: settings.hello.clone(),
        timeout: settings.timeout.min(LONGEST),
    })
    .map_err(|error| database::Error::Failed(error.message))
}

fn gateway(settings: &Settings) -> database::Result<Gateway> {
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
    Gateway::new(&options).map_err(|error| database::Error::Failed(error.message))
}

/// Where the master key lies, unless it is a setting.
pub fn key_file(settings: &Settings) -> PathBuf {
    match &settings.security.key_file {
        path if path.as_os_str().is_empty() => settings.data.folder.join("plinth.key"),
        path => path.clone(),
    }
}

/// The master key: the setting's own, or that of the file, which is made where it is missing.
fn key(settings: &Settings, world: &World) -> database::Result<Keys> {
    let security = &settings.security;
    if !security.key.is_empty() {
        let parse = |text: &str, name: &str| {
            let key = MasterKey::parse(text);
            key.ok_or_else(|| database::Error::Failed(format!("security.{name} must be 32 bytes in base64")))
        };
        let next = Some(security.next_key.as_str()).filter(|text| !text.is_empty());
        let next = next.map(|text| parse(text, "next_key")).transpose()?;
        return Ok(Keys::new(parse(&security.key, "key")?, next));
    }
    Keys::of_file(&key_file(settings), world.random.as_ref()).map_err(|error| database::Error::Failed(error.message))
}

/// Where the bytes of files lie: beside the tenant's database where that is a file, else in a folder for each tenant.
fn files(settings: &Settings) -> database::Result<FileStorage> {
    let (data, files) = (&settings.data, &settings.files);
    match files.storage {
        FileStorageKind::Folder if data.postgres.is_empty() => {
            Ok(FileStorage::folders(data.folder.join("tenants"), "files".into()))
        }
        FileStorageKind::Folder => Ok(FileStorage::folders(data.folder.join("files"), "".into())),
        FileStorageKind::S3 => FileStorage::bucket(&BucketOptions {
            endpoint: files.endpoint.clone(),
            bucket: files.bucket.clone(),
            region: files.region.clone(),
            prefix: files.prefix.clone(),
            access_key: files.access_key.clone(),
            secret_key: files.secret_key.clone(),
        })
        .map_err(|error| database::Error::Failed(error.to_string())),
    }
}
