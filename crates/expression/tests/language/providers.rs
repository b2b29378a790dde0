//! What providers are asked for, and what becomes of what they give.

use crate::place::{Record, object};
use expression::scope::{AvailableProviders, Scope};
use expression::value::{Array, ArrayKey};
use expression::{Diagnostic, HostProviders, Program, Providers, Result, Run, RunLimits, Value};
use jiff::tz::TimeZone;
use spec::spec;
use std::cell::RefCell;
use std::sync::Arc;

/// A place that writes down what it was asked for, and has files of a size.
#[derive(Default)]
struct Asked {
    by: RefCell<Vec<String>>,
    most: RefCell<Vec<usize>>,
    size: usize,
}

impl Providers for Asked {
    fn local(&self, name: &str) -> Result<Value> {
        Ok(match name {
            "list" => Value::Array([(ArrayKey::from("code"), Value::from("A1"))].into_iter().collect::<Array>()),
            "nine" => resource(9),
            _ => Value::Null,
        })
    }
}

impl HostProviders for Asked {
    /// The one code is A1, the one id 7.
    fn find_resource(&self, _: &Value, by: &Value) -> Result<Value> {
        let shown = expression::wire::encode(by)?.to_string();
        let found = matches!(shown.as_str(), "7" | "9" | r#""A1""# | r#""42""#);
        self.by.borrow_mut().push(shown);
        Ok(if found { resource(7) } else { Value::Null })
    }

    fn read_file(&self, _: &str, most: usize) -> Result<Vec<u8>> {
        self.most.borrow_mut().push(most);
        Ok(vec![b'a'; self.size.min(most + 1)])
    }

    fn api_array(&self, _: &Value) -> Result<Value> {
        Ok(object(&[("id", Value::Int(7))]))
    }

    fn save_secret(&self, name: &str, value: &Value, title: &str, kind: &str) -> Result<Value> {
        let Value::Text(value) = value else { panic!("{value:?} is kept") };
        self.by.borrow_mut().push(format!("{name} {} {title} {kind}", value.lossy()));
        Ok(Value::Bool(true))
    }

    fn remove_secret(&self, name: &str) -> Result<Value> {
        self.by.borrow_mut().push(format!("without {name}"));
        Ok(Value::Bool(true))
    }

    fn secret(&self, name: &str) -> Result<Value> {
        Ok(Value::text(&format!("hidden {name}")))
    }
}

fn resource(id: i64) -> Value {
    Value::Resource(Arc::new(Record { id, properties: Vec::new() }))
}

fn evaluate(place: &Asked, text: &str, limits: RunLimits) -> Result<Value, Diagnostic> {
    let program =
        Program::expression(text, &Scope::of(AvailableProviders::ALL)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    program.evaluate(&mut Run::new(jiff::Timestamp::UNIX_EPOCH, TimeZone::UTC, place, &mut random, limits))
}

#[spec(plain, "R-415")]
fn a_resource_is_found_by_an_id_a_uuid_or_a_code() {
    for (data, asked, found) in [
        ("7", &["7"][..], true),
        ("8", &["8"], false),
        ("7.0", &["7"], true),
        ("'7'", &["7"], true),
        // No resource has that id, one has that code.
        ("'42'", &["42", r#""42""#], true),
        ("'07'", &[r#""07""#], false),
        ("'A1'", &[r#""A1""#], true),
        ("{id: 7, code: 'B'}", &["7"], true),
        ("{id: null, code: 'A1'}", &[r#""A1""#], true),
        ("{uuid: 'x', code: 'A1'}", &[r#""x""#], false),
        ("$list", &[r#""A1""#], true),
        ("{name: 'A1'}", &[], false),
        ("null", &[], false),
        ("''", &[], false),
        // Of the same type as what is found.
        ("$nine", &["9"], true),
    ] {
        let place = Asked::default();
        let value = evaluate(&place, &format!("resource('customer', {data})"), RunLimits::default());
        assert_eq!(place.by.borrow().as_slice(), asked, "{data}");
        assert_eq!(matches!(value, Ok(Value::Resource(_))), found, "{data}: {value:?}");
    }
    for data in ["true", "{id: {id: 7}}", "fileFromData('a', 'b')", "[[7]]", "7.5"] {
        let outcome = evaluate(&Asked::default(), &format!("resource('customer', {data})"), RunLimits::default());
        let allowed = matches!(&outcome, Err(fault) if fault.code == "wrong_kind") || data == "[[7]]";
        assert!(allowed, "{data}: {outcome:?}");
    }
}

/// A resource of another type is not what has its id among these.
#[spec(plain, "R-415")]
fn a_resource_of_another_type_is_not_found() {
    #[derive(Debug)]
    struct Other;
    impl expression::value::Resource for Other {
        fn id(&self) -> i64 {
            7
        }
        fn type_id(&self) -> i64 {
            11
        }
        fn property(&self, _: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
            Ok(None)
        }
        fn raw(&self, _: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
            Ok(None)
        }
        fn names(&self) -> Vec<Arc<str>> {
            Vec::new()
        }
        fn title(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
            Ok(None)
        }
        fn code(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
            Ok(None)
        }
        fn uuid(&self, _: &dyn HostProviders) -> Result<Option<String>> {
            Ok(None)
        }
    }
    let program =
        Program::expression("resource('customer', $other)", &Scope::of(AvailableProviders::ALL)).expect("it is right");
    let place = Asked::default();
    let mut random = |_: &mut [u8]| {};
    let mut run = Run::new(jiff::Timestamp::UNIX_EPOCH, TimeZone::UTC, &place, &mut random, RunLimits::default());
    run.variables.insert("other".to_owned(), Value::Resource(Arc::new(Other)));
    assert!(matches!(program.evaluate(&mut run), Ok(Value::Null)));
}

#[spec(plain, "R-390")]
fn a_file_is_read_no_further_than_there_is_room() {
    const MIB: usize = 1024 * 1024;
    for (size, memory, code) in [
        (1_000, 10 * MIB, "done"),
        (11 * MIB, 100 * MIB, "file_too_large"),
        (usize::MAX, 10 * MIB, "memory_spent"),
        (3 * MIB, 2 * MIB, "memory_spent"),
    ] {
        let place = Asked { size, ..Asked::default() };
        let outcome = evaluate(&place, "fileFromFile('a/b.txt').size", RunLimits::default().with_memory(memory));
        assert_eq!(outcome.map_or_else(|fault| fault.code, |_| "done"), code, "{size}");
        assert!(place.most.borrow().iter().all(|most| *most <= (memory / 2).min(10 * MIB)), "{:?}", place.most);
    }
}

#[spec(plain, "R-399")]
fn what_the_api_shows_is_an_array() {
    for text in ["toApiArray(fileFromData('a', 'b'))", "toApiArray(resource('customer', 7))"] {
        let value = evaluate(&Asked::default(), text, RunLimits::default());
        assert!(matches!(&value, Ok(Value::Array(array)) if array.len() == 1), "{text}: {value:?}");
    }
}

/// That a secret is kept, under which name, title and type, is there for others to see.
#[spec(plain, "A126")]
fn a_secret_decides_on_no_other() {
    let place = Asked::default();
    for text in [
        "getSecret('a') == 'hidden a' ? saveSecret('b', 1) : 0",
        "getSecret('a') == 'hidden a' && removeSecret('b')",
        "saveSecret(getSecret('a'), 'x')",
        "saveSecret('b', 'x', getSecret('a'))",
        "saveSecret('b', 'x', 'title', getSecret('a'))",
        "removeSecret(getSecret('a'))",
        "map(explode('d', getSecret('a')), \"saveSecret('x')\")",
        "map(explode('d', getSecret('a')), 'removeSecret()')",
    ] {
        let outcome = evaluate(&place, text, RunLimits::default());
        assert_eq!(outcome.map_err(|fault| fault.code).map(drop), Err("secret_decides"), "{text}");
    }
    assert_eq!(place.by.borrow().len(), 0, "{:?}", place.by);
    // One is kept that was made of another, whichever it is.
    for text in
        ["saveSecret('b', getSecret('a'))", "saveSecret('b', getSecret('a') == '' ? 'x' : 'y', 'Title', 'json')"]
    {
        assert!(matches!(evaluate(&place, text, RunLimits::default()), Ok(Value::Secret(_))), "{text}");
    }
    assert!(matches!(evaluate(&place, "removeSecret('b')", RunLimits::default()), Ok(Value::Bool(true))));
    assert_eq!(place.by.borrow().as_slice(), ["b hidden a  string", "b y Title json", "without b"]);
}
