//! A mail server of the test's own: the dialogue of RFC 5321 over TCP, that can be made to fail at each of its steps.

use crate::outgoing::Mail;
use Encryption::{Begun, Encrypted, Offered};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// A mail server. It stops when the last handle is dropped.
#[derive(Clone, Debug)]
pub struct SmtpServer {
    address: SocketAddr,
    certificate: String,
    state: Arc<Mutex<SmtpState>>,
    _running: Arc<JoinSet<()>>,
}

/// The encryption of a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpTls {
    /// Not at all.
    None,
    /// When it is asked to, by STARTTLS.
    Starttls,
    /// From the first byte.
    Wrapped,
}

/// A step of the dialogue at which something is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpStep {
    /// As soon as somebody connects.
    Greeting,
    /// STARTTLS, before encryption begins.
    Encryption,
    /// RCPT.
    Recipient,
    /// After the whole mail, before it is taken.
    Content,
    /// QUIT: the mail is taken already.
    Goodbye,
}

/// An event at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtpFault {
    /// This answer is given, such as `550 5.1.1 no such user`.
    Answer(String),
    /// Nothing is said any more.
    Hang,
    /// All goes well, but takes so long.
    Late(Duration),
    /// The connection is closed.
    Close,
}

/// A fault: the step, the event, and the recipient whose mails it is for, unless for all.
type Trouble = (SmtpStep, SmtpFault, Option<String>);

#[derive(Debug, Default)]
struct SmtpState {
    fault: Option<Trouble>,
    /// Mails that were taken: their envelope's recipients and their content.
    taken: Vec<(Vec<String>, Vec<u8>)>,
    /// Mails that came whole, whether or not they were taken.
    come: Vec<Vec<u8>>,
    /// Every line that clients said outside of mails.
    said: Vec<String>,
}

impl SmtpServer {
    /// Starts a server on a port of its own, that knows no encryption.
    pub async fn start() -> Self {
        Self::start_with(SmtpTls::None).await
    }

    /// Starts a server named `localhost`, with a certificate that nobody knows yet.
    pub async fn start_with(tls: SmtpTls) -> Self {
        let (acceptor, certificate) = acceptor();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("the system has a free port");
        let address = listener.local_addr().expect("it listens");
        let state = Arc::<Mutex<SmtpState>>::default();
        let mut running = JoinSet::new();
        let shared = Arc::clone(&state);
        running.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(converse(stream, tls, acceptor.clone(), Arc::clone(&shared)));
            }
        });
        Self { address, certificate, state, _running: Arc::new(running) }
    }

    /// The port that it listens at.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Its certificate, as PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Makes a step fail from now on.
    pub fn fail(&self, step: SmtpStep, fault: SmtpFault) {
        self.lock().fault = Some((step, fault, None));
    }

    /// Makes the content of mails to this recipient, or to all of a domain, `@acme.test`, fail from now on, and all else go
    /// well.
    pub fn fail_content_to(&self, recipient: &str, fault: SmtpFault) {
        self.lock().fault = Some((SmtpStep::Content, fault, Some(recipient.to_owned())));
    }

    /// Makes all go well from now on.
    pub fn heal(&self) {
        self.lock().fault = None;
    }

    /// The mails that it took, in their order, and the recipients of their envelopes.
    pub fn taken(&self) -> Vec<(Vec<String>, Mail)> {
        self.lock().taken.iter().map(|(to, raw)| (to.clone(), Mail::parse(raw))).collect()
    }

    /// The mails that came whole, taken or not.
    pub fn come(&self) -> Vec<Mail> {
        self.lock().come.iter().map(|raw| Mail::parse(raw)).collect()
    }

    /// Every line that clients said outside of mails.
    pub fn said(&self) -> Vec<String> {
        self.lock().said.clone()
    }

    fn lock(&self) -> MutexGuard<'_, SmtpState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the answer of a step, unless it is to fail; none where the connection is to end.
async fn answer(state: &Mutex<SmtpState>, step: SmtpStep, recipients: &[String], answer: &str) -> Option<String> {
    let fault = state.lock().unwrap_or_else(PoisonError::into_inner).fault.clone();
    let named = |to: &String, one: &String| one == to || to.starts_with('@') && one.ends_with(to.as_str());
    let meant = |to: &Option<String>| to.as_ref().is_none_or(|to| recipients.iter().any(|one| named(to, one)));
    match fault.filter(|(failing, _, to)| *failing == step && meant(to)) {
        None => Some(answer.to_owned()),
        Some((_, SmtpFault::Answer(answer), _)) => Some(answer),
        Some((_, SmtpFault::Hang, _)) => std::future::pending().await,
        Some((_, SmtpFault::Late(pause), _)) => {
            tokio::time::sleep(pause).await;
            Some(answer.to_owned())
        }
        Some((_, SmtpFault::Close, _)) => None,
    }
}

/// Returns an acceptor that serves TLS with a certificate of its own, and the certificate as PEM.
fn acceptor() -> (TlsAcceptor, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate can be made");
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("it was just made");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows them")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("key and certificate belong together");
    (TlsAcceptor::from(Arc::new(config)), made.cert.pem())
}

