//! The commands of accounts: registration, verification, recovery.

use super::literal::json;
use super::responses::{self, body};
use serde_json::{Map, Value};

/// The schemas of these commands.
pub fn schemas() -> Map<String, Value> {
    let mail_link = options(&[("validity", validity()), ("redirect_url", redirect())]);
    let code = [
        ("validity", validity()),
        ("redirect_url", redirect()),
        ("length", json!({"type": ["integer", "null"], "minimum": 4, "maximum": 64, "default": 6})),
        (
            "charlist",
            json!({
                "type": ["string", "null"], "minLength": 2, "maxLength": 100, "default": "0-9",
                "description": "Characters and ranges of them, such as 0-9A-Z; with length, at least 10,000 codes.",
            }),
        ),
    ];
    let message = json!({
        "type": ["string", "null"], "minLength": 1, "maxLength": 480,
        "description": "%tenant%, %code%, %link% and %validity% are replaced; by default a text in the tenant's language.",
    });
    let text: Vec<_> = code
        .iter()
        .cloned()
        .chain([("send_link", json!({"type": ["boolean", "null"], "default": false})), ("message", message)])
        .collect();
    let verification = options(&[
        ("title", line()),
        ("redirect_url", redirect()),
        ("mail_link", mail_link),
        ("mail_code", options(&code)),
        ("sms_code", options(&text)),
    ]);
    [("VerifyAccount", verification)].map(|(name, schema)| (name.to_owned(), schema)).into_iter().collect()
}

/// Describes the form of its answers.
pub fn envelope() -> Value {
    let names = json!({"type": "array", "items": {"type": "string"}});
    let schema = json!({
        "type": "object", "required": ["allowedDomains", "allowedRoles", "allowedGroups"],
        "properties": {"allowedDomains": names, "allowedRoles": names, "allowedGroups": names},
    });
    let answers = [("200", body("The allowed domains, roles and groups; no domains means all domains.", &schema, &[]))];
    operation(
        "register.envelope",
        "Read the allowed domains, roles and groups of registrations. Needs apiUserRegistration.",
        &answers,
        &[],
    )
}

