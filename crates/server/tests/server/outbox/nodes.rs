//! Several nodes over one database.

use crate::outbox::crashes::until;
use crate::outbox::messages::{enqueue, mail, mailing, mailing_within, sms, states};
use messages::outbox;
use messages::outbox::Method;
use spec::spec;
use std::collections::BTreeSet;
use testing::{Engine, SmtpServer};

#[spec("D-39")]
async fn each_message_is_sent_by_one_of_two_nodes(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let one = mailing(engine, &smtp, &[]).await;
    let other = one.node().await;
    enqueue(&one, (0..100).map(|number| mail(&format!("user-{number}@acme.test"))).collect()).await;
    enqueue(&other, (0..20).map(|number| sms(&format!("+4206010000{number:02}"))).collect()).await;
    let (first, second) = tokio::join!(one.deliver(), other.deliver());
    // Whoever met the other's lock left what it did not get to the other.
    let rest = one.deliver().await;
    assert_eq!(first.sent + second.sent + rest.sent, 120);
    let taken = smtp.taken();
    let recipients: BTreeSet<&str> = taken.iter().map(|(to, _)| to[0].as_str()).collect();
    assert_eq!((taken.len(), recipients.len()), (100, 100), "each once");
    assert_eq!(one.texts().len(), 20);
    assert_eq!(states(&one).await, vec!["sent"; 120]);
}

#[spec]
async fn a_node_that_ended_while_it_sent_is_relieved_after_its_lease(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let one = mailing(engine, &smtp, &[]).await;
    let other = one.node().await;
    enqueue(&one, vec![mail("ann@acme.test"), mail("bob@acme.test")]).await;
    smtp.fail(testing::SmtpStep::Content, testing::SmtpFault::Hang);
    // Both mails have come, and neither was answered: as if the node were gone.
    let sending = async { until("both mails", async || smtp.come().len() == 2).await };
    tokio::select! { ended = one.deliver() => panic!("it waits for an answer: {ended:?}"), () = sending => {} }
    assert_eq!(states(&one).await, ["sending", "sending"]);
    let cancelled = one.elevated(|tx, context| outbox::cancel(tx, context, 1, Some(Method::MailCode)));
    assert_eq!(cancelled.await.unwrap(), 2);
    smtp.heal();
    other.clock().advance(61);
    assert_eq!(other.deliver().await.sent, 0, "a rotated secret is not sent again, whoever had it");
    assert_eq!(states(&one).await, ["cancelled", "cancelled"]);
    enqueue(&one, vec![mail("eve@acme.test")]).await;
    smtp.fail(testing::SmtpStep::Content, testing::SmtpFault::Hang);
    let sending = async { until("the third mail", async || smtp.come().len() == 3).await };
    tokio::select! { ended = one.deliver() => panic!("it waits for an answer: {ended:?}"), () = sending => {} }
    smtp.heal();
    other.clock().advance(7);
    assert_eq!(other.deliver().await.sent, 0, "it is the other's for eight seconds");
    other.clock().advance(1);
    assert_eq!(other.deliver().await.sent, 1);
    let eve: Vec<_> = smtp.come().into_iter().filter(|mail| mail.to == ["eve@acme.test"]).collect();
    assert_eq!((eve.len(), &eve[0].id), (2, &eve[1].id), "the repeat has the same Message-ID");
}

#[spec]
async fn a_lease_is_renewed_while_a_node_sends_and_its_outcome_counts_with_its_claim_alone(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let one = mailing_within("8s", engine, &smtp, &[]).await;
    let other = one.node().await;
    enqueue(&one, vec![mail("ann@acme.test")]).await;
    smtp.fail(testing::SmtpStep::Content, testing::SmtpFault::Hang);
    // The clock is that of both. The lease is renewed by it, so that it ends eight seconds behind each renewal.
    let sending = tokio::spawn({
        let one = one.clone();
        async move { one.deliver().await }
    });
    until("the mail", async || smtp.come().len() == 1).await;
    one.clock().advance(20);
    assert_eq!(other.deliver().await.sent, 0, "the other hangs, too");
    assert_eq!(smtp.come().len(), 2, "the lease was over, and the other took it");
    // Both gave up by now, but only the later claim was written down.
    sending.await.unwrap();
    assert_eq!(crate::outbox::messages::rows(&one).await[0].1, 2);
    assert_eq!(states(&one).await, ["waiting"]);
    smtp.heal();
}
