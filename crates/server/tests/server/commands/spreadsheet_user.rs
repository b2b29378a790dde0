//! A person who knows spreadsheets writes twelve calculations in the shop, with `plinth check` as their only teacher.
//!
//! Each is written first as in a spreadsheet. What the check prints is pasted, or followed by hand where it has nothing
//! to paste, for at most two turns. Then the calculation gives the right value in a test of the configuration.

use super::plinth;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The output of one turn of the check.
enum Turn {
    /// The formula that stands behind "help: write", as it is.
    Pasted(&'static str),
    /// A message, and what a reader makes of it.
    Read(&'static str, &'static str),
}

use Turn::{Pasted, Read};

/// A calculation.
struct Trial {
    of_type: &'static str,
    name: &'static str,
    kind: &'static str,
    /// The formula of a spreadsheet.
    first: &'static str,
    turns: &'static [Turn],
}

const TRIALS: &[Trial] = &[
    Trial {
        of_type: "invoice",
        name: "dueOn",
        kind: "pDate",
        first: "issued + 14",
        turns: &[Pasted("issued + 14.days")],
    },
    Trial {
        of_type: "invoice",
        name: "late",
        kind: "pInteger, stored: false",
        first: "IF(status=\"paid\"; 0; MAX(0; TODAY()-due))",
        turns: &[Pasted("if(status==\"paid\", 0, (0 > (date('Y-m-d')-due) ? 0 : (date('Y-m-d')-due)))")],
    },
    Trial {
        of_type: "invoice",
        name: "level",
        kind: "pInteger, stored: false",
        first: "IFS(TODAY()-due>30; 3; TODAY()-due>14; 2; TODAY()-due>0; 1; TRUE; 0)",
        turns: &[Pasted("if(date('Y-m-d')-due>30, 3, if(date('Y-m-d')-due>14, 2, if(date('Y-m-d')-due>0, 1, 0)))")],
    },
    Trial {
        of_type: "invoice",
        name: "discount",
        kind: "pDecimal, scale: 2",
        first: "IF(net>=1000; net*10%; IF(net>=500; net*5%; 0))",
        turns: &[Pasted("if(net>=1000, net*0.10, if(net>=500, net*0.05, 0))")],
    },
    Trial {
        of_type: "user",
        name: "full",
        kind: "pString",
        first: "TRIM(firstName & \" \" & lastName)",
        turns: &[Pasted("trim(firstName ~ \" \" ~ lastName)")],
    },
    Trial {
        of_type: "invoice",
        name: "gross",
        kind: "pDecimal, scale: 2",
        first: "net*(1+VLOOKUP(company.country; {\"CZ\",21%;\"SK\",23%;\"DE\",19%}; 2; FALSE))",
        turns: &[
            Read(
                "Braces hold keys with values, `{CZ: 0.21, SK: 0.23}`.",
                "net*(1+VLOOKUP(company.country, {CZ: 0.21, SK: 0.23, DE: 0.19}, 2, false))",
            ),
            Read(
                "For a few values write `{CZ: 0.21, SK: 0.23}[country]`.",
                "net*(1+{CZ: 0.21, SK: 0.23, DE: 0.19}[company.country])",
            ),
        ],
    },
    Trial {
        of_type: "line",
        name: "margin",
        kind: "pDecimal, scale: 1",
        first: "IF(OR(ISBLANK(cost); cost=0); \"\"; (price-cost)/cost*100)",
        turns: &[Pasted("if(((cost == null) or (cost==0)), null, (price-cost)/cost*100)")],
    },
    Trial {
        of_type: "invoice",
        name: "month",
        kind: "pString",
        first: "TEXT(issued; \"YYYY-MM\")",
        turns: &[Pasted("formatDate(issued, 'Y-m')")],
    },
    Trial {
        of_type: "invoice",
        name: "label",
        kind: "pString",
        first: "\"Invoice \" & number & \" for \" & company.name & \", due \" & TEXT(due; \"DD.MM.YYYY\")",
        turns: &[Pasted("\"Invoice \" ~ number ~ \" for \" ~ company.name ~ \", due \" ~ formatDate(due, 'd.m.Y')")],
    },
    Trial {
        of_type: "invoice",
        name: "weeks",
        kind: "pInteger, stored: false",
        first: "INT((TODAY()-issued)/7)",
        turns: &[Pasted("toInt((date('Y-m-d')-issued)/7)")],
    },
    Trial {
        of_type: "company",
        name: "ours",
        kind: "pBoolean",
        first: "AND(email<>\"\"; RIGHT(email; 13)=\"@acme.example\")",
        turns: &[Pasted("((email!=\"\") and (lastNChars(email, 13)==\"@acme.example\"))")],
    },
    Trial {
        of_type: "company",
        name: "credit",
        kind: "pString",
        first: "IF(SUMIF(invoice.company; id; invoice.balance)<=limit; SUMIF(invoice.company; id; invoice.balance); \
                \"Over the limit\")",
        // The company of the shop has such a total already: `owed`.
        turns: &[Read("function: sum, property: amount, where:", "if(owed<=limit, owed, \"Over the limit\")")],
    },
];

/// The types have these properties before.
const PROPERTIES: &[(&str, &str)] = &[
    ("user", "  firstName: {kind: pString}\n  lastName: {kind: pString}\n"),
    ("line", "  cost: {kind: pDecimal, scale: 2}\n"),
    ("company", "  limit: {kind: pDecimal, scale: 2, required: true, default: 100}\n"),
];

fn shop() -> TempDir {
    let folder = TempDir::new().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop");
    for part in ["", "types", "roles", "queries", "canvases", "automations", "users"] {
        let target = folder.path().join("shop").join(part);
        fs::create_dir_all(&target).unwrap();
        for entry in fs::read_dir(examples.join(part)).unwrap().map(|entry| entry.unwrap()) {
            if entry.path().is_file() {
                fs::copy(entry.path(), target.join(entry.file_name())).unwrap();
            }
        }
    }
    for (name, properties) in PROPERTIES {
        add(&folder, name, properties);
    }
    folder
}

fn add(folder: &TempDir, of_type: &str, lines: &str) {
    let path = folder.path().join(format!("shop/types/{of_type}.yaml"));
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(lines);
    fs::write(path, text).unwrap();
}

impl Trial {
    fn line(&self, formula: &str) -> String {
        format!("  {}: {{kind: {}, calculate: {}}}\n", self.name, self.kind, quoted(formula))
    }

