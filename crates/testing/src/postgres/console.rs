//! A connection of `psql` that stays open: a program for each database takes longer than the database.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

/// The end of an answer.
const DONE: &str = "-- done";

/// The connection.
#[derive(Debug)]
pub(super) struct Console {
    /// True from PostgreSQL 15 on: a database is copied file by file, not page by page through the log of writes.
    pub(super) copies_files: bool,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    errors: Lines<BufReader<ChildStderr>>,
    /// It ends with its input.
    _program: Child,
}

impl Console {
    pub(super) fn open(binaries: &Path, folder: &Path, port: u32) -> Self {
        let mut command = Command::new(binaries.join("psql"));
        command.args(["-qAtX", "--username=postgres", "--dbname=postgres"]);
        command.arg(format!("--host={}", folder.display())).arg(format!("--port={port}")).env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().expect("psql starts: it was found");
        let input = program.stdin.take().expect("standard input is a pipe");
        let output = BufReader::new(program.stdout.take().expect("standard output is a pipe")).lines();
        let errors = BufReader::new(program.stderr.take().expect("standard error is a pipe")).lines();
        let mut console = Self { copies_files: false, input, output, errors, _program: program };
        let version = console.ask("SHOW server_version_num;");
        console.copies_files = version.trim().parse::<u32>().is_ok_and(|version| version >= 150_000);
        console
    }

    /// Carries out a statement and returns its rows. Panics where it fails.
    pub(super) fn ask(&mut self, statement: &str) -> String {
        self.say(&format!("{statement}\n\\echo {DONE} :ERROR :LAST_ERROR_MESSAGE\n\\warn {DONE}"));
        let mut rows = String::new();
        // What earlier statements said, for whose end nobody waited, is no error of this one.
        let errors = self.errors.by_ref().map_while(Result::ok).take_while(|line| line != DONE);
        let _ = errors.count();
        for line in self.output.by_ref().map_while(Result::ok) {
            if let Some(outcome) = line.strip_prefix(DONE) {
                assert!(outcome.starts_with(" false"), "{statement}:{outcome}");
                return rows;
            }
            rows.push_str(&line);
            rows.push('\n');
        }
        panic!("psql ended: {statement}");
    }

    /// Has a statement carried out, whatever comes of it.
    pub(super) fn say(&mut self, statement: &str) {
        let said = self.input.write_all(format!("{statement}\n").as_bytes()).and_then(|()| self.input.flush());
        said.expect("psql reads its standard input");
    }
}
