//! Values in answers are as the description of the API says, with decimals as numbers and as texts.

use super::schema::Described;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};

const PAYMENT: &str = "\
id: 80
name: payment
properties:
  code: {id: 801, kind: pString, required: true, unique: true}
  amount: {id: 802, kind: pDecimal, scale: 2, required: true}
  fee: {id: 803, kind: pDecimal, scale: 4}
  units: {id: 804, kind: pInteger}
  few: {id: 805, kind: pInteger, min: 0, max: 100}
  weight: {id: 806, kind: pFloat}
  day: {id: 807, kind: pDate}
  peer: {id: 808, kind: pRelation, type: payment, onDelete: setNull}
";
const SUMS: &str = "query: sums\ntype: payment\ngroupBy: [code, fee, units]\ntotals: true\nvalues:\n  payments: count\n\
    \x20 amount: {function: sum, property: amount}\n  mean: {function: avg, property: amount}\n\
    \x20 total: {function: sum, property: units}\n  some: {function: avg, property: units}\n\
    \x20 least: {function: min, property: fee}\n  weight: {function: sum, property: weight}\n";
/// 2^53 + 1, which a float cannot hold.
const ODD: i64 = 9_007_199_254_740_993;

fn payments() -> [Json; 3] {
    [
        json!({"code": "a", "amount": "0.10", "fee": "0.0001", "units": ODD, "few": 5, "weight": 0.5}),
        json!({"code": "b", "amount": 12, "units": -3, "few": null, "day": "2026-02-03", "peer": null}),
        json!({"code": "c", "amount": "99999999999999.99", "units": -ODD}),
    ]
}

/// The description whose answers have decimals in a form.
async fn described(client: &Client, decimals: &str) -> Described {
    let path = format!("/api/ext/v1/openapi.json?decimals={decimals}");
    Described(client.get(&path).await.is(200).json())
}

#[spec("E-132")]
async fn answers_are_as_the_description_with_decimals_as_texts_says(engine: Engine) {
    let server = Server::with(engine, &[("types/payment.yaml", PAYMENT)]).await;
    let admin = server.admin();
    for form in ["number", "text"] {
        let described = described(&admin, form).await;
        let other = if form == "text" { "number" } else { "text" };
        let ask = |path: &str| format!("/api/ext/v1/collection/payment{path}?_decimals={form}");
        for payment in payments() {
            let code = payment["code"].clone();
            let made = admin.post(&ask(""), payment).await.is(201);
            described.check("Payment", &made.json());
            assert_eq!(made.at("/amount").is_string(), form == "text", "{code}: {}", made.text);
        }
        described.check("PaymentPage", &admin.get(&ask("")).await.is(200).json());
        let id = admin.get(&ask("/get-by/code/a")).await.is(200).at("/id");
        // An ETag is of the form of its answer.
        let read = admin.get(&ask(&format!("/{id}"))).await.is(200);
        described.check("Payment", &read.json());
        let (tag, path) = (read.header("etag").to_owned(), ask(&format!("/{id}")));
        let otherwise = path.replace(form, other);
        let patched = admin.with("if-match", &tag).patch(&path, json!({"fee": "1.5"})).await.is(200);
        described.check("Payment", &patched.json());
        admin.with("if-match", patched.header("etag")).patch(&otherwise, json!({"fee": "1.5"})).await.is(412);
        let put = json!({"code": "a", "amount": "0.20", "units": ODD});
        described.check("Payment", &admin.put(&path, put).await.is(200).json());
        let upserted = admin.put(&ask("/by/code/a"), json!({"set": {"amount": "0.30"}})).await.is(200);
        described.check("Payment", &upserted.json());
        let items = json!({"key": "code", "items": [{"set": {"code": "b", "amount": "0.7"}}]});
        check_results(&described, admin.post(&ask("/upsert"), items).await);
        let operations = json!([
            {"op": "patch", "type": "payment", "item": id, "set": {"fee": 2}}, {"op": "get", "type": "payment", "item": id},
        ]);
        let batch = format!("/api/ext/v1/batch?_decimals={form}");
        check_results(&described, admin.post(&batch, json!({"operations": operations})).await);
        // A replay has the same form.
        let named = admin.with("idempotency-key", &format!("once-{form}"));
        let twice = async || named.patch(&path, json!({"_add": {"amount": "0.01"}})).await.is(200);
        let (first, second) = (twice().await, twice().await);
        assert_eq!((first.text, second.header("idempotency-replayed")), (second.text.clone(), "true"));
        let tag = admin.get(&path).await.is(200).header("etag").to_owned();
        admin.with("if-match", &tag).delete(&otherwise).await.is(412);
        admin.with("if-match", &tag).delete(&path).await.is(204);
        for code in ["b", "c"] {
            let id = admin.get(&ask(&format!("/get-by/code/{code}"))).await.is(200).at("/id");
            admin.delete(&ask(&format!("/{id}"))).await.is(204);
        }
    }
    admin.post("/api/ext/v1/collection/payment?_decimals=words", json!({})).await.is(400).says("_decimals");
    admin.post("/api/ext/v1/collection/payment?page=1", json!({})).await.is(400).says("page");
}

