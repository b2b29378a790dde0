//! An export for a caller, in memory or in a file: the database does not wait for who takes it.

use super::{ExportRequest, export};
use context::caller_key::CallerKey;
use context::reads::{LoggedReads, ReadOrigin, ReadWay};
use context::request_context::RequestContext;
use context::spool::{ReadBody, SpoolWriter};
use database::{ReadCost, Tx};
use flate2::Compression;
use flate2::write::{GzDecoder, GzEncoder};
use model::error::Result;
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

/// Exports the rows of a list with the rights of the key's owner, packed with gzip where `packs`. Reads of types that are
/// logged are in the log before anybody is told them.
pub async fn export_spooled(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    collection: &str,
    request: ExportRequest,
    packs: bool,
) -> Result<SpooledExport> {
    let collection = collection.to_owned();
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        // The log is written behind the read: an export would keep other writers waiting.
        let context = RequestContext { reads: LoggedReads::noted(ReadWay::List), ..context.clone() };
        let out = SpoolSink(SpoolWriter::new(context.spools.as_ref()));
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
        let spool = out.into_inner().map_err(|error| super::unwritable(error.into_error()))?.0;
        Ok((SpooledExport { body: spool.finish(b"", b"")?, rows }, context))
    };
    let (exported, context) = tenant.read(ReadCost::Scan, key, job).await?;
    if context.reads.count() > 0 {
        let origin = ReadOrigin::by(key);
        let log = move |tx: &mut Tx<'_>, _: &RequestContext| {
            RequestContext { reads: context.reads.copied(), ..context.clone() }.write_reads(tx, origin)
        };
        tenant.write_elevated(log).await?;
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
    let mut unpacked = GzDecoder::new(SpoolSink(spool));
    while let Some(part) = next()? {
        unpacked.write_all(&part).map_err(super::unwritable)?;
    }
    unpacked.finish().map_err(super::unwritable)?.0.finish(b"", b"")
}

/// A spool as a writer.
struct SpoolSink(SpoolWriter);

impl Write for SpoolSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
