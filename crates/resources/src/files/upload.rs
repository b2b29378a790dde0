//! Receiving files: who may, what is taken, and bytes on their way to disk with a memory that does not grow.

use super::sniff::{self, HEAD};
use super::{names, promise};
use bytes::{Bytes, BytesMut};
use context::caller_key::CallerKey;
use context::name_suggestions::no_collection;
use context::request_context::RequestContext;
use database::{ColumnType, ReadCost, Tx};
use model::error::{Error, ErrorKind, InputProblem, Result};
use model::kinds::FileRules;
use model::table_names::ATTACHMENT;
use model::types::Property;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tenant::Tenant;
use tenant::storage::Key;
use tenant::storage::{BLOCK, Draft};

/// A property that a caller may upload files for.
#[derive(Clone, Debug)]
pub struct Target {
    pub(super) type_id: i64,
    pub(super) property: i64,
    title: String,
    rules: FileRules,
    /// The bytes that the tenant's files may still have; none where there is no limit.
    left: Option<u64>,
}

/// A file that is being received. Dropped, nothing stays of it.
pub struct Receiving {
    draft: Draft,
    title: String,
    rules: FileRules,
    name: String,
    declared: Option<String>,
    limit: u64,
    left: Option<u64>,
    size: u64,
    head: Vec<u8>,
    buffer: BytesMut,
    hash: Sha256,
    under_way: UnderWay,
}

/// A file whose bytes are on disk.
#[derive(Clone, Debug)]
pub struct Received {
    pub(super) key: Key,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) size: u64,
    pub(super) mime: String,
    pub(super) hash: String,
    pub(super) width: Option<i64>,
    pub(super) height: Option<i64>,
    /// Until the rows are written.
    _under_way: Arc<UnderWay>,
}

/// The bytes of uploads that have no rows yet: they count for the quota.
#[derive(Debug)]
struct UnderWay {
    all: Arc<AtomicU64>,
    own: u64,
}

/// The property that files are to be uploaded for, where the caller may: before any of them is read.
pub async fn upload_target(tenant: &Arc<Tenant>, key: &CallerKey, of: &str, property: &str) -> Result<Target> {
    let (of, property) = (of.to_owned(), property.to_owned());
    let quota = tenant.file_quota();
    tenant
        .read(ReadCost::Point, key, move |tx, request| {
            let mut target = target(request, &of, &property)?;
            if let Some(quota) = quota {
                target.left = Some(quota.saturating_sub(used(tx)?));
            }
            Ok(target)
        })
        .await
}

/// Begins to receive a file. `limit` is how many bytes it may have where the property does not say.
pub async fn receive(
    tenant: &Tenant,
    target: &Target,
    name: &str,
    declared: Option<&str>,
    limit: u64,
) -> Result<Receiving> {
    let draft = tenant.files().create(Key::new(tenant.environment().random.as_ref())).await?;
    Ok(Receiving {
        draft,
        title: target.title.clone(),
        rules: target.rules.clone(),
        name: names::clean(name),
        declared: declared.map(str::to_owned),
        limit: target.rules.max_size.unwrap_or(limit),
        left: target.left,
        size: 0,
        head: Vec::new(),
        buffer: BytesMut::new(),
        hash: Sha256::new(),
        under_way: UnderWay { all: Arc::clone(tenant.uploading()), own: 0 },
    })
}

/// Removes files that were received and that nobody is to have.
pub async fn discard(tenant: &Tenant, received: Vec<Received>) {
    for file in received {
        // What stays is swept.
        let _ = tenant.files().delete(&file.key).await;
    }
}

/// Writes the rows of files that were received; gives their promises, in order. Where it fails, nothing stays.
pub async fn write_promises(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    of: &str,
    property: &str,
    received: Vec<Received>,
) -> Result<Vec<String>> {
    let keys: Vec<Key> = received.iter().map(|file| file.key.clone()).collect();
    let (of, property) = (of.to_owned(), property.to_owned());
    let quota = tenant.file_quota();
    let written = tenant
        .write(key, move |tx, request| {
            // Rights may have gone while the bytes came.
            let target = target(request, &of, &property)?;
            if let Some(quota) = quota {
                tx.lock_store()?;
                let new: u64 = received.iter().map(|file| file.size).sum();
                if used(tx)?.saturating_add(new) > quota {
                    return Err(over_quota());
                }
            }
            promise::write(tx, request, &target, &received)
        })
        .await;
    if written.as_ref().is_err_and(|error| error.kind != ErrorKind::Failed && error.kind != ErrorKind::Busy) {
        // Where the outcome is not known, the rows may be there: what is an orphan is swept then.
        for key in &keys {
            let _ = tenant.files().delete(key).await;
        }
    }
    written
}

