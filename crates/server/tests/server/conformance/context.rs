//! What expressions know of where they run: resources, links, the request, what the API shows.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PAGE: &str = r#"
id: 60
name: page
titleProperty: title
codeProperty: code
properties:
  title:   {id: 600, kind: pString}
  code:    {id: 601, kind: pString, unique: true}
  number:  {id: 602, kind: pInteger, title: Number}
  above:   {id: 603, kind: pRelation, type: page, default: "{=resource('page', 'root')}"}
  secret:  {id: 604, kind: pString}
  links:   {id: 610, kind: pCalculated, calculate: "{=[objectShowLink(), objectEditLink(), objectCopyLink(), objectCreateLink(), objectDeleteLink(), objectActionLink(action: 'send to', args: {to: 'a b', n: 1}), (above != null ? objectShowLink(above) : null), objectActionLink()]}"}
  here:    {id: 611, kind: pCalculated, calculate: "{=currentLink()}"}
  request: {id: 612, kind: pCalculated, calculate: "{=[isApiRequest(), isLoginAs()]}"}
  shown:   {id: 613, kind: pCalculated, calculate: "{=toApiArray(above)}"}
  raw:     {id: 614, kind: pCalculated, calculate: "{=above != null ? export(above, ['code', 'above']) : null}"}
  found:   {id: 615, kind: pCalculated, calculate: "{=[resource('page', 'root').title, resource('60', {code: 'root'}).id, resource('page', [12345]), resource('page', 'absent'), resource('page', above).code]}"}
  lost:    {id: 616, kind: pCalculated, calculate: "{=resource('ab' ~ 'sent', 1)}"}
  cast:    {id: 617, kind: pCalculated, calculate: "{=[toApiArray('a'), toApiArray(fileFromData('abc', 'a.txt'))]}"}
  file:    {id: 618, kind: pCalculated, calculate: "{=fileFromFile('a.txt').size}"}
"#;

const BOARD: &str = r#"
canvas: links
title: Links
params: {code: {kind: pString}}
items:
  - {kind: text, text: "{=resource('page', appParameter('code')).secret ?? 'nothing'}"}
  - {kind: text, text: "{=resource('page', appParameter('code')).title ?? 'nothing'}"}
  - {kind: text, text: "{=currentLink()}"}
  - {kind: text, text: "{=jsonEncode(toApiArray(resource('page', appParameter('code'))))}"}
"#;

const FEW: &str =
    "role: few\nsystem: [restApi]\ntypes:\n  page: {show: {where: \"{=number > 1}\", fields: [title, code, number]}}\n";

struct Pages {
    server: Server,
    root: i64,
    page: i64,
}

impl testing::Subject for Pages {
    async fn on(engine: Engine) -> Self {
        let server = Server::with(engine, &[("types/page.yaml", PAGE), ("canvases/links.yaml", BOARD)]).await;
        let admin = server.admin().at_contract();
        let root = admin.create("page", json!({"title": "Root", "code": "root", "number": 1, "secret": "s1"})).await;
        let page = admin.create("page", json!({"title": "Leaf", "code": "leaf", "number": 2, "secret": "s2"})).await;
        Pages { root: root["id"].as_i64().unwrap(), page: page["id"].as_i64().unwrap(), server }
    }
}

impl Pages {
    async fn shown(&self, client: &Client, field: &str) -> Json {
        let path = format!("collection/page/{}?showFields={field}", self.page);
        client.get(&path).await.is(200).json()[field].take()
    }
}

#[spec("R-415")]
async fn resources_are_found_by_id_uuid_and_code(pages: Pages) {
    let admin = pages.server.admin().at_contract();
    let above = admin.get(&format!("collection/page/{}?showFields=above,uuid", pages.page)).await.is(200).json();
    assert_eq!(above["above"], json!(pages.root), "the default found it by its code");
    assert_eq!(pages.shown(&admin, "found").await, json!(["Root", pages.root, null, null, "root"]));
    assert_eq!(pages.shown(&admin, "lost").await, json!(null));
    let path = format!("collection/page/{}?showFields=lost&wrapFields=lost", pages.page);
    admin.get(&path).await.is(200).says("There is no type");
}

#[spec("R-415", "R-399", "D-3")]
async fn what_answers_a_user_finds_and_shows_what_that_user_sees(pages: Pages) {
    let texts = async |client: &Client, code: &str| {
        let canvas = client.get(&format!("/api/ext/v1/canvas/links?code={code}")).await.is(200).at("/items");
        let texts = canvas.as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap_or_default().to_owned());
        texts.collect::<Vec<String>>()
    };
    let all = texts(&pages.server.admin().at_contract(), "root").await;
    assert_eq!(all[..3], ["s1", "Root", "/api/ext/v1/canvas/links"]);
    assert!(all[3].contains("\"secret\":\"s1\""), "{}", all[3]);
    let few = pages.server.role("few", FEW).await;
    let one = texts(&few, "leaf").await;
    assert_eq!(one[..2], ["nothing", "Leaf"], "a field that the user may not read is not there");
    assert!(one[3].contains("\"title\":\"Leaf\"") && !one[3].contains("s2"), "{}", one[3]);
    let none = texts(&few, "root").await;
    assert_eq!(none[..2], ["nothing", "nothing"], "a row that the user does not see is none");
    assert_eq!(none[3], "[]");
}

