//! Keys: made from login and password, judged, revoked.

use super::request::TenantRequest;
use accounts::keys::{self, KeyStatus};
use accounts::users::{self, SignIn};
use context::caller_key::CallerKey;
use edge::{Answer, Problem, Reply, body};
use serde_json::json;

/// POST /api/v1/auth. Credentials in the URL are refused: logs along the way keep URLs.
pub(super) async fn create(mut request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let form = body::form(&mut request.http, &["user", "password", "valid", "description", "permissions"]).await?;
    let field = |name: &str| form.get(name).map(str::to_owned);
    let sign_in = SignIn {
        login: field("user").ok_or_else(|| missing("user"))?,
        password: field("password").ok_or_else(|| missing("password"))?,
        valid: field("valid").filter(|valid| !valid.is_empty()),
        description: field("description"),
        permissions: form.get("permissions").map(|list| list.split(',').map(|scope| scope.trim().to_owned()).collect()),
        address: request.http.client,
    };
    let key = users::sign_in(&request.tenant, sign_in).await?;
    Ok(Answer::value(&json!({"authToken": key.json()})))
}

/// GET /api/v1/auth. Whatever is wrong with the key, it is `invalid`, not an error (D-7).
pub(super) async fn validate(request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let key = request.http.key().and_then(|text| CallerKey::parse(text).ok());
    let status = match key {
        Some(key) => keys::status(&request.tenant, &key).await?,
        None => KeyStatus::INVALID,
    };
    let valid_to = status.valid_to.as_deref().unwrap_or("");
    Ok(Answer::value(&json!({"status": status.word(), "validTo": valid_to})))
}

/// POST /api/v1/deauth. Anyone who has the key's text may revoke it (D-10).
pub(super) async fn revoke(mut request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let address = request.http.client;
    let form = body::form(&mut request.http, &["key"]).await?;
    let text = form.get("key").filter(|text| !text.is_empty()).ok_or_else(|| missing("key"))?;
    keys::revoke_by_text(&request.tenant, text, address).await?;
    Ok(Answer::json(r#"{"message":"API key deleted."}"#))
}

fn missing(field: &str) -> Problem {
    Problem::invalid_at(field, "field_missing", format!("The field {field} is missing."))
}
