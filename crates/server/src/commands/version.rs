//! `plinth version`: the version of this program, and the check of a release that was fetched.

use super::console::shown;
use super::table::table;
use super::{Console, Failure};
use clap::Args;
use context::audit::chain::hex;
use minisign_verify::{PublicKey, Signature};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The page with the public key of releases. A program is built before the first release without one.
const SECURITY: &str = include_str!("../../../../SECURITY.md");
/// The bytes of a list of digests, of a signature and of a public key, at most.
const LONGEST: u64 = 1 << 20;
/// The state of a file that has another digest than its list says.
const DIFFERS: &str = "DIFFERS";
/// The bytes of a file that are read together.
const BLOCK: usize = 64 * 1024;

/// Show the version of this program, and check a release
#[derive(Debug, Args)]
#[group(skip)]
#[command(
    after_help = "The signature of the list lies beside it: SHA256SUMS.minisig. Files that were not fetched are \
                  left out.\n\nExamples:\n  plinth version\n  plinth version --verify SHA256SUMS\n  \
                  plinth version --verify SHA256SUMS --key plinth.pub"
)]
pub(super) struct VersionArguments {
    /// Check the signature of this list of digests, and the files beside it
    #[arg(long, value_name = "FILE")]
    verify: Option<PathBuf>,
    /// The public key of minisign to trust, in place of the key in this program
    #[arg(long, value_name = "FILE", requires = "verify")]
    key: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &VersionArguments, console: &Console) -> Result<(), Failure> {
    match &arguments.verify {
        Some(list) => verify(list, arguments.key.as_deref(), console),
        None => show(console),
    }
}

fn show(console: &Console) -> Result<(), Failure> {
    let (version, system) = (env!("CARGO_PKG_VERSION"), format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS));
    let key = line_of_key(SECURITY);
    let told = key.map_or_else(String::new, |key| format!("\nkey of releases: {key}"));
    let json = json!({"version": version, "system": system, "releaseKey": key});
    console.print(&format!("plinth {version} for {system}{told}"), &json)
}

/// Checks the signature of a list, and the files beside it that the list names.
fn verify(list: &Path, key: Option<&Path>, console: &Console) -> Result<(), Failure> {
    let (key, origin) = trusted(key)?;
    let text = read(list)?;
    let comment = signed(&text, &list.with_added_extension("minisig"), &key)?;
    let folder = list.parent().unwrap_or(Path::new(""));
    let program = std::env::current_exe().unwrap_or_default();
    let own = digest_of(&program).map_err(|error| unreadable(&program, &error))?;
    let mut rows = Vec::new();
    for (digest, name) in lines(&text, list)? {
        let state = match digest_of(&folder.join(name)) {
            Ok(found) if found == digest => "fits",
            Ok(_) => DIFFERS,
            Err(error) if error.kind() == ErrorKind::NotFound && digest == own => "is this program",
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(unreadable(&folder.join(name), &error)),
        };
        rows.push([state, name]);
    }
    if rows.is_empty() {
        let message = format!("Nothing was checked: no file of {} lies beside it, or is this program.", list.display());
        return Err(Failure::new(message, "Put the files that you fetched into the same folder."));
    }
    let differs = rows.iter().any(|[state, _]| *state == DIFFERS);
    let files: Vec<Json> = rows.iter().map(|[state, name]| json!({"name": name, "fits": *state != DIFFERS})).collect();
    let text = format!(
        "The list is signed as \"{}\", by {origin}.\n{}",
        shown(&comment.as_str().into()),
        table(["state", "file"], &rows.iter().map(|row| row.map(str::to_owned)).collect::<Vec<_>>())
    );
    console.print(&text, &json!({"signedAs": comment, "key": origin, "files": files}))?;
    match differs {
        true => Err(Failure::new("Files differ from the signed list.", "Do not install them: fetch them again.")),
        false => Ok(()),
    }
}

/// Returns the key to trust, and a name for it.
fn trusted(file: Option<&Path>) -> Result<(PublicKey, String), Failure> {
    let (text, origin) = match file {
        Some(path) => (read(path)?, format!("the key in {}", path.display())),
        None => (SECURITY.to_owned(), "the key in this program".to_owned()),
    };
    let Some(line) = line_of_key(&text) else {
        return Err(Failure::new(
            format!(
                "There is no public key of minisign in {}.",
                file.map_or("this program".into(), Path::to_string_lossy)
            ),
            "Name the file of the public key with --key FILE.",
        ));
    };
    let key = PublicKey::from_base64(line).map_err(|_| Failure::new(format!("{line} is no public key."), ""))?;
    Ok((key, origin))
}

/// Returns the public key in a text, which stands in a line of its own, alone or in backticks.
fn line_of_key(text: &str) -> Option<&str> {
    text.lines()
        .map(|line| line.trim().trim_matches('`'))
        .find(|line| line.len() == 56 && line.starts_with("RW") && !line.contains(' '))
}

/// Returns the trusted comment of a signature, if the key made it for the text.
fn signed(text: &str, path: &Path, key: &PublicKey) -> Result<String, Failure> {
    let written =
        read(path).map_err(|failure| Failure { advice: "Fetch the signature of the list, too.".into(), ..failure })?;
    let refused = |why: String| Failure::new(why, "Do not install these files, and report them as SECURITY.md says.");
    let signature = Signature::decode(&written);
    let signature = signature.map_err(|_| refused(format!("{} is no signature of minisign.", path.display())))?;
    key.verify(text.as_bytes(), &signature, false)
        .map_err(|error| refused(format!("The signature {} is not that of the list: {error}.", path.display())))?;
    Ok(signature.trusted_comment().to_owned())
}

/// Returns the digests and names of a list, as sha256sum writes it. Names of other folders are refused.
fn lines<'a>(text: &'a str, list: &Path) -> Result<Vec<(&'a str, &'a str)>, Failure> {
    let entry = |line: &'a str| {
        let (digest, name) = line.split_at_checked(64)?;
        let name = name.strip_prefix("  ").or_else(|| name.strip_prefix(" *"))?;
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        (plain && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))).then_some((digest, name))
    };
    let refused = |(number, line)| {
        entry(line).ok_or_else(|| {
            let message = format!("Line {} of {} is no digest with the name of a file.", number + 1, list.display());
            Failure::new(message, "")
        })
    };
    text.lines().enumerate().map(refused).collect()
}

/// Returns the SHA-256 digest of a file as hexadecimal digits.
fn digest_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut block) = (open(path)?, Sha256::new(), vec![0; BLOCK]);
    loop {
        match file.read(&mut block)? {
            0 => break,
            count => hash.update(&block[..count]),
        }
    }
    Ok(hex(&hash.finalize()))
}

/// Opens a file. Reading from a pipe or a device might never end.
fn open(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() { File::open(path) } else { Err(io::Error::other("it is no file")) }
}

/// Returns the text of a small file.
fn read(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    match read {
        Ok(count) if count as u64 > LONGEST => {
            Err(Failure::new(format!("{} is too long: {LONGEST} bytes at most.", path.display()), ""))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    // A name of the list must not steer the terminal.
    let path = shown(&path.to_string_lossy().into());
    Failure::new(format!("{path} cannot be read: {error}."), "")
}
