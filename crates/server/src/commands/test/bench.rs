//! The places where cases run: a tenant made once for each file of tests, and a copy of it for each case.

use super::environment::FrozenClock;
use super::outcome::CaseProblem;
use super::scratch::Scratch;
use crate::commands::Failure;
use crate::settings::{Settings, Sources};
use accounts::users;
use automation::config_tests;
use automation::config_tests::{Act, Names, RowName, TestFile};
use bytes::Bytes;
use configuration::{ApplyOptions, Loaded, Prepared};
use context::request_context::RequestContext;
use context::vault::MasterKey;
use database::{Database, SqliteOptions};
use messages::outbox::{Kept, MailRoute, Routes, SmsRoute};
use messages::outgoing::{HttpRoute, StubbedHttp};
use model::types::Model;
use platform::tenants;
use platform::tenants::Platform;
use resources::Body;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tenant::Tenant;
use tenant::storage::FileStorage;
use tokio::runtime::Runtime;
use web::App;

/// The sender of mails, where the tenant has none.
const SENDER: &str = "Plinth <plinth@localhost.test>";

/// The parts that all cases of a run share.
pub(super) struct TestBench {
    pub(super) runtime: Runtime,
    prepared: Arc<Prepared>,
    folder: Scratch,
    settings: Settings,
    copies: Cell<u64>,
}

/// A tenant with the rows that a file's cases begin with, closed.
pub(super) struct TemplateTenant {
    folder: PathBuf,
    now: jiff::Timestamp,
    pub(super) names: Names,
    /// The keys of those who act.
    pub(super) keys: BTreeMap<RowName, String>,
}

/// A tenant of a case's own.
pub(super) struct Open {
    pub(super) app: App,
    pub(super) tenant: Arc<Tenant>,
    pub(super) clock: FrozenClock,
    pub(super) left: OutboundMessages,
    folder: PathBuf,
}

/// The mails, SMS and requests that would have left the server.
#[derive(Clone, Default)]
pub(super) struct OutboundMessages {
    pub(super) mails: Kept,
    pub(super) texts: Kept,
    pub(super) requests: StubbedHttp,
}

impl TestBench {
    pub(super) fn new(loaded: Loaded) -> Result<Self, Failure> {
        let folder = Scratch::new()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let settings = Settings::load(&Sources::default()).map_err(|error| Failure::new(error.to_string(), ""))?;
        Ok(TestBench { runtime, prepared: Arc::new(loaded.into()), folder, settings, copies: Cell::new(0) })
    }

    pub(super) fn model(&self) -> &Model {
        self.prepared.model()
    }

    /// The tenant of a file's cases. The inner error is a row that cannot be made.
    pub(super) fn template(&self, test: &TestFile) -> Result<Result<TemplateTenant, CaseProblem>, Failure> {
        let folder = self.place();
        let clock = FrozenClock::at(test.now);
        let platform = self.platform(&folder, &clock, 1, &OutboundMessages::default())?;
        let name = &self.model().settings.name;
        let tenant = platform.create_tenant(name)?;
        let applied = configuration::apply_to(&tenant, self.prepared.files(), ApplyOptions::default());
        applied.map_err(|failure| Failure::new(format!("The files cannot be applied: {failure:?}."), ""))?;
        let mut names = Names::default();
        let mut refused = None;
        let made = tenant.write_as_administrator(|tx, context| {
            for row in &test.given {
                let of =
                    context.model.type_by_id(row.row.type_id).ok_or_else(|| model::error::Error::failed("no type"))?;
                let values = names.resolve(of, &row.values);
                match resources::create(tx, context, &of.name, &Body::plain(values)) {
                    Ok(written) => names.put(row.row.clone(), written.id),
                    Err(error) => {
                        refused = Some(CaseProblem::of_row(row, &error));
                        return Err(error);
                    }
                }
            }
            config_tests::begin(tx, context, &test.secrets)?;
            keys(tx, context, test, &mut names)
        });
        drop((tenant, platform));
        let keys = match (made, refused) {
            (Ok(keys), _) => keys,
            (Err(_), Some(refused)) => return Ok(Err(refused)),
            (Err(error), None) => return Err(error.into()),
        };
        // Opening it once more takes what its log has over into the file.
        drop(database(&folder)?.store(name)?);
        Ok(Ok(TemplateTenant { folder, now: test.now, names, keys }))
    }

