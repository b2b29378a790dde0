//! The application on a free port, over a tenant with the types, roles and users that tests start from.

use accounts::users;
use configuration::{ApplyOptions, Files, apply};
use server::settings::{Settings, Sources};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use testing::{Client, Engine, Place, Subject};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use web::App;

/// The password of all users.
pub(crate) const PASSWORD: &str = "correct horse 7";

/// The application while a test runs.
pub(crate) struct Started {
    pub(crate) client: Client,
    pub(crate) stop: Option<oneshot::Sender<()>>,
    pub(crate) task: JoinHandle<()>,
    admin: String,
    reader: String,
    _place: Place,
}

impl Subject for Started {
    async fn on(engine: Engine) -> Self {
        start(engine, &[]).await
    }
}

impl Started {
    /// A client with the key of a user who may do everything.
    pub(crate) fn admin(&self) -> Client {
        self.client.with("key", &self.admin)
    }

    /// A client with the key of a user who may read some fields of articles.
    pub(crate) fn reader(&self) -> Client {
        self.client.with("x-api-key", &self.reader)
    }
}

/// Starts it with settings of the test's own.
pub(crate) async fn start(engine: Engine, flags: &[(&'static str, &str)]) -> Started {
    let place = tokio::task::spawn_blocking(move || Place::new(engine)).await.unwrap();
    let mut given =
        vec![("listen", "127.0.0.1:0".to_owned()), ("data.folder", place.folder().to_str().unwrap().to_owned())];
    // No request is told to come again on a busy machine.
    given.push(("data.wait", "60s".to_owned()));
    given.extend(flags.iter().map(|(name, value)| (*name, (*value).to_owned())));
    if let Some(url) = place.postgres() {
        given.push(("data.postgres", url.to_owned()));
        given.push(("data.connections", "2".to_owned()));
    }
    let prepare = move || {
        let settings = Settings::load(&Sources { flags: given, ..Sources::default() }).unwrap();
        let world = server::commands::environment::system();
        let platform = server::open(&settings, world.clone()).unwrap();
        let tenant = platform.create_tenant("acme").unwrap();
        let files = Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/fixture")).unwrap();
        apply(tenant.store(), &world, &files, ApplyOptions::default()).unwrap();
        let password = context::passwords::PasswordHash::new(PASSWORD, world.random.as_ref()).unwrap();
        let keys = ["admin@acme.test", "reader@acme.test"].map(|login| {
            let made = tenant.write_as_administrator(|tx, context| {
                users::set_password(tx, context, login, &password)?;
                users::create_key(tx, context, login, None)
            });
            made.unwrap().text.unwrap()
        });
        (App::new(settings, platform), keys)
    };
    let (app, [admin, reader]) = tokio::task::spawn_blocking(prepare).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let (tell, told) = oneshot::channel::<SocketAddr>();
    let task = tokio::spawn(async move {
        let shutdown = async {
            let _ = stopped.await;
        };
        server::serve(Arc::new(app), shutdown, |url| {
            tell.send(url.trim_start_matches("http://").parse().unwrap()).unwrap()
        })
        .await
        .unwrap();
    });
    Started { client: Client::new(told.await.unwrap()), stop: Some(stop), task, admin, reader, _place: place }
}
