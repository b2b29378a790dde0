//! Imports of many rows: all of them are read first, then written in batches.

use super::batch_size::BatchSize;
use crate::import::{ImportPlan, KEPT};
use crate::jobs::{self, ClaimedJob, JobProgress, JobState, PartKind, PartReader, RowProblems};
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use model::error::{Error, Result};
use serde_json::Value as Json;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tenant::Tenant;
use tenant::worker::Stop;
use tokio::sync::mpsc;
use transfer::import::{CallerRows, FileKeys, ImportReport, check_rows, vacuum_after_many, write_rows};
use transfer::source::{RowTaker, SourceRow};

/// Rows that the reader hands over at once, and how often ahead.
const CHUNK: usize = 20;
const AHEAD: usize = 8;
/// Bytes of rows that are handed over at once, or written at once.
const HANDED: usize = 128 << 10;
const BYTES: usize = 1 << 20;
/// Rows that are checked at once.
const CHECKED: usize = 1_000;
/// The code of the error of a batch that is undone for its problems.
const REFUSED: &str = "rows_refused";

/// Carries out an import from where it stands.
pub(super) async fn run(tenant: &Arc<Tenant>, job: ClaimedJob, stop: &Stop) -> Result<()> {
    let plan = ImportPlan::stored(&job.row.request)?;
    let before = job.row.result["problems"].as_array().filter(|_| job.row.state == JobState::Running).cloned();
    let before = before.unwrap_or_default();
    let mut import = RunningImport { tenant, job, plan, report: ImportReport::default(), before, stop };
    import.report = import.told_so_far();
    if import.job.row.state != JobState::Running && !import.check().await? {
        return Ok(());
    }
    import.write().await
}

/// An import under way.
struct RunningImport<'r> {
    tenant: &'r Arc<Tenant>,
    job: ClaimedJob,
    plan: ImportPlan,
    /// The outcome of all batches so far.
    report: ImportReport,
    /// Problems of batches that another worker wrote.
    before: Vec<Json>,
    stop: &'r Stop,
}

