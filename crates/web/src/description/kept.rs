//! Descriptions that were asked for, kept while what they describe stands.

use bytes::Bytes;
use context::request_context::RequestContext;
use model::error::Error;
use model::types::{Model, TypeGrant};
use openapi::answers::DecimalForm;
use openapi::version::ApiAudience;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Bytes that all of them may take together.
const BYTES: u64 = 32 * 1024 * 1024;

/// Descriptions of tenants' APIs. Callers with the same rights share one.
pub struct ApiDocuments(Cache<DocumentReader, Arc<ApiDocument>, DocumentSize>);

/// The form of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentForm {
    /// OpenAPI.
    OpenApi(ApiForm),
    /// The types of a client.
    TypeScript(DecimalForm),
    /// The model as JSON.
    Model {
        /// True for holders of the permission `admin`.
        admin: bool,
        /// The language of built-in titles.
        language: &'static str,
    },
}

/// The profile of a description in OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApiForm {
    /// The contract's own paths.
    Contract,
    /// The paths for generated clients, with decimals in a form.
    Extended(DecimalForm),
}

/// Whom a description is for, and what it is of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct DocumentReader {
    tenant: String,
    url: String,
    form: DocumentForm,
    audience: ApiAudience,
    /// The rights, in the order of the model's types.
    grants: Vec<TypeGrant>,
    model: DescribedModel,
}

/// The model that is described. A tenant has one model as long as its configuration's epoch stands.
#[derive(Clone, Debug)]
struct DescribedModel(Arc<Model>);

/// A description as it is sent.
#[derive(Debug)]
pub struct ApiDocument {
    /// Its text.
    pub body: Bytes,
    /// Its strong ETag.
    pub etag: String,
}

#[derive(Clone, Debug)]
struct DocumentSize;

impl PartialEq for DescribedModel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for DescribedModel {}

impl Hash for DescribedModel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

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

    /// The description of a tenant's API, at that address, as the caller's rights have it. It is made where none is
    /// kept, beside the threads that serve requests; callers who ask for the same meanwhile wait for it.
    pub async fn of(
        &self,
        tenant: &str,
        url: &str,
        context: &RequestContext,
        form: DocumentForm,
        make: impl FnOnce(&RequestContext) -> String + Send + 'static,
    ) -> Result<Arc<ApiDocument>, Error> {
        let grants = context.model.types.iter().map(|of| context.actor.grant(of.id)).collect();
        let audience = ApiAudience::of(&context.actor);
        let model = DescribedModel(Arc::clone(&context.model));
        let reader = DocumentReader { tenant: tenant.to_owned(), url: url.to_owned(), form, audience, grants, model };
        let context = context.clone();
        let make = move || {
            let text = make(&context);
            let etag = resources::etag(&context, text.as_bytes());
            ApiDocument { body: text.into(), etag }
        };
        self.kept(&reader, make).await
    }

    /// The description that is kept for a reader. One is made where there is none.
    async fn kept(
        &self,
        reader: &DocumentReader,
        make: impl FnOnce() -> ApiDocument + Send + 'static,
    ) -> Result<Arc<ApiDocument>, Error> {
        let make = async {
            // Descriptions of a former model serve nobody any more.
            self.0.retain(|kept, _| kept.tenant != reader.tenant || kept.model == reader.model);
            let made = tokio::task::spawn_blocking(move || Arc::new(make()));
            made.await.map_err(|error| Error::failed(error.to_string()))
        };
        self.0.get_or_insert_async(reader, make).await
    }
}

impl Default for ApiDocuments {
    fn default() -> Self {
        ApiDocuments::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use configuration::{Files, check};
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    fn reader(model: &Arc<Model>, form: DocumentForm) -> DocumentReader {
        let model = DescribedModel(Arc::clone(model));
        let (tenant, url, audience) = ("acme".to_owned(), "/".to_owned(), ApiAudience::KeyOwners);
        DocumentReader { tenant, url, form, audience, grants: Vec::new(), model }
    }

    fn model() -> Arc<Model> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/fixture");
        Arc::new(check(&Files::read(&folder).unwrap()).unwrap().model)
    }

    /// Many who ask at once wait for one description, which no thread that serves requests makes.
    #[test]
    fn a_description_is_made_once_and_beside_what_serves() {
        let (documents, made, model) = (ApiDocuments::new(), AtomicUsize::new(0), model());
        let made: &'static AtomicUsize = Box::leak(Box::new(made));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let serving = thread::current().id();
        let make = move || {
            made.fetch_add(1, Ordering::Relaxed);
            thread::sleep(std::time::Duration::from_millis(50));
            ApiDocument { body: format!("{:?}", thread::current().id() == serving).into(), etag: String::new() }
        };
        let forms = [DocumentForm::TypeScript(DecimalForm::Number), DocumentForm::TypeScript(DecimalForm::Text)];
        let [numbers, texts] = forms.map(|form| reader(&model, form));
        let all = runtime.block_on(async {
            let ask = |reader| documents.kept(reader, make);
            tokio::join!(ask(&numbers), ask(&numbers), ask(&texts), ask(&numbers))
        });
        for document in [all.0, all.1, all.2, all.3] {
            assert_eq!(document.unwrap().body, "false");
        }
        assert_eq!(made.load(Ordering::Relaxed), 2);
        // Another model has descriptions of its own, and takes the place of the former.
        let next = reader(&self::model(), forms[0]);
        runtime.block_on(documents.kept(&next, make)).unwrap();
        assert_eq!((made.load(Ordering::Relaxed), documents.0.len()), (3, 1));
    }

    /// A failure is told, and the next who asks has it made anew.
    #[test]
    fn a_description_that_cannot_be_made_is_no_description() {
        let (documents, model) = (ApiDocuments::new(), model());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let reader = reader(&model, DocumentForm::OpenApi(ApiForm::Contract));
        assert!(runtime.block_on(documents.kept(&reader, || panic!("on purpose"))).is_err());
        let make = || ApiDocument { body: "a".into(), etag: String::new() };
        assert_eq!(runtime.block_on(documents.kept(&reader, make)).unwrap().body, "a");
    }
}