/// Describes a registration.
pub fn register() -> Value {
    let answer = json!({
        "type": "object", "required": ["object", "apiKey", "challenge"],
        "properties": {
            "object": {"type": "object", "description": "The user."},
            "apiKey": {"type": ["string", "null"], "description": "A key that works once the account is verified."},
            "challenge": {"type": ["string", "boolean"], "description": "The challenge's identifier, or false."},
        },
    });
    let answers = [("200", body("The user, who cannot sign in before the verification.", &answer, &[]))];
    let summary = "Register a user. Needs apiUserRegistration.";
    let mut register = operation("register", summary, &answers, &["409", "413", "415"]);
    let optional = |kind: &str| json!({"type": [kind, "null"]});
    let mut verification = responses::schema("VerifyAccount");
    verification["description"] = "The methods of verification; a mailed link by default.".into();
    let properties = json!({
        "user_id": {"type": "string", "format": "email", "maxLength": 254},
        "user_name": {"type": "string", "minLength": 1, "maxLength": 200},
        "roles": {"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 100},
        "user_group": optional("string"),
        "password": {"type": ["string", "null"], "format": "password", "minLength": 10},
        "phone": {"type": ["string", "null"], "description": "In the form of E.164; needed with sms_code."},
        "verify_account": verification,
    });
    register["requestBody"] = input(&properties, &["user_id", "user_name"]);
    register
}

/// Describes a proof of an address.
pub fn challenge() -> Value {
    let done = json!({
        "type": "object", "required": ["methodDone", "challengeCompleted"],
        "properties": {
            "methodDone": {"type": "boolean"}, "challengeCompleted": {"type": "boolean"},
            "redirect": {"type": "string", "description": "The redirect URL; only after a verification."},
        },
    });
    let before = json!({"type": "object", "required": ["message"], "properties": {"message": {"const": "Method already done."}}});
    let answer = json!({"oneOf": [done, before]});
    let answers = [("200", body("The result. All failures have the same answer.", &answer, &[]))];
    let summary = "Verify a method of a challenge by its secret. Needs no key.";
    let mut challenge = responses::operation("user.challenge", summary, &answers, &["404", "413", "415", "503"]);
    let properties = json!({
        "userId": {"type": "integer", "format": "int64"}, "challengeId": {"type": "string", "minLength": 1, "maxLength": 200},
        "method": method(), "secret": {"type": "string", "minLength": 1, "maxLength": 200},
    });
    challenge["requestBody"] = input(&properties, &["userId", "challengeId", "method", "secret"]);
    challenge
}

/// The mailed link, which people follow: what it answers are pages.
pub fn link() -> Value {
    let page = |description: &str| {
        let mut page = responses::empty(description, &[]);
        page["content"] = json!({"text/html": {"schema": {"type": "string"}}});
        page
    };
    let mut moved = responses::empty(
        "A redirect to the configured address with status=success, to the page of confirmation, or to the home page.",
        &[],
    );
    moved["headers"]["Location"] = json!({"schema": {"type": "string"}});
    let answers = [("200", page("The result, for people.")), ("302", moved)];
    let summary = "Follow the mailed link that verifies. Needs no key.";
    let mut link = responses::operation("user.challenge.link", summary, &answers, &["404", "503"]);
    // Problems are told on pages as well, but for those of requests that are none.
    for status in ["400", "404", "429", "500", "503"] {
        let mut problem = page("A page with the error.");
        for media in ["application/json", "application/problem+json"] {
            let name = if media == "application/json" { "Problem" } else { "ProblemDetails" };
            problem["content"][media] = json!({"schema": responses::schema(name)});
        }
        link["responses"][status] = problem;
    }
    let query = |name: &str, schema: Value| json!({"name": name, "in": "query", "required": true, "schema": schema});
    link["parameters"] = json!([
        query("userId", json!({"type": "integer", "format": "int64"})),
        query("challengeId", json!({"type": "string", "minLength": 1, "maxLength": 200})),
        query("method", method()),
        query("secret", json!({"type": "string", "minLength": 1, "maxLength": 200})),
    ]);
    link
}

/// Describes another proof of an address.
pub fn retry() -> Value {
    let methods = json!({"type": "array", "items": method()});
    let targeted = json!({
        "type": "object", "required": ["challengeId", "retried", "skipped"],
        "properties": {"challengeId": {"type": "string"}, "retried": methods, "skipped": methods},
    });
    let recovered = json!({
        "type": "object", "required": ["message"],
        "properties": {"message": {"const": "If a pending verification exists, a new code has been sent."}},
    });
    let answer = json!({"oneOf": [targeted, recovered]});
    let answers = [("200", body("The renewed methods; without challengeId always the same message.", &answer, &[]))];
    let summary = "Renew and send the secrets of a challenge. Needs apiUserRegistration.";
    let mut retry = operation("retrychallenge", summary, &answers, &["413", "415"]);
    let mut wanted = method();
    wanted["enum"].as_array_mut().into_iter().for_each(|names| names.push(Value::Null));
    let properties = json!({
        "userId": {"type": ["integer", "null"], "format": "int64"}, "userEmail": {"type": ["string", "null"], "format": "email"},
        "challengeId": {"type": ["string", "null"], "minLength": 1}, "method": wanted,
    });
    retry["requestBody"] = input(&properties, &[]);
    retry
}

/// Describes the end of a registration.
pub fn cancel() -> Value {
    let answer = json!({
        "type": "object", "required": ["message", "userId"],
        "properties": {
            "message": {"const": "Registration cancelled and user deleted."}, "userId": {"type": "integer"},
        },
    });
    let answers = [("200", body("Deleted.", &answer, &[]))];
    let summary = "Delete a user whose registration is not completed. Needs apiUserRegistration.";
    let mut cancel = operation("cancelregistration", summary, &answers, &["409", "413", "415"]);
    let properties = json!({
        "userId": {"type": "integer", "format": "int64"},
        "apiKey": {"type": ["string", "null"], "description": "The key that the registration returned, if any."},
    });
    cancel["requestBody"] = input(&properties, &["userId"]);
    cancel
}

/// Describes a new password.
pub fn reset() -> Value {
    let answer = json!({
        "type": "object", "required": ["message"],
        "properties": {"message": {"const": "Password reset initiated. E-mail sent to the user."}},
    });
    let answers = [("200", body("The same for every user_id.", &answer, &[]))];
    let summary =
        "Mail a link for a new password. Needs apiUserPasswordReset, and api.allowApiPasswordReset of the tenant.";
    let mut reset = operation("resetpassword", summary, &answers, &["413", "415"]);
    let properties = json!({"user_id": {"type": "string", "format": "email"}, "redirect_url": redirect()});
    reset["requestBody"] = input(&properties, &["user_id"]);
    reset
}

fn operation(id: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["403", "404", "503"];
    statuses.extend(beside);
    responses::operation(&format!("user.{id}"), summary, answers, &statuses)
}

fn input(properties: &Value, required: &[&str]) -> Value {
    let schema =
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    json!({"required": true, "content": {"application/json": {"schema": schema}}})
}

fn options(properties: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": ["object", "null"], "properties": properties, "additionalProperties": false})
}

fn method() -> Value {
    json!({"enum": ["mail_link", "mail_code", "sms_code"]})
}

fn validity() -> Value {
    let description = "The time for which the secret is valid, such as +24 hours: from 1 minute to 30 days.";
    json!({"type": ["string", "null"], "maxLength": 100, "default": "+24 hours", "description": description})
}

fn redirect() -> Value {
    json!({"type": ["string", "null"], "format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://", "maxLength": 2_048})
}

fn line() -> Value {
    json!({"type": ["string", "null"], "maxLength": 200})
}
