//! What tests put into the outbox, and what they see of it.

use database::{ColumnType, Name, ValueRef};
use messages::outbox;
use messages::outbox::{Message, Method, Reference, Template, Values};
use platform::tenants::Settings;
use testing::{Engine, File, Server, SmsGateway, SmtpServer};

/// The code in all messages of the tests, which nobody but the recipient may see.
pub(crate) const CODE: &str = "482913";

/// A mail with the code.
pub(crate) fn mail(to: &str) -> Message {
    Message {
        template: Template::VerifyCode,
        recipient: to.to_owned(),
        language: None,
        values: Values { name: "Ann".to_owned(), code: Some(CODE.to_owned()), ..Values::default() },
        reference: Some(Reference::Challenge(1, Method::MailCode)),
    }
}

/// An SMS with the code.
pub(crate) fn sms(to: &str) -> Message {
    Message { template: Template::VerifySms, ..mail(to) }
}

/// Puts messages into the outbox; gives their numbers.
pub(crate) async fn enqueue(server: &Server, messages: Vec<Message>) -> Vec<i64> {
    let put = server
        .elevated(move |tx, context| messages.iter().map(|message| outbox::enqueue(tx, context, message)).collect());
    put.await.unwrap()
}

/// Of each row: its state, its tries, the last error, and whether it holds anything sealed.
pub(crate) async fn rows(server: &Server) -> Vec<(String, i64, String, bool)> {
    let read = server.elevated(|tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT state, tries, error, content FROM ").table(&Name::fixed("plinth_outbox")).push(" ORDER BY id");
        let mut rows = Vec::new();
        tx.query(&sql, &mut |row| {
            let error = match row.get(2, ColumnType::Text)? {
                ValueRef::Text(error) => error.to_owned(),
                _ => String::new(),
            };
            rows.push((row.text(0)?.to_owned(), row.integer(1)?, error, !row.is_null(3)?));
            Ok(())
        })?;
        Ok(rows)
    });
    read.await.unwrap()
}

/// The states of all rows.
pub(crate) async fn states(server: &Server) -> Vec<String> {
    rows(server).await.into_iter().map(|(state, ..)| state).collect()
}

/// In how many seconds the next row is due, by the server's clock.
pub(crate) async fn due_in(server: &Server) -> i64 {
    let read = server.elevated(|tx, context| {
        let mut sql = tx.sql();
        sql.push("SELECT MIN(due) FROM ").table(&Name::fixed("plinth_outbox"));
        let mut due = None;
        tx.query(&sql, &mut |row| {
            if let ValueRef::Timestamp(moment) = row.get(0, ColumnType::Timestamp)? {
                due = Some(moment);
            }
            Ok(())
        })?;
        Ok((due.unwrap() - context.now.as_millisecond() + 999) / 1_000)
    });
    read.await.unwrap()
}

/// A server whose mails go to this mail server.
pub(crate) async fn mailing(engine: Engine, smtp: &SmtpServer, files: &[File<'_>]) -> Server {
    mailing_within("30s", engine, smtp, files).await
}

/// The same where the sending of one mail may take this long.
pub(crate) async fn mailing_within(
    time: &'static str,
    engine: Engine,
    smtp: &SmtpServer,
    files: &[File<'_>],
) -> Server {
    let own = vec![
        ("mail.transport", "smtp"),
        ("mail.host", "127.0.0.1"),
        ("mail.port", kept(&smtp.port().to_string())),
        ("mail.tls", "none"),
        ("mail.timeout", time),
    ];
    Server::settled(engine, Settings { address_rate: None, ..Settings::default() }, own, files).await
}

/// A server whose SMS go to this gateway.
pub(crate) async fn texting(engine: Engine, gateway: &SmsGateway, own: &[(&'static str, &'static str)]) -> Server {
    let mut all = vec![
        ("sms.transport", "http"),
        ("sms.url", kept(&gateway.url("/send?to={=trigger('phoneEncoded')}"))),
        ("sms.body", "{=jsonEncode({to: trigger('phone'), text: trigger('text'), from: trigger('sender')})}"),
        ("sms.headers", "Content-Type: application/json,Idempotency-Key: {=trigger('id')}"),
        ("sms.sender", "ACME"),
        ("outgoing.allow_private", "true"),
    ];
    all.extend_from_slice(own);
    Server::settled(engine, Settings { address_rate: None, ..Settings::default() }, all, &[]).await
}

/// A text for as long as the tests run.
pub(crate) fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
