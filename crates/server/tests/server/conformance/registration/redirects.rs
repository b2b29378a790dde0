//! Where verifications lead to, in the API flow.

use super::{Account, failed, open, secret};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Engine;

const WHOLE: &str = "https://whole.example/done?from=plinth#top";
const MAIL: &str = "https://mail.example/done";
const SMS: &str = "https://sms.example/done?a=b";

#[spec("R-180", "R-187", "R-191", "R-197", "R-200", "R-201", "R-202", "R-204", "R-219", "A058")]
async fn a_redirect_follows_the_contracts_rules(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let whole = "https://whole.example/done?from=plinth&status=success#top";
    let (mail, sms) = ("https://mail.example/done?status=success", "https://sms.example/done?a=b&status=success");
    for (number, (of_challenge, of_mail, of_sms, first, last)) in [
        (None, None, None, None, None),
        (Some(WHOLE), None, None, None, Some(whole)),
        (None, Some(MAIL), None, Some(mail), None),
        (None, Some(MAIL), Some(SMS), Some(mail), Some(sms)),
        (Some(WHOLE), Some(MAIL), Some(SMS), Some(mail), Some(whole)),
    ]
    .into_iter()
    .enumerate()
    {
        let body = json!({
            "user_id": format!("u{number}@example.com"), "user_name": "U", "phone": "+420601234567",
            "verify_account": {
                "redirect_url": of_challenge, "mail_code": {"redirect_url": of_mail}, "sms_code": {"redirect_url": of_sms},
            },
        });
        let account = Account::register(&clerk, body).await;
        let secrets = [("mail_code", first, false), ("sms_code", last, true)];
        for (method, expected, completed) in secrets {
            let right = secret(&server, method).await;
            let client = server.client();
            assert_eq!(account.prove(&client, method, "x").await.is(200).json(), failed());
            let mut wanted = json!({"methodDone": true, "challengeCompleted": completed});
            if let Some(address) = expected {
                wanted["redirect"] = json!(address);
            }
            // 200, whatever there is to go to.
            let answer = account.prove(&client, method, &right).await.is(200);
            assert_eq!((answer.header("location"), answer.json()), ("", wanted), "{number} {method}");
            let again = account.prove(&client, method, &right).await.is(200);
            assert_eq!(again.json(), json!({"message": "Method already done."}));
            server.clock().advance(60);
        }
    }
}

/// The address stays on the server: what is sent does not have it in any form.
#[spec("R-184")]
async fn a_mailed_link_has_no_redirect_in_it(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let own = json!({"redirect_url": WHOLE, "mail_link": {"redirect_url": MAIL}, "sms_code": {"send_link": true}});
    Account::verified_by(&clerk, own).await;
    server.deliver().await;
    let (mails, texts) = (server.mails(), server.texts());
    assert_eq!((mails.len(), texts.len()), (1, 1));
    for text in [&mails[0].raw, &mails[0].text, &mails[0].html, &texts[0].text] {
        assert!(!text.contains("whole.example") && !text.contains("mail.example"), "{text}");
    }
    for link in [&mails[0].links[0], &texts[0].links[0]] {
        let query = link.split_once('?').unwrap().1;
        let names: Vec<&str> = query.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, _)| name).collect();
        assert_eq!(names, ["userId", "challengeId", "method", "secret"]);
    }
}

/// Redirects do not change what the API answers to whoever asks for new secrets.
#[spec("R-227")]
async fn a_retry_keeps_the_redirects(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {"redirect_url": MAIL}})).await;
    let retried = account.retry(&clerk).await.is(200).json();
    assert_eq!(retried.get("redirect"), None::<&Json>);
    let code = secret(&server, "mail_code").await;
    let answer = account.prove(&server.client(), "mail_code", &code).await.is(200);
    assert_eq!(answer.at("/redirect"), "https://mail.example/done?status=success");
}
