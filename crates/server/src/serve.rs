//! The server as a whole: it listens, serves, and stops in order.

use crate::certificates;
use crate::service_manager::ServiceManager;
use crate::settings::{MailTransport, Settings};
use crate::tasks::Tasks;
use crate::trace_start;
use edge::{InheritedSockets, PublicListener, ServerTls, SocketRefusal, TlsRefusal};
use monitoring::Collector;
use std::future::{Future, pending};
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;
use web::App;
use web::admin::{AdminEndpoint, AdminRefusal};

/// The time that the last uses of keys may take to be written at the end.
const NOTING: Duration = Duration::from_secs(1);

/// The time that the last traces may take to be sent at the end.
const FLUSH: Duration = Duration::from_secs(2);

/// The reason why a server could not start.
#[derive(Debug)]
pub enum ServeError {
    /// It cannot listen at its address.
    Listen(io::Error),
    /// It cannot use a socket of the service manager.
    Socket(SocketRefusal),
    /// The files of its certificates cannot be used.
    Tls(TlsRefusal),
    /// Its backups have wrong settings.
    Backup(String),
    /// Its traces have wrong settings.
    Traces(String),
    /// It cannot listen for operators.
    Admin(AdminRefusal),
}

/// Listens where the settings say, tells `bound` the URL, and serves until `shutdown` is done and the
/// requests under way have ended.
pub async fn serve(
    app: Arc<App>,
    shutdown: impl Future<Output = ()> + Send,
    bound: impl FnOnce(&str),
) -> Result<(), ServeError> {
    let backups = crate::backup_schedule(&app.settings).map_err(ServeError::Backup)?;
    let collector = Collector::new(&app.settings.traces).map_err(ServeError::Traces)?;
    let inherited = InheritedSockets::take().map_err(ServeError::Socket)?;
    let listener = listen(inherited.public, app.settings.listen).map_err(ServeError::Listen)?;
    let address = listener.address().map_err(ServeError::Listen)?;
    let tls = app.settings.tls.files().map(ServerTls::load).transpose().map_err(ServeError::Tls)?.map(Arc::new);
    let url = format!("{}://{address}", if tls.is_some() { "https" } else { "http" });
    let admin = AdminEndpoint::open(inherited.admin, &app.settings.admin).await.map_err(ServeError::Admin)?;
    app.platform.routes().public_url.get_or_init(|| url.clone());
    // Else the first request would wait until all tenants were looked at.
    if let Err(error) = app.platform.name_tenants().await {
        tracing::warn!(%error, "the tenants could not be looked for");
    }
    tokio::spawn(look_for_tenants(Arc::clone(&app)));
    // It ends with this function: an operator sees the end, too.
    let mut operators = JoinSet::new();
    if let Some(admin) = admin {
        operators.spawn(admin.run(Arc::clone(&app)));
    }
    // From here on it ends no server, as habit has it: many programs read their settings again by it.
    let hangup = signal(SignalKind::hangup()).ok();
    match &tls {
        Some(tls) => {
            app.monitor.watch_certificates(Arc::clone(tls));
            let clock = Arc::clone(&app.platform.environment().clock);
            operators.spawn(certificates::keep_current(Arc::clone(tls), clock, hangup));
        }
        None => _ = hangup.map(|hangup| operators.spawn(tell_hangups(hangup))),
    }
    app.monitor.watch_folder(app.settings.data.folder.clone());
    let traces = collector.map(|collector| trace_start::start(&app.settings.traces, &app.platform, collector));
    bound(&url);
    let manager = Arc::new(ServiceManager::new(&app.settings.service));
    manager.ready();
    operators.spawn(Arc::clone(&manager).stay_alive());
    if let Some(warning) = link_warning(&app.settings, address, &url) {
        tracing::warn!("{warning}");
    }
    let limits = app.settings.http_limits();
    let tasks = Tasks::start(&app.platform, &app.settings, backups);
    let (drain, stop) = (limits.shutdown, tasks.stopper());
    let shutdown = async move {
        shutdown.await;
        manager.stopping();
        // What is being sent gets as long to end as requests under way.
        stop.send_replace(true);
    };
    edge::run(listener, tls, limits, Arc::clone(&app), shutdown).await;
    tasks.end(drain).await;
    // A database that is away does not hold up the end.
    if tokio::time::timeout(NOTING, app.platform.note_key_uses()).await.is_err() {
        tracing::warn!("the last uses of keys could not be written before the end");
    }
    if let Some(traces) = traces {
        traces.end(FLUSH.min(drain)).await;
    }
    // Its socket is removed once its task has ended.
    operators.shutdown().await;
    Ok(())
}

