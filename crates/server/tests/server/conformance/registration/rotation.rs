//! Another master key while accounts wait to be verified: servers go on, codes of before hold, the log holds.

use super::{Account, open, secret};
use context::secret_store::{NewSecret, SecretKind};
use context::vault::{KeyPurpose, MasterKey, Vault};
use database::{ColumnType, Name, ValueRef};
use model::place::{ExpressionPlace, compile};
use resources::expressions::{Parts, PlatformProviders, Reading, Secrets, evaluate};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::HashMap;
use testing::{Engine, Server};

const VALUE: &str = "s3cr3t-of-the-erp-0123456789";

/// What is sealed of the secret `erp`, as it lies in the database.
async fn sealed(server: &Server) -> Vec<u8> {
    let read = server.elevated(|tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT content FROM ").table(&Name::fixed("plinth_named_secret")).push(" WHERE name = ").bind("erp");
        let mut content = Vec::new();
        tx.query(&sql, &mut |row| {
            if let ValueRef::Bytes(bytes) = row.get(0, ColumnType::Bytes)? {
                content = bytes.to_vec();
            }
            Ok(())
        })?;
        Ok(content)
    });
    read.await.unwrap()
}

/// Whether an automation would be given the secret.
async fn reads(server: &Server) -> bool {
    let read = server.elevated(|tx, context| {
        let program = compile(
            "{=getSecret('erp')}",
            ExpressionPlace::Automation,
            None,
            HashMap::new(),
            expression::scope::ValueKind::Any,
        );
        let parts = Parts { secrets: Secrets::Read, ..Parts::default() };
        let providers = PlatformProviders::new(tx, context, Reading::Look, parts);
        evaluate(&providers, &program.unwrap(), expression::Value::Null)
    });
    matches!(read.await.unwrap(), Ok(expression::Value::Secret(_)))
}

#[spec]
async fn a_rotated_key_opens_all_and_the_former_one_nothing(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let other = server.node().await;
    let erp = NewSecret { name: "erp".into(), title: None, kind: SecretKind::String, value: VALUE.into() };
    server.elevated(move |tx, context| context::secret_store::set(tx, context, &erp)).await.unwrap();
    // One code waits in the outbox, another was sent.
    let sent = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let code = secret(&server, "mail_code").await;
    let body = json!({"user_id": "eve@example.com", "user_name": "Eve", "verify_account": {"mail_code": {}}});
    let waiting = Account::register(&clerk, body).await;
    let before = sealed(&server).await;

    let (done, printed) = server.command(env!("CARGO_BIN_EXE_plinth"), &["secret", "rotate", "--json"]).await;
    assert!(done, "{printed}");
    let line = printed.lines().find(|line| line.starts_with('{')).unwrap();
    let told: Json = serde_json::from_str(line).unwrap();
    let former = std::fs::read_to_string(told["formerKeyFile"].as_str().unwrap()).unwrap();
    let after = sealed(&server).await;
    let former = Vault::new(&MasterKey::parse(&former).unwrap(), "acme");
    assert_eq!(former.open(KeyPurpose::Secret, b"erp", &before).as_deref(), Some(VALUE.as_bytes()));
    assert_eq!(former.open(KeyPurpose::Secret, b"erp", &after), None, "whoever has the former key reads nothing");

    for node in [&server, &other, &server.node().await] {
        assert!(reads(node).await);
    }
    let proven = json!({"methodDone": true, "challengeCompleted": true});
    assert_eq!(sent.prove(&other.client(), "mail_code", &code).await.is(200).json(), proven);
    let code = secret(&server, "mail_code").await;
    assert_eq!(waiting.prove(&server.client(), "mail_code", &code).await.is(200).json(), proven);
    assert_eq!(server.audited(None).await["broken"], json!(null));
    let events = server.admin().get("/api/ext/v1/audit?event=vault.rotated").await.is(200).at("/items");
    assert_eq!(events.as_array().unwrap().len(), 1);
}
