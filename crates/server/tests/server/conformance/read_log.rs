//! Types with `logReads`: who read what is written before it is told.

use serde_json::{Value, json};
use spec::spec;
use testing::{Client, Server};

const LOG: &str = "/api/ext/v1/read-log";
const PATIENT: &str = "id: 40\nname: patient\ntitle: Patient\ntitleProperty: name\nlogReads: true\nproperties:\n  \
    name: {id: 400, kind: pString, title: Name, searchable: true}\n  \
    code: {id: 401, kind: pString, title: Code, unique: true}\n";
const VISIT: &str = "id: 41\nname: visit\ntitle: Visit\nproperties:\n  \
    day:     {id: 410, kind: pDate, title: Day}\n  \
    patient: {id: 411, kind: pRelation, title: Patient, type: patient, onDelete: cascade}\n";

const SCAN: &str = "id: 42\nname: scan\ntitle: Scan\nlogReads: true\nproperties:\n  \
    page: {id: 420, kind: pFile, title: Page}\n";

/// Adds the logged type, and one that refers to it; gives two patients.
async fn patients(server: &Server) -> [Value; 2] {
    server.change(&[("types/patient.yaml", PATIENT), ("types/visit.yaml", VISIT)]).await;
    let admin = server.admin();
    let first = admin.create("patient", json!({"name": "Ann", "code": "a"})).await;
    [first, admin.create("patient", json!({"name": "Bea", "code": "b"})).await]
}

/// What the log says, oldest first: way, type and id of the resource.
async fn log(server: &Server) -> Vec<(String, String, i64)> {
    let items = server.admin().get(LOG).await.is(200).at("/items");
    let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let entry = |item: &Value| (text(item, "way"), text(item, "type"), item["objectId"].as_i64().unwrap());
    items.as_array().unwrap().iter().rev().map(entry).collect()
}

/// Checks what was logged since so many entries, and gives how many there are now.
#[track_caller]
fn check(found: &[(String, String, i64)], before: usize, expected: &[(&str, &str, i64)]) -> usize {
    let new: Vec<_> = found[before..].iter().map(|(way, of, id)| (way.as_str(), of.as_str(), *id)).collect();
    assert_eq!(new, expected);
    found.len()
}

fn id(resource: &Value) -> i64 {
    resource["id"].as_i64().unwrap()
}