impl RunningImport<'_> {
    fn told_so_far(&self) -> ImportReport {
        let number = |name: &str| self.job.row.result[name].as_u64().unwrap_or(0);
        let mut report = ImportReport::default();
        if self.job.row.state == JobState::Running {
            (report.created, report.updated) = (number("created"), number("updated"));
            (report.unchanged, report.failed) = (number("unchanged"), number("failed"));
            report.problem_count = number("problemCount");
        }
        report
    }

    /// Reads all rows without writing any. Returns true if they are to be written.
    async fn check(&mut self) -> Result<bool> {
        self.forget_problems().await?;
        let mut rows = RowChannel::open(self.tenant, &self.job, &self.plan, 0);
        let (keys, mut done) = (Arc::new(Mutex::new(FileKeys::default())), 0);
        while let Some(some) = rows.next(CHECKED).await? {
            if self.stop.is_set() {
                self.job.release(self.tenant).await?;
                return Ok(false);
            }
            let (plan, some) = (self.plan.clone(), Arc::new(some));
            let (checked, known) = (Arc::clone(&some), Arc::clone(&keys));
            let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
                let mut keys = known.lock().unwrap_or_else(PoisonError::into_inner);
                keys.restart();
                check_rows(tx, &plan.writer(context)?, &plan.collection(context)?, &plan.options, &checked, &mut keys)
                    .map_err(|error| plan.file.explain(error, &checked))
            };
            let report = self.tenant.read(ReadCost::Scan, &self.job.current_key(self.tenant).await?, job).await?;
            keys.lock().unwrap_or_else(PoisonError::into_inner).end();
            done += some.rows.len() as i64;
            self.report.join(&report);
            let problems = jobs::problems_of(&report, &some);
            self.note(JobState::Checking, 0, problems).await?;
        }
        rows.end().await?;
        let may_write = self.report.problem_count == 0 || self.plan.options.keep_going;
        if may_write && !self.plan.options.dry_run {
            // Problems of a row are told anew where it is written.
            self.report = ImportReport::default();
            self.forget_problems().await?;
            return Ok(true);
        }
        let state = if may_write { JobState::Done } else { JobState::Failed };
        self.report.rows = done.unsigned_abs();
        self.note(state, done, RowProblems::default()).await?;
        Ok(false)
    }

    /// Writes the rows behind the position, a batch after the other.
    async fn write(&mut self) -> Result<()> {
        let mut position = if self.job.row.state == JobState::Running { self.job.row.position } else { 0 };
        self.job.row.state = JobState::Running;
        let mut rows = RowChannel::open(self.tenant, &self.job, &self.plan, position.unsigned_abs());
        let mut size = BatchSize::of(self.tenant.store());
        while let Some(some) = rows.next(size.rows()).await? {
            if self.stop.is_set() {
                return self.job.release(self.tenant).await;
            }
            let began = Instant::now();
            position += some.rows.len() as i64;
            if !self.write_some(Arc::new(some), position).await? {
                return Ok(());
            }
            size.learn(began.elapsed());
        }
        rows.end().await?;
        self.note(JobState::Done, position, RowProblems::default()).await?;
        self.vacuum().await;
        Ok(())
    }

    /// Begins to make a table quick to read that got many rows. The worker does not wait for it.
    async fn vacuum(&self) {
        let (tenant, written) = (Arc::clone(self.tenant), self.report.created + self.report.updated);
        // The job is done, whatever comes of this.
        let Ok(model) = tenant.model().await else { return };
        if let Some(of_rows) = model.type_by_id(self.job.row.type_id).cloned() {
            tokio::task::spawn_blocking(move || vacuum_after_many(&tenant, &of_rows.table, written));
        }
    }

    /// Writes a batch with the position behind it. Returns false if the import ended with it.
    async fn write_some(&mut self, some: Arc<CallerRows>, position: i64) -> Result<bool> {
        let refused: Arc<Mutex<Option<ImportReport>>> = Arc::default();
        let (told, plan, job, rows) = (Arc::clone(&refused), self.plan.clone(), self.job.clone(), Arc::clone(&some));
        let (so_far, earlier) = (self.report.clone(), self.before.clone());
        let batch = move |tx: &mut Tx<'_>, context: &RequestContext| {
            let collection = plan.collection(context)?;
            // Its runs do not make an automation look as if it ran away.
            let report = write_rows(tx, &plan.writer(&context.in_job())?, &collection, &plan.options, &rows)?;
            if report.problem_count > 0 && !plan.options.keep_going {
                *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
                return Err(Error::conflict(REFUSED, "A batch has rows with problems."));
            }
            let mut all = so_far.clone();
            all.join(&report);
            let kept = jobs::problems_of(&report, &rows);
            jobs::put_problems(tx, job.row.id, so_far.problem_count, &kept)?;
            jobs::put_created(tx, job.row.id, &report, &all)?;
            let progress = progress(JobState::Running, position, &all, &earlier);
            job.advance(tx, context, &progress)?;
            Ok(all)
        };
        match self.tenant.write(&self.job.current_key(self.tenant).await?, batch).await {
            Ok(all) => {
                self.report = all;
                Ok(true)
            }
            Err(error) if error.code == REFUSED => {
                let report = refused.lock().unwrap_or_else(PoisonError::into_inner).take();
                let report = report.unwrap_or_default();
                let problems = jobs::problems_of(&report, &some);
                self.report.problem_count += report.problem_count;
                self.report.failed += report.failed;
                self.report.problems.extend(report.problems);
                self.note(JobState::Failed, position - some.rows.len() as i64, problems).await?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Notes where the import stands, and rows with problems.
    async fn note(&self, state: JobState, position: i64, problems: RowProblems) -> Result<()> {
        let mut progress = progress(state, position, &self.report, &self.before);
        if self.plan.options.dry_run {
            // Rules are judged where rows are written, which takes one transaction for all.
            progress.result["tried"] = false.into();
        }
        let job = self.job.clone();
        let before = self.report.problem_count.saturating_sub(problems.len() as u64);
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
            jobs::put_problems(tx, job.row.id, before, &problems)?;
            job.advance(tx, context, &progress)
        };
        self.tenant.write_elevated(job).await
    }

    async fn forget_problems(&self) -> Result<()> {
        let id = self.job.row.id;
        while self.tenant.write_elevated(move |tx, _| jobs::remove_some(tx, id, Some(PartKind::Problems))).await? {}
        Ok(())
    }
}

