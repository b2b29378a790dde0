//! Mails over SMTP: one connection for each, encrypted unless the operator says otherwise.
//!
//! A mail counts as sent as soon as the server has taken it, whatever becomes of the connection afterwards: it is never
//! sent again then.

use super::lines::LineReader;
use super::render::RenderedMail;
use super::settle::TryOutcome;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use model::error::{Error, Result};
use std::error::Error as _;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use traces::begin_call;

/// The time for which a server may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(5);
/// Answers that say that we are not let in: not the mail's fault.
const NOT_LET_IN: [u16; 5] = [454, 530, 534, 535, 538];

/// Options for reaching the server.
#[derive(Clone)]
pub struct SmtpOptions {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The user to sign in as; empty for none.
    pub user: String,
    /// The password.
    pub password: String,
    /// Encryption of the connection.
    pub tls: MailTls,
    /// Certificates, as PEM, that are believed beside those of the system; empty for none.
    pub certificates: Vec<u8>,
    /// The name by which we call ourselves; empty for the address.
    pub hello: String,
    /// The time for which the sending of one mail may take.
    pub timeout: Duration,
}

/// Encryption of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailTls {
    /// From its first byte.
    Tls,
    /// After STARTTLS; a server that does not offer it gets no mail.
    Starttls,
    /// Not at all.
    None,
}

/// A server that takes mails.
#[derive(Clone)]
pub struct Smtp {
    options: Arc<SmtpOptions>,
    tls: Option<TlsParameters>,
    hello: ClientId,
}

impl Smtp {
    /// Prepares to reach a server; nothing is sent yet.
    pub fn new(options: SmtpOptions) -> Result<Self> {
        let failed =
            |error| Error::invalid("mail_tls", format!("TLS to {} cannot be prepared: {error}.", options.host));
        let tls = match options.tls {
            MailTls::None => None,
            MailTls::Tls | MailTls::Starttls => {
                let mut builder = TlsParameters::builder(options.host.clone());
                if !options.certificates.is_empty() {
                    builder =
                        builder.add_root_certificate(Certificate::from_pem(&options.certificates).map_err(failed)?);
                }
                Some(builder.build_rustls().map_err(failed)?)
            }
        };
        let hello = match options.hello.as_str() {
            "" => ClientId::default(),
            name => ClientId::Domain(name.to_owned()),
        };
        Ok(Smtp { options: Arc::new(options), tls, hello })
    }

    /// Hands a mail over.
    pub(super) async fn send(&self, mail: &RenderedMail) -> Result<(), TryOutcome> {
        let call = begin_call("smtp");
        let sent = tokio::time::timeout(self.options.timeout, self.hand_over(mail)).await;
        if let Some(call) = call {
            call.end(None, !matches!(sent, Ok(Ok(_))));
        }
        let mut connection = match sent {
            Ok(sent) => sent?,
            Err(_) => return Err(TryOutcome::Later("the mail server took too long".to_owned())),
        };
        // Nobody waits for the goodbye: the mail is taken.
        tokio::spawn(async move { tokio::time::timeout(GOODBYE, connection.abort()).await });
        Ok(())
    }

    /// Reaches the server, encrypts and signs in, and sends nothing. Fails with the reason why not.
    pub async fn greet(&self) -> std::result::Result<(), String> {
        match tokio::time::timeout(self.options.timeout, self.connect()).await {
            Ok(Ok(mut connection)) => {
                // The server was reached, whatever it says at the end.
                let _ = tokio::time::timeout(GOODBYE, connection.abort()).await;
                Ok(())
            }
            Ok(Err(TryOutcome::Later(reason) | TryOutcome::Never(reason))) => Err(reason),
            Ok(Err(TryOutcome::Sent)) => Ok(()),
            Err(_) => Err("it took too long".to_owned()),
        }
    }

    async fn hand_over(&self, mail: &RenderedMail) -> Result<AsyncSmtpConnection, TryOutcome> {
        let mut connection = self.connect().await?;
        connection.send(mail.envelope(), &mail.bytes()).await.map_err(|error| judged(&error))?;
        Ok(connection)
    }

    /// Reaches the server, encrypts and signs in.
    async fn connect(&self) -> Result<AsyncSmtpConnection, TryOutcome> {
        let options = &*self.options;
        let wrapped = self.tls.clone().filter(|_| options.tls == MailTls::Tls);
        let address = (options.host.as_str(), options.port);
        let connected = match options.tls {
            MailTls::Starttls => {
                let stream = TcpStream::connect(address).await;
                let stream = stream.map_err(|_| TryOutcome::Later("the mail server cannot be reached".to_owned()))?;
                AsyncSmtpConnection::connect_with_transport(Box::new(LineReader::new(stream)), &self.hello).await
            }
            MailTls::Tls | MailTls::None => {
                AsyncSmtpConnection::connect_tokio1(address, Some(options.timeout), &self.hello, wrapped, None).await
            }
        };
        let mut connection = connected.map_err(|error| unreached(&error))?;
        if let (MailTls::Starttls, Some(tls)) = (options.tls, &self.tls) {
            if !connection.can_starttls() {
                return Err(TryOutcome::Later("the mail server does not offer STARTTLS".to_owned()));
            }
            connection.starttls(tls.clone(), &self.hello).await.map_err(|error| unreached(&error))?;
        }
        if !options.user.is_empty() {
            let credentials = Credentials::new(options.user.clone(), options.password.clone());
            let signed_in = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await;
            signed_in.map_err(|error| unreached(&error))?;
        }
        Ok(connection)
    }
}

impl fmt::Debug for Smtp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Smtp({}:{})", self.options.host, self.options.port)
    }
}

/// Returns the outcome of an error that came before there was talk of the mail: later it may be right again.
fn unreached(error: &lettre::transport::smtp::Error) -> TryOutcome {
    TryOutcome::Later(told(error))
}

/// Returns the outcome of an error about the mail: the server says whether a repeat can help.
fn judged(error: &lettre::transport::smtp::Error) -> TryOutcome {
    let code = error.status().map(u16::from);
    if error.is_permanent() && !code.is_some_and(|code| NOT_LET_IN.contains(&code)) {
        TryOutcome::Never(told(error))
    } else {
        TryOutcome::Later(told(error))
    }
}

/// The numbers of the server's answer. Its words are left out: they may repeat what is in the mail.
fn told(error: &lettre::transport::smtp::Error) -> String {
    let Some(code) = error.status() else {
        let what = match () {
            () if error.is_timeout() => "took too long",
            () if error.is_tls() => "and we do not agree on TLS",
            () if error.is_client() => "does not support a needed feature: signing in, or addresses beyond ASCII",
            () if error.is_response() => "gave no answer, or a malformed one",
            () => "cannot be reached",
        };
        return format!("the mail server {what}");
    };
    let words = error.source().map(ToString::to_string).unwrap_or_default();
    let status = words.split_whitespace().next().filter(|word| is_enhanced(word));
    status.map_or_else(
        || format!("the mail server answered {code}"),
        |status| format!("the mail server answered {code} {status}"),
    )
}

/// Returns true if a word is an enhanced status code, such as 5.1.1 (RFC 3463).
fn is_enhanced(word: &str) -> bool {
    let part = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split('.').count() == 3 && word.split('.').all(part)
}