#[spec("R-413", "R-416", "R-417", "R-418", "R-419", "R-420", "R-421", "R-423")]
async fn links_lead_to_resources_and_the_request_is_known(pages: Pages) {
    let (admin, id) = (pages.server.admin().at_contract(), pages.page);
    let links = pages.shown(&admin, "links").await;
    let links: Vec<&str> = links.as_array().unwrap().iter().map(|link| link.as_str().unwrap()).collect();
    let (base, _) = links[0].split_once("/page/").unwrap();
    assert!(base.starts_with("http://") && base.ends_with("/t/acme"), "{base}");
    let root = pages.root;
    let expected = [
        format!("/page/{id}/show"),
        format!("/page/{id}/show#edit"),
        format!("/page/{id}/show#copy"),
        "/c/page#create".to_owned(),
        format!("/page/{id}/show#delete"),
        format!("/page/{id}/show#send+to?to=a+b&n=1"),
        format!("/page/{root}/show"),
    ];
    for (link, expected) in links.iter().zip(&expected) {
        assert_eq!(*link, format!("{base}{expected}"));
    }
    assert_eq!(links[7], "", "an action without a name has no link");
    let path = links[0].split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap();
    // The console asks who is there, and shows the resource.
    let shown = pages.server.client().get(path).await.is(303);
    assert_eq!(shown.header("location"), format!("../../c/page/{id}"));
    assert_eq!(pages.shown(&admin, "here").await, json!(format!("/api/v1/collection/page/{id}")));
    let prefixed = admin.get(&format!("/t/acme/api/v1/collection/page/{id}?showFields=here")).await.is(200);
    assert_eq!(prefixed.at("/here"), json!(format!("/t/acme/api/v1/collection/page/{id}")), "as it was asked for");
    assert_eq!(pages.shown(&admin, "request").await, json!([true, false]));
    pages
        .server
        .change(&[(
            "tenant.yaml",
            "tenant: acme\nhosts: [acme.test]\nbaseUrl: https://acme.example/\napi: {rate: 0}\n",
        )])
        .await;
    let own = pages.shown(&admin, "links").await;
    assert_eq!(own[0], json!(format!("https://acme.example/page/{id}/show")));
}

#[spec("R-399", "R-386", "R-391")]
async fn the_api_s_view_and_the_stored_values_of_a_resource(pages: Pages) {
    let admin = pages.server.admin().at_contract();
    let mut shown = pages.shown(&admin, "shown").await;
    let mut root = admin.get(&format!("collection/page/{}", pages.root)).await.is(200).json();
    // Where that is asked is the only difference.
    let asked = [&mut shown, &mut root].map(|answer| answer["here"].take());
    assert_eq!(asked, [pages.page, pages.root].map(|id| json!(format!("/api/v1/collection/page/{id}"))));
    assert_eq!(shown, root);
    assert_eq!(pages.shown(&admin, "raw").await, json!({"code": "root", "above": null}));
    let cast = pages.shown(&admin, "cast").await;
    assert_eq!(cast[0], json!(["a"]));
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(cast[1], json!({"name": "a.txt", "title": "a", "size": 3, "mime": "text/plain", "hash": hash}));
    let file = format!("collection/page/{}?showFields=file&wrapFields=file", pages.page);
    admin.get(&file).await.is(200).says("There is no file root");
}

/// Regular files below the tenant's folder, and nothing else, whatever they are called by.
#[spec("A128", "R-390")]
async fn files_are_read_below_the_root_alone(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("acme");
    std::fs::create_dir_all(root.join("a")).unwrap();
    std::fs::create_dir_all(folder.path().join("second")).unwrap();
    std::fs::write(root.join("a/b.txt"), "inside").unwrap();
    std::fs::write(folder.path().join("second/b.txt"), "another tenant's").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("passwd")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("second"), root.join("second")).unwrap();
    std::os::unix::fs::symlink(root.join("a/b.txt"), root.join("within")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
    std::fs::File::create(root.join("sparse")).unwrap().set_len(10 << 30).unwrap();
    let canvas = "canvas: files\ntitle: Files\nparams: {name: {kind: pString}}\nitems:\n  \
                  - {kind: text, text: \"{=fileFromFile(appParameter('name')).title ~ ' ' ~ fileFromFile(appParameter('name')).size}\"}\n";
    let settings = platform::tenants::Settings {
        address_rate: None,
        file_root: Some(folder.path().to_owned()),
        ..Default::default()
    };
    let server = Server::settled(engine, settings, Vec::new(), &[("canvases/files.yaml", canvas)]).await;
    let admin = server.admin().at_contract();
    let ask = async |name: &str| {
        let reply = admin.search("/api/ext/v1/canvas/files", json!({"name": name})).await;
        if reply.status == 400 { reply.json() } else { reply.is(200).at("/items/0") }
    };
    assert_eq!(ask("a/b.txt").await["text"], json!("b.txt 6"));
    for name in [
        "/etc/passwd",
        "../second/b.txt",
        "a/../../second/b.txt",
        "second/b.txt",
        "passwd",
        "within",
        "pipe",
        "sparse",
        "a",
        ".",
        "..",
        "a/",
        "/proc/self/environ",
        "proc/self/environ",
        "file:///etc/passwd",
        "file://a/b.txt",
        "a/b.txt\0",
        "a\\b.txt",
        "%2e%2e/second/b.txt",
        "C:\\a",
        "absent",
        "a//b.txt",
        "~/a",
    ] {
        let told = ask(name).await;
        let message = told["error"]["message"]
            .as_str()
            .or(told["message"].as_str())
            .unwrap_or_else(|| panic!("{name:?}: {told}"));
        let root = folder.path().to_str().unwrap();
        assert!(
            !message.contains("passwd") && !message.contains(root) && !message.contains("second"),
            "{name:?}: {message}"
        );
    }
}
