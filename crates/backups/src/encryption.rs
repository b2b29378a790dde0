//! Encryption of archives in the format of age: to recipients, whose identities alone open them.

use age::x25519;
use age::{DecryptError, Decryptor, Encryptor};
use model::error::{Error, Result};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

/// The first bytes of each file of age.
const MAGIC: &[u8] = b"age-encryption.org/";
/// The beginning of the secret part of an identity.
const SECRET: &str = "AGE-SECRET-KEY-";

/// The recipients to whom archives are encrypted: public keys alone. Without any, archives are not encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipients(Vec<x25519::Recipient>);

impl Recipients {
    /// Reads recipients such as `age1…`. The error is a sentence that names the one that is wrong.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, String> {
        let read = |text: &str| {
            text.parse().map_err(|_| match text.to_ascii_uppercase() {
                // A secret is repeated nowhere.
                upper if upper.contains(SECRET) => {
                    "A recipient is an identity, which is secret. Give its public key: age1…, as `age-keygen -y` tells."
                        .to_owned()
                }
                _ => format!("{text:?} is not a recipient of age, such as age1…, as `age-keygen -y` tells."),
            })
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Recipients)
    }

    /// Reads a file of recipients: one in each line, beside empty lines and comments with `#`.
    pub fn parse_file(text: &str) -> Result<Self, String> {
        let recipients = Self::parse(entries(text))?;
        if recipients.is_empty() { Err("It has no recipient, such as age1….".to_owned()) } else { Ok(recipients) }
    }

    /// Adds others.
    pub fn extend(&mut self, others: Recipients) {
        self.0.extend(others.0);
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The identities that open encrypted archives.
#[derive(Clone, Default)]
pub struct Identities(Vec<x25519::Identity>);

impl Identities {
    /// Reads a file of identities, as `age-keygen` writes it. The error is a sentence, without a secret.
    pub fn parse_file(text: &str) -> Result<Self, String> {
        let read = |(number, line): (usize, &str)| {
            line.parse().map_err(|_| format!("Its line {number} is not an identity of age ({SECRET}1…)."))
        };
        let lines = text.lines().map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
        let identities: Vec<_> = lines.filter(|(_, line)| is_entry(line)).map(read).collect::<Result<_, String>>()?;
        if identities.is_empty() {
            return Err(format!("It has no identity of age ({SECRET}1…)."));
        }
        Ok(Identities(identities))
    }

    /// Adds others.
    pub fn extend(&mut self, others: Identities) {
        self.0.extend(others.0);
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Identities({})", self.0.len())
    }
}

/// The lines of a file that are neither empty nor comments.
fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| is_entry(line))
}

fn is_entry(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// A writer that encrypts what it is given, if there are recipients.
pub struct SealedWriter<W: Write>(WriterForm<W>);

enum WriterForm<W: Write> {
    Plain(W),
    Age(Box<age::stream::StreamWriter<W>>),
}

impl<W: Write> SealedWriter<W> {
    /// Begins to write to these recipients.
    pub fn new(into: W, recipients: &Recipients) -> Result<Self> {
        if recipients.is_empty() {
            return Ok(SealedWriter(WriterForm::Plain(into)));
        }
        let failed = |error: &dyn fmt::Display| Error::failed(format!("the archive cannot be encrypted: {error}"));
        let all = recipients.0.iter().map(|recipient| recipient as &dyn age::Recipient);
        let encryptor = Encryptor::with_recipients(all).map_err(|error| failed(&error))?;
        let writer = encryptor.wrap_output(into).map_err(|error| failed(&error))?;
        Ok(SealedWriter(WriterForm::Age(Box::new(writer))))
    }

    /// Ends what is encrypted; without this, it is one that was cut off.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            WriterForm::Plain(into) => Ok(into),
            WriterForm::Age(writer) => writer.finish(),
        }
    }
}

impl<W: Write> Write for SealedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            WriterForm::Plain(into) => into.write(bytes),
            WriterForm::Age(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            WriterForm::Plain(into) => into.flush(),
            WriterForm::Age(writer) => writer.flush(),
        }
    }
}

