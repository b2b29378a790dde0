//! Mistakes at the command line, and what is told of them.

use crate::commands::program::Plinth;
use spec::spec;

const CITY: &str = "name: city\ncodeProperty: code\nproperties:\n  code: {kind: pString, unique: true}\n  \
                    size: {kind: pInteger}\n  near: {kind: pRelation, type: city}\n";

impl Plinth {
    fn with_cities(&self) {
        self.file("acme/types/city.yaml", CITY);
        let tenant = self.file("acme/tenant.yaml", "tenant: acme\n");
        self.run(&["apply", tenant.strip_suffix("/tenant.yaml").unwrap()]).done();
    }

    /// Fails unless the program fails and says this.
    #[track_caller]
    fn refuses(&self, arguments: &[&str], expected: &str) {
        let run = self.run(arguments);
        assert_eq!(run.code, 1, "{}", run.output);
        assert!(run.errors.contains(expected), "{}", run.errors);
    }
}

#[spec]
async fn names_that_are_nearly_right_are_suggested(plinth: Plinth) {
    plinth.with_cities();
    plinth.run(&["user", "create", "ann"]).done();
    plinth.refuses(&["explain", "ann", "citty", "1"], "There is no type \"citty\". Did you mean \"city\"?");
    let scopes = [
        ("collection:citty:show", "Did you mean \"collection:city:show\"?"),
        ("collection:city:shw", "Did you mean \"collection:city:show\"?"),
        ("nothing", "There is no permission \"nothing\".\n"),
    ];
    for (scope, expected) in scopes {
        plinth.refuses(&["key", "create", "ann", "--scope", scope], expected);
        plinth.refuses(&["explain", "ann", "city", "--scopes", scope], expected);
    }
}

#[spec]
async fn problems_of_an_import_come_in_the_order_of_its_lines(plinth: Plinth) {
    plinth.with_cities();
    let file = plinth.file("cities.csv", "code,size,near\na,1,nowhere\nb,many,\nc,2,nowhere\nd,x,\n");
    let run = plinth.run(&["import", "city", &file]);
    let lines: Vec<&str> = run.errors.lines().filter_map(|line| line.strip_prefix("  ")?.split(':').next()).collect();
    assert_eq!(lines, ["line 2", "line 3", "line 4", "line 5"], "{}", run.errors);
}

#[spec]
async fn a_file_that_is_none_of_its_kind_is_refused(plinth: Plinth) {
    plinth.with_cities();
    for (name, text, expected) in [
        ("empty.csv", "", "The file is empty: its first line must have the names of the columns."),
        ("lines.csv", "\n\n", "The file is empty: its first line must have the names of the columns."),
        ("plain.csv.gz", "code\na\n", "plain.csv.gz is not compressed with gzip, as its name says."),
        ("empty.csv.gz", "", "empty.csv.gz is not compressed with gzip, as its name says."),
    ] {
        let file = plinth.file(name, text);
        plinth.refuses(&["import", "city", &file], expected);
    }
    let file = plinth.file("README", "");
    for command in ["check", "plan", "apply", "test"] {
        plinth.refuses(&[command, &file], "README is a file, not a folder.\n");
    }
    plinth.refuses(&["check", "nowhere"], "There is no folder nowhere.\n");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = plinth.file("plinth.toml", format!("listen = \"{}\"\n", taken.local_addr().unwrap()));
    let expected = format!("\nChoose another with --listen ADDR:PORT, or `listen` in {settings}.\n");
    plinth.refuses(&["serve", "--config", &settings], &expected);
}
