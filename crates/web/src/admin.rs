//! The listener for operators: metrics, health and readiness, and nothing else.

use crate::app::App;
use edge::{AdminAnswer, AdminListener, AdminRequest, run_admin};
use http::{Method, StatusCode, header};
use serde_json::json;
use settings::{AdminAddress, AdminSettings};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The media type of Prometheus's text format.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";
/// The fewest characters of a token.
const TOKEN: usize = 16;

/// The digest of a token, so that a comparison tells nothing of the token itself.
type TokenDigest = [u8; 32];

/// The listener, and the token that requests carry.
pub struct AdminEndpoint {
    listener: AdminListener,
    token: Option<TokenDigest>,
}

/// The reason why there can be no such listener, and the advice on what to do.
#[derive(Debug)]
pub struct AdminRefusal {
    /// The description of what is wrong.
    pub message: String,
    /// The advice on what to do.
    pub advice: &'static str,
}

impl AdminEndpoint {
    /// Takes the socket of a service manager, or listens where the settings say; none where they say nothing.
    pub async fn open(
        inherited: Option<AdminListener>,
        settings: &AdminSettings,
    ) -> Result<Option<Self>, AdminRefusal> {
        let address = match (&inherited, &settings.listen) {
            (Some(listener), _) => listener.address().map(AdminAddress::Tcp),
            (None, Some(address)) => Some(address.clone()),
            (None, None) => return Ok(None),
        };
        let token = token(&settings.token_file)?;
        if token.is_none() && address.as_ref().is_some_and(|address| !address.is_local()) {
            let message = "admin.listen can be reached from other machines, and admin.token_file is empty.".to_owned();
            return Err(AdminRefusal { message, advice: "Name a file with a token, or listen at 127.0.0.1." });
        }
        let listener = match (inherited, address) {
            (Some(listener), _) => listener,
            (None, Some(address)) => listen(&address).await?,
            (None, None) => return Ok(None),
        };
        if let Some(address) = listener.address() {
            tracing::info!(%address, "operators are answered");
        }
        Ok(Some(AdminEndpoint { listener, token }))
    }

    /// Answers until the future is dropped.
    pub async fn run(self, app: Arc<App>) {
        let AdminEndpoint { listener, token } = self;
        run_admin(listener, move |request| {
            let app = Arc::clone(&app);
            async move { answer(&app, token.as_ref(), &request).await }
        })
        .await;
    }
}

async fn listen(address: &AdminAddress) -> Result<AdminListener, AdminRefusal> {
    let listener = match address {
        AdminAddress::Tcp(address) => AdminListener::tcp(*address).await,
        AdminAddress::Unix(path) => AdminListener::unix(path).await,
    };
    listener.map_err(|error| {
        let place = match address {
            AdminAddress::Tcp(address) => address.to_string(),
            AdminAddress::Unix(path) => path.display().to_string(),
        };
        let message = format!("Cannot listen for operators on {place}: {error}.");
        AdminRefusal { message, advice: "Choose another with admin.listen, or leave it empty." }
    })
}

/// Reads the token's file, if there is one.
fn token(file: &Path) -> Result<Option<TokenDigest>, AdminRefusal> {
    if file.as_os_str().is_empty() {
        return Ok(None);
    }
    let advice = "Write a token of at least 16 characters into the file named by admin.token_file.";
    let refuse = |what: String| AdminRefusal { message: format!("{}: {what}.", file.display()), advice };
    let text = std::fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
    let text = text.trim();
    if text.len() < TOKEN || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(refuse("the token is too short, or has characters that no header has".to_owned()));
    }
    Ok(Some(Sha256::digest(text).into()))
}

async fn answer(app: &App, token: Option<&TokenDigest>, request: &AdminRequest) -> AdminAnswer {
    if !matches!(request.method, Method::GET | Method::HEAD) {
        return told(StatusCode::METHOD_NOT_ALLOWED, "The method is not allowed here; allowed: GET, HEAD.");
    }
    // Whatever checks that the process lives has no secret.
    if request.path != "/healthz" && token.is_some_and(|token| !carries(request, token)) {
        return told(StatusCode::UNAUTHORIZED, "The token of admin.token_file is needed: Authorization: Bearer TOKEN.");
    }
    match request.path.as_str() {
        "/metrics" => {
            AdminAnswer { status: StatusCode::OK, media_type: METRICS, text: app.monitor.page(&app.platform) }
        }
        "/healthz" => AdminAnswer::json(StatusCode::OK, &json!({"status": "ok"})),
        "/readyz" => readiness(app).await,
        _ => told(StatusCode::NOT_FOUND, "There are /metrics, /healthz and /readyz."),
    }
}

fn told(status: StatusCode, message: &str) -> AdminAnswer {
    AdminAnswer::json(status, &json!({"message": message}))
}

fn carries(request: &AdminRequest, token: &TokenDigest) -> bool {
    let given = request.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer "));
    given.is_some_and(|given| <TokenDigest>::from(Sha256::digest(given)) == *token)
}

/// Returns the readiness of the node with all causes that speak against it.
async fn readiness(app: &App) -> AdminAnswer {
    let mut causes = Vec::new();
    if app.draining.load(Relaxed) {
        causes.push(json!({"cause": "stopping", "message": "The server is about to stop."}));
    }
    for fault in app.platform.faults().await {
        let (cause, message) = match fault.code {
            "folder_unwritable" => ("folder", "The folder of the data cannot be written."),
            _ => ("database", "The database does not answer."),
        };
        causes.push(json!({"cause": cause, "message": message, "detail": fault.detail}));
    }
    match causes.is_empty() {
        true => AdminAnswer::json(StatusCode::OK, &json!({"status": "ready", "causes": []})),
        false => AdminAnswer::json(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "not ready", "causes": causes})),
    }
}
