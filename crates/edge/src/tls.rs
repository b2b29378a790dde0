//! TLS of the listener: certificates and keys of its hosts, read from files, and again when these change.

use arc_swap::ArcSwap;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::{ClientHello, NoServerSessionStorage, ProducesTickets, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{RootCertStore, ServerConfig};
use std::collections::HashMap;
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most pairs of a folder.
const MOST_PAIRS: usize = 1_000;
/// The name of the pair for clients that name no host, or one without a pair.
const DEFAULT: &str = "default";
/// The last second that a certificate can tell, the end of the year 9999 (RFC 5280, 4.1.2.5).
const END_OF_TIME: Duration = Duration::from_secs(253_402_300_799);

/// Files of certificates and keys, all in PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// A file with the certificate and those that lead to its authority; or a folder with `HOST.crt` and `HOST.key`.
    pub certificate: PathBuf,
    /// The key of the certificate; empty beside a folder.
    pub key: PathBuf,
    /// Authorities of which each client needs a certificate; empty for none.
    pub client_ca: PathBuf,
}

/// The reason why files of TLS cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct TlsRefusal(String);

/// The certificates of a listener that hold now.
pub struct ServerTls {
    files: TlsFiles,
    /// Keys of session tickets outlive the certificates.
    ticketer: Arc<dyn ProducesTickets>,
    used: ArcSwap<ServerConfig>,
    seen: Mutex<Vec<FileStamp>>,
    /// The refused files: they are told once.
    refused: Mutex<Option<Vec<FileStamp>>>,
    /// The first end of a certificate's validity, in seconds since 1970; 0 where none is known.
    expires: ArcSwap<Option<u64>>,
}

/// A state of a file: another file, or another text in it, has another stamp.
type FileStamp = (PathBuf, u64, u64, i64, i64, i64, i64);

/// Certificates with their keys, by the hosts that they are for.
#[derive(Debug, Default)]
struct HostPairs {
    of_hosts: HashMap<String, Arc<CertifiedKey>>,
    default: Option<Arc<CertifiedKey>>,
}

impl ServerTls {
    /// Reads the files.
    pub fn load(files: TlsFiles) -> Result<Self, TlsRefusal> {
        let ticketer =
            ring::Ticketer::new().map_err(|error| TlsRefusal(format!("Keys of TLS cannot be made: {error}.")))?;
        let seen = stamps(&files);
        let (config, expires) = configure(&files, &ticketer)?;
        Ok(ServerTls {
            files,
            ticketer,
            used: ArcSwap::from_pointee(config),
            seen: Mutex::new(seen),
            refused: Mutex::default(),
            expires: ArcSwap::from_pointee(expires),
        })
    }

    /// Reads the files again if they are others than before, or if `anyway`, and returns true if new connections use them
    /// from now on. Files that cannot be used change nothing; they are tried each time, and refused once.
    pub fn refresh(&self, anyway: bool) -> Result<bool, TlsRefusal> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let found = stamps(&self.files);
        if *seen == found && !anyway {
            return Ok(false);
        }
        let (config, expires) = match configure(&self.files, &self.ticketer) {
            Ok(read) => read,
            Err(_) if !anyway && refused.as_ref() == Some(&found) => return Ok(false),
            Err(refusal) => {
                *refused = Some(found);
                return Err(refusal);
            }
        };
        (*seen, *refused) = (found, None);
        self.used.store(Arc::new(config));
        self.expires.store(Arc::new(expires));
        Ok(true)
    }

    /// The time at which the first certificate ends, in seconds since 1970.
    pub fn expires(&self) -> Option<u64> {
        **self.expires.load()
    }

    /// The certificates for a new connection.
    pub(crate) fn current(&self) -> Arc<ServerConfig> {
        self.used.load_full()
    }
}

/// Stamps of all files that are read.
fn stamps(files: &TlsFiles) -> Vec<FileStamp> {
    let TlsFiles { certificate, key, client_ca } = files;
    let inner = pair_files(certificate).unwrap_or_default();
    let outer = [certificate, key, client_ca].into_iter().cloned();
    let all = outer.chain(inner.into_iter().flat_map(|(_, certificate, key)| [certificate, key]));
    let stamp = |path: PathBuf| {
        let found = std::fs::metadata(&path).ok()?;
        Some((path, found.ino(), found.len(), found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()))
    };
    all.filter_map(stamp).collect()
}

/// Hosts of a folder with the files of their certificates and keys; none where the path is no folder.
fn pair_files(folder: &Path) -> Option<Vec<(String, PathBuf, PathBuf)>> {
    let entries = std::fs::read_dir(folder).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let certificates = paths.filter(|path| path.extension().is_some_and(|ending| ending == "crt"));
    let mut pairs: Vec<_> = certificates
        .filter_map(|path| {
            let host = path.file_stem()?.to_str()?.to_ascii_lowercase();
            let key = path.with_extension("key");
            Some((host, path, key))
        })
        .take(MOST_PAIRS + 1)
        .collect();
    pairs.sort();
    Some(pairs)
}