/// Returns the listener for clients: that of the service manager, else one at the address of the settings.
fn listen(inherited: Option<PublicListener>, address: SocketAddr) -> io::Result<PublicListener> {
    let Some(listener) = inherited else { return PublicListener::bind(address) };
    let held = listener.address()?;
    tracing::info!(address = %held, "the service manager holds the listener");
    if held != address && address.port() != 0 {
        tracing::warn!("The service manager listens at {held}, and listen is {address}: set it to the same address.");
    }
    Ok(listener)
}

/// Returns a warning where readers of mails could not open their links. Mails in files stay on this machine, which can
/// open a loopback address.
fn link_warning(settings: &Settings, address: SocketAddr, url: &str) -> Option<String> {
    let sends = settings.mail.transport == MailTransport::Smtp;
    let unreachable = address.ip().is_unspecified() || address.ip().is_loopback() && sends;
    (unreachable && settings.public_url.is_empty()).then(|| {
        format!(
            "Without baseUrl in its tenant.yaml, a tenant's links in mails begin with {url}, which readers \
             cannot open. Set public_url, or baseUrl in each tenant.yaml."
        )
    })
}

/// Looks for the hosts of all tenants, and tells which of several is meant by requests that name none.
async fn look_for_tenants(app: Arc<App>) {
    let looked = app.platform.look_for_tenants().await;
    if let Err(error) = &looked {
        tracing::warn!(%error, "the tenants could not be looked for");
    }
    if looked.is_ok() && app.platform.has_none() {
        tracing::warn!("There is no tenant yet: `plinth apply FOLDER` makes one, or `plinth tenant create NAME`.");
    }
    let default = app.settings.default_tenant.as_str();
    if !default.is_empty() && !app.platform.has_tenant(default).await {
        tracing::warn!("default_tenant is {default}, and there is no such tenant: requests that name none are 404.");
    }
    if let Some(name) = app.platform.default_of_several() {
        tracing::warn!(
            "There are several tenants, and default_tenant is not set: requests that name none by host or /t/<tenant> mean \
             {name}, the only one when the second was made. Set default_tenant to decide."
        );
    }
}

/// Tells in the log that SIGHUP changes nothing, until it is dropped.
async fn tell_hangups(mut hangup: Signal) {
    while hangup.recv().await.is_some() {
        tracing::info!("SIGHUP: there are no certificates to read again, and settings are read at the start alone");
    }
}

/// Returns what is done when the process is asked to stop, by SIGTERM or SIGINT, or by SIGHUP as its terminal closes. From
/// the call on, none of them ends it at once.
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let hangup = signal(SignalKind::hangup())?;
    let at_terminal = has_terminal();
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = terminal_closed(hangup), if at_terminal => {}
        }
    })
}

/// Waits until the terminal of the process closes. SIGHUP may also come from somebody.
async fn terminal_closed(mut hangup: Signal) {
    while hangup.recv().await.is_some() {
        // A terminal that is closed is none any more.
        if !has_terminal() {
            return;
        }
    }
    pending().await
}

/// Returns true if a stream of the process is a terminal.
fn has_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::link_warning;
    use crate::settings::{Settings, Sources};

    fn warning(address: &str, settings: &[(&str, &str)]) -> Option<String> {
        let environment = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let settings = Settings::load(&Sources { environment, ..Sources::default() }).unwrap();
        link_warning(&settings, address.parse().unwrap(), &format!("http://{address}"))
    }

    #[test]
    fn links_that_nobody_can_open_are_told() {
        const SMTP: (&str, &str) = ("PLINTH_MAIL_TRANSPORT", "smtp");
        const PUBLIC: (&str, &str) = ("PLINTH_PUBLIC_URL", "https://acme.test");
        let any = warning("0.0.0.0:8080", &[]).unwrap();
        assert!(any.contains("links in mails begin with http://0.0.0.0:8080, which readers cannot open."), "{any}");
        assert!(warning("[::]:80", &[]).unwrap().contains("http://[::]:80,"));
        assert!(warning("127.0.0.1:8080", &[SMTP]).is_some() && warning("[::1]:8080", &[SMTP]).is_some());
        assert_eq!(warning("127.0.0.1:8080", &[]), None);
        assert_eq!(warning("192.0.2.1:8080", &[SMTP]), None);
        assert_eq!(warning("0.0.0.0:8080", &[SMTP, PUBLIC]), None);
    }
}
