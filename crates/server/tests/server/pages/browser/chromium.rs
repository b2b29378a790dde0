//! A headless Chromium that is used as people do who have a keyboard alone. What it reports to its console, and what it
//! asks of anybody but the server under test, fails the test.

use super::driver::Driver;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::error::CmdError;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use futures_util::FutureExt;
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value as Json, json};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::PathBuf;
use std::time::Duration;
use url::{ParseError, Url};

const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const SPACE: char = ' ';
/// More steps than any page has from its start to its end.
const STEPS: usize = 40;
/// How long a page may take until it shows what it is to show.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with a profile of its own.
pub(crate) struct Browser {
    client: Client,
    base: String,
}

impl Browser {
    /// Does something in a browser that prefers a language; then judges what the browser noted meanwhile. The browser is
    /// closed in any case.
    pub(crate) async fn run(base: &str, language: &str, test: impl AsyncFnOnce(&Self)) {
        let driver = tokio::task::spawn_blocking(Driver::start).await.unwrap();
        let client = connect(&driver, language).await;
        let browser = Self { client: client.clone(), base: base.to_owned() };
        let done = AssertUnwindSafe(async {
            test(&browser).await;
            browser.judge().await;
        });
        let done = done.catch_unwind().await;
        client.close().await.unwrap();
        if let Err(panic) = done {
            resume_unwind(panic);
        }
    }

    /// Opens an address of the server.
    pub(crate) async fn open(&self, path: &str) {
        let url = if path.starts_with('/') { format!("{}{path}", self.base) } else { path.to_owned() };
        self.client.goto(&url).await.unwrap();
    }

    /// Waits until the page says something.
    pub(crate) async fn says(&self, text: &str) {
        let found = self.wait(async || self.text().await.contains(text)).await;
        assert!(found, "no {text:?} on {}:\n{}", self.address().await, self.text().await);
    }

    /// Waits until the page has a title that begins like this.
    pub(crate) async fn titled(&self, title: &str) {
        let found = self.wait(async || self.client.title().await.is_ok_and(|shown| shown.starts_with(title))).await;
        assert!(found, "{:?} is not {title:?}", self.client.title().await);
    }

    /// The address that the browser shows.
    pub(crate) async fn address(&self) -> String {
        self.client.current_url().await.unwrap().to_string()
    }

    /// The visible text.
    pub(crate) async fn text(&self) -> String {
        let text = self.script("return document.body ? document.body.innerText : ''").await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The attribute `lang` of the page.
    pub(crate) async fn language(&self) -> String {
        self.script("return document.documentElement.lang").await.as_str().unwrap_or_default().to_owned()
    }

    /// Presses Tab until the focus is on what the selector names, and sees that people see it there.
    pub(crate) async fn tab_to(&self, selector: &str) {
        for _ in 0..STEPS {
            if self.focused(selector).await {
                let outline = self.script("return getComputedStyle(document.activeElement).outlineStyle").await;
                assert_eq!(outline, "solid", "the focus on {selector} is not seen");
                return;
            }
            self.press(TAB).await;
        }
        panic!("{selector} is not reached by Tab on {}:\n{}", self.address().await, self.text().await);
    }

    /// Whether what the selector names has the focus.
    pub(crate) async fn focused(&self, selector: &str) -> bool {
        let script = format!("return document.activeElement.matches({})", json!(selector));
        self.script(&script).await == true
    }

    /// Goes to a field and types.
    pub(crate) async fn fill(&self, selector: &str, text: &str) {
        self.tab_to(selector).await;
        for key in text.chars() {
            self.press(key).await;
        }
    }

    /// Goes to a button or link, and presses Enter.
    pub(crate) async fn enter(&self, selector: &str) {
        self.tab_to(selector).await;
        self.press(ENTER).await;
    }

    /// Goes to a button, and presses the space bar.
    pub(crate) async fn space(&self, selector: &str) {
        self.tab_to(selector).await;
        self.press(SPACE).await;
    }

    /// Presses a key.
    pub(crate) async fn press(&self, key: char) {
        let keys = KeyActions::new("keyboard".to_owned());
        let keys = keys.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        self.client.perform_actions(keys).await.unwrap();
    }

    async fn script(&self, script: &str) -> Json {
        // While a page changes into the next there is none to ask.
        for _ in 0..1_200 {
            if let Ok(value) = self.client.execute(script, Vec::new()).await {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the page on {} cannot be asked", self.address().await)
    }

    async fn wait(&self, condition: impl AsyncFn() -> bool) -> bool {
        let waiting = async {
            while !condition().await {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.is_ok()
    }

    /// Fails for what the console says, unless it is the status of an answer of ours, and for requests to others.
    async fn judge(&self) {
        for entry in self.log("browser").await {
            let is_status = entry["source"] == "network"
                && entry["message"].as_str().is_some_and(|message| {
                    self.is_own(message) && message.contains("the server responded with a status of 4")
                });
            assert!(is_status, "the console says {entry}");
        }
        let mut requests = 0;
        for entry in self.log("performance").await {
            let message: Json = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            if message["message"]["method"] != "Network.requestWillBeSent" {
                continue;
            }
            let url = message["message"]["params"]["request"]["url"].as_str().unwrap();
            assert!(self.is_own(url) || url.starts_with("data:"), "the browser asked for {url}");
            requests += 1;
        }
        assert!(requests > 1, "the browser's requests were noted");
    }

    /// Whether an address is the server's. By its other name it is another origin, an integration's.
    fn is_own(&self, url: &str) -> bool {
        url.starts_with(&self.base) || url.starts_with(&self.base.replace("127.0.0.1", "localhost"))
    }

    async fn log(&self, kind: &'static str) -> Vec<Json> {
        let entries: Result<Json, CmdError> = self.client.issue_cmd(Log(kind)).await;
        entries.unwrap().as_array().cloned().unwrap_or_default()
    }
}

/// ChromeDriver's own command for the console's entries, or the network's.
#[derive(Debug)]
struct Log(&'static str);

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base_url: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base_url.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({"type": self.0}).to_string()))
    }
}

async fn connect(driver: &Driver, language: &str) -> Client {
    let mut arguments = vec![
        "--headless=new".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--window-size=1100,900".to_owned(),
        format!("--accept-lang={language}"),
        // Names lead nowhere: what a page asks of anybody else fails, and is seen.
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost".to_owned(),
    ];
    // Chromium has no sandbox for root.
    if is_root() {
        arguments.push("--no-sandbox".to_owned());
    }
    let mut options = json!({"args": arguments});
    if let Some(shell) = shell() {
        options["binary"] = json!(shell);
    }
    let Json::Object(capabilities) = json!({
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        "goog:chromeOptions": options,
    }) else {
        unreachable!("it is an object")
    };
    let capabilities: Capabilities = capabilities;
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(capabilities).connect(&driver.url).await.unwrap()
}

/// Returns the path of a Chromium without windows, which takes less of the processor. Without it, the driver finds
/// another one.
fn shell() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join("chromium-headless-shell")).find(|path| path.exists())
}

/// Whether the test runs as root.
fn is_root() -> bool {
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
