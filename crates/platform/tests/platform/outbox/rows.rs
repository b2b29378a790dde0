//! Rows: with their transaction, sealed, cancelled, and of one master key.

use crate::writing::setup::Setup;
use database::{ColumnType, Name, ReadCost, ValueRef};
use messages::outbox;
use messages::outbox::{Message, Method, OutboxTask, Reference, Template, Values};
use model::error::{Error, ErrorKind};
use serde_json::json;
use spec::spec;
use std::sync::Arc;
use tenant::Tenant;

pub(super) fn message(challenge: i64, method: Method) -> Message {
    Message {
        template: Template::VerifyCode,
        recipient: "ann@acme.test".to_owned(),
        language: None,
        values: Values { code: Some("482913".to_owned()), ..Values::default() },
        reference: Some(Reference::Challenge(challenge, method)),
    }
}

/// States of all rows, and whether they hold anything sealed; fails where it can be read.
async fn rows(tenant: &Arc<Tenant>) -> Vec<(String, bool)> {
    let read = tenant.read_elevated(ReadCost::Scan, |tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT state, content FROM ").table(&Name::fixed("plinth_outbox")).push(" ORDER BY id");
        let mut rows = Vec::new();
        tx.query(&sql, &mut |row| {
            let content = match row.get(1, ColumnType::Bytes)? {
                ValueRef::Bytes(bytes) => {
                    assert!(!bytes.windows(6).any(|part| part == b"482913"), "the code is sealed");
                    true
                }
                _ => false,
            };
            rows.push((row.text(0)?.to_owned(), content));
            Ok(())
        })?;
        Ok(rows)
    });
    read.await.unwrap()
}

/// How often the sending of each row was tried.
pub(super) async fn tries(tenant: &Arc<Tenant>) -> Vec<i64> {
    let read = tenant.read_elevated(ReadCost::Scan, |tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT tries FROM ").table(&Name::fixed("plinth_outbox")).push(" ORDER BY id");
        let mut tries = Vec::new();
        tx.query(&sql, &mut |row| {
            tries.push(row.integer(0)?);
            Ok(())
        })?;
        Ok(tries)
    });
    read.await.unwrap()
}

#[spec("D-39")]
async fn rows_belong_to_their_transaction_and_are_wiped_when_cancelled(setup: Setup) {
    let tenant = &setup.tenant;
    let undone = tenant.write_elevated(|tx, context| {
        outbox::enqueue(tx, context, &message(1, Method::MailCode))?;
        Err::<(), _>(Error::invalid("undone", "undone"))
    });
    assert_eq!(undone.await.unwrap_err().code, "undone");
    assert_eq!(rows(tenant).await, []);
    let made = tenant.write_elevated(|tx, context| {
        let first = outbox::enqueue(tx, context, &message(1, Method::MailCode))?;
        outbox::enqueue(tx, context, &message(1, Method::MailLink))?;
        outbox::enqueue(tx, context, &message(2, Method::MailCode))?;
        outbox::later(tx, context, &OutboxTask { kind: "recover".to_owned(), input: json!({"code": "482913"}) })?;
        Ok(first)
    });
    made.await.unwrap();
    let of = |states: [&str; 4]| states.map(|state| (state.to_owned(), state == "waiting")).to_vec();
    assert_eq!(rows(tenant).await, of(["waiting"; 4]));
    let cancel = |method| tenant.write_elevated(move |tx, context| outbox::cancel(tx, context, 1, method));
    assert_eq!(cancel(Some(Method::MailCode)).await.unwrap(), 1);
    assert_eq!(rows(tenant).await, of(["cancelled", "waiting", "waiting", "waiting"]));
    assert_eq!(cancel(None).await.unwrap(), 1);
    assert_eq!(rows(tenant).await, of(["cancelled", "cancelled", "waiting", "waiting"]));
}

#[spec]
async fn with_another_master_key_only_what_needs_it_fails(setup: Setup) {
    let other = setup.node(2);
    let tenant = tokio::task::spawn_blocking(move || other.open("acme").unwrap()).await.unwrap();
    tenant
        .read_elevated(ReadCost::Scan, |tx, context| accounts::users::list(tx).map(|_| context.model.types.len()))
        .await
        .unwrap();
    let refused =
        tenant.write_elevated(|tx, context| outbox::enqueue(tx, context, &message(1, Method::MailCode)).map(drop));
    let error = refused.await.unwrap_err();
    assert_eq!((error.kind, error.message.contains("key")), (ErrorKind::Failed, false), "{error}");
    assert!(error.detail.unwrap().contains("security.key_file"));
    let kept = setup
        .tenant
        .write_elevated(|tx, context| outbox::enqueue(tx, context, &message(1, Method::MailCode)).map(drop));
    kept.await.unwrap();
}
