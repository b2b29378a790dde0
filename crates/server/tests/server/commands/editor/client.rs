//! A client of the language server: the process, its messages and a folder.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

/// The longest time for an answer on a machine that does other work.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor.
pub(crate) struct EditorClient {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Json>,
    folder: TempDir,
    requests: i64,
    version: i64,
    /// Messages that came while others were waited for.
    waiting: Vec<Json>,
}

impl EditorClient {
    /// Starts the server on a copy of the shop, and greets it.
    pub(crate) fn start() -> Self {
        let mut client = Self::silent();
        let root = client.address("");
        let answer = client.request("initialize", json!({"processId": null, "rootUri": root, "capabilities": {}}));
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16");
        client.notify("initialized", json!({}));
        client
    }

    /// Starts the server, and says nothing.
    pub(crate) fn silent() -> Self {
        let folder = TempDir::new().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop"), folder.path());
        let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
        command.args(["lsp", "--stdio"]).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let (sender, messages) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || frames(output, |message| sender.send(message).is_ok()));
        let input = child.stdin.take();
        EditorClient { child, input, messages, folder, requests: 0, version: 0, waiting: Vec::new() }
    }

    /// The path of a file of the shop.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// The text of a file on the disk.
    pub(crate) fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    pub(crate) fn address(&self, file: &str) -> String {
        format!("file://{}", self.path(file).display()).trim_end_matches('/').to_owned()
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Json) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Json) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and returns the whole answer.
    pub(crate) fn request(&mut self, method: &str, params: Json) -> Json {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.until(|message| message["id"] == id)
    }

    /// Returns the first message that fits; others wait.
    pub(crate) fn until(&mut self, fits: impl Fn(&Json) -> bool) -> Json {
        if let Some(place) = self.waiting.iter().position(&fits) {
            return self.waiting.remove(place);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|_| {
                panic!("no such message came, but {:?}", self.waiting);
            });
            if fits(&message) {
                return message;
            }
            self.waiting.push(message);
        }
    }

    /// Opens a file with a text that is not the disk's.
    pub(crate) fn open(&mut self, file: &str, text: &str) {
        let address = self.address(file);
        self.version += 1;
        let document = json!({"uri": address, "languageId": "yaml", "version": self.version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub(crate) fn change(&mut self, file: &str, text: &str) {
        let address = self.address(file);
        self.version += 1;
        let document = json!({"uri": address, "version": self.version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }

    pub(crate) fn close(&mut self, file: &str) {
        let address = self.address(file);
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": address}}));
    }

    /// Asks about a place of a file; gives the result.
    pub(crate) fn ask(&mut self, method: &str, file: &str, position: &Json) -> Json {
        let params = json!({"textDocument": {"uri": self.address(file)}, "position": position});
        let answer = self.request(&format!("textDocument/{method}"), params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// The labels of the completions at a place.
    pub(crate) fn labels(&mut self, file: &str, position: &Json) -> Vec<String> {
        let found = self.ask("completion", file, position);
        let items = found["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    /// The next problems that are told of a file.
    pub(crate) fn problems(&mut self, file: &str) -> Vec<Json> {
        let address = self.address(file);
        let fits = |message: &Json| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == address.as_str()
        };
        self.until(fits)["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Says goodbye; gives the exit code.
    pub(crate) fn end(mut self) -> ExitStatus {
        let answer = self.request("shutdown", Json::Null);
        assert_eq!(answer["result"], Json::Null, "{answer}");
        self.notify("exit", Json::Null);
        self.child.wait().unwrap()
    }

    /// Closes the input without a word; gives the exit code.
    pub(crate) fn leave(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().unwrap()
    }

    /// Waits for the end of the process.
    pub(crate) fn ended(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for EditorClient {
    fn drop(&mut self) {
        // One that has ended already cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads messages until the output ends, or nobody wants them.
fn frames(mut output: impl BufRead, mut take: impl FnMut(Json) -> bool) {
    loop {
        let (mut header, mut blank) = (String::new(), String::new());
        if output.read_line(&mut header).unwrap_or(0) == 0 {
            return;
        }
        output.read_line(&mut blank).unwrap();
        assert_eq!(blank, "\r\n");
        let length = header.trim_end().strip_prefix("Content-Length: ").unwrap().parse().unwrap();
        let mut body = vec![0; length];
        output.read_exact(&mut body).unwrap();
        if !take(serde_json::from_slice(&body).unwrap()) {
            return;
        }
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &target) } else { drop(std::fs::copy(entry.path(), target)) }
    }
}
