//! TLS to PostgreSQL, asked for by the parameters of its own clients: `sslmode` and `sslrootcert`.

use super::silence_watch::{SilenceWatch, WatchedStream};
use super::socket::ServerSocket;
use crate::{Error, Result};
use percent_encoding::percent_decode_str;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

/// The message that asks a server whether it speaks TLS, the protocol's SSLRequest.
const ASK: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// The encryption of connections.
pub(crate) struct TlsSettings {
    config: Arc<ClientConfig>,
    /// True if a server without TLS is refused.
    required: bool,
}

/// The checks of a server's certificate.
#[derive(Debug)]
struct CertificateVerifier {
    /// The authority that has to have signed it; anybody where there is none.
    authority: Option<Arc<WebPkiServerVerifier>>,
    /// True if it has to be the host's.
    named: bool,
    provider: Arc<CryptoProvider>,
}

/// Takes the parameters out of an address; returns the rest of it, and what they say.
pub(crate) fn take(url: &str) -> Result<(String, Option<TlsSettings>)> {
    let (before, parameters, between) = match url.split_once('?') {
        Some((before, parameters)) if url.contains("://") => (before, parameters.split('&').collect::<Vec<_>>(), "&"),
        _ if url.contains("://") => return Ok((url.to_owned(), None)),
        _ => ("", url.split_whitespace().collect(), " "),
    };
    let (mut mode, mut root, mut rest) = (None, None, Vec::new());
    for parameter in parameters {
        match parameter.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value.to_owned()),
            Some(("sslrootcert", value)) => root = Some(percent_decode_str(value).decode_utf8_lossy().into_owned()),
            Some(("sslnegotiation", "postgres")) => {}
            Some((name @ ("sslnegotiation" | "sslcert" | "sslkey" | "sslcrl" | "channel_binding"), _)) => {
                return Err(Error::Failed(format!("{name} in PostgreSQL's address is not supported")));
            }
            _ => rest.push(parameter),
        }
    }
    let url = match before {
        "" => rest.join(between),
        before if rest.is_empty() => before.to_owned(),
        before => format!("{before}?{}", rest.join(between)),
    };
    Ok((url, tls(mode.as_deref(), root.as_deref())?))
}

/// Returns the encryption that a mode asks for; the words mean what they mean to libpq.
fn tls(mode: Option<&str>, root: Option<&str>) -> Result<Option<TlsSettings>> {
    let (required, verified, named) = match mode {
        None | Some("disable") => return Ok(None),
        Some("prefer") => (false, false, false),
        Some("require") => (true, root.is_some(), false),
        Some("verify-ca") => (true, true, false),
        Some("verify-full") => (true, true, true),
        Some(_) => {
            let modes = "disable, prefer, require, verify-ca or verify-full";
            return Err(Error::Failed(format!("sslmode in PostgreSQL's address must be {modes}")));
        }
    };
    let failed = |error: rustls::Error| Error::Failed(format!("TLS to PostgreSQL cannot be prepared: {error}"));
    let provider = Arc::new(ring::default_provider());
    let authority = if verified {
        let roots = Arc::new(roots(root.unwrap_or("system"))?);
        let made = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build();
        Some(made.map_err(|error| Error::Failed(format!("sslrootcert holds no certificate of an authority: {error}")))?)
    } else {
        None
    };
    let verifier = CertificateVerifier { authority, named, provider: Arc::clone(&provider) };
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().map_err(failed)?;
    let config = config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth();
    Ok(Some(TlsSettings { config: Arc::new(config), required }))
}

/// The authorities of a file, or those of the system.
fn roots(file: &str) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    if file == "system" {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    } else {
        let unread = |error: &dyn std::fmt::Display| Error::Failed(format!("sslrootcert {file}: {error}"));
        for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unread(&error))? {
            roots.add(certificate.map_err(|error| unread(&error))?).map_err(|error| unread(&error))?;
        }
    }
    Ok(roots)
}

impl TlsSettings {
    /// Encrypts a connection to the host of that name, if the server can.
    pub(super) fn begin(&self, stream: TcpStream, host: &str, watch: &SilenceWatch<'_>) -> io::Result<ServerSocket> {
        let mut stream = WatchedStream { stream, watch };
        stream.write_all(&ASK)?;
        // No more than the answer is read: what somebody put behind it would pass for encrypted.
        let mut answer = [0];
        stream.read_exact(&mut answer)?;
        match &answer {
            b"S" => {}
            b"N" if !self.required => return Ok(ServerSocket::Tcp(stream.stream)),
            b"N" => return Err(io::Error::other("the server has no TLS, and sslmode asks for it")),
            _ => return Err(io::Error::other("this is no PostgreSQL server that knows TLS")),
        }
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let mut session = ClientConnection::new(Arc::clone(&self.config), name).map_err(io::Error::other)?;
        while session.is_handshaking() {
            session.complete_io(&mut stream)?;
        }
        Ok(ServerSocket::Tls(Box::new(rustls::StreamOwned::new(session, stream.stream))))
    }
}

impl ServerCertVerifier for CertificateVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(certificate, between, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.named => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
