//! The server: takes messages in their order, answers requests, and checks after a moment of quiet.

use crate::framing::{self, IncomingMessage};
use crate::workspace::Workspace;
use crate::{actions, answers, renaming, uri};
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The quiet after a change before the files are checked.
const QUIET: Duration = Duration::from_millis(100);
/// The most messages that wait.
const MOST_WAITING: usize = 16;

/// Error codes of JSON-RPC and of the protocol.
const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const NOT_INITIALIZED: i64 = -32_002;
const REQUEST_FAILED: i64 = -32_803;

/// The way in which a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionEnd {
    /// The client asked for it, first by `shutdown` and then by `exit`.
    Orderly,
    /// The input ended, or `exit` came without `shutdown`.
    Abrupt,
}

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionState {
    New,
    Running,
    ShutDown,
}

/// Serves a client until it says goodbye. An error means that the input cannot be read, or the output not written.
pub fn serve(
    mut input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    version: &str,
) -> io::Result<SessionEnd> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    // The thread ends with the input, or with its next message after the session.
    std::thread::spawn(move || {
        loop {
            let message = framing::read(&mut input);
            let is_last = !matches!(message, Ok(Some(_)));
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    });
    let workspace = Workspace::default();
    LanguageSession { workspace, state: SessionState::New, output, version, told: Vec::new() }.run(&receiver)
}

struct LanguageSession<'o> {
    workspace: Workspace,
    state: SessionState,
    output: &'o mut dyn Write,
    version: &'o str,
    /// Warnings that follow the next answer.
    told: Vec<String>,
}

/// The answer to a request: a result, or a code with a message.
type Answer = Result<Json, (i64, String)>;