impl Receiving {
    /// Takes the next bytes.
    pub async fn push(&mut self, bytes: &Bytes) -> Result<()> {
        self.size += bytes.len() as u64;
        if self.size > self.limit {
            let message = format!("{} takes files of at most {} bytes.", self.title, self.limit);
            return Err(Error::new(ErrorKind::TooLarge, "file_too_large", message));
        }
        let all = self.under_way.add(bytes.len() as u64);
        if self.left.is_some_and(|left| all > left) {
            return Err(over_quota());
        }
        let missing = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BLOCK { self.flush().await } else { Ok(()) }
    }

    /// Returns true if so many bytes more are written on.
    pub fn writes_on(&self, bytes: usize) -> bool {
        self.buffer.len() + bytes >= BLOCK
    }

    /// Ends the file: when this is done, its bytes are on disk.
    pub async fn finish(mut self) -> Result<Received> {
        self.flush().await?;
        let whole = self.size <= HEAD as u64;
        let refuse = |code, why: &str| {
            let message = format!("{} does not take {:?}: {why}.", self.title, self.name);
            Err(Error::invalid(code, message))
        };
        let Some(sniffed) = sniff::sniff(&self.head, whole, &self.name, self.declared.as_deref()) else {
            return refuse("file_mismatch", "its bytes contradict its name or type");
        };
        if !self.rules.takes(&sniffed.mime) {
            return refuse("file_type", &format!("it is of the type {}", sniffed.mime));
        }
        let mut hash = String::with_capacity(64);
        for byte in self.hash.finalize() {
            let _ = write!(hash, "{byte:02x}");
        }
        let key = self.draft.finish().await?;
        let (width, height) = sniffed.dimensions.unzip();
        let title = names::title(&self.name).to_owned();
        Ok(Received {
            key,
            name: self.name,
            title,
            size: self.size,
            mime: sniffed.mime,
            hash,
            width,
            height,
            _under_way: Arc::new(self.under_way),
        })
    }

    async fn flush(&mut self) -> Result<()> {
        let block = self.buffer.split().freeze();
        if block.is_empty() {
            return Ok(());
        }
        self.hash.update(&block);
        self.draft.write(block).await
    }
}

impl UnderWay {
    /// Adds bytes; gives those of all uploads.
    fn add(&mut self, bytes: u64) -> u64 {
        self.own += bytes;
        self.all.fetch_add(bytes, Relaxed) + bytes
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.all.fetch_sub(self.own, Relaxed);
    }
}

impl Target {
    /// A property of files, whoever gives them.
    pub fn new(type_id: i64, property: &Property, left: Option<u64>) -> Option<Self> {
        let (title, rules) = (property.title.clone(), property.kind.files()?.clone());
        Some(Target { type_id, property: property.id, title, rules, left })
    }
}

/// Finds the property and checks the caller's right: to upload, and to give or change the property (A105).
fn target(request: &RequestContext, of: &str, property: &str) -> Result<Target> {
    let found = request.model.collection(of);
    let of = found.ok_or_else(|| no_collection(&request.actor, &request.model, of))?;
    let writable = request.actor.upload(of)?;
    let unknown = || Error::missing("property_missing", "There is no such property.");
    let by_id = || property.parse().ok().filter(|id: &i64| id.to_string() == property);
    let named = of.properties().iter().find(|known| known.name == property);
    let found = named.or_else(|| by_id().and_then(|id| of.properties().iter().find(|known| known.id == id)));
    let property =
        found.filter(|known| writable.contains(known) || request.actor.knows(of, known)).ok_or_else(unknown)?;
    let Some(rules) = property.kind.files() else {
        return Err(Error::invalid("property_unsuitable", format!("{} is not a property of files.", property.title)));
    };
    if !writable.contains(property) || property.read_only {
        let message = format!("You may not change {}.", property.title);
        let name = property.name.clone();
        let problem = InputProblem { property: name, code: "property_forbidden", message: message.clone() };
        return Err(Error { problems: vec![problem], ..Error::forbidden("property_forbidden", message) });
    }
    let (title, rules) = (property.title.clone(), rules.clone());
    Ok(Target { type_id: of.id, property: property.id, title, rules, left: None })
}

/// The bytes of all files of the tenant, promised and unswept ones too.
pub(super) fn used(tx: &mut Tx<'_>) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("SELECT CAST(COALESCE(SUM(size), 0) AS ").column_type(ColumnType::Integer).push(") FROM ");
    sql.table(&ATTACHMENT);
    let mut used = 0;
    tx.query(&sql, &mut |row| {
        used = row.integer(0)?.unsigned_abs();
        Ok(())
    })?;
    Ok(used)
}

pub(super) fn over_quota() -> Error {
    Error::new(ErrorKind::TooLarge, "quota_exceeded", "The tenant's files would exceed their limit of bytes.")
}
