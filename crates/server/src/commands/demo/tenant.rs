//! A demo's tenant: made of the files of an example, filled with its data.

use super::Credentials;
use super::examples::{Example, ExampleData};
use crate::commands::{Console, Failure};
use accounts::keys;
use configuration::{ApplyOptions, Files};
use flate2::read::GzDecoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use messages::notifications::{self, Content, NewNotification, Recipient};
use model::error::Error;

use accounts::users;
use platform::tenants::Platform;
use query::request::{FieldsRequest, ListRequest};
use serde_json::Value as Json;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use tenant::Tenant;
use transfer::import;
use transfer::import::{Import, ImportMode, ImportOptions};

const USER: &str = "admin";

/// A demo's tenant, and how to get in.
pub(super) struct DemoTenant {
    pub(super) tenant: Arc<Tenant>,
    pub(super) credentials: Credentials,
    /// True if its files are those that this version makes it of.
    pub(super) is_current: bool,
}

/// The tenant, made or completed where that is needed. One that is finished is left as it is, with all later changes.
pub(super) fn ensure(
    example: &Example,
    platform: &Platform,
    folder: &Path,
    console: &Console,
) -> Result<DemoTenant, Failure> {
    let path = folder.join(example.credentials);
    let exists = platform.tenants()?.iter().any(|name| name == example.name);
    let kept = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Credentials>(&text).ok());
    let tenant = if exists { platform.open(example.name)? } else { platform.create_tenant(example.name)? };
    let stored = configuration::pull(tenant.store())?;
    let is_current = stored == files(example);
    // The credentials are written last: where they are missing, or are another database's, the work was not finished.
    let credentials = match kept.filter(|kept| exists && is_valid(&tenant, kept)) {
        Some(credentials) => credentials,
        None if !is_empty(&stored) && !is_current => return Err(not_ours(example)),
        None => {
            apply(example, &tenant)?;
            for data in example.data {
                fill(&tenant, data)?;
            }
            let credentials = let_in(&tenant, console)?;
            welcome(example, &tenant)?;
            std::fs::create_dir_all(folder)?;
            keep(&path, &credentials)?;
            return Ok(DemoTenant { tenant, credentials, is_current: true });
        }
    };
    Ok(DemoTenant { tenant, credentials, is_current })
}

/// Returns true if the files are those of a tenant that nothing was applied to.
fn is_empty(files: &Files) -> bool {
    files.iter().all(|(path, _)| path == "tenant.yaml")
}

/// Returns true if the key still is one of the tenant's.
fn is_valid(tenant: &Arc<Tenant>, credentials: &Credentials) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let key = context::caller_key::CallerKey::parse(&credentials.key);
    match (runtime, key) {
        (Ok(runtime), Ok(key)) => {
            runtime.block_on(keys::status(tenant, &key)).is_ok_and(|status| status.word() == "valid")
        }
        _ => false,
    }
}

fn files(example: &Example) -> Files {
    let mut files = Files::default();
    for (path, text) in example.files {
        files.insert(*path, *text);
    }
    files
}

fn apply(example: &Example, tenant: &Tenant) -> Result<(), Failure> {
    match configuration::apply_to(tenant, &files(example), ApplyOptions::default()) {
        Ok(_) => Ok(()),
        Err(configuration::ApplyFailure::Other(error)) => Err(error.into()),
        Err(_) => Err(not_ours(example)),
    }
}

/// There is a tenant of that name, which somebody else made.
fn not_ours(example: &Example) -> Failure {
    let name = example.name;
    Failure::new(
        format!("There is a tenant {name} already, which is not the demo's."),
        format!(
            "Take another folder: plinth demo {name} --data DIR. Or remove the tenant: plinth tenant delete {name} \
             --now --yes."
        ),
    )
}