fn progress(state: JobState, position: i64, report: &ImportReport, before: &[Json]) -> JobProgress {
    let failed = i64::try_from(report.failed).unwrap_or(i64::MAX);
    let mut result = crate::import::counts(report, KEPT);
    if let Some(problems) = result["problems"].as_array_mut() {
        problems.splice(0..0, before.iter().cloned());
        problems.truncate(KEPT);
    }
    JobProgress { state, position, failed, result }
}

/// Rows of a file on their way from the thread that reads it.
struct RowChannel {
    rows: mpsc::Receiver<CallerRows>,
    reader: tokio::task::JoinHandle<Result<()>>,
    /// Rows that came with others.
    rest: Vec<(u64, SourceRow)>,
    bytes: usize,
    header: Option<csv::StringRecord>,
}

impl RowChannel {
    /// Begins to read, behind so many rows.
    fn open(tenant: &Arc<Tenant>, job: &ClaimedJob, plan: &ImportPlan, skip: u64) -> Self {
        let (sender, rows) = mpsc::channel(AHEAD);
        let (reader, format) = (PartReader::new(tenant, job.row.id, plan.file.length), plan.file.clone());
        let reader = tokio::task::spawn_blocking(move || {
            let mut taker = ChunkTaker { sender, skip, chunk: CallerRows::default(), bytes: 0 };
            format.read(reader, &mut taker)?;
            taker.send()
        });
        RowChannel { rows, reader, rest: Vec::new(), bytes: 0, header: None }
    }

    /// The next rows, at most so many; none at the end.
    async fn next(&mut self, most: usize) -> Result<Option<CallerRows>> {
        while self.rest.len() < most && self.bytes < BYTES {
            let Some(some) = self.rows.recv().await else { break };
            self.header = some.header;
            self.bytes += some.rows.iter().map(|(_, row)| row.size()).sum::<usize>();
            self.rest.extend(some.rows);
        }
        let rows: Vec<_> = self.rest.drain(..most.min(self.rest.len())).collect();
        self.bytes = self.rest.iter().map(|(_, row)| row.size()).sum();
        Ok((!rows.is_empty()).then(|| CallerRows { header: self.header.clone(), rows }))
    }

    /// Fails where the file could not be read to its end.
    async fn end(self) -> Result<()> {
        drop(self.rows);
        self.reader.await.map_err(|error| Error::failed(error.to_string()))?
    }
}

/// Hands rows over, some at a time.
struct ChunkTaker {
    sender: mpsc::Sender<CallerRows>,
    skip: u64,
    chunk: CallerRows,
    bytes: usize,
}

impl ChunkTaker {
    fn send(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.chunk.rows);
        self.bytes = 0;
        if rows.is_empty() {
            return Ok(());
        }
        let some = CallerRows { header: self.chunk.header.clone(), rows };
        self.sender.blocking_send(some).map_err(|_| Error::failed("nobody takes the rows of an import any more"))
    }
}

impl RowTaker for ChunkTaker {
    fn header(&mut self, names: &csv::StringRecord) -> Result<()> {
        self.chunk.header = Some(names.clone());
        Ok(())
    }

    fn row(&mut self, line: u64, row: &SourceRow) -> Result<()> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        self.bytes += row.size();
        self.chunk.rows.push((line, row.compact()));
        if self.chunk.rows.len() >= CHUNK || self.bytes >= HANDED { self.send() } else { Ok(()) }
    }
}