fn check_results(described: &Described, reply: Reply) {
    for result in reply.is(200).at("/results").as_array().unwrap() {
        described.check("Payment", &result["data"]);
    }
}

#[spec("E-132")]
async fn groups_are_as_the_description_with_decimals_as_texts_says(engine: Engine) {
    let files = [("types/payment.yaml", PAYMENT), ("queries/sums.yaml", SUMS)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for payment in payments() {
        admin.create("payment", payment).await;
    }
    for form in ["number", "text"] {
        let described = described(&admin, form).await;
        let page = admin.get(&format!("/api/ext/v1/query/sums?_decimals={form}")).await.is(200).json();
        let answer = described.answer("/api/ext/v1/query/sums", "get");
        described.valid(&answer, &page, "sums");
        assert_eq!(page["totals"]["amount"].is_string(), form == "text", "{page}");
    }
}

/// A generated client of the description sends what its answers need; the version is that of rights alone.
#[spec("E-132", "E-113")]
async fn the_description_with_decimals_as_texts_has_them_asked_for(server: Server) {
    let admin = server.admin();
    let (numbers, texts) = (described(&admin, "number").await, described(&admin, "text").await);
    assert_eq!(numbers.0["info"]["version"], texts.0["info"]["version"]);
    let parameter = &texts.0["components"]["parameters"]["decimals"];
    assert_eq!((&parameter["name"], &parameter["required"]), (&json!("_decimals"), &json!(true)));
    assert_eq!(parameter["schema"]["enum"], json!(["text"]));
    let path = &texts.0["paths"]["/api/ext/v1/collection/article/{item}"];
    for method in ["get", "put", "patch", "delete"] {
        let asks = |one: &Json| one["$ref"] == "#/components/parameters/decimals";
        assert!(path[method]["parameters"].as_array().unwrap().iter().any(asks), "{method}");
    }
    let types = admin.get("/api/ext/v1/client.ts?decimals=text").await.is(200).says("decimals: \"text\" }");
    assert_ne!(types.text, admin.get("/api/ext/v1/client.ts?decimals=number").await.is(200).text);
    for wrong in ["openapi.json?decimals=words", "openapi.json?profile=contract&decimals=text", "client.ts?decimals=1"]
    {
        admin.get(&format!("/api/ext/v1/{wrong}")).await.is(400).says("decimals");
    }
}

/// A value that a caller reads as a text is written and asked for as one.
#[spec("E-132")]
async fn integers_are_written_as_they_are_read(engine: Engine) {
    let server = Server::with(engine, &[("types/payment.yaml", PAYMENT)]).await;
    let admin = server.admin();
    let described = described(&admin, "text").await;
    let ask = |path: &str| format!("/api/ext/v1/collection/payment{path}?_decimals=text");
    for payment in payments() {
        let read = admin.post(&ask(""), payment).await.is(201).json();
        let mut body = read.clone();
        for name in ["id", "uuid"] {
            body.as_object_mut().unwrap().remove(name);
        }
        described.check("PaymentReplace", &body);
        let path = ask(&format!("/{}", read["id"]));
        assert_eq!(admin.put(&path, body).await.is(200).json(), read);
        described.check("PaymentPatch", &json!({"units": read["units"], "_add": {"units": -1}}));
        let patched = admin.patch(&path, json!({"_add": {"units": -1}})).await.is(200);
        let added = admin.patch(&path, json!({"_add": {"units": 1}})).await.is(200);
        assert_ne!(patched.at("/units"), read["units"]);
        assert_eq!(added.at("/units"), read["units"]);
        let filters = json!([{"property": "units", "type": "eq", "param": read["units"]}]);
        for list in [ask("/search"), "/api/ext/v1/collection/payment/search".to_owned()] {
            let found = admin.post(&list, json!({"filters": filters})).await.is(200);
            assert_eq!(found.at("/stats/total"), 1, "{}", found.text);
        }
        let found = admin.query("collection/payment", &[("filters", filters.to_string().as_str())]).await.is(200);
        assert_eq!(found.at("/stats/total"), 1);
        for wrong in ["5", "1.0", "01", " 1", "1e3", "9223372036854775808", ""] {
            let refused = admin.patch(&path, json!({"units": wrong})).await.is(400);
            refused.says("units");
        }
    }
    // The description with numbers has none of it.
    let numbers = self::described(&admin, "number").await;
    let units = |of: &Described| of.0["components"]["schemas"]["PaymentCreate"]["properties"]["units"]["type"].clone();
    assert_eq!(
        (units(&numbers), units(&described)),
        (json!(["integer", "null"]), json!(["integer", "null", "string"]))
    );
    admin.get("/api/ext/v1/client.ts?decimals=text").await.is(200).says("units?: number | string | null;");
}

const CALCULATED: &str = r#"
id: 81
name: reckoning
properties:
  text: {id: 811, kind: pString}
  units: {id: 812, kind: pInteger}
  price: {id: 813, kind: pDecimal, scale: 2}
  weight: {id: 814, kind: pFloat}
  at: {id: 815, kind: pDateTime}
  other: {id: 816, kind: pRelation, type: reckoning, onDelete: setNull}
  aTruth: {id: 821, kind: pCalculated, calculate: "{=units > 2}"}
  aCount: {id: 822, kind: pCalculated, calculate: "{=length(text)}"}
  aSum: {id: 823, kind: pCalculated, calculate: "{=(units ?? 0) + 1}"}
  aPrice: {id: 824, kind: pCalculated, calculate: "{=(price ?? 0) * 2}"}
  aQuotient: {id: 825, kind: pCalculated, calculate: "{=weight != null and weight != 0 ? (units ?? 0) / weight : null}"}
  aText: {id: 826, kind: pCalculated, calculate: "{=text ~ '!'}"}
  aDay: {id: 827, kind: pCalculated, calculate: "{=at != null ? date('Y-m-d', at) : null}"}
  aTemplate: {id: 828, kind: pCalculated, calculate: "{=units} of {=price}"}
  aResource: {id: 829, kind: pCalculated, calculate: "{=other}"}
  aChoice: {id: 830, kind: pCalculated, calculate: "{=units > 2 ? text : units}"}
  aList: {id: 831, kind: pCalculated, calculate: "{=[units, text]}"}
  aRest: {id: 832, kind: pCalculated, calculate: "{=aSum + 1}"}
  aStored: {id: 833, kind: pCalculated, stored: true, calculate: "{=units + 1}"}
"#;

/// The kinds that are told, null beside each; none where a value may be of any kind.
const KINDS: [(&str, Option<&str>); 13] = [
    ("aTruth", Some("boolean")),
    ("aCount", Some("number")),
    ("aSum", Some("integer")),
    ("aPrice", Some("number")),
    ("aQuotient", Some("number")),
    ("aText", Some("string")),
    ("aDay", Some("string")),
    ("aTemplate", Some("string")),
    ("aResource", Some("integer")),
    ("aChoice", None),
    ("aList", None),
    ("aRest", None),
    ("aStored", None),
];

#[spec("E-133")]
async fn calculated_values_are_of_the_kinds_that_the_description_tells(engine: Engine) {
    let server = Server::with(engine, &[("types/reckoning.yaml", CALCULATED)]).await;
    let admin = server.admin();
    for row in [
        json!({}),
        json!({"text": "", "units": 0, "price": 0, "weight": 0}),
        json!({"text": "two", "units": 3, "price": "1.50", "weight": 0.5, "at": "2026-02-03T04:05:06Z", "other": 1}),
        json!({"text": "é", "units": i64::MAX, "price": "9999999999999999.99", "weight": 1e300, "other": 3}),
        json!({"units": i64::MIN, "price": "-9999999999999999.99", "weight": -1e-300}),
    ] {
        admin.create("reckoning", row).await;
    }
    let types = admin.get("/api/ext/v1/client.ts").await.is(200).text;
    for form in ["number", "text"] {
        let described = described(&admin, form).await;
        let properties = described.0["components"]["schemas"]["Reckoning"]["properties"].clone();
        for (name, kind) in KINDS {
            let told = kind.map_or(Json::Null, |kind| json!([kind, "null"]));
            assert_eq!(properties[name]["type"], told, "{name}");
            let of_typescript = match kind {
                Some("integer" | "number") => "number",
                Some(kind) => kind,
                None => "plinth.Json",
            };
            assert!(types.contains(&format!("    {name}: {of_typescript} | null;")), "{name}: {types}");
        }
        let page = admin.get(&format!("/api/ext/v1/collection/reckoning?_decimals={form}")).await.is(200).json();
        described.check("ReckoningPage", &page);
        assert_eq!(page["data"][2]["aText"], "two!");
        let rows = page["data"].as_array().unwrap();
        assert!(KINDS.iter().all(|(name, _)| rows.iter().any(|row| !row[name].is_null())), "{page}");
    }
}

/// Another kind of value is another version.
#[spec("E-133", "E-113")]
async fn a_calculation_of_another_kind_is_another_version(server: Server) {
    let file = |calculate: &str| {
        format!(
            "id: 81\nname: reckoning\nproperties:\n  value: {{id: 811, kind: pCalculated, calculate: \"{{={calculate}}}\"}}\n"
        )
    };
    let mut versions = Vec::new();
    for calculate in ["1 + 1", "1 + 2", "'a' ~ 'b'"] {
        server.change(&[("types/reckoning.yaml", &file(calculate))]).await;
        versions.push(described(&server.admin(), "number").await.0["info"]["version"].clone());
    }
    assert_eq!(versions[0], versions[1]);
    assert_ne!(versions[1], versions[2]);
}

/// Many who ask at once get one description, also right after a change, and others are answered meanwhile.
#[spec("E-134")]
async fn descriptions_that_are_asked_for_at_once_are_one(server: Server) {
    const PATHS: [&str; 3] = ["openapi.json", "openapi.json?decimals=text", "client.ts"];
    let admin = server.admin();
    for round in 0..2 {
        let file = format!("id: 82\nname: fresh{round}\nproperties:\n  text: {{id: 830, kind: pString}}\n");
        server.change(&[("types/fresh.yaml", &file)]).await;
        let mut asked = tokio::task::JoinSet::new();
        for number in 0..12 {
            let client = server.admin();
            asked.spawn(async move {
                let place = number % PATHS.len();
                (place, client.get(&format!("/api/ext/v1/{}", PATHS[place])).await.is(200))
            });
        }
        admin.get("collection/note").await.is(204);
        let mut tags = [const { Vec::new() }; PATHS.len()];
        for (place, reply) in asked.join_all().await {
            assert!(reply.text.contains(&format!("fresh{round}")), "{}", PATHS[place]);
            tags[place].push(reply.header("etag").to_owned());
        }
        for tags in tags {
            assert!(tags.len() == 4 && tags.iter().all(|tag| *tag == tags[0]), "{tags:?}");
        }
    }
}
