//! What a write brings along, in the audit log and in the outbox: it is there with the write, or not at all.

use super::setup::{Setup, refusal};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{Name, ReadCost, Tx};
use messages::outbox;
use messages::outbox::{Message, Template, Values};
use model::error::{Error, Result};
use query::request::ItemRef;
use resources::Body;
use serde_json::json;
use spec::spec;

/// How many users, events and messages there are.
async fn counts(setup: &Setup, key: &CallerKey) -> [u64; 3] {
    let count = |table: &'static str| {
        let job = move |tx: &mut Tx<'_>, _: &RequestContext| {
            let mut sql = tx.sql();
            sql.push("SELECT count(*) FROM ").table(&Name::fixed(table));
            let mut count = 0;
            tx.query(&sql, &mut |row| {
                count = row.integer(0)? as u64;
                Ok(())
            })?;
            Ok(count)
        };
        setup.tenant.read_elevated(ReadCost::Scan, job)
    };
    [setup.count(key, "user").await, count("plinth_audit").await.unwrap(), count("plinth_outbox").await.unwrap()]
}

/// The event of the audit log's last row, and whom it is about.
async fn last(setup: &Setup) -> (String, i64) {
    let job = |tx: &mut Tx<'_>, _: &RequestContext| {
        let mut sql = tx.sql();
        sql.push("SELECT event, subject FROM ")
            .table(&Name::fixed("plinth_audit"))
            .push(" ORDER BY id DESC")
            .limit(1, 0);
        let mut last = None;
        tx.query(&sql, &mut |row| {
            last = Some((row.text(0)?.to_owned(), row.integer(1)?));
            Ok(())
        })?;
        Ok(last.unwrap())
    };
    setup.tenant.read_elevated(ReadCost::Point, job).await.unwrap()
}

/// The head of the audit log; gives what it was.
async fn set_head(setup: &Setup, text: String) -> String {
    let job = move |tx: &mut Tx<'_>, _: &RequestContext| {
        let mut sql = tx.sql();
        sql.push("SELECT content FROM ").table(&Name::fixed("plinth_meta")).push(" WHERE name = 'audit'");
        let mut before = String::new();
        tx.query(&sql, &mut |row| {
            row.text(0)?.clone_into(&mut before);
            Ok(())
        })?;
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&Name::fixed("plinth_meta")).push(" SET content = ").bind(text.as_str());
        sql.push(" WHERE name = 'audit'");
        tx.execute(&sql)?;
        Ok(before)
    };
    setup.tenant.write_elevated(job).await.unwrap()
}

#[spec("D-24")]
async fn events_and_messages_belong_to_the_transaction_of_their_write(setup: Setup) {
    let key = setup.key("admin").await;
    let user = |name: &str| json!({"user_id": format!("{name}@acme.test"), "user_name": name, "roles": ["reader"]});
    // Makes a user and a message to it, and then fails, or not.
    let create = async |body: Body, fails: bool| {
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
            let id = resources::create(tx, context, "user", &body)?.id;
            let values = Values { code: Some("482913".to_owned()), ..Values::default() };
            let (template, recipient) = (Template::VerifyCode, "ann@acme.test".to_owned());
            outbox::enqueue(tx, context, &Message { template, recipient, language: None, values, reference: None })?;
            if fails { Err(Error::invalid("undone", "undone")) } else { Ok(id) }
        };
        setup.tenant.write(&key, job).await
    };
    let [users, events, messages] = counts(&setup, &key).await;
    let body = setup.body(&key, "user", user("ann")).await.unwrap();
    assert_eq!(refusal(create(body.clone(), true).await), "Invalid undone");
    assert_eq!(counts(&setup, &key).await, [users, events, messages]);
    let ann = create(body, false).await.unwrap();
    assert_eq!(counts(&setup, &key).await, [users + 1, events + 1, messages + 1]);
    assert_eq!(last(&setup).await, ("user.created".to_owned(), ann));

    // The same for an update.
    let update = async |body: Body, fails: bool| -> Result<()> {
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
            resources::patch(tx, context, "user", &ItemRef::Id(ann), None, &body)?;
            if fails { Err(Error::invalid("undone", "undone")) } else { Ok(()) }
        };
        setup.tenant.write(&key, job).await
    };
    let body = setup.body(&key, "user", json!({"roles": ["editor"]})).await.unwrap();
    assert_eq!(refusal(update(body.clone(), true).await), "Invalid undone");
    assert_eq!(counts(&setup, &key).await, [users + 1, events + 1, messages + 1]);
    update(body, false).await.unwrap();
    assert_eq!(counts(&setup, &key).await, [users + 1, events + 2, messages + 1]);
    assert_eq!(last(&setup).await, ("roles.changed".to_owned(), ann));

    // Of a hundred that want one address, whoever gets it is written down, and nobody else.
    let body = setup.body(&key, "user", user("bob")).await.unwrap();
    let tries = (0..100).map(|_| create(body.clone(), false));
    let made: Vec<i64> = futures_util::future::join_all(tries).await.into_iter().filter_map(Result::ok).collect();
    assert_eq!(made.len(), 1);
    assert_eq!(counts(&setup, &key).await, [users + 2, events + 3, messages + 2]);
    assert_eq!(last(&setup).await, ("user.created".to_owned(), made[0]));

    // Without its event, a write is none, and neither is what it was to send.
    let head = set_head(&setup, "damaged".to_owned()).await;
    let body = setup.body(&key, "user", user("eve")).await.unwrap();
    let refused = create(body.clone(), false).await.unwrap_err();
    assert!(refused.detail.unwrap().contains("head of the audit log"));
    assert_eq!(counts(&setup, &key).await, [users + 2, events + 3, messages + 2]);
    set_head(&setup, head).await;
    create(body, false).await.unwrap();
    assert_eq!(counts(&setup, &key).await, [users + 3, events + 4, messages + 3]);
}
