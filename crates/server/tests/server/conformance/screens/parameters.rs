//! Parameters of queries and canvases: their limits in the model, and refusals that name them.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

const PARAMETERS: &str = "params:\n  \
    least: {kind: pInteger, min: 1, max: 9}\n  price: {kind: pDecimal, scale: 2, min: 0}\n  \
    from: {kind: pDate}\n  status: {kind: pEnum, options: {draft: {title: Draft}, live: {title: Live}}}\n  \
    labels: {kind: pEnums, options: [red, blue]}\n  \
    code: {kind: pString, minLength: 2, maxLength: 4, pattern: '[a-z]+'}\n  by: {kind: pRelation, type: person, required: true}\n";

async fn server(engine: Engine) -> Server {
    let query = format!(
        "query: some\ntype: article\n{PARAMETERS}filters:\n  - {{property: views, type: gte, param: {{$param: least}}}}\n  \
         - {{property: released, type: gte, param: {{$param: from}}}}\n  - {{property: price, type: gte, param: {{$param: price}}}}\n  \
         - {{property: status, type: eq, param: {{$param: status}}}}\n  - {{property: labels, type: anyOf, param: {{$param: labels}}}}\n  \
         - {{property: code, type: eq, param: {{$param: code}}}}\n  - {{property: author, type: eq, param: {{$param: by}}}}\n"
    );
    let canvas = format!("canvas: some\n{PARAMETERS}items: [{{kind: text, text: plain}}]\n");
    Server::with(engine, &[("queries/some.yaml", &query), ("canvases/some.yaml", &canvas)]).await
}

#[spec("E-157")]
async fn the_model_has_the_limits_of_parameters(engine: Engine) {
    let server = server(engine).await;
    let model = server.admin().get("/api/ext/v1/model").await.is(200).json();
    for list in ["queries", "canvases"] {
        let all = model[list].as_array().unwrap();
        let some = all.iter().find(|one| one["name"] == "some").unwrap();
        let parameters = some["parameters"].as_array().unwrap();
        for (name, member, value) in [
            ("least", "min", json!(1)),
            ("least", "max", json!(9)),
            ("least", "pattern", Json::Null),
            ("price", "min", json!(0.0)),
            ("price", "scale", json!(2)),
            ("code", "minLength", json!(2)),
            ("code", "maxLength", json!(4)),
            ("code", "pattern", json!("^(?:[a-z]+)$")),
            ("from", "min", Json::Null),
        ] {
            let parameter = parameters.iter().find(|one| one["name"] == name).unwrap();
            assert_eq!(parameter.get(member).unwrap_or(&Json::Null), &value, "{list} {name} {member}");
        }
    }
}

#[spec("E-157")]
async fn a_refusal_names_the_parameter(engine: Engine) {
    let server = server(engine).await;
    let admin = server.admin().with("accept", "application/problem+json");
    for place in ["query", "canvas"] {
        let path = format!("/api/ext/v1/{place}/some");
        for (given, name, code, kind) in [
            ("least=0&by=1", "least", "parameter_invalid", "too_small"),
            ("least=10&by=1", "least", "parameter_invalid", "too_large"),
            ("least=x&by=1", "least", "parameter_invalid", "not_integer"),
            ("price=-1&by=1", "price", "parameter_invalid", "too_small"),
            ("from=2026-02-30&by=1", "from", "parameter_invalid", "not_date"),
            ("from=soon&by=1", "from", "parameter_invalid", "not_date"),
            ("status=old&by=1", "status", "parameter_invalid", "not_option"),
            ("labels=red,green&by=1", "labels", "parameter_invalid", "not_option"),
            ("code=a&by=1", "code", "parameter_invalid", "too_short"),
            ("code=abcde&by=1", "code", "parameter_invalid", "too_long"),
            ("code=A1&by=1", "code", "parameter_invalid", "pattern_mismatch"),
            ("by=x", "by", "parameter_invalid", "not_reference"),
            ("least=1", "by", "parameter_missing", "parameter_missing"),
            ("lest=1&by=1", "lest", "parameter_unknown", "parameter_unknown"),
            ("least=1&least=2&by=1", "least", "parameter_twice", "parameter_twice"),
        ] {
            let reply = admin.get(&format!("{path}?{given}")).await.is(400);
            let told = (reply.at("/code"), reply.at("/errors/0/property"), reply.at("/errors/0/code"));
            assert_eq!(told, (json!(code), json!(name), json!(kind)), "{place} {given}: {}", reply.text);
            assert_eq!(reply.at("/errors").as_array().unwrap().len(), 1, "{}", reply.text);
            assert_eq!(reply.at("/errors/0/message"), reply.at("/detail"), "{}", reply.text);
        }
        // In a body, too.
        let reply = admin.search(&path, json!({"by": 1, "least": 10})).await.is(400);
        assert_eq!(reply.at("/errors/0/property"), "least", "{}", reply.text);
        let reply = admin.search(&path, json!({"by": 1, "labels": "red"})).await.is(400);
        assert_eq!((reply.at("/errors/0/property"), reply.at("/errors/0/code")), (json!("labels"), json!("not_array")));
        let reply = admin.search(&path, json!({"by": 1, "from": null})).await.is(400);
        assert_eq!(reply.at("/errors/0/property"), "from", "{}", reply.text);
    }
}
