//! Suggestions in messages: names that were perhaps meant, and none that the caller may not know.

use serde_json::json;
use spec::spec;
use testing::{Client, Engine, Server};

const FILES: [(&str, &str); 2] = [
    (
        "types/invoice.yaml",
        "name: invoice\nproperties:\n  number: {kind: pString}\n  margin: {kind: pInteger}\n  \
         above: {kind: pRelation, type: invoice}\n",
    ),
    ("types/payroll.yaml", "name: payroll\nproperties:\n  wage: {kind: pInteger}\n"),
];
const CLERK: &str = "role: clerk\nsystem: [restApi]\ntypes:\n  \
                     invoice: {show: {fields: [number, above]}, edit: {fields: [number, above]}}\n";

async fn message(client: &Client, path: &str, status: u16) -> String {
    client.get(&format!("collection/{path}")).await.is(status).at("/message").as_str().unwrap().to_owned()
}

#[spec("D-2", "D-3")]
async fn close_names_are_suggested_to_those_who_may_know_them(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let (admin, clerk) = (server.admin(), server.role("clerk", CLERK).await);
    for (path, status, to_admin, to_clerk) in [
        ("invoices", 404, "There is no such collection. Did you mean \"invoice\"?", ""),
        ("payrol", 404, "There is no such collection. Did you mean \"payroll\"?", "There is no such collection."),
        ("invoice?orderBy=numbr", 400, "There is no property \"numbr\". Did you mean \"number\"?", ""),
        (
            "invoice?orderBy=above.margn",
            400,
            "There is no property \"above.margn\". Did you mean \"above.margin\"?",
            "There is no property \"above.margn\".",
        ),
        (
            "invoice?showFields=margn",
            400,
            "There is no property \"margn\". Did you mean \"margin\"?",
            "There is no property \"margn\".",
        ),
        ("invoice/get-by/numbr/1", 400, "There is no property \"numbr\". Did you mean \"number\"?", ""),
        (
            r#"invoice?filters=[{"property":"number","type":"startWith","param":"1"}]"#,
            400,
            "There is no filter type \"startWith\". Did you mean \"startsWith\"?",
            "",
        ),
        ("invoice?orderby=id", 400, "There is no parameter \"orderby\". Did you mean \"orderBy\"?", ""),
        ("invoice?limit=5", 400, "There is no parameter \"limit\". Did you mean \"perPage\"?", ""),
        ("invoice?filter[number]=5", 400, "There is no parameter \"filter[number]\". Did you mean \"filters\"?", ""),
        ("invoice?nonsense=5", 400, "There is no parameter \"nonsense\".", ""),
    ] {
        let path = path.replace('[', "%5B").replace(']', "%5D").replace('"', "%22");
        assert_eq!(message(&admin, &path, status).await, to_admin);
        let to_clerk = if to_clerk.is_empty() { to_admin } else { to_clerk };
        assert_eq!(message(&clerk, &path, status).await, to_clerk);
    }
    let create = async |client: &Client| {
        let reply = client.post("collection/invoice", json!({"margn": 1})).await.is(400);
        assert_eq!(reply.header("x-error-code"), "property_unknown");
        reply.at("/message").clone()
    };
    assert_eq!(create(&admin).await, "There is no property \"margn\". Did you mean \"margin\"?");
    assert_eq!(create(&clerk).await, "There is no property \"margn\".");
}
