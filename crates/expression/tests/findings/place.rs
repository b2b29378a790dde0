//! An invoice with properties of every kind: those whose names begin with `no` may be null.

use expression::scope::{AvailableProviders, Fact, ResourceShape, Scope, ValueKind, ValueType};
use expression::{Program, Severity};
use std::sync::Arc;

#[derive(Debug)]
struct Shape(&'static str);

fn option(names: &[&str]) -> ValueType {
    ValueType::option(names.iter().map(|name| Arc::from(*name)).collect())
}

impl ResourceShape for Shape {
    fn name(&self) -> &str {
        self.0
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        let (name, nullable) = match name.strip_prefix("no_") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let of = match name {
            "due" | "issued" => ValueType::of(ValueKind::Date),
            "month" => ValueType::of(ValueKind::Month),
            "time" => ValueType::of(ValueKind::Time),
            "created" | "opened" => ValueType::of(ValueKind::DateTime),
            "number" | "name" => ValueType::of(ValueKind::Text),
            "count" | "terms" => ValueType::of(ValueKind::Int),
            "total" | "net" => ValueType::of(ValueKind::Decimal),
            "weight" => ValueType::of(ValueKind::Float),
            "settled" => ValueType::of(ValueKind::Bool),
            "status" => option(&["draft", "sent"]),
            "size" => option(&["small", "large"]),
            "labels" => ValueType::array(ValueKind::Text),
            "address" => ValueType::of(ValueKind::Object),
            "photo" => ValueType::of(ValueKind::File),
            "changed" => ValueType::of(ValueKind::Changes),
            "data" => ValueKind::Any.into(),
            "quantity" => {
                let mut quantity = ValueType::of(ValueKind::Int);
                quantity.nonzero = true;
                quantity
            }
            "pieces" => {
                let mut pieces = ValueType::of(ValueKind::Int);
                pieces.at_least = Some(0);
                pieces
            }
            "lines" => ValueType::resources(Arc::new(Shape("line"))),
            "company" => ValueType::resource(Arc::new(Shape("company"))).or_null(false),
            "user" => ValueType::resource(Arc::new(Shape("user"))).or_null(false),
            _ => return None,
        };
        Some(if nullable { of.or_null(true) } else { of })
    }

    fn names(&self) -> Vec<Arc<str>> {
        ["name", "number", "count", "total", "due"].map(Arc::from).to_vec()
    }
}

pub(crate) fn scope() -> Scope {
    Scope::of(AvailableProviders::ALL).with_context(Some(Arc::new(Shape("invoice"))))
}

pub(crate) fn compiled(text: &str) -> Program {
    compiled_in(text, &scope())
}

pub(crate) fn compiled_in(text: &str, scope: &Scope) -> Program {
    let compiled = match text.contains("{=") {
        true => Program::template(text, scope),
        false => Program::expression(text, scope),
    };
    compiled.unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

/// The same where one property of the context has a value.
pub(crate) fn filled(name: &str) -> Scope {
    scope().with_facts(vec![Fact::filled(name)])
}

/// The findings of a text, each as `error code `marked``.
pub(crate) fn found(text: &str) -> Vec<String> {
    shown(text, &compiled(text))
}

pub(crate) fn shown(text: &str, program: &Program) -> Vec<String> {
    let shown = program.findings().iter().map(|finding| {
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let span = finding.diagnostic.span;
        format!("{word} {} `{}`", finding.diagnostic.code, &text[span.from..span.to])
    });
    shown.collect()
}

/// Checks rows of a text and its only finding; an empty one is none. All that differ are told at once.
pub(crate) fn check(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, wanted) in rows {
        let found = found(text).join(", ");
        if found != *wanted {
            wrong.push(format!("{text}\n  wanted {wanted}\n  found  {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that each fix of what is found in a text gives a text without that finding, and without errors.
pub(crate) fn check_fixes(texts: &[&str]) {
    let mut wrong = Vec::new();
    for text in texts {
        let program = compiled(text);
        let fixes = program.findings().iter().flat_map(|finding| &finding.fixes);
        let mut count = 0;
        for fix in fixes {
            count += 1;
            let fixed = format!("{}{}{}", &text[..fix.span.from], fix.text, &text[fix.span.to..]);
            match Program::expression(&fixed, &scope()) {
                Ok(program) if program.findings().is_empty() => {
                    let failed = [true, false].iter().find_map(|filled| crate::row::run(&program, *filled).err());
                    // Relations are objects in the rows, which have no title.
                    if let Some(failed) = failed.filter(|_| !fixed.contains("getTitle")) {
                        wrong.push(format!("{text}: {fixed}: {failed:?}"));
                    }
                }
                Ok(program) => wrong.push(format!("{text}: {fixed}: {:?}", shown(&fixed, &program))),
                Err(mistakes) => wrong.push(format!("{text}: {fixed}: {mistakes:?}")),
            }
        }
        if count == 0 {
            wrong.push(format!("{text}: no fix"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