#[spec("R-080", "R-083", "D-29", "A098")]
async fn reads_of_logged_types_are_written_and_never_cached(server: Server) {
    let [ann, bea] = patients(&server).await;
    let (admin, a, b) = (server.admin(), id(&ann), id(&bea));
    // Whoever makes a resource has read nothing.
    let mut seen = check(&log(&server).await, 0, &[]);
    let path = format!("collection/patient/{a}");
    let one = admin.get(&path).await.is(200);
    assert_eq!((one.json(), one.header("cache-control")), (ann.clone(), "no-store"));
    seen = check(&log(&server).await, seen, &[("get", "patient", a)]);
    // Who has the body already is shown it again: no copy is ever confirmed.
    let again = admin.with("if-none-match", one.header("etag")).get(&path).await.is(200);
    assert_eq!((&again.text, again.header("etag")), (&one.text, one.header("etag")));
    admin.get(&format!("{path}?_noCache=1")).await.is(200);
    admin.get(&format!("collection/40/{}", ann["uuid"].as_str().unwrap())).await.is(200);
    let got: [_; 3] = [("get", "patient", a); 3];
    seen = check(&log(&server).await, seen, &got);
    assert_eq!(admin.request("HEAD", &path).send().await.is(200).text, "");
    let by = admin.get("collection/patient/get-by/code/b?showFields=name&hideFields=id").await.is(200);
    assert_eq!((by.json(), by.header("cache-control")), (json!({"name": "Bea"}), "no-store"));
    assert_eq!(admin.get(&format!("{path}?hideFields=id,uuid,name,code")).await.is(200).text, "{}");
    seen = check(&log(&server).await, seen, &[("get", "patient", a), ("getBy", "patient", b), ("get", "patient", a)]);
    // Lists tell which resources were in them, however often they are asked for, and by whoever has them already.
    let list = admin.get("collection/patient?orderBy=-name&hideFields=id").await.is(200);
    assert_eq!(list.header("cache-control"), "private, must-revalidate");
    let listed: [_; 2] = [("list", "patient", a), ("list", "patient", b)];
    seen = check(&log(&server).await, seen, &listed);
    admin
        .with("if-none-match", list.header("etag"))
        .get("collection/patient?orderBy=-name&hideFields=id")
        .await
        .is(304);
    seen = check(&log(&server).await, seen, &listed);
    let filters = json!([{"property": "name", "type": "eq", "param": "Bea"}]);
    for _ in 0..3 {
        let found = admin.search("collection/patient", json!({"filters": filters, "orderBy": "name"})).await.is(200);
        assert_eq!(found.column("id"), [json!(b)]);
        seen = check(&log(&server).await, seen, &[("list", "patient", b)]);
    }
    admin.get("collection/patient?page=9").await.is(204);
    // What a change answers with is read, even where nothing changed.
    let patched = admin.patch(&path, json!({})).await.is(200);
    assert_eq!(patched.header("etag"), one.header("etag"));
    admin.with("if-match", one.header("etag")).put(&path, json!({"name": "Ann", "code": "a"})).await.is(200);
    seen = check(&log(&server).await, seen, &[("change", "patient", a); 2]);
    // What is refused or missing was not read, and other types are nobody's business.
    server.reader().get(&path).await.is(403);
    server.client().get(&path).await.is(403);
    admin.get("collection/patient/999999").await.is(404);
    admin.get("collection/patient/get-by/code/zzz").await.is(404);
    admin.get(&format!("{path}?showFields=absent")).await.is(400);
    let note = admin.create("note", json!({"text": "A"})).await;
    admin.get(&format!("collection/note/{}", note["id"])).await.is(200);
    admin.get("collection/note").await.is(200);
    check(&log(&server).await, seen, &[]);
    // An option that comes and goes counts at once.
    server.change(&[("types/patient.yaml", &PATIENT.replace("logReads: true\n", ""))]).await;
    let open = admin.get(&path).await.is(200);
    assert_eq!(open.header("cache-control"), "private, must-revalidate");
    admin.with("if-none-match", open.header("etag")).get(&path).await.is(304);
    check(&log(&server).await, seen, &[]);
    server.change(&[("types/patient.yaml", PATIENT)]).await;
    admin.with("if-none-match", open.header("etag")).get(&path).await.is(200);
    check(&log(&server).await, seen, &[("get", "patient", a)]);
}

#[spec("D-29")]
async fn embedded_resources_are_logged(server: Server) {
    let [ann, bea] = patients(&server).await;
    let (admin, a, b) = (server.admin(), id(&ann), id(&bea));
    for patient in [a, b, a] {
        admin.create("visit", json!({"day": "2026-11-20", "patient": patient})).await;
    }
    let mut seen = check(&log(&server).await, 0, &[]);
    // The id of a patient is a visit's own.
    admin.get("collection/visit").await.is(200);
    seen = check(&log(&server).await, seen, &[]);
    let both: [_; 2] = [("embedded", "patient", a), ("embedded", "patient", b)];
    for _ in 0..2 {
        admin.get("collection/visit?showFields=day,patient.name").await.is(200).says("Bea");
        seen = check(&log(&server).await, seen, &both);
    }
    let one = admin.get("collection/visit/1?showFields=patient.name").await.is(200).says("Ann");
    assert_eq!(one.header("cache-control"), "no-store");
    seen = check(&log(&server).await, seen, &both[..1]);
    admin.get("collection/visit/2?wrapFields=patient").await.is(200).says("Bea");
    check(&log(&server).await, seen, &both[1..]);
}