async fn converse(stream: TcpStream, tls: SmtpTls, acceptor: TlsAcceptor, state: Arc<Mutex<SmtpState>>) {
    // What a client breaks off is no concern of the test's.
    let _ = encrypted(stream, tls, &acceptor, &state).await;
}

async fn encrypted(
    stream: TcpStream,
    tls: SmtpTls,
    acceptor: &TlsAcceptor,
    state: &Mutex<SmtpState>,
) -> std::io::Result<()> {
    let begin = match tls {
        SmtpTls::Wrapped => return dialogue(acceptor.accept(stream).await?, Some(Encrypted), state).await.map(drop),
        SmtpTls::None => None,
        SmtpTls::Starttls => Some(Offered),
    };
    match dialogue(stream, begin, state).await? {
        Some(stream) => dialogue(acceptor.accept(stream).await?, Some(Begun), state).await.map(drop),
        None => Ok(()),
    }
}

/// The progress of encryption.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encryption {
    Offered,
    /// It began within the dialogue, so that there is no greeting.
    Begun,
    Encrypted,
}

/// Talks with a client until it has nothing to say; gives the stream where encryption is to begin.
async fn dialogue<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    encryption: Option<Encryption>,
    state: &Mutex<SmtpState>,
) -> std::io::Result<Option<S>> {
    let mut stream = BufReader::new(stream);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    if encryption != Some(Begun) {
        let Some(greeting) = answer(state, SmtpStep::Greeting, &[], "220 mail.test ESMTP").await else {
            return Ok(None);
        };
        say(&mut stream, &greeting).await?;
    }
    let mut recipients = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let line = line.trim_end_matches(['\r', '\n']).to_owned();
        lock().said.push(line.clone());
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let told = match verb.as_str() {
            "EHLO" => {
                let more = match encryption {
                    Some(Offered) => "250-STARTTLS\r\n",
                    Some(Begun | Encrypted) => "250-AUTH PLAIN\r\n",
                    None => "",
                };
                Some(format!("250-mail.test\r\n{more}250-8BITMIME\r\n250 ENHANCEDSTATUSCODES"))
            }
            "STARTTLS" if encryption == Some(Offered) => {
                let Some(told) = answer(state, SmtpStep::Encryption, &[], "220 2.0.0 go on").await else {
                    return Ok(None);
                };
                say(&mut stream, &told).await?;
                return Ok(Some(stream.into_inner()));
            }
            "AUTH" if encryption.is_some() => Some("235 2.7.0 welcome".to_owned()),
            "MAIL" => {
                recipients.clear();
                Some("250 2.1.0 ok".to_owned())
            }
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                let told = answer(state, SmtpStep::Recipient, &[], "250 2.1.5 ok").await;
                if told.as_ref().is_some_and(|told| told.starts_with('2')) {
                    recipients.push(address);
                }
                told
            }
            "DATA" if recipients.is_empty() => Some("503 5.5.1 nobody to send it to".to_owned()),
            "DATA" => {
                say(&mut stream, "354 go on").await?;
                let raw = content(&mut stream).await?;
                lock().come.push(raw.clone());
                let told = answer(state, SmtpStep::Content, &recipients, "250 2.0.0 taken").await;
                if told.as_ref().is_some_and(|told| told.starts_with('2')) {
                    lock().taken.push((std::mem::take(&mut recipients), raw));
                }
                told
            }
            "QUIT" => {
                if let Some(told) = answer(state, SmtpStep::Goodbye, &[], "221 2.0.0 bye").await {
                    say(&mut stream, &told).await?;
                }
                return Ok(None);
            }
            "RSET" | "NOOP" => Some("250 2.0.0 ok".to_owned()),
            _ => Some("502 5.5.2 what?".to_owned()),
        };
        let Some(told) = told else { return Ok(None) };
        say(&mut stream, &told).await?;
    }
}

/// The bytes up to the end of a mail as a lax server sees it: a dot on a line of its own, whichever line ends are around
/// it. Strict ones see the mail end later, or at the same place.
async fn content(stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    loop {
        raw.push(stream.read_u8().await?);
        let ends = [&b"\n.\n"[..], b"\n.\r\n", b"\r.\r\n", b"\n.\r"].iter().find(|end| raw.ends_with(end)).copied();
        match ends {
            // It may be the first half of what follows.
            Some(b"\n.\r") => {
                let next = stream.read_u8().await?;
                raw.push(next);
                if next == b'\n' {
                    return Ok(unstuffed(&raw[..raw.len() - 3]));
                }
            }
            Some(end) => return Ok(unstuffed(&raw[..raw.len() - end.len() + 1])),
            None => {}
        }
    }
}

fn unstuffed(raw: &[u8]) -> Vec<u8> {
    let text = raw.split_inclusive(|byte| *byte == b'\n');
    text.flat_map(|line| line.strip_prefix(b".").unwrap_or(line)).copied().collect()
}

async fn say(stream: &mut (impl AsyncWrite + Unpin), line: &str) -> std::io::Result<()> {
    stream.write_all(format!("{line}\r\n").as_bytes()).await
}
