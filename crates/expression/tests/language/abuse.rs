//! Expressions that are written to do harm are refused, or end within their limits.

use crate::place::{check, evaluate, run, scope};
use expression::scope::{AvailableProviders, Scope};
use expression::{HostProviders, Program, Providers, Result, Run, RunLimits, Value};
use jiff::tz::TimeZone;
use spec::spec;

/// A place whose one local variable is a text.
struct Holder(String);

impl Providers for Holder {
    fn local(&self, _: &str) -> Result<Value> {
        Ok(self.0.as_str().into())
    }
}

impl HostProviders for Holder {}

fn code(text: &str) -> &'static str {
    match Program::expression(text, &scope()) {
        Err(mistakes) => mistakes[0].code,
        Ok(program) => run(&program, RunLimits::default()).map_or_else(|fault| fault.code, |_| "done"),
    }
}

#[spec(plain, "A118")]
fn a_hundred_thousand_nested_brackets_are_a_mistake() {
    for (open, close) in [("(", ")"), ("[", "]"), ("if(", ")"), ("toArray(", ")"), ("{a: ", "}"), ("!", ""), ("-", "")]
    {
        for closed in [true, false] {
            let end = if closed { close.repeat(100_000) } else { String::new() };
            let text = format!("{}1{end}", open.repeat(100_000));
            assert!(Program::expression(&text, &scope()).is_err(), "{open}");
            assert!(Program::template(&format!("{{={text}}}"), &scope()).is_err(), "{open}");
            // Short enough, too deep.
            let text = format!("{}1{}", open.repeat(900), if closed { close.repeat(900) } else { String::new() });
            assert!(Program::expression(&text, &scope()).is_err(), "{open}");
        }
    }
}

#[spec(plain, "A120")]
fn random_texts_have_a_limit() {
    for text in ["random(1000000000)", "random(-1)", "random(5, '')", "random('x')"] {
        assert_ne!(code(text), "done", "{text}");
        // It is refused before a byte is drawn or paid for: nobody waits for it.
        let program = Program::expression(text, &scope()).expect("it is wrong when it runs");
        let (mut drawn, now) = (0, jiff::Timestamp::UNIX_EPOCH);
        let mut random = |bytes: &mut [u8]| drawn += bytes.len();
        let limits = RunLimits::default().with_fuel(20_000_000);
        let holder = Holder(String::new());
        assert!(program.evaluate(&mut Run::new(now, TimeZone::UTC, &holder, &mut random, limits)).is_err(), "{text}");
        assert_eq!(drawn, 0, "{text}");
    }
}

/// What is made of a secret, whichever way, is shown as `***`, and an error does not tell of it.
#[track_caller]
fn conceals(text: &str) {
    let outcome = evaluate(text);
    let shown = match &outcome {
        Ok(value @ Value::Secret(_)) => format!("{value:?} {}", expression::wire::encode(value).expect("it is shown")),
        Ok(value) => panic!("{text} gave {value:?}"),
        Err(mistake) => format!("{mistake:?} {mistake}"),
    };
    // The secret, its hash, its Base64, and its letters apart.
    for part in ["hidden", "idde", "aGlkZGVu", "h,i,d", &md5_of_the_secret()] {
        assert!(!shown.contains(part), "{text}: {shown}");
    }
}

/// The digest of what getSecret('a') gives, by a way that knows of no secret.
fn md5_of_the_secret() -> String {
    let Ok(Value::Text(digest)) = evaluate("md5('hidden ' ~ 'a')") else { panic!("a digest is a text") };
    digest.lossy().into_owned()
}

#[spec(plain, "A126")]
fn a_secret_comes_out_of_nothing_that_it_goes_into() {
    for text in [
        "concat(['a', getSecret('a')])",
        "base64_encode(getSecret('a'))",
        "base64_decode(base64_encode(getSecret('a')))",
        "md5(getSecret('a'))",
        "jsonEncode({a: [getSecret('a')]})",
        "jsonDecode(getSecret('a'))",
        "explode('d', getSecret('a'))",
        "join(',', map(range(0, 7), \"transformLiteral(getSecret('a'))\"))",
        "map(explode('d', getSecret('a')), 'firstNChars(1)')",
        "firstNChars(lastNChars(getSecret('a'), -1), 1)",
        "length(getSecret('a'))",
        "getSecret('a') == 'hidden a'",
        "getSecret('a') < 'i'",
        "getSecret('a') in ['hidden a']",
        "'h' in getSecret('a')",
        "getSecret('a') ^ '        '",
        "getSecret('a') == 'hidden a' ? 'yes' : 'no'",
        "startsWith(getSecret('a'), 'h') && price",
        "lines[length(getSecret('a')) - 8].count",
        "getSecret('a') + 1",
        "getSecret('a').b",
        "strtotime(getSecret('a'))",
        "date(getSecret('a'))",
        "query(getSecret('a'))",
        "random(getSecret('a'))",
        "[setVar('x', getSecret('a')), $x][1] ~ ''",
        "toArray(getSecret('a'))[0]",
        "map(explode('d', getSecret('a')), 'jsonDecode()')",
    ] {
        conceals(text);
    }
    let template = Program::template("length {=length(getSecret('a'))}", &scope()).expect("the template is right");
    assert!(matches!(run(&template, RunLimits::default()), Ok(Value::Secret(_))));
}

