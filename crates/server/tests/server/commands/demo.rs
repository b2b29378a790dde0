//! `plinth demo`: the world and the shop, imported, served, and kept.

use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

#[spec("R-004", "R-005", "R-125", "R-136", "D-25")]
async fn the_demo_serves_the_world_and_keeps_it(plinth: Plinth) {
    let demo = plinth.start("demo");
    let ready = demo.ready().clone();
    assert_eq!(ready["tenant"], "world");
    let sign_in = [("user", ready["user"].as_str().unwrap()), ("password", ready["password"].as_str().unwrap())];
    demo.client().post_form("auth", &sign_in).await.is(200);

    let client = demo.client().with("key", ready["key"].as_str().unwrap());
    let inbox = client.get("collection/notifications").await.is(200);
    assert_eq!(inbox.at("/items/0/title"), "Welcome to Plinth");
    let large = json!([{"property": "country.code", "type": "eq", "param": "CZ"}]).to_string();
    let show = "name,population,country.name";
    let query = [("filters", large.as_str()), ("orderBy", "-population"), ("perPage", "5"), ("showFields", show)];
    let cities = client.query("collection/city", &query).await.is(200);
    assert_eq!(cities.at("/data/0/name"), "Prague");
    assert_eq!(cities.at("/data/0/country/name"), "Czechia");
    assert_eq!(cities.at("/stats/fetched"), 5);
    assert_eq!(client.get("collection/city?perPage=1").await.is(200).at("/stats/total"), 34_006);
    let country = client.get("collection/country/get-by/code/CZ").await.is(200).at("/id");
    let body = json!({"name": "Plinthville", "country": country, "population": 1});
    let city = format!("collection/city/{}", client.create("city", body).await["id"]);
    assert_eq!(client.patch(&city, json!({"population+=": 41})).await.is(200).at("/population"), 42);
    // Cities stand on their country.
    client.delete(&format!("collection/country/{country}")).await.is(409);
    let (status, log) = demo.stop();
    assert!(status.success());
    // Address and password stay in sight.
    assert!(!log.contains("/api/v1/collection"), "{log}");

    let demo = plinth.start_with("demo", &[("PLINTH_LOG_ACCESS", "true")]);
    let client = demo.client().with("key", ready["key"].as_str().unwrap());
    assert_eq!(client.get(&city).await.is(200).at("/population"), 42);
    assert_eq!(client.get("collection/city?perPage=1").await.is(200).at("/stats/total"), 34_007);
    assert!(demo.stop().1.contains("/api/v1/collection"));
}

/// All files and folders below a folder that others than their owner may use.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut open = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let (kind, mode) =
            fs::symlink_metadata(&path).map(|data| (data.file_type(), data.permissions().mode())).unwrap();
        if mode & 0o077 != 0 {
            open.push(format!("{} {:o}", path.display(), mode & 0o777));
        }
        if kind.is_dir() {
            open.extend(open_to_others(&path));
        }
    }
    open
}

#[spec]
async fn what_the_demo_writes_is_for_its_user_alone(plinth: Plinth) {
    let demo = plinth.start_of(&["demo", "shop"], &[]);
    let client = demo.client().with("key", demo.ready()["key"].as_str().unwrap());
    client.get("collection/invoice?perPage=1").await.is(200);
    assert_eq!(open_to_others(&plinth.path("data")), Vec::<String>::new());
    let mode = fs::metadata(plinth.path("data")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    demo.stop();
}

#[spec]
async fn the_demo_serves_the_shop_beside_the_world(plinth: Plinth) {
    for round in 0..2 {
        let demo = plinth.start_of(&["demo", "shop"], &[]);
        assert_eq!(demo.ready()["tenant"], "shop");
        let client = demo.client().with("key", demo.ready()["key"].as_str().unwrap());
        assert_eq!(client.get("collection/invoice?perPage=1").await.is(200).at("/stats/total"), 8 + round);
        assert_eq!(client.get("collection/line?perPage=1").await.is(200).at("/stats/total"), 9 + round);
        assert_eq!(client.get("collection/payment?perPage=1").await.is(200).at("/stats/total"), 3);
        let invoice = client.get("collection/invoice/get-by/reference/ACME-2").await.is(200);
        assert_eq!(invoice.at("/due"), "2026-03-16");
        assert_eq!(invoice.at("/total"), 907.5);
        // Imported lines and payments are summed up.
        let part = client.get("collection/invoice/get-by/reference/DELTA-1").await.is(200);
        assert_eq!((part.at("/paid"), part.at("/balance")), (json!(1000.0), json!(5292.0)));
        let company = client.get("collection/company/get-by/code/ACME").await.is(200);
        assert_eq!((company.at("/turnover"), company.at("/owed")), (json!(1950.0), json!(907.5)));
        if round == 0 {
            // What an invoice refers to stays.
            client.delete(&format!("collection/company/{}", invoice.at("/company"))).await.is(409);
            let body = json!({"company": invoice.at("/company")});
            let made = client.create("invoice", body).await;
            assert_eq!((&made["status"], &made["total"]), (&json!("draft"), &json!(0.0)));
            let line = json!({"invoice": made["id"], "text": "Lamps", "quantity": 2, "price": 49.75});
            client.create("line", line).await;
            assert_eq!(client.get(&format!("collection/invoice/{}", made["id"])).await.is(200).at("/net"), 99.5);
        }
        assert!(demo.stop().0.success());
    }
}

/// Serves as for people; gives what is printed, and the server.
fn print(plinth: &Plinth) -> (String, Child) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().args(["demo", "shop", "--listen", "127.0.0.1:0", "--data"]).arg(plinth.path("data"));
    if let Some(url) = &plinth.postgres {
        command.args(["--postgres", url]);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut printed = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let is_last = line.contains("Ctrl+C");
        printed.push_str(&line);
        printed.push('\n');
        if is_last {
            break;
        }
    }
    (printed, child)
}

