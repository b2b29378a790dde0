//! README.md and docs/: every command that a page shows is run, in the order of the page, in a folder of its own.
//!
//! YAML with its path in the first line is a file of the folder `acme`. What a page supposes beyond that stands in it,
//! where readers do not see it: the lines of a comment `<!-- run` are run like those of a block. Three of them are ours:
//! `world` starts the demo, `serve` a server over `./data`, and `acme` applies the folder, makes an administrator with a
//! key, and serves. `<!-- shown X: command -->` says what stands for X from there on. A block that cannot run has
//! `<!-- not run: why -->` in front of it. An answer from 400 on fails the page, as any command that fails does.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use testing::Process;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Where pages say that servers listen.
const SHOWN: [&str; 2] = ["http://127.0.0.1:8080", "https://acme.example.com"];
/// Pages that have tests of their own: one compares outputs, too, and `tests/packages` runs the others in a root of Debian.
const ELSEWHERE: [&str; 3] = ["docs/tutorial.md", "docs/install.md", "docs/run.md"];
/// How many blocks are not run. A page that adds one says why there, and counts it here.
const NOT_RUN: usize = 33;

/// What the line `acme` does, before it serves.
const ACME: &str = r#"
mkdir -p acme/roles
[ -e acme/tenant.yaml ] || echo 'tenant: acme' > acme/tenant.yaml
printf 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n' > acme/roles/admin.yaml
plinth apply acme
plinth user create ann@example.com --name Ann --role admin
KEY=$(plinth key create ann@example.com)
JSON='Content-Type: application/json'
"#;

/// A part of a page.
#[derive(Debug, PartialEq)]
enum Part {
    /// A hidden or shown script.
    Script(String),
    /// A file of the folder `acme`.
    File(String, String),
    /// What a text of the page stands for: the output of a command.
    Shown(String, String),
    /// A block that is not run, and why.
    Left(String),
}

/// A page that is run: its folder, its server, and the last key that was printed.
struct Run<'w> {
    home: PathBuf,
    tools: PathBuf,
    server: Option<Process>,
    world: &'w mut Option<World>,
    folder: PathBuf,
    /// Texts of the page and what stands for them.
    shown: Vec<(String, String)>,
}

/// The demo, which all pages share that ask for it.
struct World {
    server: Process,
    home: PathBuf,
}