/// A variable outlives what set it: that it is there must not tell of a secret.
#[spec(plain, "A126")]
fn a_secret_decides_on_no_variable() {
    let guess = "getSecret('a') == 'hidden a'";
    for text in [
        &format!("{guess} ? setVar('x', 1) : 0"),
        &format!("if({guess}, setVar('x', 1), 0)"),
        &format!("!({guess}) ? 0 : price ? setVar('x', 1) : 0"),
        &format!("false ? 0 : {guess} ? [setVar('x', 1)] : 0"),
        &format!("({guess}) && setVar('x', 1)"),
        &format!("price && !({guess}) || setVar('x', 1)"),
        "getSecret('a') == '' ?: setVar('x', 1)",
        "(getSecret('a') ? null : 1) ?? setVar('x', 1)",
        "setVar(getSecret('a'), 1)",
        "map(explode('d', getSecret('a')), 'setVar(1)')",
        "map(explode('d', getSecret('a')), \"transformLiteral(setVar('x', 1))\")",
    ] {
        assert_eq!(code(text), "secret_decides", "{text}");
    }
    for text in [
        &format!("setVar('x', {guess} ? 1 : 0)"),
        &format!("[{guess} ? 1 : 0, setVar('x', 1)]"),
        &format!("(setVar('x', 1) && {guess}) xor setVar('x', 2)"),
        "map([getSecret('a')], 'upper()') ~ setVar('x', 1)",
        "setVar('x', 1) ?? getSecret('a')",
        "price ? setVar('x', getSecret('a')) : 0",
    ] {
        assert_eq!(code(text), "done", "{text}");
    }
}

#[spec(plain, "A126")]
fn no_function_gives_a_secret_away() {
    // if() looks at what it needs alone, and so may never see its secret; the conditions above are its cases.
    for function in expression::catalogue::all().filter(|function| function.name != "if") {
        for place in 0..function.parameters.len() {
            for other in ["'a'", "1", "[1, 2]", "{a: 1}"] {
                for count in place + 1..=function.parameters.len() {
                    let mut arguments = vec![other; count];
                    arguments[place] = "getSecret('a')";
                    conceals(&format!("{}({})", function.name, arguments.join(", ")));
                    arguments[place] = "[getSecret('a')]";
                    conceals(&format!("{}({})", function.name, arguments.join(", ")));
                }
            }
        }
    }
}

#[spec(plain, "A121")]
fn cuts_at_the_edges_have_values() {
    for text in [
        "explode('', 'ab')",
        "explode(',', 'a,b,c', 0)",
        "explode(',', 'a,b,c', -1)",
        "explode(',', 'a,b,c', 9223372036854775807)",
        "explode(',', 'a,b,c', 9223372036854775808)",
        "firstNChars('ab', -1)",
        "firstNChars('ab', 99)",
        "firstNChars('příliš', 2)",
        "firstNChars('😀a', 1)",
        "firstNChars('😀a', 0)",
    ] {
        // A value, or an error that says what is wrong; never a panic.
        if let Err(mistake) = evaluate(text) {
            assert!(!mistake.message.is_empty() && mistake.span.to > 0, "{text}: {mistake:?}");
        }
    }
    check("explode(',', 'a,b,c', -1)", r#"["a","b"]"#);
    check("firstNChars('příliš', 2)", r#""př""#);
    check("firstNChars('ab', 99)", r#""ab""#);
}

/// What a variable was set to in one evaluation is not there in another, not even at the same time.
#[spec(plain, "A131")]
fn evaluations_share_nothing() {
    let compiled =
        |text| Program::expression(text, &Scope::of(AvailableProviders::ALL)).expect("the expression is right");
    let (set, read) = (compiled("setVar('a', 'mine')"), compiled("var('a')"));
    std::thread::scope(|threads| {
        let ask = |held: &'static str| {
            let (set, read) = (&set, &read);
            move || {
                for turn in 0..400 {
                    let program = if turn % 2 == 0 { set } else { read };
                    let expected = if turn % 2 == 0 { "mine" } else { held };
                    let mut random = |bytes: &mut [u8]| bytes.fill(7);
                    let (holder, now) = (Holder(held.to_owned()), jiff::Timestamp::UNIX_EPOCH);
                    let mut run = Run::new(now, TimeZone::UTC, &holder, &mut random, RunLimits::default());
                    let value = program.evaluate(&mut run).expect("the variable is there");
                    assert_eq!(expression::wire::encode(&value).expect("it is a text"), expected);
                }
            }
        };
        threads.spawn(ask("one"));
        threads.spawn(ask("another"));
    });
}

/// What is not there is refused before anything runs, whatever it is: a function whose provider the place lacks, one that
/// nobody has, names of the language's own insides and of other languages'.
#[spec(plain, "A132")]
fn what_a_place_lacks_is_refused_when_it_is_compiled() {
    let bare = Scope::default();
    for text in [
        "getSecret('x')",
        "saveSecret('x', 'y')",
        "trigger('user')",
        "endpoint('a')",
        "env('PATH')",
        "appParameter('a')",
        "dataQueryCount()",
        "var('a')",
        "user('id')",
        "resource('t', 1)",
        "query('q')",
        "system('ls')",
        "eval('1')",
        "ifElse(1, 2, 3)",
        "localVar('a')",
        "__proto__()",
        "constructor()",
        "__proto__.a()",
        "map([1], 'getSecret()')",
        "map([1], '__proto__()')",
    ] {
        let mistakes = Program::expression(text, &bare).map(drop).expect_err(text);
        let codes: Vec<&str> = mistakes.iter().map(|mistake| mistake.code).collect();
        let known = ["provider_missing", "unknown_function"];
        assert!(codes.iter().all(|code| known.contains(code)), "{text}: {codes:?}");
        let mistakes = Program::template(&format!("a {{={text}}}"), &bare).map(drop).expect_err(text);
        assert_eq!(mistakes[0].code, codes[0], "{text}");
    }
}
