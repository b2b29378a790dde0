//! Nodes on machines whose clocks differ: the database's clock decides.

use crate::outbox::messages::{enqueue, mail, mailing_within, states};
use crate::pages::visitor::Visitor;
use accounts::users::{self, NewUserKey};
use context::scopes::KeyScopes;
use jiff::SignedDuration;
use serde_json::json;
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

const ALBUM: (&str, &str) =
    ("types/album.yaml", "id: 20\nname: album\nproperties:\n  cover: {id: 200, kind: pFile, title: Cover}\n");

/// Sessions and addresses of files have times of the node that makes them, and hold on the others.
#[test]
fn sessions_and_addresses_of_files_hold_on_nodes_whose_clocks_differ() {
    testing::run_within(LIMIT, Engine::Postgres, "sessions on nodes whose clocks differ", async |engine: Engine| {
        // More than a session and an address hold.
        const DAY: i64 = 24 * 60 * 60;
        let server = Server::with(engine, &[ALBUM]).await;
        let (ahead, behind) = (server.node_off_by(DAY).await, server.node_off_by(-DAY).await);
        for (here, there, user) in [(&ahead, &behind, "editor"), (&behind, &ahead, "reader")] {
            let session = Visitor::signed_in(here, user).await;
            for node in [there, here] {
                let mut visitor = Visitor::new(node);
                visitor.cookies = session.cookies.clone();
                visitor.get("/account").await.is(200);
            }
            let admin = here.client().with("key", &here.key("admin").await);
            let promise = admin.promise("album/cover", "a.txt", b"hello").await;
            // A promise holds there, too.
            let maker = there.client().with("key", &there.key("admin").await);
            let row = maker.create("album", json!({"cover": promise})).await;
            let shown = admin.get(&format!("collection/album/{}", row["id"])).await.is(200);
            let address = shown.at("/cover/url");
            for node in [there, here] {
                assert_eq!(&node.client().get(address.as_str().unwrap()).await.is(200).bytes[..], b"hello");
            }
        }
    });
}
