//! An explanation for people: what is allowed, and each grant with its expression as a tree.

use automation::explain::{Explained, Granted, Outcome, Part, RuleExplained, Statement, Verdict};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// The style in which an explanation is drawn.
pub(super) struct Picture {
    /// True if yes and no have colours.
    pub(super) colours: bool,
    /// True if statements are shown.
    pub(super) statements: bool,
}

const GREEN: &str = "32";
const RED: &str = "31";
const DIM: &str = "2";

impl Picture {
    /// The explanation as text.
    pub(super) fn of(&self, explained: &Explained) -> String {
        let mut text = String::new();
        let user = &explained.user;
        let roles = if user.roles.is_empty() { "no roles".to_owned() } else { user.roles.join(", ") };
        let _ = write!(text, "{} (user {}; {roles})", user.login, user.id);
        if let Some(scopes) = &user.scopes {
            let _ = write!(text, " with a key for {}", scopes.join(", "));
        }
        let item = explained.id.map(|id| format!(" {id}")).unwrap_or_default();
        let _ = writeln!(text, " on {}{item}", explained.resource_type);
        if let Some(obstacle) = user.obstacle {
            let _ = writeln!(text, "{} {obstacle}", self.mark(false));
        }
        text.push('\n');
        for verdict in &explained.actions {
            self.verdict(&mut text, verdict);
        }
        for verdict in &explained.actions {
            let grants: Vec<&Granted> =
                explained.grants.iter().filter(|granted| granted.action == verdict.action).collect();
            let _ = writeln!(text, "\n{}", verdict.action);
            if grants.is_empty() {
                let _ = writeln!(text, "  {}", self.paint(DIM, "no role grants it"));
            }
            for granted in grants {
                self.granted(&mut text, granted);
            }
        }
        if self.statements {
            for statement in &explained.statements {
                self.statement(&mut text, statement);
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn verdict(&self, text: &mut String, verdict: &Verdict) {
        let _ = write!(text, "{} {:6}", self.mark(verdict.allowed), verdict.action);
        if let Some(refusal) = &verdict.refusal {
            let _ = write!(text, "  {} ({}): {}", refusal.kind, refusal.code, refusal.message);
        }
        if let Some(fields) = &verdict.fields {
            let _ = write!(text, "  {}", if fields.is_empty() { "no field".to_owned() } else { fields.join(", ") });
        }
        if let Some(others) = verdict.others.as_ref().filter(|others| !others.is_empty()) {
            let _ = write!(text, " {}", self.paint(DIM, &format!("(not {})", others.join(", "))));
        }
        if verdict.depends {
            let on = if matches!(verdict.action, "edit" | "create") { "the new values" } else { "the row" };
            let _ = write!(text, " {}", self.paint(DIM, &format!("(depends on {on})")));
        }
        text.push('\n');
    }

    fn granted(&self, text: &mut String, granted: &Granted) {
        let mark = granted.holds.map_or_else(|| "·".to_owned(), |holds| self.mark(holds));
        let place = format!("{}:{} {}", granted.file, granted.line, granted.key);
        let _ = write!(text, "  {mark} role {}, {}", granted.role, self.paint(DIM, &place));
        if granted.follows_edit {
            text.push_str(" (as edit)");
        }
        if !granted.in_scope {
            let _ = write!(text, " {}", self.paint(RED, "(not in the key's scopes)"));
        }
        if let Some(fields) = &granted.fields {
            let _ = write!(text, "\n      fields {}", fields.join(", "));
        }
        if !granted.preset.is_empty() {
            let _ = write!(text, "\n      preset {}", granted.preset.join(", "));
        }
        if granted.unseen {
            text.push_str("\n      unseen: also rows that the user does not see");
        }
        text.push('\n');
        for (name, rule) in [("where", &granted.rows), ("check", &granted.check)] {
            if let Some(rule) = rule {
                self.rule(text, name, rule);
            }
        }
        if granted.rows.is_none() && granted.check.is_none() && granted.action != "create" {
            let _ = writeln!(text, "      all rows");
        }
    }

    fn rule(&self, text: &mut String, name: &str, rule: &RuleExplained) {
        let _ = writeln!(text, "      {name} {}", rule.text);
        if let Some(tree) = &rule.tree {
            self.part(text, tree, 8);
        }
    }

    fn part(&self, text: &mut String, part: &Part, indent: usize) {
        let _ = write!(text, "{:indent$}", "");
        match &part.outcome {
            Outcome::Value(Json::Bool(flag)) => {
                let _ = write!(text, "{} {}", self.mark(*flag), part.text);
            }
            Outcome::Value(value) => {
                let _ = write!(text, "· {} = {value}", part.text);
            }
            Outcome::Error { code, message } => {
                let _ = write!(text, "{} {}: {message} ({code})", self.paint(RED, "!"), part.text);
            }
            Outcome::Withheld(why) => {
                let _ = write!(text, "· {} ({why})", part.text);
            }
        }
        let smallest = part.decides && !part.parts.iter().any(|part| part.decides);
        text.push_str(if smallest { "  <-\n" } else { "\n" });
        for part in &part.parts {
            self.part(text, part, indent + 2);
        }
    }

    fn statement(&self, text: &mut String, statement: &Statement) {
        let _ = writeln!(text, "\nlist, {}\n  {}", statement.purpose, statement.sql);
        for (index, value) in statement.values.iter().enumerate() {
            let _ = writeln!(text, "  ${} = {value}", index + 1);
        }
        for (name, meaning) in &statement.names {
            let _ = writeln!(text, "  {}", self.paint(DIM, &format!("{name} is {meaning}")));
        }
        for line in &statement.plan {
            let _ = writeln!(text, "  | {line}");
        }
    }

    fn mark(&self, holds: bool) -> String {
        if holds { self.paint(GREEN, "✓") } else { self.paint(RED, "✗") }
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
