//! Descriptions that were asked for, kept while what they describe stands.

use crate::routes::route::Profile;
use bytes::Bytes;
use context::request_context::RequestContext;
use model::types::{Model, TypeGrant};
use openapi::version::ApiAudience;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;

/// Bytes that all of them may take together.
const BYTES: u64 = 32 * 1024 * 1024;

/// Descriptions of tenants' APIs. Callers with the same rights share one.
pub struct ApiDocuments(Cache<DocumentReader, Arc<ApiDocument>, DocumentSize>);

/// The form of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentForm {
    /// OpenAPI, of a profile.
    OpenApi(Profile),
    /// The types of a client.
    TypeScript,
}

/// Whom a description is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct DocumentReader {
    tenant: String,
    url: String,
    form: DocumentForm,
    audience: ApiAudience,
    /// The rights, in the order of the model's types.
    grants: Vec<TypeGrant>,
}

/// A description as it is sent.
#[derive(Debug)]
pub struct ApiDocument {
    /// Its text.
    pub body: Bytes,
    /// Its strong ETag.
    pub etag: String,
    /// The model that it describes. A tenant has one model as long as its configuration's epoch stands.
    model: Arc<Model>,
}

#[derive(Clone, Debug)]
struct DocumentSize;

impl Weighter<DocumentReader, Arc<ApiDocument>> for DocumentSize {
    fn weight(&self, reader: &DocumentReader, document: &Arc<ApiDocument>) -> u64 {
        (document.body.len() + reader.grants.len() * size_of::<TypeGrant>()) as u64
    }
}

impl ApiDocuments {
    /// No description yet.
    pub fn new() -> Self {
        ApiDocuments(Cache::with_weighter(64, BYTES, DocumentSize))
    }

    /// The description of a tenant's API, at that address, as the caller's rights have it. It is made where none is kept.
    pub fn of(
        &self,
        tenant: &str,
        url: &str,
        context: &RequestContext,
        form: DocumentForm,
        make: impl FnOnce() -> String,
    ) -> Arc<ApiDocument> {
        let grants = context.model.types.iter().map(|of| context.actor.grant(of.id)).collect();
        let audience = ApiAudience::of(&context.actor);
        let reader = DocumentReader { tenant: tenant.to_owned(), url: url.to_owned(), form, audience, grants };
        let stands = |kept: &Arc<ApiDocument>| Arc::ptr_eq(&kept.model, &context.model);
        if let Some(kept) = self.0.get(&reader).filter(stands) {
            return kept;
        }
        let text = make();
        let etag = resources::etag(context, text.as_bytes());
        let made = Arc::new(ApiDocument { body: text.into(), etag, model: Arc::clone(&context.model) });
        self.0.insert(reader, Arc::clone(&made));
        made
    }
}

impl Default for ApiDocuments {
    fn default() -> Self {
        ApiDocuments::new()
    }
}
