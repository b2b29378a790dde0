//! Clients that do not keep to the protocol, and documents that are made to do harm.

use super::{EditorClient, cursor};
use serde_json::{Value as Json, json};

const COMPANY: &str = "types/company.yaml";

/// Returns the code of the next error that belongs to no request.
fn refused(client: &mut EditorClient) -> Json {
    client.until(|message| message["id"].is_null() && message.get("error").is_some())["error"]["code"].clone()
}

#[test]
fn the_order_of_a_session_is_kept() {
    let mut client = EditorClient::silent();
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32_002);
    client.notify("textDocument/didOpen", json!({}));
    assert!(client.request("initialize", json!({}))["result"]["capabilities"].is_object());
    assert_eq!(client.request("initialize", json!({}))["error"]["code"], -32_600);
    assert_eq!(client.request("nosuch/method", json!({}))["error"]["code"], -32_601);
    assert_eq!(client.request("shutdown", json!({}))["result"], Json::Null);
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32_600);
    client.notify("exit", json!({}));
    assert!(client.ended().success());
}

#[test]
fn an_end_without_goodbye_is_a_failure() {
    assert_eq!(EditorClient::start().leave().code(), Some(1));
    let mut client = EditorClient::start();
    client.notify("exit", Json::Null);
    assert_eq!(client.ended().code(), Some(1));
}

#[test]
fn messages_that_are_none_are_answered_with_errors() {
    let mut client = EditorClient::start();
    for (body, code) in [
        ("{", -32_700),
        ("\u{0}\u{1}", -32_700),
        ("[]", -32_600),
        ("7", -32_600),
        (r#"{"id": 1}"#, -32_600),
        (r#"{"id": {}, "method": "shutdown"}"#, -32_600),
        (r#"{"id": 1, "method": 7}"#, -32_600),
    ] {
        client.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        assert_eq!(refused(&mut client), code, "{body}");
    }
    let deep = "[".repeat(100_000);
    client.raw(format!("content-length:{}\r\nX-Other: 1\r\n\r\n{deep}", deep.len()).as_bytes());
    assert_eq!(refused(&mut client), -32_700);
    // A message that is too large is thrown away, and the next one is read.
    client.raw(format!("Content-Length: {}\r\n\r\n", 9 << 20).as_bytes());
    client.raw(&vec![b' '; 9 << 20]);
    assert_eq!(refused(&mut client), -32_600);
    assert!(client.end().success());
}

#[test]
fn headers_that_cannot_be_read_end_the_session() {
    for headers in ["GET / HTTP/1.1\r\n\r\n", "Content-Length: many\r\n\r\n", "X: 1\r\n\r\n", &"a".repeat(10_000)] {
        let mut client = EditorClient::start();
        client.raw(headers.as_bytes());
        assert_eq!(client.ended().code(), Some(1), "{headers:.20}");
    }
}

#[test]
fn parameters_of_other_shapes_mean_nothing() {
    let mut client = EditorClient::start();
    let methods = ["completion", "hover", "signatureHelp", "definition", "codeAction", "prepareRename", "rename"];
    let address = client.address(COMPANY);
    for params in [
        Json::Null,
        json!([1]),
        json!({"textDocument": 7, "position": []}),
        json!({"textDocument": {"uri": "untitled:1"}, "position": {"line": 0, "character": 0}}),
        json!({"textDocument": {"uri": "file:///etc/../etc/passwd"}, "position": {"line": 0, "character": 0}}),
        json!({"textDocument": {"uri": address}, "position": {"line": -1, "character": 1e300}}),
        json!({"textDocument": {"uri": address}, "position": {"line": u64::MAX, "character": u64::MAX}}),
        json!({"textDocument": {"uri": address}, "range": {"start": {"line": u64::MAX, "character": 0}}}),
    ] {
        for method in methods {
            let answer = client.request(&format!("textDocument/{method}"), params.clone());
            let nothing = answer["result"].is_null() || answer["result"] == json!([]);
            assert!(nothing || answer.get("error").is_some(), "{method} {params}: {answer}");
        }
        for method in ["didOpen", "didChange", "didClose", "didSave"] {
            client.notify(&format!("textDocument/{method}"), params.clone());
        }
        client.notify("workspace/didChangeWatchedFiles", params);
    }
    assert!(client.end().success());
}

#[test]
fn documents_that_are_too_large_are_not_taken() {
    let mut client = EditorClient::start();
    client.open(COMPANY, &"# x\n".repeat(300_000));
    let shown = client.until(|message| message["method"] == "window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().contains("1048576 bytes"), "{shown}");
    assert!(client.end().success());
}

#[test]
fn documents_of_no_tenant_have_no_problems_and_no_answers() {
    let mut client = EditorClient::start();
    client.open("README.md", "{=company.");
    client.open("data/notes.txt", "{=company.");
    assert!(client.labels("README.md", &json!({"line": 0, "character": 10})).is_empty());
    client.open(COMPANY, "name: [");
    // The first check that is told has these alone.
    assert_eq!(client.problems(COMPANY)[0]["code"], "yaml");
    assert!(client.end().success());
}

#[test]
fn a_file_that_is_cut_anywhere_is_answered() {
    let mut client = EditorClient::start();
    let text = client.text("automations/paid.yaml");
    for cut in (0..text.len()).step_by(7).filter(|cut| text.is_char_boundary(*cut)) {
        let (cut, position) = cursor(&format!("{}|", &text[..cut]));
        client.change("automations/paid.yaml", &cut);
        for method in ["completion", "hover", "signatureHelp", "definition", "prepareRename"] {
            client.ask(method, "automations/paid.yaml", &position);
        }
    }
    assert!(client.end().success());
}

#[test]
fn texts_that_nest_and_repeat_are_answered() {
    let mut client = EditorClient::start();
    let right = client.text(COMPANY);
    for expression in
        ["(".repeat(9_000), "a.".repeat(4_900), "{a:".repeat(3_000), "map(".repeat(2_400), "'".repeat(9_999)]
    {
        let quoted = expression.replace('\'', "''");
        let marked = format!("{right}  extra: {{kind: pString, calculate: '{{={quoted}|}}'}}\n");
        let (text, position) = cursor(&marked);
        client.open(COMPANY, &text);
        client.labels(COMPANY, &position);
        client.ask("hover", COMPANY, &position);
        assert!(!client.problems(COMPANY).is_empty());
    }
    assert!(client.end().success());
}