fn end(mut server: Child) {
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Runs the lines to paste, as they stand; gives what each answers.
fn paste(printed: &str) -> Vec<Json> {
    let lines = printed.lines().map(str::trim).filter_map(|line| line.strip_prefix("curl "));
    let answers = lines.map(|line| {
        let output = Command::new("bash").args(["-c", &format!("curl -sS -f {line}")]).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{line}"))
    });
    answers.collect()
}

#[spec]
async fn the_lines_that_the_shop_prints_work_as_they_stand(plinth: Plinth) {
    for round in 1..=2 {
        let (printed, server) = print(&plinth);
        assert!(
            printed.contains("Plinth serves a shop of 5 companies and 8 invoices on http://127.0.0.1:"),
            "{printed}"
        );
        let answers = paste(&printed);
        end(server);
        let [overdue, finance, line, invoice] = answers.try_into().unwrap_or_else(|_| panic!("{printed}"));
        assert_eq!(
            (&overdue["stats"]["total"], &overdue["data"][0]["company"]["name"]),
            (&json!(4), &json!("Crow Books"))
        );
        assert_eq!((&finance["items"][0]["title"], &finance["items"][0]["value"]), (&json!("Unpaid"), &json!(4)));
        assert_eq!((&line["text"], &line["amount"]), (&json!("Bookends"), &json!(37.5)));
        assert_eq!((&invoice["status"], &invoice["net"]), (&json!("draft"), &json!(480.0 + 37.5 * f64::from(round))));
        assert_eq!(invoice["company"]["turnover"], 340.0);
    }
}

/// The shop's files, with changes, in a folder.
fn shop(plinth: &Plinth, change: impl Fn(&str, String) -> Option<String>) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop");
    for folder in ["", "types", "roles", "users", "queries", "canvases", "automations"] {
        for entry in fs::read_dir(examples.join(folder)).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                let name = Path::new(folder).join(entry.file_name()).display().to_string();
                if let Some(text) = change(&name, fs::read_to_string(entry.path()).unwrap()) {
                    plinth.file(&format!("shop/{name}"), text);
                }
            }
        }
    }
    plinth.path("shop").display().to_string()
}

#[spec]
async fn a_shop_of_an_earlier_version_is_found_and_served_and_can_be_brought_up_to_date(plinth: Plinth) {
    // That version knew no reminders, no turnover, and no query and canvas that need them.
    let lacks = ["reminded:", "turnover:", "owed:"];
    let folder = shop(&plinth, |name, text| {
        let lines = text.lines().filter(|line| !lacks.iter().any(|name| line.trim_start().starts_with(name)));
        let known = !["queries/customers.yaml", "canvases/finance.yaml", "automations/reminders.yaml"].contains(&name);
        known.then(|| lines.collect::<Vec<_>>().join("\n").replace(", -turnover, -owed", "") + "\n")
    });
    plinth.run(&["apply", &folder]).done();
    plinth.run(&["import", "company", "--tenant", "shop", &plinth.file("a.csv", "code,name\nOLD,Old\n")]).done();
    let key = plinth.run(&["key", "create", "admin", "--tenant", "shop", "--json"]).json()["keyString"].clone();
    plinth.file("data/demo-shop.json", json!({"user": "admin", "password": "kept", "key": key}).to_string());

    let served = |expected: u64| {
        let plinth = &plinth;
        let key = key.clone();
        async move {
            let demo = plinth.start_of(&["demo", "shop"], &[]);
            assert_eq!(demo.ready()["key"], key);
            let client = demo.client().with("key", key.as_str().unwrap());
            let companies = client.get("collection/company").await.is(200);
            assert_eq!((companies.at("/stats/total"), companies.at("/data/0/code")), (json!(expected), json!("OLD")));
            assert!(demo.stop().0.success());
        }
    };
    served(1).await;
    let (printed, server) = print(&plinth);
    end(server);
    assert!(
        printed.contains("It is served as it is: an earlier version made it") && !printed.contains("curl"),
        "{printed}"
    );

    let folder = shop(&plinth, |_, text| Some(text));
    let applied = plinth.run(&["apply", &folder]).done();
    assert!(applied.contains("add property invoice.reminded"), "{applied}");
    served(1).await;
    let demo = plinth.start_of(&["demo", "shop"], &[]);
    let client = demo.client().with("key", key.as_str().unwrap());
    assert_eq!(client.get("collection/company/get-by/code/OLD").await.is(200).at("/turnover"), 0.0);
    assert_eq!(client.get("/api/ext/v1/canvas/finance").await.is(200).at("/items/0/value"), 0);
    assert!(demo.stop().0.success());
}

#[spec]
async fn the_demo_leaves_a_tenant_of_its_name_alone_that_somebody_else_made(plinth: Plinth) {
    plinth.file("own/tenant.yaml", "tenant: shop\n");
    plinth.file("own/types/company.yaml", "name: company\nproperties:\n  name: {kind: pString}\n");
    let own = plinth.path("own").display().to_string();
    plinth.run(&["apply", &own]).done();
    let refused = plinth.run(&["demo", "shop", "--listen", "127.0.0.1:0"]);
    assert_eq!((refused.code, refused.output.as_str()), (1, ""));
    assert_eq!(
        refused.errors,
        "plinth: There is a tenant shop already, which is not the demo's.\nTake another folder: plinth demo shop --data DIR. \
         Or remove the tenant: plinth tenant delete shop --now --yes.\n"
    );
    assert!(plinth.run(&["plan", &own]).done().starts_with("Nothing to change."));
    assert!(!plinth.path("data/demo-shop.json").exists());
}
