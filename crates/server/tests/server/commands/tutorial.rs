//! docs/tutorial.md: its files are written, its commands run, its outputs compared, in an empty folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use testing::Process;

const PAGE: &str = include_str!("../../../../../docs/tutorial.md");
/// Where the page says that the server listens.
const SHOWN: &str = "http://127.0.0.1:8080";

/// A part of the page that does something.
enum Block {
    /// A file, by its path.
    File(String, String),
    /// Commands, each with its output.
    Commands(Vec<(String, String)>),
}

#[test]
fn the_tutorial_does_what_it_says() {
    let folder = TempDir::new().unwrap();
    let (home, programs) = (folder.path().join("home"), folder.path().join("programs"));
    fs::create_dir_all(&home).unwrap();
    fs::create_dir_all(&programs).unwrap();
    symlink(env!("CARGO_BIN_EXE_plinth"), programs.join("plinth")).unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let mut server: Option<Process> = None;
    let (mut files, mut commands) = (0, 0);
    for block in blocks() {
        match block {
            Block::File(name, text) => {
                let file = home.join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
                files += 1;
            }
            Block::Commands(block) => {
                for (command, expected) in block {
                    commands += 1;
                    if command == "plinth serve" {
                        let data = home.join("data").display().to_string();
                        let arguments = ["serve", "--json", "--listen", "127.0.0.1:0", "--data", &data];
                        let started = Process::start(env!("CARGO_BIN_EXE_plinth"), &arguments);
                        assert_eq!(expected, format!("Plinth serves on {SHOWN}\n"));
                        server = Some(started);
                        continue;
                    }
                    let url = server.as_ref().map_or(SHOWN, |server| server.ready()["url"].as_str().unwrap());
                    let said = run(&home, &path, &command.replace(SHOWN, url)).replace(url, SHOWN);
                    assert!(alike(&expected, &said), "$ {command}\n{said}--- the page says\n{expected}");
                }
            }
        }
    }
    assert!(files >= 12 && commands >= 18, "the page has {files} files and {commands} commands");
    assert!(server.unwrap().stop().0.success());
}

/// Runs a command as a terminal would, with the variables that those before have set.
fn run(home: &Path, path: &str, command: &str) -> String {
    let script = format!(
        "exec 2>&1\n[ ! -f ../variables ] || . ../variables\n{command}\n[ -z \"${{KEY:-}}\" ] || declare -p KEY > ../variables"
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(home).env_clear().env("PATH", path).output();
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    // An answer has no line end, and a page has.
    if said.is_empty() || said.ends_with('\n') { said } else { said + "\n" }
}

/// Whether an output is what the page shows, where `…` stands for any part of a line.
fn alike(expected: &str, said: &str) -> bool {
    let (expected, said): (Vec<_>, Vec<_>) = (expected.lines().collect(), said.lines().collect());
    expected.len() == said.len() && expected.iter().zip(said).all(|(expected, said)| line_alike(expected, said))
}

fn line_alike(expected: &str, said: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = said.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The blocks of the page in order: YAML with its path in the first line is a file, what is `console` are commands.
fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for block in PAGE.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        let text = format!("{text}\n");
        match kind {
            "yaml" => {
                let name = text.lines().next().and_then(|first| first.strip_prefix("# "));
                let name = name.unwrap_or_else(|| panic!("a file without its path: {text}")).to_owned();
                blocks.push(Block::File(name, text));
            }
            "console" => {
                let mut commands: Vec<(String, String)> = Vec::new();
                for line in text.lines() {
                    match line.strip_prefix("$ ") {
                        Some(command) => commands.push((command.to_owned(), String::new())),
                        None => {
                            let output = &mut commands.last_mut().expect("a command comes first").1;
                            output.push_str(&format!("{line}\n"));
                        }
                    }
                }
                blocks.push(Block::Commands(commands));
            }
            other => panic!("the page has a block of {other}, which nobody runs"),
        }
    }
    blocks
}

#[test]
fn outputs_are_compared_but_for_what_differs() {
    assert!(alike("a … c\n", "a b c\n") && alike("…\n", "x\n") && alike("a\n", "a\n") && alike("a…b…c", "a1b2c"));
    assert!(!alike("a … c\n", "a b\n") && !alike("a\n", "ab\n") && !alike("a\n", "a\nb\n") && !alike("a…b…c", "a1c"));
}