    fn last(&self) -> &'static str {
        match self.turns.last().unwrap() {
            Pasted(formula) | Read(_, formula) => formula,
        }
    }
}

/// A formula as a value of YAML.
fn quoted(formula: &str) -> String {
    format!("'{{={}}}'", formula.replace('\'', "''"))
}

#[test]
fn the_check_teaches_twelve_calculations_in_two_turns() {
    for trial in TRIALS {
        let mut formula = trial.first;
        for turn in trial.turns {
            let folder = shop();
            add(&folder, trial.of_type, &trial.line(formula));
            let run = plinth(folder.path(), &["check", "shop"]);
            assert_eq!(run.code, 1, "{formula}: {}", run.out);
            let (told, next) = match turn {
                Pasted(next) => (format!("help: write {}\n", quoted(next)), *next),
                Read(told, next) => ((*told).to_owned(), *next),
            };
            assert!(run.err.contains(&told), "{formula}: {told}\n{}", run.err);
            formula = next;
        }
        let folder = shop();
        add(&folder, trial.of_type, &trial.line(formula));
        let run = plinth(folder.path(), &["check", "shop"]);
        assert_eq!(run.code, 0, "{formula}: {}", run.err);
    }
    assert_eq!(TRIALS.len(), 12);
}

const VALUES: &str = "test: Spreadsheet
now: 2026-12-20 09:00
given:
  company:
    acme: {code: ACME, name: Meyer Ltd, email: office@acme.example, terms: 14, limit: 2000}
    beta: {code: BETA, name: Beta, country: SK, limit: 100}
    mute: {code: MUTE, name: Mute, country: DE, email: a@beta.example}
  invoice:
    late: {company: acme, status: sent, issued: 2026-11-30}
    paid: {company: beta, status: paid, issued: 2026-10-01, paidOn: 2026-11-01}
    open: {company: beta, status: sent, issued: 2026-12-20}
    empty: {company: mute, issued: 2026-12-01, due: 2026-12-31}
  line:
    shelves: {invoice: late, text: Shelves, quantity: 4, price: 300, cost: 200}
    lamp: {invoice: open, text: Lamp, quantity: 1, price: 600}
    gift: {invoice: paid, text: Gift, quantity: 1, price: 10, cost: 0}
  user:
    ann: {name: Ann, roles: [accountant], firstName: Ann, lastName: Meyer}
    bob: {name: Bob, roles: [accountant], lastName: Smith}
    root: {name: Root, roles: [admin]}
cases:
  - case: the calculations give what a spreadsheet gives
    as: root
    steps:
      - get: late
        shows: {dueOn: 2026-12-14, late: 6, level: 1, discount: 120, gross: 1452, month: 2026-11, weeks: 2,
          label: \"Invoice 2026-0001 for Meyer Ltd, due 14.12.2026\"}
      - {get: paid, shows: {late: 0, level: 3, weeks: 11, gross: 12.30, discount: 0}}
      - {get: open, shows: {late: 0, level: 0, weeks: 0, discount: 30, gross: 738}}
      - {get: empty, shows: {late: 0, gross: 0}}
      - {get: shelves, shows: {margin: 50}}
      - {get: lamp, shows: {margin: null}}
      - {get: gift, shows: {margin: null}}
      - {get: ann, shows: {full: Ann Meyer}}
      - {get: bob, shows: {full: Smith}}
      - {get: root, shows: {full: \"\"}}
      - {get: acme, shows: {ours: true, credit: \"1452.00\"}}
      - {get: beta, shows: {ours: false, credit: Over the limit}}
      - {get: mute, shows: {ours: false, credit: \"0.00\"}}
";

#[test]
fn the_twelve_calculations_give_the_right_values() {
    let folder = shop();
    for of_type in ["company", "invoice", "line", "user"] {
        let mut lines = String::new();
        for trial in TRIALS.iter().filter(|trial| trial.of_type == of_type) {
            lines.write_str(&trial.line(trial.last())).unwrap();
        }
        add(&folder, of_type, &lines);
    }
    let tests = folder.path().join("shop/tests");
    fs::create_dir(&tests).unwrap();
    fs::write(tests.join("spreadsheet.yaml"), VALUES).unwrap();
    let run = plinth(folder.path(), &["test", "shop"]);
    assert_eq!(run.code, 0, "{}\n{}", run.out, run.err);
}