#[spec("D-29", "A098")]
async fn reads_of_files_are_written_and_never_cached(server: Server) {
    server.change(&[("types/scan.yaml", SCAN)]).await;
    let (admin, anybody) = (server.admin(), server.client());
    let promise = admin.promise("scan/page", "a.txt", b"0123456789").await;
    let scan = admin.create("scan", json!({"page": promise})).await;
    let (s, url) = (id(&scan), scan["page"]["url"].as_str().unwrap());
    let named = format!("/api/ext/v1/file/scan/{s}/page/a.txt");
    let once = [("file", "scan", s)];
    let mut seen = check(&log(&server).await, 0, &[]);
    for (client, path) in [(&anybody, url), (&admin, named.as_str())] {
        for (method, header, value, status, body) in [
            ("GET", "accept", "*/*", 200, "0123456789"),
            ("GET", "accept", "*/*", 200, "0123456789"),
            ("HEAD", "accept", "*/*", 200, ""),
            ("GET", "range", "bytes=2-3", 206, "23"),
            // No copy is ever confirmed.
            ("GET", "if-none-match", "*", 200, "0123456789"),
            ("GET", "if-modified-since", "Fri, 20 Nov 2026 23:00:00 GMT", 200, "0123456789"),
        ] {
            let reply = client.request(method, path).header(header, value).send().await.is(status);
            assert_eq!(
                (reply.bytes.as_ref(), reply.header("cache-control")),
                (body.as_bytes(), "no-store"),
                "{header}"
            );
            seen = check(&log(&server).await, seen, &once);
        }
    }
    // A signed address has its user and no key.
    let items = admin.get(LOG).await.is(200).at("/items");
    let (keyed, linked) = (&items[0], &items[11]);
    assert_eq!((&linked["userId"], &linked["keyId"]), (&json!(server.user("admin").await), &Value::Null));
    assert_eq!((&linked["address"], &linked["way"]), (&json!("127.0.0.1"), &json!("file")));
    assert_eq!(keyed["userId"], linked["userId"]);
    assert!(keyed["keyId"].is_i64(), "{keyed}");
    // What is refused or missing was not read.
    anybody.get(&url.replace("a.txt", "b.txt")).await.is(403);
    anybody.get(&named).await.is(403);
    server.reader().get(&named).await.is(403);
    admin.get(&named.replace("a.txt", "b.txt")).await.is(404);
    seen = check(&log(&server).await, seen, &[]);
    // Without the log there are no bytes.
    server.lose_table("absent", "plinth_read_log").await;
    for (client, path) in [(&anybody, url), (&admin, named.as_str())] {
        for (header, value) in [("accept", "*/*"), ("range", "bytes=0-1")] {
            let reply = client.request("GET", path).header(header, value).send().await.is(500);
            assert!(reply.headers.get("content-disposition").is_none() && !reply.text.contains('0'), "{}", reply.text);
        }
    }
    // Types that log nothing go on.
    server.change(&[("types/scan.yaml", &SCAN.replace("logReads: true\n", ""))]).await;
    for (client, path) in [(&anybody, url), (&admin, named.as_str())] {
        assert_eq!(client.get(path).await.is(200).bytes, "0123456789");
        client.with("if-none-match", "*").get(path).await.is(304);
    }
    assert_eq!(seen, 12);
}

#[spec("D-29", "A098")]
async fn without_its_log_there_is_no_answer(server: Server) {
    let [ann, _] = patients(&server).await;
    let path = format!("collection/patient/{}", ann["id"]);
    server.admin().get(&path).await.is(200);
    server.lose_table("absent", "plinth_read_log").await;
    for request in [path.as_str(), "collection/patient", "collection/patient/get-by/code/a"] {
        server.admin().get(request).await.is(500).lacks("Ann");
    }
    server.admin().patch(&path, json!({"name": "Cid"})).await.is(500);
    server.admin().get("collection/note").await.is(204);
}

