//! The console's page and files, as a browser gets them.

use crate::pages::visitor::Visitor;
use spec::spec;
use testing::Server;

#[spec("E-139")]
async fn all_places_have_one_page_that_runs_our_files_alone(server: Server) {
    let visitor = Visitor::new(&server).with("host", "127.0.0.1");
    for (path, root) in [
        ("/t/acme/", "./"),
        ("/t/acme/c/user", "../"),
        ("/t/acme/c/user/5", "../../"),
        ("/t/acme/c/user/new", "../../"),
        ("/t/acme/board/any", "../"),
        ("/t/acme/operate/runs/5", "../../"),
        ("/t/acme/inbox", "./"),
    ] {
        let page = visitor.request("GET", path).send().await.is(200);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(page.header("cache-control"), "no-cache");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        assert!(page.headers.get("set-cookie").is_none());
        let script = page.text.split("src=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert!(script.starts_with(&format!("{root}console/")), "{path}: {script}");
        assert!(!page.text.contains("style=") && !page.text.contains("<script>"), "nothing stands in the page itself");
        let tag = page.header("etag").to_owned();
        visitor.request("GET", path).header("if-none-match", &tag).send().await.is(304);
        let file = format!("/t/acme/console/{}", script.rsplit('/').next().unwrap());
        let mut lengths = Vec::new();
        for (accepted, coding) in [("gzip, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", "")] {
            let reply = visitor.request("GET", &file).header("accept-encoding", accepted).send().await.is(200);
            assert_eq!(reply.header("content-encoding"), coding);
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
            assert!(reply.header("content-type").starts_with("text/javascript"));
            lengths.push(reply.header("content-length").parse::<usize>().unwrap());
        }
        assert!(lengths[0] < lengths[1] && lengths[1] == lengths[2] && lengths[2] < lengths[3], "{lengths:?}");
    }
    visitor.request("GET", "/t/acme/console/none.js").send().await.is(404);
    visitor.request("GET", "/t/none/c/user").send().await.is(404);
}

#[spec("E-139")]
async fn signing_in_leads_to_the_page_that_was_asked_for(server: Server) {
    let login = server.login("editor").await;
    for (next, expected) in [
        ("c/user?open=5", "./c/user?open=5"),
        ("account", "./account"),
        ("//evil.test/", "./"),
        ("https://evil.test/", "./"),
        ("../other/", "./"),
    ] {
        let mut visitor = Visitor::new(&server);
        let asked: String = testing::form(&[("next", next)]);
        visitor.get(&format!("/sign-in?{asked}")).await.is(200);
        let reply = visitor.submit("sign-in", &[("user", &login.user), ("password", &login.password)]).await.is(303);
        assert_eq!(reply.header("location"), expected, "{next}");
        assert_eq!(visitor.get(&format!("/sign-in?{asked}")).await.is(303).header("location"), expected);
    }
}
