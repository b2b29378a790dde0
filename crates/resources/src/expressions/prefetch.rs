//! Rows that expressions walk along: each is read once, many of a type at once.

use super::providers::{PlatformProviders, Reading};
use crate::calculate;
use crate::record::{Purpose, rows_of};
use context::stored_resource::StoredResource;
use expression::Result;
use model::types::ResourceType;
use std::sync::Arc;

impl PlatformProviders<'_, '_> {
    /// Reads resources of a type that will be walked along, at once.
    pub fn prefetch(&self, of: &Arc<ResourceType>, ids: &[i64]) -> Result<()> {
        let mut missing: Vec<i64> = {
            let rows = self.rows.borrow();
            ids.iter().copied().filter(|id| !rows.contains_key(&(of.id, *id))).collect()
        };
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let purpose = match (self.reading, self.written) {
            (Reading::Look, _) => Purpose::Look,
            (Reading::Hold, Some(written)) => Purpose::to_read(written, of.id),
            (Reading::Hold, None) => Purpose::Change,
        };
        let mut read = self.with_tx(|tx| rows_of(tx, of, &missing, purpose))?;
        let virtuals = self.parts.virtuals.map(|takes| takes.virtuals(of)).unwrap_or_default();
        if !virtuals.is_empty() && !read.is_empty() {
            let (ids, values): (Vec<i64>, Vec<_>) = read.into_iter().unzip();
            let shown =
                self.ask(self.request, |tx, request| calculate::complete_all(tx, request, of, values, &virtuals))?;
            read = ids.into_iter().zip(shown).collect();
        }
        let mut rows = self.rows.borrow_mut();
        rows.extend(missing.into_iter().map(|id| ((of.id, id), None)));
        for (id, values) in read {
            let row = StoredResource::new(&self.request.model, of, values, self.zone());
            rows.insert((of.id, id), Some(Arc::new(row)));
        }
        Ok(())
    }

    /// Reads all that the paths of a program lead to from these resources on: a statement for each relation on the
    /// way, however many resources there are.
    pub fn along(&self, of: &ResourceType, resources: &[Arc<StoredResource>], paths: &[&[String]]) -> Result<()> {
        let mut names: Vec<&str> =
            paths.iter().filter(|path| path.len() > 1).filter_map(|path| path.first()).map(String::as_str).collect();
        names.dedup();
        for name in names {
            let Some(property) = of.field(name) else { continue };
            let Some(relation) = property.kind.relation() else { continue };
            let Some(target) = self.request.model.type_by_id(relation.type_id) else { continue };
            let mut ids: Vec<i64> = resources.iter().flat_map(|resource| resource.ids(property)).collect();
            ids.sort_unstable();
            ids.dedup();
            self.prefetch(target, &ids)?;
            let rows: Vec<_> = ids.iter().filter_map(|id| self.kept(target.id, *id)).collect();
            let rest = paths.iter().filter(|path| path.len() > 2 && path[0] == *name).map(|path| &path[1..]);
            self.along(target, &rows, &rest.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}