/// Imports rows that are not there yet.
fn fill(tenant: &Tenant, data: &ExampleData) -> Result<(), Failure> {
    let bar = ProgressBar::with_draw_target(Some(data.rows), ProgressDrawTarget::stderr());
    let style = "{msg:10} {wide_bar} {human_pos} of {human_len}";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(data.collection);
    let options = match data.key {
        Some(key) => {
            let key = Some(key.to_owned());
            ImportOptions { mode: ImportMode::Upsert, key, exclusive: true, quiet: true, ..ImportOptions::default() }
        }
        // An import is all or nothing: where there are rows, it was done.
        None if count(tenant, data.collection)? > 0 => return Ok(()),
        None => ImportOptions { exclusive: true, quiet: true, ..ImportOptions::default() },
    };
    let report = import::import(tenant, data.collection, options, |import| feed(import, data, &bar))?;
    bar.finish_and_clear();
    match report.problems.first() {
        None => Ok(()),
        Some(first) => Err(Failure::new(
            format!("The demo's data cannot be imported: line {}: {}", first.line, first.problem.message),
            "Take another folder with --data DIR.",
        )),
    }
}

fn feed(import: &mut Import<'_, '_>, data: &ExampleData, bar: &ProgressBar) -> model::error::Result<()> {
    let unreadable = |error: csv::Error| Error::failed(format!("the demo's data: {error}"));
    bar.set_position(0);
    let bytes: Box<dyn Read> = if data.packed { Box::new(GzDecoder::new(data.csv)) } else { Box::new(data.csv) };
    let mut reader = csv::Reader::from_reader(bytes);
    import.header(reader.headers().map_err(unreadable)?.iter())?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(unreadable)? {
        import.cells(record.position().map_or(0, csv::Position::line), record.iter())?;
        bar.inc(1);
    }
    Ok(())
}

/// Gives the administrator a new password and a key.
fn let_in(tenant: &Tenant, console: &Console) -> Result<Credentials, Failure> {
    let random = console.environment.random.as_ref();
    let password = context::passwords::generate(random);
    let hash = context::passwords::PasswordHash::new(&password, random)?;
    let made = tenant.write_as_administrator(|tx, context| {
        users::set_password(tx, context, USER, &hash)?;
        users::create_key(tx, context, USER, Some("Demo".to_owned()))
    })?;
    let key = made.text.ok_or_else(|| Failure::new("No key was made.", ""))?;
    Ok(Credentials { user: USER.to_owned(), password, key })
}

/// Has a notification wait for the user.
fn welcome(example: &Example, tenant: &Tenant) -> Result<(), Failure> {
    let Some((title, body)) = example.notice else { return Ok(()) };
    Ok(tenant.write_as_administrator(|tx, context| {
        let user = users::list(tx)?.into_iter().find(|user| user.login == USER);
        let recipients = user.map(|user| Recipient::User(user.id)).into_iter().collect();
        let content = Content {
            kind: "welcome".to_owned(),
            title: title.to_owned(),
            body: Some(body.to_owned()),
            ..Content::default()
        };
        notifications::create(tx, context, &NewNotification { recipients, content }).map(drop)
    })?)
}

/// Writes the credentials for the owner of the folder alone.
fn keep(path: &Path, credentials: &Credentials) -> Result<(), Failure> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(serde_json::json!(credentials).to_string().as_bytes())?;
    Ok(())
}

/// Returns the number of rows of a type.
pub(super) fn count(tenant: &Tenant, collection: &str) -> Result<u64, Failure> {
    let first = ListRequest { per_page: Some(1), ..ListRequest::default() };
    Ok(tenant.read_as_administrator(|tx, context| Ok(resources::list(tx, context, collection, &first)?.total))?)
}

/// The id of a row by a value of a property.
pub(super) fn id_by(tenant: &Tenant, collection: &str, property: &str, value: &str) -> Result<i64, Failure> {
    let fields = FieldsRequest::default();
    let found = tenant
        .read_as_administrator(|tx, context| resources::get_by(tx, context, collection, property, value, &fields))?;
    let object: Json = serde_json::from_slice(&found).map_err(|error| Failure::new(error.to_string(), ""))?;
    object["id"].as_i64().ok_or_else(|| Failure::new("A resource has no id.", ""))
}
