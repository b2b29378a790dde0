//! Connections with their statements prepared, shared or one user at a time.

use crate::table::Table;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_postgres::{Client, Error, NoTls};

/// A fixed number of connections.
pub(crate) struct Connections {
    all: Vec<Arc<Table>>,
    free: Mutex<Vec<Arc<Table>>>,
    permits: Semaphore,
    next: AtomicUsize,
}

/// A connection while it is used; nobody else uses it where it has a permit.
pub(crate) struct Borrowed<'c> {
    table: Arc<Table>,
    exclusive: Option<(&'c Connections, SemaphorePermit<'c>)>,
}

pub(crate) async fn connect(database: &str) -> Result<Client, Error> {
    let (client, connection) = tokio_postgres::connect(database, NoTls).await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            eprintln!("{error}");
        }
    });
    Ok(client)
}

impl Connections {
    pub(crate) async fn open(database: &str, count: usize) -> Result<Self, Error> {
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(Arc::new(Table::prepare(connect(database).await?).await?));
        }
        let free = Mutex::new(all.clone());
        Ok(Connections { all, free, permits: Semaphore::new(count), next: AtomicUsize::new(0) })
    }

    pub(crate) async fn for_reading(&self, pipelined: bool) -> Borrowed<'_> {
        if !pipelined {
            return self.for_writing().await;
        }
        let table = self.all[self.next.fetch_add(1, Ordering::Relaxed) % self.all.len()].clone();
        Borrowed { table, exclusive: None }
    }

    pub(crate) async fn for_writing(&self) -> Borrowed<'_> {
        let permit = self.permits.acquire().await.expect("the semaphore is never closed");
        let table = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let table = table.expect("there are as many free connections as permits");
        Borrowed { table, exclusive: Some((self, permit)) }
    }
}

impl Deref for Borrowed<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        if let Some((connections, _)) = &self.exclusive {
            connections.free.lock().unwrap_or_else(PoisonError::into_inner).push(self.table.clone());
        }
    }
}