/// Returns true if an archive is encrypted.
pub fn is_encrypted(from: impl Read) -> io::Result<bool> {
    let mut start = Vec::new();
    from.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// Returns the reader of an archive's own bytes, whether it is encrypted or not.
pub fn unseal<'r>(from: impl Read + 'r, identities: &Identities) -> Result<Box<dyn Read + 'r>> {
    let mut from = BufReader::with_capacity(1 << 18, from);
    let start = from.fill_buf().map_err(|error| broken(&error))?;
    if !start.starts_with(MAGIC) {
        return Ok(Box::new(from));
    }
    if identities.0.is_empty() {
        let message = "The backup is encrypted. Name the file of an identity that opens it: --identity FILE.";
        return Err(Error::invalid("backup_encrypted", message));
    }
    let decryptor = Decryptor::new_buffered(from).map_err(|error| broken(&error))?;
    let all = identities.0.iter().map(|identity| identity as &dyn age::Identity);
    match decryptor.decrypt(all) {
        Ok(reader) => Ok(Box::new(reader)),
        Err(DecryptError::NoMatchingKeys) => {
            let message =
                "The backup is encrypted to other recipients. Name the identity of one of them: --identity FILE.";
            Err(Error::invalid("backup_identity", message))
        }
        Err(error) => Err(broken(&error)),
    }
}

fn broken(why: &dyn fmt::Display) -> Error {
    let why = why.to_string();
    let why = why.trim_end_matches('.');
    let message = format!("The backup is damaged or cut off, at its encrypted head: {why}. Take another one.");
    Error::invalid("backup_broken", message)
}

#[cfg(test)]
mod tests {
    use super::{Identities, MAGIC, Recipients, SealedWriter, is_encrypted, unseal};
    use age::secrecy::ExposeSecret;
    use age::x25519::Identity;
    use std::io::{Read, Write};

    fn pair() -> (String, Identities) {
        let identity = Identity::generate();
        let text = format!("# ours\n\n{}\n", identity.to_string().expose_secret());
        (identity.to_public().to_string(), Identities::parse_file(&text).unwrap())
    }

    fn sealed(content: &[u8], recipients: &[&str]) -> Vec<u8> {
        let recipients = Recipients::parse(recipients.iter().copied()).unwrap();
        let mut writer = SealedWriter::new(Vec::new(), &recipients).unwrap();
        writer.write_all(content).unwrap();
        writer.finish().unwrap()
    }

    fn opened(bytes: &[u8], identities: &Identities) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        let mut reader = unseal(bytes, identities).map_err(|error| error.message)?;
        reader.read_to_end(&mut content).map_err(|error| error.to_string())?;
        Ok(content)
    }

    #[test]
    fn each_recipient_opens_it_and_nobody_else() {
        let ((one, own), (two, other), (_, foreign)) = (pair(), pair(), pair());
        let content: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        let bytes = sealed(&content, &[&one, &two]);
        assert!(bytes.starts_with(MAGIC) && is_encrypted(bytes.as_slice()).unwrap());
        assert_eq!(opened(&bytes, &own).as_ref(), Ok(&content));
        assert_eq!(opened(&bytes, &other).as_ref(), Ok(&content));
        assert!(opened(&bytes, &foreign).unwrap_err().contains("encrypted to other recipients"));
        assert!(opened(&bytes, &Identities::default()).unwrap_err().contains("--identity FILE"));
        let mut all = foreign;
        all.extend(own);
        assert_eq!(opened(&bytes, &all).as_ref(), Ok(&content));
        // Without recipients it is as it was, and needs nobody.
        assert_eq!(opened(&sealed(&content, &[]), &Identities::default()), Ok(content));
        assert!(!is_encrypted(b"age".as_slice()).unwrap());
    }

    #[test]
    fn what_is_cut_off_or_changed_is_refused() {
        let (recipient, own) = pair();
        let content: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let whole = sealed(&content, &[&recipient]);
        let chunks = (0..whole.len()).step_by(9_973);
        for length in chunks.filter(|length| *length >= MAGIC.len()).chain([100, 250, whole.len() - 1]) {
            opened(&whole[..length], &own).unwrap_err();
        }
        for place in (MAGIC.len()..whole.len()).step_by(7_919) {
            let mut changed = whole.clone();
            changed[place] ^= 4;
            opened(&changed, &own).unwrap_err();
        }
    }

    #[test]
    fn mistakes_are_told_without_secrets() {
        let secret = Identity::generate().to_string().expose_secret().to_owned();
        let error = Recipients::parse([secret.as_str()]).unwrap_err();
        assert!(error.contains("which is secret") && !error.contains(&secret), "{error}");
        assert!(Recipients::parse(["ssh-ed25519 AAAA"]).unwrap_err().contains("ssh-ed25519"));
        assert!(Recipients::parse_file("# none\n").unwrap_err().contains("no recipient"));
        let error = Identities::parse_file(&format!("# ours\n{secret}x\n")).unwrap_err();
        assert!(error.contains("line 2") && !error.contains(&secret[..30]), "{error}");
        assert!(Identities::parse_file("").unwrap_err().contains("no identity"));
        assert_eq!(format!("{:?}", Identities::parse_file(&secret).unwrap()), "Identities(1)");
    }
}