    /// A copy of the template's tenant, with a clock that stands where the file says.
    pub(super) fn open(&self, test: &TestFile, template: &TemplateTenant) -> Result<Open, Failure> {
        let folder = self.place();
        copy(&template.folder, &folder)?;
        let clock = FrozenClock::at(template.now);
        let left = OutboundMessages::default();
        test.answers.iter().for_each(|answer| left.requests.give(answer.clone()));
        let platform = self.platform(&folder, &clock, 2, &left)?;
        let tenant = platform.open(&self.model().settings.name)?;
        Ok(Open { app: App::new(self.settings.clone(), platform), tenant, clock, left, folder })
    }

    fn place(&self) -> PathBuf {
        let number = self.copies.get();
        self.copies.set(number + 1);
        self.folder.path().join(number.to_string())
    }

    /// A platform from which nothing leaves.
    fn platform(
        &self,
        folder: &Path,
        clock: &FrozenClock,
        seed: u64,
        left: &OutboundMessages,
    ) -> Result<Arc<Platform>, Failure> {
        let settings = tenants::Settings {
            // Both are about who comes from outside.
            address_rate: None,
            default_tenant: Some(self.model().settings.name.clone()),
            files: FileStorage::folders(folder.join("tenants"), "files".into()),
            key: Some(MasterKey::new([7; 32]).into()),
            prepared: Some(Arc::clone(&self.prepared)),
            routes: Routes {
                mail: MailRoute::Kept(left.mails.clone()),
                sms: SmsRoute::Kept(left.texts.clone()),
                outgoing: HttpRoute::Stubbed(left.requests.clone()),
                from: SENDER.to_owned(),
                ..Routes::default()
            },
            ..tenants::Settings::default()
        };
        Ok(Platform::new(database(folder)?, clock.environment(seed), settings))
    }
}

impl Open {
    /// Answers a request as the server does.
    pub(super) fn ask(
        &self,
        runtime: &Runtime,
        request: http::Request<Bytes>,
    ) -> Result<::http::Response<Bytes>, Failure> {
        Ok(runtime.block_on(edge::ask(&self.app, request))?)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // What is left goes with the folder of the run.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn database(folder: &Path) -> Result<Database, Failure> {
    Ok(Database::sqlite(SqliteOptions { folder: folder.join("tenants"), readers: 1, descriptors: 192 })?)
}

/// Makes keys for all who act, and names the users of the tenant's own files.
fn keys(
    tx: &mut database::Tx<'_>,
    context: &RequestContext,
    test: &TestFile,
    names: &mut Names,
) -> model::error::Result<BTreeMap<RowName, String>> {
    let steps = || test.cases.iter().flat_map(|case| &case.steps);
    let told = steps().filter_map(|step| match &step.act {
        Act::Notification(user, _) => Some(user),
        _ => None,
    });
    let mut keys = BTreeMap::new();
    let users: BTreeSet<&RowName> = steps().filter_map(|step| step.user.as_ref()).chain(told).collect();
    for user in users {
        let given = test.given.iter().find(|row| row.row == *user);
        let login = given.and_then(|row| row.values.get("user_id")?.as_str()).unwrap_or(&user.name);
        names.put(user.clone(), resources::users::id_of(tx, login)?);
        let key = users::create_key(tx, context, login, None)?;
        keys.extend(key.text.map(|text| (user.clone(), text)));
    }
    Ok(keys)
}

/// Copies a folder of a tenant that nobody has open.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            // SQLite makes what readers share anew when the file is opened.
            false if entry.path().extension().is_some_and(|ending| ending == "db-shm") => {}
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