/// Returns what the files say, and when the first certificate ends.
fn configure(files: &TlsFiles, tickets: &Arc<dyn ProducesTickets>) -> Result<(ServerConfig, Option<u64>), TlsRefusal> {
    let provider = Arc::new(ring::default_provider());
    let (pairs, expires) = pairs(files, &provider)?;
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| TlsRefusal(format!("TLS cannot be set up: {error}.")))?;
    let builder = match files.client_ca.as_os_str().is_empty() {
        true => builder.with_no_client_auth(),
        false => {
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(authorities(&files.client_ca)?), provider);
            builder.with_client_cert_verifier(verifier.build().map_err(|error| refusal(&files.client_ca, error))?)
        }
    };
    let mut config = builder.with_cert_resolver(Arc::new(pairs));
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    if files.client_ca.as_os_str().is_empty() {
        config.ticketer = Arc::clone(tickets);
    } else {
        // A session that is taken up again would not show the client's certificate to the authorities of now.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
    }
    Ok((config, expires))
}

/// Reads all pairs.
fn pairs(files: &TlsFiles, provider: &CryptoProvider) -> Result<(HostPairs, Option<u64>), TlsRefusal> {
    let mut pairs = HostPairs::default();
    let Some(found) = pair_files(&files.certificate) else {
        let (pair, expires) = pair(&files.certificate, &files.key, provider)?;
        return Ok((HostPairs { default: Some(pair), ..pairs }, expires));
    };
    if found.is_empty() {
        return Err(refusal(&files.certificate, "the folder has no file HOST.crt beside a HOST.key"));
    }
    if found.len() > MOST_PAIRS {
        return Err(refusal(&files.certificate, format_args!("the folder has more than {MOST_PAIRS} certificates")));
    }
    let mut first = None;
    for (host, certificate, key) in found {
        let (pair, expires) = pair(&certificate, &key, provider)?;
        first = [first, expires].into_iter().flatten().min();
        match host == DEFAULT {
            true => pairs.default = Some(pair),
            false => _ = pairs.of_hosts.insert(host, pair),
        }
    }
    Ok((pairs, first))
}

/// Reads a certificate and its key, which have to belong together.
fn pair(
    certificate: &Path,
    key: &Path,
    provider: &CryptoProvider,
) -> Result<(Arc<CertifiedKey>, Option<u64>), TlsRefusal> {
    let chain = certificates(certificate)?;
    let expires = chain.first().and_then(end_of);
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| refusal(key, error))?;
    let pair = CertifiedKey::from_der(chain, secret, provider).map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => {
            refusal(key, format_args!("this is not the key of {}", certificate.display()))
        }
        error => refusal(certificate, error),
    })?;
    Ok((Arc::new(pair), expires))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsRefusal> {
    let read = CertificateDer::pem_file_iter(path).map_err(|error| refusal(path, error))?;
    let all = read.collect::<Result<Vec<_>, _>>().map_err(|error| refusal(path, error))?;
    if all.is_empty() {
        return Err(refusal(path, "there is no certificate (PEM) in it"));
    }
    Ok(all)
}

fn authorities(path: &Path) -> Result<RootCertStore, TlsRefusal> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|error| refusal(path, error))?;
    }
    Ok(roots)
}

/// The end of a certificate's validity: it is what a check at the end of time complains of first.
fn end_of(certificate: &CertificateDer<'_>) -> Option<u64> {
    let certificate = webpki::EndEntityCert::try_from(certificate).ok()?;
    let time = UnixTime::since_unix_epoch(END_OF_TIME);
    match certificate.verify_for_usage(&[], &[], &[], time, webpki::KeyUsage::server_auth(), None, None) {
        Err(webpki::Error::CertExpired { not_after, .. }) => Some(not_after.as_secs()),
        _ => None,
    }
}

fn refusal(path: &Path, problem: impl fmt::Display) -> TlsRefusal {
    TlsRefusal(format!("{}: {problem}.", path.display()))
}

impl ResolvesServerCert for HostPairs {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let of_host = hello.server_name().and_then(|host| {
            let host = host.to_ascii_lowercase();
            let wildcard = || self.of_hosts.get(&format!("*.{}", host.split_once('.')?.1));
            self.of_hosts.get(&host).or_else(wildcard)
        });
        of_host.or(self.default.as_ref()).cloned()
    }
}

impl fmt::Debug for ServerTls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ServerTls").field(&self.files).finish()
    }
}

impl fmt::Display for TlsRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
