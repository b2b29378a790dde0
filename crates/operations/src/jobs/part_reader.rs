//! The file of a job, read from any place on.

use super::parts::PartKind;
use database::{ColumnType, Tx, ValueRef};
use model::error::Result;
use model::table_names::JOB_PART;
use std::io;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use tenant::Tenant;

/// Reads the file of a job, a part at a time. It blocks.
pub struct PartReader {
    tenant: Arc<Tenant>,
    job: i64,
    /// The bytes that the file has.
    length: u64,
    at: u64,
    /// The id and the first byte of each part; empty before the first of them is read.
    index: Vec<(i64, u64)>,
    part: Vec<u8>,
    /// The first byte of the part in memory.
    start: u64,
}

impl PartReader {
    /// A reader of a job's file, which has so many bytes.
    pub fn new(tenant: &Arc<Tenant>, job: i64, length: u64) -> Self {
        let tenant = Arc::clone(tenant);
        PartReader { tenant, job, length, at: 0, index: Vec::new(), part: Vec::new(), start: 0 }
    }

    /// Reads the part with the byte that is next.
    fn load(&mut self) -> io::Result<()> {
        if self.index.is_empty() {
            let job = self.job;
            let (index, bytes) = self.tenant.store().read_blocking(|tx| index(tx, job)).map_err(io::Error::other)?;
            // It may still be on its way, or its sender was cut off.
            if bytes != self.length {
                return Err(io::Error::other("it did not come whole. Send it again"));
            }
            self.index = index;
        }
        let place = self.index.partition_point(|(_, start)| *start <= self.at);
        let Some((id, start)) = place.checked_sub(1).map(|place| self.index[place]) else { return Ok(()) };
        self.part = self.tenant.store().read_blocking(|tx| content(tx, id)).map_err(io::Error::other)?;
        self.start = start;
        Ok(())
    }

    /// The bytes in memory from the next one on.
    fn rest(&self) -> &[u8] {
        let from = self.at.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.part.get(from..)).unwrap_or_default()
    }
}

impl Read for PartReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if bytes.is_empty() || self.at >= self.length && !self.index.is_empty() {
            return Ok(0);
        }
        if self.rest().is_empty() {
            self.load()?;
        }
        let count = self.rest().read(bytes)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for PartReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

/// The parts of a file, each with its first byte; and the bytes of all.
fn index(tx: &mut Tx<'_>, job: i64) -> Result<(Vec<(i64, u64)>, u64)> {
    let mut sql = tx.sql();
    sql.push("SELECT id, CAST(LENGTH(content) AS BIGINT) FROM ").table(&JOB_PART).push(" WHERE job = ").bind(job);
    sql.push(" AND kind = ").bind(PartKind::Data as i64).push(" ORDER BY id");
    let (mut index, mut bytes) = (Vec::new(), 0);
    tx.query(&sql, &mut |row| {
        index.push((row.integer(0)?, bytes));
        bytes += row.integer(1)?.unsigned_abs();
        Ok(())
    })?;
    Ok((index, bytes))
}

fn content(tx: &mut Tx<'_>, id: i64) -> Result<Vec<u8>> {
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&JOB_PART).push(" WHERE id = ").bind(id);
    let mut content = Vec::new();
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(bytes) = row.get(0, ColumnType::Bytes)? {
            content = bytes.to_vec();
        }
        Ok(())
    })?;
    Ok(content)
}