#[spec]
async fn the_log_is_read_by_administrators(server: Server) {
    let [ann, bea] = patients(&server).await;
    let (a, b) = (id(&ann), id(&bea));
    let file = "role: nurse\nsystem: [restApi]\ntypes: {patient: {show: true}}\n";
    let nurse: Client = server.role("nurse", file).await;
    nurse.get(&format!("collection/patient/{a}")).await.is(200);
    server.clock().advance(3_600);
    nurse.get("collection/patient").await.is(200);
    server.clock().advance(3_600);
    server.admin().get(&format!("collection/patient/{b}")).await.is(200);
    let admin = server.admin();
    let items = async |parameters: &str| {
        let page = admin.get(&format!("{LOG}?{parameters}")).await.is(200);
        page.at("/items").as_array().unwrap().clone()
    };
    let all = items("").await;
    let user = server.user("nurse").await;
    let expected = json!({
        "id": all[3]["id"], "at": "2026-11-20T13:00:00+01:00", "userId": user, "user": "nurse@acme.test",
        "keyId": all[3]["keyId"], "address": "127.0.0.1", "typeId": 40, "type": "patient", "objectId": a, "way": "get",
    });
    assert_eq!((all.len(), all[3].to_string()), (4, expected.to_string()));
    assert!(all[3]["keyId"].as_i64().unwrap() > 0);
    for (parameters, count) in [
        ("type=patient", 4),
        ("type=40", 4),
        ("type=note", 0),
        ("type=999", 0),
        (&format!("type=patient&item={a}"), 2),
        (&format!("type=patient&item={b}"), 2),
        ("user=nurse@acme.test", 3),
        (&format!("user={user}"), 3),
        ("user=999999", 0),
        ("from=2026-11-20T13:00:00Z", 3),
        ("from=2026-11-20%2014:00:00&to=2026-11-20%2015:00:00", 2),
        ("to=2026-11-20", 0),
        (&format!("user={user}&type=patient&item={b}&from=2026-11-01"), 1),
    ] {
        assert_eq!(items(parameters).await.len(), count, "{parameters}");
    }
    // Pages visit each once, newest first, while the log grows.
    let (mut visited, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = admin.get(&format!("{LOG}?limit=1{cursor}")).await.is(200).json();
        visited.extend(page["items"].as_array().unwrap().iter().cloned());
        admin.get(&format!("collection/patient/{b}")).await.is(200);
        let Some(next) = page["nextCursor"].as_str() else { break };
        assert_eq!(page["hasMore"], true);
        cursor = format!("&cursor={next}");
    }
    assert_eq!(visited, all);
    for parameters in [
        "limit=0",
        "limit=1001",
        "item=1",
        "type=absent",
        "type=patient&item=x",
        "user=absent",
        "from=x",
        "a=1",
        "cursor=a",
    ] {
        admin.get(&format!("{LOG}?{parameters}")).await.is(400);
    }
    nurse.get(LOG).await.is(403);
    server.client().get(LOG).await.is(403);
    admin.post(LOG, json!({})).await.is(405);
    // Who is gone has read it all the same.
    admin.delete(&format!("collection/user/{user}")).await.is(204);
    assert_eq!(items(&format!("user={user}")).await[0]["user"], json!(null));
}

#[spec("E-120", "D-29")]
async fn a_query_of_groups_is_one_line(server: Server) {
    patients(&server).await;
    let query = "query: names\ntype: patient\ngroupBy: name\n";
    let canvas = "canvas: names\nitems: [{kind: chart, chart: bar, query: names, x: name, y: count}]\n";
    server.change(&[("queries/names.yaml", query), ("canvases/names.yaml", canvas)]).await;
    let groups = server.admin().get("/api/ext/v1/query/names").await.is(200);
    assert_eq!(groups.header("cache-control"), "no-store");
    let seen = check(&log(&server).await, 0, &[("aggregate", "patient", 0)]);
    server.admin().get("/api/ext/v1/canvas/names").await.is(200);
    check(&log(&server).await, seen, &[("aggregate", "patient", 0)]);
}
