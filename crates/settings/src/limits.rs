//! Settings of the limits that clients meet.

use super::Settings;
use super::texts::{duration, positive_duration, rate};
use edge::{Limits, MemoryLimits, Timeouts};
use model::rate::RequestRate;
use serde::Deserialize;
use std::time::Duration;

/// Over which time the rate of a download is looked at.
const DOWNLOAD: Duration = Duration::from_secs(10);

/// The limits of what a client may take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    #[serde(deserialize_with = "positive_duration")]
    /// See [`Timeouts::head`].
    pub head_time: Duration,
    #[serde(deserialize_with = "positive_duration")]
    /// See [`Timeouts::request`].
    pub request_time: Duration,
    /// The time for which the database may work for a request.
    #[serde(deserialize_with = "positive_duration")]
    pub job_time: Duration,
    #[serde(deserialize_with = "positive_duration")]
    /// See [`Timeouts::idle`].
    pub idle_time: Duration,
    #[serde(deserialize_with = "positive_duration")]
    /// See [`Timeouts::close`].
    pub close_time: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Connections of one address at a time.
    pub connections_per_address: usize,
    /// Requests of one address without a key that works; none is no limit.
    #[serde(deserialize_with = "rate")]
    pub requests_per_address: Option<RequestRate>,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Fields of a request's head.
    pub head_fields: usize,
    /// Bytes of a URL.
    pub url_bytes: usize,
    /// Bytes of a JSON body.
    pub body_bytes: usize,
    /// Bytes of the body of a batch.
    pub batch_bytes: usize,
    /// The time within which the operations of a batch have to be carried out.
    #[serde(deserialize_with = "positive_duration")]
    pub batch_time: Duration,
    /// Bytes of the resources in the answer of a batch.
    pub batch_answer_bytes: usize,
    /// Bytes of a resource; 0 is no limit.
    pub row_bytes: usize,
    /// Bytes of a body to a route that takes no key.
    pub keyless_body_bytes: usize,
    /// Bytes that are read of a body that was refused.
    pub refused_body_bytes: u64,
    /// Bytes of bodies and answers in flight, of the process, of an address, and of a key.
    pub memory_bytes: usize,
    /// Of one address.
    pub memory_per_address: usize,
    /// Of one key.
    pub memory_per_key: usize,
    /// Bytes of answers in flight that lie in files, of the process, of an address, and of a key.
    pub spool_bytes: usize,
    /// Of one address.
    pub spool_per_address: usize,
    /// Of one key.
    pub spool_per_key: usize,
    /// Bytes of an uploaded file.
    pub upload_file_bytes: u64,
    /// Files of an upload.
    pub upload_files: usize,
    /// Bytes of an upload.
    pub upload_bytes: u64,
    /// Bytes a second that an upload must have, over any ten seconds.
    pub upload_rate: u64,
    /// Bytes of a tenant's files; 0 is no limit.
    pub tenant_file_bytes: u64,
    /// See [`Timeouts::download_rate`].
    pub download_rate: u64,
    /// See [`Timeouts::answer_rate`].
    pub answer_rate: u64,
}

/// The times of the server's end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShutdownSettings {
    #[serde(deserialize_with = "duration")]
    /// From being not ready to accepting no more.
    pub notice: Duration,
    #[serde(deserialize_with = "duration")]
    /// The time for which connections without a request stay open meanwhile.
    pub idle: Duration,
    #[serde(deserialize_with = "duration")]
    /// From accepting no more to the end.
    pub drain: Duration,
}

impl Settings {
    /// The part of the settings that HTTP needs.
    pub fn http_limits(&self) -> Limits {
        let limits = &self.limits;
        Limits {
            timeouts: Timeouts {
                head: limits.head_time,
                request: limits.request_time,
                idle: limits.idle_time,
                close: limits.close_time,
                download: DOWNLOAD,
                download_rate: limits.download_rate,
                answer_rate: limits.answer_rate,
            },
            connections: limits.connections,
            connections_per_address: limits.connections_per_address,
            head_bytes: limits.head_bytes,
            head_fields: limits.head_fields,
            url_bytes: limits.url_bytes,
            memory: MemoryLimits {
                total: limits.memory_bytes,
                address: limits.memory_per_address,
                key: limits.memory_per_key,
            },
            spool: MemoryLimits {
                total: limits.spool_bytes,
                address: limits.spool_per_address,
                key: limits.spool_per_key,
            },
            refused_body_bytes: limits.refused_body_bytes,
            trusted_proxies: self.trusted_proxies.clone(),
            proxy_protocol: self.proxy_protocol,
            shutdown_notice: self.shutdown.notice,
            shutdown_idle: self.shutdown.idle,
            shutdown: self.shutdown.drain,
        }
    }
}
