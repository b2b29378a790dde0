//! The demo's tenant: made of the files in examples/world, filled with GeoNames' data.

use super::Credentials;
use crate::commands::{Console, Failure};
use database::Tx;
use flate2::read::GzDecoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use platform::configuration::{self, ApplyOptions, Files};
use platform::resources::import::{Import, ImportMode, ImportOptions};
use platform::resources::{self, FieldsRequest, ListRequest};
use platform::tenants::{Call, Platform, Tenant};
use platform::{Error, users};
use serde_json::Value as Json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// The tenant's name.
pub(super) const NAME: &str = "world";
const USER: &str = "admin";
/// In the data folder: how to get in.
const CREDENTIALS: &str = "demo.json";

const FILES: [(&str, &str); 8] = [
    ("tenant.yaml", include_str!("../../../../../examples/world/tenant.yaml")),
    ("types/country.yaml", include_str!("../../../../../examples/world/types/country.yaml")),
    ("types/city.yaml", include_str!("../../../../../examples/world/types/city.yaml")),
    ("queries/largest_cities.yaml", include_str!("../../../../../examples/world/queries/largest_cities.yaml")),
    ("canvases/cities.yaml", include_str!("../../../../../examples/world/canvases/cities.yaml")),
    ("roles/admin.yaml", include_str!("../../../../../examples/world/roles/admin.yaml")),
    ("roles/reader.yaml", include_str!("../../../../../examples/world/roles/reader.yaml")),
    ("users/admin.yaml", include_str!("../../../../../examples/world/users/admin.yaml")),
];

/// The data, in the order in which relations need them.
const DATA: [Data; 2] = [
    Data {
        collection: "country",
        key: "code",
        rows: 252,
        csv: include_bytes!("../../../../../examples/world/data/countries.csv.gz"),
    },
    Data {
        collection: "city",
        key: "geoname_id",
        rows: 34_006,
        csv: include_bytes!("../../../../../examples/world/data/cities15000.csv.gz"),
    },
];

/// Rows of a type, as CSV in gzip.
struct Data {
    collection: &'static str,
    key: &'static str,
    rows: u64,
    csv: &'static [u8],
}

/// What the greeting tells of the data.
pub(super) struct Facts {
    /// How many countries there are.
    pub countries: u64,
    /// How many cities there are.
    pub cities: u64,
    /// The id of Czechia.
    pub country: i64,
    /// The id of Prague.
    pub city: i64,
}

/// The tenant, made or completed where that is needed, and how to get in.
pub(super) fn ensure(platform: &Platform, folder: &Path, console: &Console) -> Result<(Credentials, Facts), Failure> {
    let path = folder.join(CREDENTIALS);
    let exists = platform.tenants()?.iter().any(|name| name == NAME);
    let kept = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Credentials>(&text).ok());
    let tenant = if exists { platform.open(NAME)? } else { platform.create_tenant(NAME)? };
    // The credentials are written last: where they are missing, or are another database's, the work was not finished.
    let credentials = match kept.filter(|kept| exists && is_current(&tenant, kept)) {
        Some(credentials) => credentials,
        None => {
            apply(&tenant)?;
            for data in &DATA {
                fill(&tenant, data)?;
            }
            let credentials = let_in(&tenant, console)?;
            std::fs::create_dir_all(folder)?;
            keep(&path, &credentials)?;
            credentials
        }
    };
    Ok((credentials, facts(&tenant)?))
}

/// Whether the key still is one of the tenant's.
fn is_current(tenant: &Arc<Tenant>, credentials: &Credentials) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let key = platform::keys::KeyText::parse(&credentials.key);
    match (runtime, key) {
        (Ok(runtime), Ok(key)) => {
            runtime.block_on(tenant.key_status(&key)).is_ok_and(|status| status.word() == "valid")
        }
        _ => false,
    }
}

fn apply(tenant: &Tenant) -> Result<(), Failure> {
    let mut files = Files::default();
    for (path, text) in FILES {
        files.insert(path, text);
    }
    match configuration::apply_to(tenant, &files, ApplyOptions::default()) {
        Ok(_) => Ok(()),
        Err(configuration::Failure::Other(error)) => Err(error.into()),
        Err(_) => Err(Failure::new(
            format!("The tenant {NAME} was changed and is not the demo's any more."),
            "Take another folder with --data DIR, or remove the tenant: plinth tenant delete world.",
        )),
    }
}

/// Imports rows that are not there yet.
fn fill(tenant: &Tenant, data: &Data) -> Result<(), Failure> {
    let bar = ProgressBar::with_draw_target(Some(data.rows), ProgressDrawTarget::stderr());
    let style = "{msg:10} {wide_bar} {human_pos} of {human_len}";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(data.collection);
    let options =
        ImportOptions { mode: ImportMode::Upsert, key: Some(data.key.to_owned()), ..ImportOptions::default() };
    let report = tenant.import(data.collection, options, |import| feed(import, data.csv, &bar))?;
    bar.finish_and_clear();
    match report.problems.first() {
        None => Ok(()),
        Some(first) => Err(Failure::new(
            format!("The demo's data cannot be imported: line {}: {}", first.line, first.problem.message),
            "Take another folder with --data DIR.",
        )),
    }
}

fn feed(import: &mut Import<'_, '_>, csv: &[u8], bar: &ProgressBar) -> platform::Result<()> {
    let unreadable = |error: csv::Error| Error::failed(format!("the demo's data: {error}"));
    let mut reader = csv::Reader::from_reader(GzDecoder::new(csv));
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
    let random = console.world.random.as_ref();
    let password = users::generate_password(random);
    let hash = users::PasswordHash::new(&password, random)?;
    let made = tenant.write_as_administrator(|tx, call| {
        users::set_password(tx, call, USER, &hash)?;
        users::create_key(tx, call, USER, Some("Demo".to_owned()))
    })?;
    let key = made.text.ok_or_else(|| Failure::new("No key was made.", ""))?;
    Ok(Credentials { user: USER.to_owned(), password, key })
}

/// Writes the credentials for the owner of the folder alone.
fn keep(path: &Path, credentials: &Credentials) -> Result<(), Failure> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(serde_json::json!(credentials).to_string().as_bytes())?;
    Ok(())
}

fn facts(tenant: &Tenant) -> Result<Facts, Failure> {
    let first = ListRequest { per_page: Some(1), ..ListRequest::default() };
    let prague = "3067696";
    Ok(tenant.read_as_administrator(|tx, call| {
        Ok(Facts {
            countries: resources::list(tx, call, "country", &first)?.total,
            cities: resources::list(tx, call, "city", &first)?.total,
            country: id_by(tx, call, "country", "code", "CZ")?,
            city: id_by(tx, call, "city", "geoname_id", prague)?,
        })
    })?)
}

fn id_by(tx: &mut Tx<'_>, call: &Call, collection: &str, property: &str, value: &str) -> platform::Result<i64> {
    let body = resources::get_by(tx, call, collection, property, value, &FieldsRequest::default())?;
    let object: Json = serde_json::from_slice(&body).map_err(|error| Error::failed(error.to_string()))?;
    object["id"].as_i64().ok_or_else(|| Error::failed("a resource without id"))
}