impl LanguageSession<'_> {
    fn run(mut self, messages: &Receiver<io::Result<Option<IncomingMessage>>>) -> io::Result<SessionEnd> {
        loop {
            let received = if self.workspace.is_changed() && self.state == SessionState::Running {
                match messages.recv_timeout(QUIET) {
                    Err(RecvTimeoutError::Timeout) => {
                        self.check()?;
                        continue;
                    }
                    received => received.ok(),
                }
            } else {
                messages.recv().ok()
            };
            match received.transpose()?.flatten() {
                None => return Ok(SessionEnd::Abrupt),
                Some(IncomingMessage::Json(message)) if message["method"] == "exit" => {
                    let orderly = self.state == SessionState::ShutDown;
                    return Ok(if orderly { SessionEnd::Orderly } else { SessionEnd::Abrupt });
                }
                Some(IncomingMessage::Json(message)) => self.message(&message)?,
                Some(IncomingMessage::Malformed) => self.refuse(PARSE_ERROR, "The message is not JSON.")?,
                Some(IncomingMessage::TooLarge) => self.refuse(INVALID_REQUEST, "The message is too large.")?,
            }
        }
    }

    fn check(&mut self) -> io::Result<()> {
        let notifications = self.workspace.check();
        notifications.iter().try_for_each(|notification| framing::write(self.output, notification))
    }

    /// Tells a mistake that belongs to no request.
    fn refuse(&mut self, code: i64, message: &str) -> io::Result<()> {
        self.answer(&Json::Null, Err((code, message.to_owned())))
    }

    fn answer(&mut self, id: &Json, answer: Answer) -> io::Result<()> {
        let message = match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, message)) => json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
        };
        framing::write(self.output, &message)
    }

    fn message(&mut self, message: &Json) -> io::Result<()> {
        let params = message.get("params").unwrap_or(&Json::Null);
        let id = message.get("id");
        let Some(method) = message.get("method").and_then(Json::as_str) else {
            // Answers to requests of ours, of which there are none, need no reply.
            let is_answer = message.get("result").or(message.get("error")).is_some();
            return if is_answer { Ok(()) } else { self.refuse(INVALID_REQUEST, "The message has no method.") };
        };
        match id {
            Some(id @ (Json::Number(_) | Json::String(_))) => {
                let answer = self.request(method, params);
                self.answer(id, answer)?;
                std::mem::take(&mut self.told).into_iter().try_for_each(|message| self.show(2, &message))
            }
            Some(_) => self.refuse(INVALID_REQUEST, "The id is neither a number nor a text."),
            None if self.state == SessionState::Running => self.notification(method, params),
            None => Ok(()),
        }
    }

    fn request(&mut self, method: &str, params: &Json) -> Answer {
        match (self.state, method) {
            (SessionState::New, "initialize") => {
                self.state = SessionState::Running;
                self.workspace.open_folders(params);
                return Ok(capabilities(self.version));
            }
            (SessionState::New, _) => return Err((NOT_INITIALIZED, "The first request is initialize.".to_owned())),
            (SessionState::Running, "initialize") => {
                return Err((INVALID_REQUEST, "initialize came already.".to_owned()));
            }
            (SessionState::ShutDown, _) => return Err((INVALID_REQUEST, "shutdown came already.".to_owned())),
            _ => {}
        }
        let workspace = &mut self.workspace;
        let found = match method {
            "shutdown" => {
                self.state = SessionState::ShutDown;
                None
            }
            "textDocument/completion" => answers::completion(workspace, params),
            "textDocument/hover" => answers::hover(workspace, params),
            "textDocument/signatureHelp" => answers::signature(workspace, params),
            "textDocument/definition" => answers::definition(workspace, params),
            "textDocument/codeAction" => actions::actions(workspace, params),
            "textDocument/prepareRename" => renaming::prepare(workspace, params),
            "textDocument/rename" => {
                let renamed = renaming::rename(workspace, params).map_err(|message| (REQUEST_FAILED, message))?;
                self.told.extend(renamed.warning);
                Some(renamed.edit)
            }
            _ => {
                let shown: String = method.chars().take(100).collect();
                return Err((METHOD_NOT_FOUND, format!("There is no method {shown}.")));
            }
        };
        Ok(found.unwrap_or(Json::Null))
    }

    fn notification(&mut self, method: &str, params: &Json) -> io::Result<()> {
        let address = params.pointer("/textDocument/uri").and_then(Json::as_str);
        let text = match method {
            "textDocument/didOpen" => params.pointer("/textDocument/text"),
            // Each change holds the whole text, as the capabilities ask: the last one counts.
            "textDocument/didChange" => params
                .get("contentChanges")
                .and_then(Json::as_array)
                .and_then(|changes| changes.last())
                .filter(|change| change.get("range").is_none())
                .and_then(|change| change.get("text")),
            "textDocument/didSave" | "textDocument/didClose" => None,
            "workspace/didChangeWatchedFiles" => {
                let changes = params.get("changes").and_then(Json::as_array).into_iter().flatten();
                let addresses = changes.filter_map(|change| change.get("uri")?.as_str());
                addresses.filter_map(uri::path).for_each(|path| self.workspace.touch(&path));
                return Ok(());
            }
            _ => return Ok(()),
        };
        let Some(address) = address else { return Ok(()) };
        let Some(path) = uri::path(address) else { return Ok(()) };
        match text.and_then(Json::as_str) {
            Some(text) => self.put(path, address, text)?,
            None => {
                if method == "textDocument/didClose" {
                    // The folder is looked for while its settings may still be a document.
                    self.workspace.touch(&path);
                    self.workspace.documents.close(&path);
                }
                self.workspace.touch(&path);
            }
        }
        Ok(())
    }

    fn put(&mut self, path: PathBuf, address: &str, text: &str) -> io::Result<()> {
        let taken = self.workspace.documents.put(path.clone(), address, text);
        self.workspace.touch(&path);
        taken.or_else(|message| self.show(1, &message))
    }

    /// Shows a message to the user: 1 is an error, 2 a warning.
    fn show(&mut self, weight: u8, message: &str) -> io::Result<()> {
        let params = json!({"type": weight, "message": message});
        framing::write(self.output, &json!({"jsonrpc": "2.0", "method": "window/showMessage", "params": params}))
    }
}

fn capabilities(version: &str) -> Json {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": true, "change": 1, "save": true},
            "completionProvider": {"triggerCharacters": [".", "'", "\"", "$", "="]},
            "hoverProvider": true,
            "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
            "definitionProvider": true,
            "renameProvider": {"prepareProvider": true},
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
        },
        "serverInfo": {"name": "plinth", "version": version},
    })
}
