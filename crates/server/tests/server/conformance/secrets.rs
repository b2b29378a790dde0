//! Secrets in expressions: who may read and write them, and that they come out nowhere.

use context::request_context::RequestContext;
use context::secret_store::{NewSecret, SecretKind};
use context::value_json::to_json;
use model::place::{ExpressionPlace, compile};
use resources::expressions::{Parts, PlatformProviders, Reading, Secrets, accept, evaluate};
use serde_json::json;
use spec::spec;
use std::collections::HashMap;
use testing::Server;

const VALUE: &str = "s3cr3t-of-the-erp-0123456789";

fn new(name: &str, kind: SecretKind, value: &str) -> NewSecret {
    NewSecret { name: name.to_owned(), title: None, kind, value: value.to_owned() }
}

/// What an expression of an automation gives: what it looks like, or its fault's code and message.
fn run(
    tx: &mut database::Tx<'_>,
    context: &RequestContext,
    secrets: Secrets,
    text: &str,
) -> model::error::Result<String> {
    let program =
        compile(text, ExpressionPlace::Automation, None, HashMap::new(), expression::scope::ValueKind::Any).unwrap();
    let parts = Parts { secrets, ..Parts::default() };
    let providers = PlatformProviders::new(tx, context, Reading::Hold, parts);
    Ok(match evaluate(&providers, &program, expression::Value::Null)? {
        Ok(value) => {
            // The ways out: as JSON of an answer, as the value of a property, as text.
            assert!(!format!("{value:?}").contains(VALUE));
            if matches!(value, expression::Value::Secret(_)) {
                assert_eq!(to_json(&value, &providers).unwrap_err().code, "secret_refused");
                let article = context.model.collection("article").unwrap();
                for field in &article.fields {
                    let refused = accept(field, &value, &context.value_context(), &providers).unwrap_err();
                    assert_eq!(refused.code, "secret_refused", "{}", field.name);
                }
                "***".to_owned()
            } else {
                to_json(&value, &providers).unwrap().to_string()
            }
        }
        Err(diagnostic) => format!("{}: {}", diagnostic.code, diagnostic.message),
    })
}

#[spec("R-328", "R-431", "R-432", "R-433")]
async fn secrets_are_read_saved_and_removed_by_expressions_and_stay_secret(server: Server) {
    let shown = server
        .elevated(|tx, context| {
            context::secret_store::set(tx, context, &new("erp", SecretKind::String, VALUE))?;
            context::secret_store::set(tx, context, &new("oauth", SecretKind::Json, r#"{"id": "a", "list": [1, 2]}"#))?;
            let mut ask = |text| run(tx, context, Secrets::Write, text);
            Ok([
                ask("{=getSecret('erp')}")?,
                ask("{='Bearer ' ~ getSecret('erp')}")?,
                ask("{=base64_encode(getSecret('erp'))}")?,
                ask("{=getSecret('oauth').id}")?,
                ask("{=getSecret('oauth').list}")?,
                ask("{=explode('-', getSecret('erp'))}")?,
                ask("{=object({a: getSecret('erp')})}")?,
                ask("{=length(getSecret('erp')) > 3}")?,
                ask("{=saveSecret('copy', getSecret('erp') ~ '!', 'A copy')}")?,
                ask("{=saveSecret('made', {a: 1}, '', 'json')}")?,
                ask("{=getSecret('made').a}")?,
                ask("{=removeSecret('made')}")?,
                ask("{=removeSecret('made')}")?,
                ask("{=getSecret('made')}")?,
                ask("{=saveSecret('x', {a: 1})}")?,
                ask("{=saveSecret('x', 'y', '', 'number')}")?,
                ask("{=saveSecret('x y', 'y')}")?,
            ])
        })
        .await
        .unwrap();
    let hidden = ["***"; 8];
    assert_eq!(shown[..8], hidden);
    assert_eq!(shown[8..13], ["***", "true", "***", "true", "false"]);
    let faults = ["secret_missing", "secret_value", "secret_type", "secret_name"];
    for (fault, code) in shown[13..].iter().zip(faults) {
        assert!(fault.starts_with(code), "{fault}");
    }
    let listed = server.elevated(context::secret_store::list).await.unwrap();
    let listed: Vec<_> = listed.iter().map(|secret| (secret.name.as_str(), secret.title.as_str())).collect();
    assert_eq!(listed, [("copy", "A copy"), ("erp", ""), ("oauth", "")]);
}

#[spec]
async fn secrets_are_written_in_the_transaction_and_only_where_the_place_may(server: Server) {
    let undone: model::error::Result<()> = server
        .elevated(|tx, context| {
            assert_eq!(run(tx, context, Secrets::Write, "{=saveSecret('kept', 'a')}")?, "true");
            Err(model::error::Error::invalid("undone", "It is undone."))
        })
        .await;
    assert_eq!(undone.unwrap_err().code, "undone");
    let asked = server
        .elevated(|tx, context| {
            Ok([
                run(tx, context, Secrets::Read, "{=getSecret('kept')}")?,
                run(tx, context, Secrets::Read, "{=saveSecret('kept', 'a')}")?,
                run(tx, context, Secrets::Read, "{=removeSecret('kept')}")?,
                run(tx, context, Secrets::None, "{=getSecret('kept')}")?,
            ])
        })
        .await
        .unwrap();
    let codes: Vec<&str> = asked.iter().filter_map(|fault| fault.split(':').next()).collect();
    assert_eq!(codes, ["secret_missing", "provider_missing", "provider_missing", "provider_missing"], "{asked:?}");
    let audited = server.admin().get("/api/ext/v1/audit?event=secret.set").await.is(200);
    assert_eq!(audited.at("/items"), json!([]), "what was undone was never written down");
}
