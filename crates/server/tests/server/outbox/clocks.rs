//! Nodes on machines whose clocks differ: the database's clock decides.

use crate::outbox::messages::{enqueue, mail, mailing_within, states};
use accounts::users::{self, NewUserKey};
use context::scopes::KeyScopes;
use jiff::SignedDuration;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server, SmtpFault, SmtpServer, SmtpStep};

const LIMIT: Duration = Duration::from_secs(300);

/// A server, a node that is two minutes ahead of it, and one that is two minutes behind.
async fn nodes(smtp: &SmtpServer) -> [Server; 3] {
    let server = mailing_within("8s", Engine::Postgres, smtp, &[]).await;
    let (ahead, behind) = (server.node_off_by(120).await, server.node_off_by(-120).await);
    [server, ahead, behind]
}

#[spec(plain, "D-39")]
fn nodes_whose_clocks_differ_send_each_mail_once() {
    testing::run_within(LIMIT, Engine::Postgres, "mails of nodes whose clocks differ", async |_: Engine| {
        let smtp = SmtpServer::start().await;
        let [_server, ahead, behind] = nodes(&smtp).await;
        smtp.fail(SmtpStep::Content, SmtpFault::Hang);
        enqueue(&behind, (0..4).map(|number| mail(&format!("user-{number}@r{number}.test"))).collect()).await;
        let sending = tokio::spawn({
            let behind = behind.clone();
            async move { behind.deliver().await }
        });
        while smtp.come().len() < 4 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(ahead.deliver().await.sent, 0, "the leases of the node that is behind are not over");
        assert_eq!(smtp.come().len(), 4);
        smtp.heal();
        sending.await.unwrap();
        // What one enqueues is due for the other at once.
        enqueue(&ahead, vec![mail("ann@acme.test")]).await;
        assert_eq!(behind.deliver().await.sent, 1);
        assert_eq!(states(&ahead).await, ["waiting", "waiting", "waiting", "waiting", "sent"]);
    });
}

#[test]
fn keys_hold_on_nodes_whose_clocks_differ() {
    testing::run_within(LIMIT, Engine::Postgres, "keys on nodes whose clocks differ", async |_: Engine| {
        let smtp = SmtpServer::start().await;
        let [_server, ahead, behind] = nodes(&smtp).await;
        for (here, there) in [(&ahead, &behind), (&behind, &ahead)] {
            let key = here.key("admin").await;
            there.client().with("key", &key).get("collection/note").await.is(204);
            // One that ends in a minute holds, on each of them.
            let made = here.elevated(|tx, context| {
                let valid = Some((context.now + SignedDuration::from_secs(60)).to_string());
                let (login, scopes) = ("reader@acme.test".to_owned(), KeyScopes::all());
                let key =
                    users::create_scoped_key(tx, context, NewUserKey { login, scopes, description: None, valid })?;
                Ok(key.json()["keyString"].as_str().unwrap_or_default().to_owned())
            });
            let key = made.await.unwrap();
            for node in [here, there] {
                assert_eq!(node.client().with("key", &key).get("auth").await.at("/status"), "valid");
            }
        }
        assert_eq!([ahead.notable_skew().await, behind.notable_skew().await].map(|skew| skew.is_some()), [true; 2]);
        // Their presents are the same, up to the way to the database.
        let present = async |node: &Server| node.look(|_, context| Ok(context.now.as_millisecond())).await;
        let (one, other) = (present(&ahead).await, present(&behind).await);
        assert!((one - other).abs() < 5_000, "{one} {other}");
    });
}
