//! Tries of a storage: something is written, read and removed.

use super::{Bucket, Content, Files, Key};
use bytes::Bytes;
use model::environment::Random;
use model::error::{Error, Result};

/// Bytes of a try.
const PROBE: &[u8] = b"plinth doctor";

impl Files {
    /// Writes a file of its own, reads it and removes it.
    pub async fn probe(&self, random: &dyn Random) -> Result<()> {
        let mut draft = self.create(Key::new(random)).await?;
        draft.write(Bytes::from_static(PROBE)).await?;
        let key = draft.finish().await?;
        let content = self.read(&key, 0..PROBE.len() as u64).await;
        let compared = compare(content).await;
        self.delete(&key).await?;
        compared
    }
}

impl Bucket {
    /// Writes an object of a name, reads it and removes it. Returns the reason why it could not be removed.
    pub async fn probe(&self, name: &str) -> Result<Option<String>> {
        let mut upload = self.create(name, 0);
        upload.put(Bytes::from_static(PROBE)).await?;
        upload.finish().await?;
        let compared = compare(Content::of_object(self, name).await).await;
        let removed = self.delete(name).await;
        compared.map(|()| removed.err().map(|error| error.detail.unwrap_or(error.message)))
    }
}

async fn compare(content: Result<Content>) -> Result<()> {
    let (mut content, mut bytes) = (content?, Vec::new());
    while let Some(piece) = content.next().await? {
        bytes.extend_from_slice(&piece);
    }
    if bytes == PROBE { Ok(()) } else { Err(Error::failed("other bytes were read than were written")) }
}