#[test]
fn every_command_on_every_page_does_what_it_says() {
    let folder = TempDir::new().unwrap();
    let mut world = None;
    let (mut run, mut left) = (0, Vec::new());
    let mut wrong = Vec::new();
    for name in pages() {
        let text = fs::read_to_string(Path::new(ROOT).join(&name)).unwrap();
        let mut page = Run::new(folder.path(), &name.replace('/', "-"), &mut world);
        for part in parts(&text).unwrap_or_else(|problem| panic!("{name}: {problem}")) {
            match part {
                Part::Left(why) => left.push(format!("{name}: {why}")),
                Part::File(path, text) => page.file(&path, &text),
                Part::Shown(text, command) => match page.run(&command) {
                    Ok(said) => page.shown.push((text, said.trim().to_owned())),
                    Err(said) => wrong.push(format!("{name}:\n{command}\n--- said\n{said}")),
                },
                Part::Script(script) => {
                    run += 1;
                    if let Err(said) = page.script(&script) {
                        wrong.push(format!("{name}:\n{script}--- said\n{said}"));
                        break;
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n==========\n"));
    assert!(run >= 70, "{run} scripts were run");
    assert_eq!(left.len(), NOT_RUN, "not run are:\n{}", left.join("\n"));
}

/// The pages with blocks of commands.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let docs = docs.filter_map(|name| Some(format!("docs/{}", name.to_str().filter(|name| name.ends_with(".md"))?)));
    let mut pages: Vec<String> = docs.chain(["README.md".to_owned()]).collect();
    pages.retain(|page| !ELSEWHERE.contains(&page.as_str()));
    pages.sort();
    pages
}

/// The scripts of a page in order. A block of commands that is neither run nor left out with a reason is a problem.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut why: Option<String> = None;
    let mut lines = text.lines();
    let until = |end: &str, lines: &mut std::str::Lines<'_>| -> String {
        lines.take_while(|line| *line != end).map(|line| format!("{line}\n")).collect()
    };
    while let Some(line) = lines.next() {
        if line == "<!-- run" {
            parts.push(Part::Script(until("-->", &mut lines)));
        } else if let Some(shown) = line.strip_prefix("<!-- shown ") {
            let (text, command) = shown.trim_end_matches(" -->").split_once(": ").ok_or("shown without a command")?;
            parts.push(Part::Shown(text.to_owned(), command.to_owned()));
        } else if let Some(reason) = line.strip_prefix("<!-- not run: ") {
            why = Some(reason.trim_end_matches(" -->").to_owned());
        } else if let Some(kind) = line.strip_prefix("```") {
            let block = until("```", &mut lines);
            let commands = kind == "sh" || block.lines().any(is_command);
            match (why.take(), kind) {
                (Some(why), _) => parts.push(Part::Left(why)),
                (None, "yaml") => {
                    let path = block.lines().next().and_then(|first| first.strip_prefix("# "));
                    let path = path.filter(|path| path.ends_with(".yaml") && !path.contains(' ')).map(str::to_owned);
                    parts.extend(path.map(|path| Part::File(path, block)));
                }
                (None, "sh") => parts.push(Part::Script(block)),
                (None, _) if commands => return Err(format!("a block of commands is not marked as `sh`:\n{block}")),
                (None, _) => {}
            }
        }
    }
    Ok(parts)
}

fn is_command(line: &str) -> bool {
    ["plinth ", "$ plinth ", "curl ", "$ curl "].iter().any(|start| line.starts_with(start))
        && !line.starts_with("plinth serves")
        && !line.contains(": ")
}

impl<'w> Run<'w> {
    fn new(folder: &Path, name: &str, world: &'w mut Option<World>) -> Self {
        let home = folder.join(name);
        let tools = folder.join("tools");
        fs::create_dir_all(home.join("page")).unwrap();
        if !tools.exists() {
            fs::create_dir_all(&tools).unwrap();
            symlink(env!("CARGO_BIN_EXE_plinth"), tools.join("plinth")).unwrap();
            let curl = tools.join("curl");
            fs::write(&curl, "#!/bin/sh\nexec /usr/bin/curl --no-progress-meter --fail-with-body \"$@\"\n").unwrap();
            fs::set_permissions(&curl, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let home = home.join("page");
        Run { home, tools, server: None, world, folder: folder.to_owned(), shown: Vec::new() }
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.home.join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs lines, and starts servers where they say so.
    fn script(&mut self, script: &str) -> Result<(), String> {
        let mut lines = String::new();
        for line in script.lines() {
            match line.split('#').next().unwrap_or_default().trim() {
                "world" => self.in_world(),
                "acme" => {
                    self.run(&format!("{}{ACME}", std::mem::take(&mut lines)))?;
                    self.serve();
                }
                "serve" | "plinth serve" => {
                    self.run(&std::mem::take(&mut lines))?;
                    self.serve();
                }
                _ => lines.push_str(&format!("{line}\n")),
            }
        }
        self.run(&lines).map(drop)
    }

    /// Runs lines as a terminal would, with the variables that those before have set.
    fn run(&mut self, lines: &str) -> Result<String, String> {
        if lines.trim().is_empty() {
            return Ok(String::new());
        }
        let url = self.url();
        let lines = SHOWN.iter().fold(lines.to_owned(), |lines, shown| lines.replace(shown, &url));
        let lines = self.shown.iter().fold(lines, |lines, (shown, is)| lines.replace(shown, is));
        // A page shows how a key begins: it is the last that was printed.
        let lines = lines.replace("plk_…", "${PRINTED:-$KEY}");
        let variables = self.variables().display().to_string();
        let script = format!(
            "exec 2>&1 < /dev/null\nset -e -o pipefail\n[ ! -f {variables} ] || . {variables}\nset -a\n{lines}\n\
             set +a\nexport -p | grep -v -E ' (PATH|PWD|OLDPWD|SHLVL)=' > {variables}"
        );
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.tools.display());
        let mut command = Command::new("bash");
        command.args(["-c", &script]).current_dir(&self.home).env_clear().env("PATH", path);
        let output = command.env("URL", &url).env("EXAMPLES", Path::new(ROOT).join("examples")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if let Some(key) = said.lines().find(|line| line.starts_with("plk_") && !line.contains(' ')) {
            self.set("PRINTED", key);
        }
        if output.status.success() { Ok(said) } else { Err(said) }
    }

    fn serve(&mut self) {
        let data = self.home.join("data").display().to_string();
        let arguments = ["serve", "--json", "--listen", "127.0.0.1:0", "--data", &data];
        self.server = Some(Process::start(env!("CARGO_BIN_EXE_plinth"), &arguments));
        self.set("URL", &self.url());
    }

    /// Goes on in the folder of the demo, with its key.
    fn in_world(&mut self) {
        let folder = &self.folder;
        let world = self.world.get_or_insert_with(|| {
            let home = folder.join("world").join("page");
            fs::create_dir_all(&home).unwrap();
            let data = home.join("data").display().to_string();
            let arguments = ["demo", "--json", "--listen", "127.0.0.1:0", "--data", &data];
            World { server: Process::start(env!("CARGO_BIN_EXE_plinth"), &arguments), home }
        });
        let key = world.server.ready()["key"].as_str().unwrap().to_owned();
        self.home.clone_from(&world.home);
        self.server = None;
        // Variables of the page before are none of this one's.
        let _ = fs::remove_file(self.variables());
        self.set("KEY", &key);
    }

    fn url(&self) -> String {
        let server = match (&self.server, &*self.world) {
            (Some(server), _) => server,
            (None, Some(world)) if self.home == world.home => &world.server,
            _ => return SHOWN[0].to_owned(),
        };
        server.ready()["url"].as_str().unwrap().trim_end_matches('/').to_owned()
    }

    fn variables(&self) -> PathBuf {
        self.home.with_file_name("variables")
    }

    /// Sets a variable for what follows.
    fn set(&self, name: &str, value: &str) {
        let before = fs::read_to_string(self.variables()).unwrap_or_default();
        fs::write(self.variables(), format!("{before}\nexport {name}='{value}'\n")).unwrap();
    }
}

#[test]
fn a_block_without_an_arrangement_is_found() {
    let page =
        "<!-- run\nworld\n-->\n```sh\ncurl a\n```\n<!-- not run: no host -->\n```sh\nplinth x\n```\n```json\n{}\n```\n";
    let expected = [Part::Script("world\n".into()), Part::Script("curl a\n".into()), Part::Left("no host".into())];
    assert_eq!(parts(page).unwrap(), expected);
    assert!(parts("```\nplinth import a b\n```\n").is_err());
}
