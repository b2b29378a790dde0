//! Checks of what Plinth uses beside the database: storage of files, mail server, waiting messages.

use super::Finding;
use crate::settings::{FileStorageKind, MailTransport, Settings};
use model::error::{Error, Result};
use monitoring::Collector;
use platform::tenants::{Platform, WaitingRows};

/// The age from which on a waiting message is told, in milliseconds.
const OLD: i64 = 15 * 60 * 1_000;

/// Writes a file of its own, reads it and removes it.
pub(super) fn storage(settings: &Settings, platform: &Platform) -> Vec<Finding> {
    const CHECK: &str = "storage";
    let advice = match settings.files.storage {
        FileStorageKind::Folder => "Give the user of the server the right to write there, and room on the disk.",
        FileStorageKind::S3 => "Look at endpoint, bucket, region and keys of [files], and at the rights of the key.",
    };
    let tried = match platform.tenants() {
        Ok(names) => match names.first() {
            Some(name) => block_on(platform.files_of(name).probe(platform.environment().random.as_ref())),
            None => platform.check_files(),
        },
        Err(error) => Err(error),
    };
    vec![match tried {
        Ok(()) => Finding::fine(CHECK, "A file was written, read and removed."),
        Err(error) => {
            let detail = error.detail.unwrap_or(error.message);
            Finding::error(CHECK, format!("Files cannot be kept: {}.", detail.trim_end_matches('.')), advice)
        }
    }]
}

/// Greets the mail server, encrypts and signs in, and sends nothing.
pub(super) fn mail(settings: &Settings) -> Finding {
    const CHECK: &str = "mail";
    if settings.mail.transport == MailTransport::Files {
        return Finding::fine(CHECK, "Mails go into files of the data folder.");
    }
    let place = format!("{}:{}", settings.mail.host, settings.mail.port);
    let advice = "Look at host, port, tls, user and password of [mail].";
    let server = match crate::open::smtp(&settings.mail) {
        Ok(server) => server,
        Err(crate::OpeningError::Refused { message, advice }) => return Finding::error(CHECK, message, advice),
        Err(error) => return Finding::error(CHECK, format!("{error:?}"), advice),
    };
    match block_on(async { server.greet().await.map_err(Error::failed) }) {
        Ok(()) => Finding::fine(CHECK, format!("The mail server {place} takes mails from us.")),
        Err(error) => {
            let detail = error.detail.unwrap_or(error.message);
            Finding::error(CHECK, format!("The mail server {place} takes no mails from us: {detail}."), advice)
        }
    }
}

/// Sends the collector of traces a message without spans, where the settings name one.
pub(super) fn traces(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "traces";
    let advice = "Look at endpoint, headers and token of [traces], and whether the collector takes OTLP over HTTP.";
    let greeted = match Collector::new(&settings.traces) {
        Ok(None) => return None,
        Ok(Some(collector)) => block_on(async { collector.greet().await.map_err(Error::failed) }),
        Err(error) => return Some(Finding::error(CHECK, error, advice)),
    };
    Some(match greeted {
        Ok(()) => Finding::fine(CHECK, "The collector takes traces from us."),
        Err(error) => {
            let detail = error.detail.unwrap_or(error.message);
            Finding::warning(CHECK, format!("Traces are lost: {detail}."), advice)
        }
    })
}

/// Looks at the oldest message that waits.
pub(super) fn outbox(platform: &Platform) -> Finding {
    const CHECK: &str = "outbox";
    let (tenant, WaitingRows { count, oldest }) = match platform.oldest_waiting() {
        Ok(Some(found)) => found,
        Ok(None) => return Finding::fine(CHECK, "No mail, SMS or task waits."),
        Err(error) => return Finding::error(CHECK, format!("The outboxes cannot be read: {error}."), ""),
    };
    let age = platform.environment().clock.now().as_millisecond() - oldest.unwrap_or_default();
    let message =
        format!("The oldest message waits for {} min, in the tenant {tenant}; {count} wait there.", age / 60_000);
    if age < OLD {
        return Finding::fine(CHECK, message);
    }
    let advice =
        format!("Look at its error: plinth outbox list --tenant {tenant}. Is a server running with outbox.send?");
    Finding::warning(CHECK, message, advice)
}

/// Runs a future to its end.
fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| Error::failed(error.to_string()))?;
    runtime.block_on(work)
}
