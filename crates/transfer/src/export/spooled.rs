//! An export for a caller, in memory or in a file: the database does not wait for who takes it.

use super::{ExportRequest, export};
use context::caller_key::CallerKey;
use context::reads::{LoggedReads, ReadOrigin, ReadWay};
use context::request_context::RequestContext;
use context::spool::{ReadBody, SpoolWriter};
use database::{ReadCost, Tx};
use flate2::Compression;
use flate2::write::{GzDecoder, GzEncoder};
use model::error::{Error, Result};
use std::io;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use tenant::Tenant;

/// Bytes that are handed to the spool at once.
const PIECE: usize = 128 << 10;

/// A file that was exported.
#[derive(Debug)]
pub struct SpooledExport {
    /// Its bytes.
    pub body: ReadBody,
    /// The number of its rows.
    pub rows: u64,
}

/// Exports the rows of a list with the rights of the key's owner, packed with gzip where `packs`, and refuses a file of
/// more bytes than `most`. Reads of types that are logged are in the log before anybody is told them.
pub async fn export_spooled(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    collection: &str,
    request: ExportRequest,
    packs: bool,
    most: Option<u64>,
) -> Result<SpooledExport> {
    let collection = collection.to_owned();
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        // The log is written behind the read: an export would keep other writers waiting.
        let context = RequestContext { reads: LoggedReads::noted(ReadWay::List), ..context.clone() };
        let out = SpoolSink { spool: SpoolWriter::new(context.spools.as_ref()), most };
        let rows;
        let out = if packs {
            let mut packed = GzEncoder::new(BufWriter::with_capacity(PIECE, out), Compression::fast());
            rows = export(tx, &context, &collection, &request, &mut packed)?;
            packed.finish().map_err(super::unwritable)?
        } else {
            let mut out = BufWriter::with_capacity(PIECE, out);
            rows = export(tx, &context, &collection, &request, &mut out)?;
            out
        };
        let spool = out.into_inner().map_err(|error| super::unwritable(error.into_error()))?.spool;
        Ok((SpooledExport { body: spool.finish(b"", b"")?, rows }, context))
    };
    let (exported, context) = tenant.read(ReadCost::Scan, key, job).await?;
    if context.reads.count() > 0 {
        let origin = ReadOrigin::by(key);
        let log = move |tx: &mut Tx<'_>, _: &RequestContext| {
            RequestContext { reads: context.reads.copied(), ..context.clone() }.write_reads(tx, origin)
        };
        tenant.write_beside_freeze(log).await?;
    }
    Ok(exported)
}

/// Puts a stored file together again out of its parts, unpacked where `unpacks`.
pub fn joined(
    context: &RequestContext,
    unpacks: bool,
    next: &mut dyn FnMut() -> Result<Option<Vec<u8>>>,
) -> Result<ReadBody> {
    let mut spool = SpoolWriter::new(context.spools.as_ref());
    if !unpacks {
        while let Some(part) = next()? {
            spool.write(&part)?;
        }
        return spool.finish(b"", b"");
    }
    let mut unpacked = GzDecoder::new(SpoolSink { spool, most: None });
    while let Some(part) = next()? {
        unpacked.write_all(&part).map_err(super::unwritable)?;
    }
    unpacked.finish().map_err(super::unwritable)?.spool.finish(b"", b"")
}

/// A spool as a writer.
struct SpoolSink {
    spool: SpoolWriter,
    /// The most bytes that it takes, where there is a limit.
    most: Option<u64>,
}

impl Write for SpoolSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.spool.write(bytes).map_err(io::Error::other)?;
        if self.most.is_some_and(|most| self.spool.len() as u64 > most) {
            let message = "The file has more than 200 MB. Export fewer rows or fields, for example by filters.";
            return Err(io::Error::other(Error::invalid("export_too_large", message)));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{SpoolSink, SpoolWriter};
    use std::io::Write;

    #[test]
    fn a_file_that_grows_too_large_is_refused_while_it_is_written() {
        let mut sink = SpoolSink { spool: SpoolWriter::new(None), most: Some(10) };
        sink.write_all(b"1234567890").unwrap();
        let error = super::super::unwritable(sink.write_all(b"1").unwrap_err());
        assert_eq!(error.code, "export_too_large");
        let mut sink = SpoolSink { most: None, ..sink };
        sink.write_all(b"1").unwrap();
    }
}
