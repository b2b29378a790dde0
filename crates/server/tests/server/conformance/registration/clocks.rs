//! Links and codes on nodes of which one is two minutes ahead and one behind: the database's clock ends them.

use super::{Account, OPEN, ann, parameter};
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, ValueRef};
use serde_json::json;
use std::time::Duration;
use testing::{Client, Engine, Server};

const LIMIT: Duration = Duration::from_secs(300);
/// Within what the clocks are off, in milliseconds: a node that trusts its own clock is wrong about such a moment.
const NEAR: i64 = 90_000;
/// The life of a link for a password.
const HOUR: i64 = 3_600_000;
/// What the nodes may differ by on their way to the database, in milliseconds.
const WAY: i64 = 5_000;

/// Two nodes over a tenant that lets users register, each with a client of whoever registers others.
async fn nodes() -> [(Server, Client); 2] {
    let server = Server::with(Engine::Postgres, &OPEN).await;
    let key = server.key("clerk").await;
    let with_clerk = |node: Server| {
        let clerk = node.client().with("key", &key);
        (node, clerk)
    };
    [server.node_off_by(120).await, server.node_off_by(-120).await].map(with_clerk)
}

async fn present(node: &Server) -> i64 {
    node.look(|_, context| Ok(context.now.as_millisecond())).await
}

/// Has all rows of a table end so many milliseconds behind the database's present.
async fn end_in(node: &Server, table: &str, milliseconds: i64) {
    let end = format!("clock_timestamp() + interval '{milliseconds} milliseconds'");
    node.tamper(&format!("UPDATE %{table} SET expires = {end}")).await;
}

/// When the newest link for a password ends, in milliseconds.
async fn end_of_link(node: &Server) -> i64 {
    let read = |tx: &mut Tx<'_>, _: &RequestContext| {
        let mut sql = tx.sql();
        sql.push("SELECT expires FROM ").table(&Name::fixed("plinth_reset")).push(" ORDER BY id DESC").limit(1, 0);
        let mut end = None;
        tx.query(&sql, &mut |row| {
            if let ValueRef::Timestamp(at) = row.get(0, ColumnType::Timestamp)? {
                end = Some(at);
            }
            Ok(())
        })?;
        Ok(end)
    };
    node.look(read).await.unwrap()
}

/// Does what was put off, and sends what comes of it.
async fn deliver(node: &Server) {
    node.deliver().await;
    node.deliver().await;
}

#[test]
fn links_for_passwords_end_by_the_databases_clock() {
    testing::run_within(LIMIT, Engine::Postgres, "resets on nodes whose clocks differ", async |_: Engine| {
        let [ahead, behind] = nodes().await;
        for (user, (here, clerk), (there, other)) in [("reader", &ahead, &behind), ("editor", &behind, &ahead)] {
            let before = here.mails().len();
            let began = present(there).await;
            let body = json!({"user_id": format!("{user}@acme.test")});
            clerk.post("app/user.resetpassword", body.clone()).await.is(200);
            deliver(here).await;
            // One a minute, whichever node is asked.
            other.post("app/user.resetpassword", body).await.is(200);
            deliver(there).await;
            let mails = here.mails();
            assert_eq!(mails.len(), before + 1, "a minute is not over on the other node");
            let token = parameter(&mails.last().unwrap().links[0], "token").unwrap();
            let life = end_of_link(here).await - began;
            let took = present(there).await - began;
            assert!((HOUR - WAY..=HOUR + took + WAY).contains(&life), "{user}: {life} ms");

            for node in [here, there] {
                end_in(node, "plinth_reset", NEAR).await;
                assert!(node.reset_link(&token, None).await.unwrap().usable, "{user}: it is good for a while yet");
                end_in(node, "plinth_reset", -NEAR).await;
                assert!(!node.reset_link(&token, None).await.unwrap().usable, "{user}: it is over");
                let late = node.reset_with(&token, "correct horse battery").await;
                assert_eq!(late.unwrap_err().code, "reset_unusable");
            }
            end_in(here, "plinth_reset", NEAR).await;
            there.reset_with(&token, "correct horse battery").await.unwrap();
        }
    });
}

#[test]
fn links_and_codes_of_challenges_end_by_the_databases_clock() {
    testing::run_within(LIMIT, Engine::Postgres, "challenges on nodes whose clocks differ", async |_: Engine| {
        let [ahead, behind] = nodes().await;
        for (number, ((here, clerk), (there, _))) in [(&ahead, &behind), (&behind, &ahead)].into_iter().enumerate() {
            let methods = json!({"mail_link": {"validity": "+1 minute"}, "sms_code": {"send_link": true}});
            let own = json!({"user_id": format!("u{number}@example.com"), "phone": format!("+42060123456{number}"),
                "verify_account": methods});
            let account = Account::register(clerk, ann(own)).await;
            deliver(here).await;
            let mailed = here.mails().last().unwrap().links[0].clone();
            let texted = here.texts().last().unwrap().links[0].clone();
            for (link, method, next) in [(mailed, "mail_link", "steps are left"), (texted, "sms_code", "")] {
                let path = link.strip_prefix("https://acme.example/app").unwrap();
                let secret = parameter(path, "secret").unwrap();
                end_in(here, "plinth_challenge_method", -NEAR).await;
                there.client().get(path).await.is(200).says("This link does not work");
                for node in [here, there] {
                    let late = account.prove(&node.client(), method, &secret).await.is(200);
                    assert_eq!(late.at("/methodDone"), false, "{method}");
                }
                end_in(here, "plinth_challenge_method", NEAR).await;
                let opened = there.client().get(path).await;
                assert!([200, 302, 303].contains(&opened.status), "{}", opened.text);
                opened.says(next).lacks("This link does not work");
            }
            assert_eq!(account.state(here).await, Some(true));
        }
    });
}

/// The shortest validity is half of what the clocks are off by: what one makes is good on the other.
#[test]
fn a_validity_of_a_minute_holds_on_nodes_whose_clocks_differ() {
    testing::run_within(LIMIT, Engine::Postgres, "a minute on nodes whose clocks differ", async |_: Engine| {
        let [ahead, behind] = nodes().await;
        let mut number = 0;
        for ((here, clerk), (there, _)) in [(&behind, &ahead), (&ahead, &behind)] {
            // A busy machine may take that minute itself: then it is tried again.
            loop {
                number += 1;
                let began = present(there).await;
                let methods = json!({"mail_link": {"validity": "+1 minute"}});
                let own = json!({"user_id": format!("m{number}@example.com"), "verify_account": methods});
                let account = Account::register(clerk, ann(own)).await;
                deliver(here).await;
                let secret = parameter(&here.mails().last().unwrap().links[0], "secret").unwrap();
                let proven = account.prove(&there.client(), "mail_link", &secret).await.is(200);
                if present(there).await - began < 60_000 {
                    assert_eq!(proven.at("/methodDone"), true, "{}", proven.text);
                    break;
                }
            }
        }
    });
}
