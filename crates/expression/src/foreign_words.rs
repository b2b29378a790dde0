//! Words of other languages and of spreadsheets, with the text that Plinth's language has for each.

use crate::error::mistake;
use crate::error::{Diagnostic, Span};
use crate::parser::{FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use crate::spreadsheet_functions;

/// The longest argument that a replacement repeats, in bytes.
pub(crate) const LONGEST: usize = 200;

/// A function of other languages. Its names are in lower case.
struct ForeignFunction {
    names: &'static [&'static str],
    /// The end of the message, behind "There is no `name()`: ".
    remedy: &'static str,
    /// The replacements, each for calls with as many arguments as it mentions: `{0}` stands for the first one's text.
    replacements: &'static [&'static str],
}

const FUNCTIONS: &[ForeignFunction] = &[
    ForeignFunction {
        names: &["len", "strlen", "mb_strlen", "count", "sizeof"],
        remedy: "write `length(x)`.",
        replacements: &["length({0})"],
    },
    ForeignFunction {
        names: &["touppercase", "strtoupper", "ucase"],
        remedy: "write `upper(x)`.",
        replacements: &["upper({0})"],
    },
    ForeignFunction {
        names: &["tolowercase", "strtolower", "lcase"],
        remedy: "write `lower(x)`.",
        replacements: &["lower({0})"],
    },
    ForeignFunction {
        names: &["roundup", "ceiling", "mround"],
        remedy: "a pDecimal rounds to its scale when it is stored.",
        replacements: &[],
    },
    ForeignFunction { names: &["abs"], remedy: "write `x < 0 ? -x : x`.", replacements: &["({0} < 0 ? -({0}) : {0})"] },
    ForeignFunction { names: &["max"], remedy: "write `a > b ? a : b`.", replacements: &["({0} > {1} ? {0} : {1})"] },
    ForeignFunction { names: &["min"], remedy: "write `a < b ? a : b`.", replacements: &["({0} < {1} ? {0} : {1})"] },
    ForeignFunction { names: &["now", "sysdate", "getdate", "current_timestamp"], remedy: PRESENT, replacements: &[] },
    ForeignFunction { names: &["today", "curdate", "current_date"], remedy: PRESENT, replacements: &["date('Y-m-d')"] },
    ForeignFunction {
        names: &["isset"],
        remedy: "write `x != null`; for texts also `x != ''`.",
        replacements: &["({0} != null)"],
    },
    ForeignFunction {
        names: &["isnull", "is_null", "isblank"],
        remedy: "write `x == null`; for texts also `x == ''`.",
        replacements: &["({0} == null)", "({0} ?? {1})"],
    },
    ForeignFunction {
        names: &["empty", "isempty"],
        remedy: "write `x == null`; for texts also `x == ''`.",
        replacements: &["({0} == null)"],
    },
    ForeignFunction {
        names: &["coalesce", "nvl", "ifnull", "nz", "ifna"],
        remedy: "write `a ?? b`.",
        replacements: &["({0} ?? {1})", "({0} ?? {1} ?? {2})"],
    },
    ForeignFunction {
        names: &["substr", "substring", "mid"],
        remedy: "write `firstNChars(x, 3)`; from the end `lastNChars(x, 3)`.",
        replacements: &[],
    },
    ForeignFunction {
        names: &["left"],
        remedy: "write `firstNChars(x, 3)`.",
        replacements: &["firstNChars({0}, {1})"],
    },
    ForeignFunction { names: &["right"], remedy: "write `lastNChars(x, 3)`.", replacements: &["lastNChars({0}, {1})"] },
    ForeignFunction {
        names: &["replace", "substitute"],
        remedy: "write `join('b', explode('a', x))`.",
        replacements: &["join({2}, explode({1}, {0}))"],
    },
    ForeignFunction {
        names: &["str_replace"],
        remedy: "write `join('b', explode('a', x))`.",
        replacements: &["join({1}, explode({0}, {2}))"],
    },
    ForeignFunction {
        names: &["iif"],
        remedy: "write `if(a, b, c)`, or `a ? b : c`.",
        replacements: &["if({0}, {1}, {2})"],
    },
    ForeignFunction { names: &["not"], remedy: "write `not a`.", replacements: &["(not {0})"] },
    ForeignFunction {
        names: &["year"],
        remedy: "write `formatDate(x, 'Y')`.",
        replacements: &["formatDate({0}, 'Y')"],
    },
    ForeignFunction {
        names: &["month"],
        remedy: "write `formatDate(x, 'n')`.",
        replacements: &["formatDate({0}, 'n')"],
    },
    ForeignFunction { names: &["day"], remedy: "write `formatDate(x, 'j')`.", replacements: &["formatDate({0}, 'j')"] },
    ForeignFunction {
        names: &["hour"],
        remedy: "write `formatDate(x, 'G')`.",
        replacements: &["formatDate({0}, 'G')"],
    },
    ForeignFunction {
        names: &["weeknum", "isoweeknum"],
        remedy: "write `formatDate(x, 'W')`.",
        replacements: &["formatDate({0}, 'W')"],
    },
    ForeignFunction {
        names: &["workday", "networkdays"],
        remedy: "no function knows your working days. Add days of the calendar, `x + 14.days`.",
        replacements: &[],
    },
    ForeignFunction { names: &["exact"], remedy: "write `a === b`.", replacements: &["({0} === {1})"] },
    ForeignFunction { names: &["power", "pow"], remedy: "write `a ** b`.", replacements: &["({0} ** {1})"] },
    ForeignFunction { names: &["quotient"], remedy: "write `toInt(a / b)`.", replacements: &["toInt({0} / {1})"] },
    ForeignFunction {
        names: &["proper", "ucfirst"],
        remedy: "write `firstUpper(x)`.",
        replacements: &["firstUpper({0})"],
    },
    ForeignFunction { names: &["mod"], remedy: "write `a % b`.", replacements: &["({0} % {1})"] },
    ForeignFunction { names: &["find", "search"], remedy: "write `contains(x, 'a')`.", replacements: &[] },
    ForeignFunction {
        names: &["value"],
        remedy: "write `toFloat(x)`, or `toInt(x)`.",
        replacements: &["toFloat({0})"],
    },
];

const PRESENT: &str = "the present is `time()` in seconds, `date('Y-m-d')` as a day. `today()` is the end of today, and no \
                       day: `due <= date('Y-m-d')`.";

/// Names of values in other languages, in lower case, with the text that is written here.
const VALUES: &[(&str, &str)] = &[
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
    ("none", "null"),
    ("nil", "null"),
    ("nothing", "null"),
    ("undefined", "null"),
];

/// Names of the present in other languages, in lower case.
const PRESENTS: [&str; 5] = ["now", "sysdate", "current_date", "current_timestamp", "curdate"];

/// Returns the mistake of a call whose function another language has. The span of the call, where it stands alone, is
/// replaced as a whole.
pub(crate) fn function(call: &FunctionCall, whole: Option<Span>, text: &str) -> Option<Diagnostic> {
    let lower = call.name.to_lowercase();
    let plain = call.arguments.iter().all(|argument| !argument.spread && argument.name.is_none());
    if let Some((remedy, replacement)) = spreadsheet_functions::remedy(&lower, call, text) {
        let message = format!("There is no `{}()`: {remedy}", call.name);
        let replacement = replacement.filter(|_| plain && whole.is_some());
        return Some(mistake("unknown_function", whole.unwrap_or(call.name_span), message, replacement));
    }
    let found = FUNCTIONS.iter().find(|function| function.names.contains(&lower.as_str()))?;
    let message = format!("There is no `{}()`: {}", call.name, found.remedy);
    let Some(whole) = whole.filter(|_| plain) else {
        // Behind a dot the first argument is in front: a name alone can take the place of one.
        let renamed = found.replacements.iter().find_map(|form| form.strip_suffix("({0})"));
        return Some(mistake("unknown_function", call.name_span, message, renamed.map(str::to_owned)));
    };
    let replacement = found.replacements.iter().find_map(|form| fill(form, call, text));
    Some(mistake("unknown_function", whole, message, replacement))
}

/// Fills a form's places with the arguments; none where it has other places, where the text would be long, or where an
/// argument that is taken twice might not be the same twice.
fn fill(form: &str, call: &FunctionCall, text: &str) -> Option<String> {
    let count = call.arguments.len();
    let place = |place: usize| format!("{{{place}}}");
    if form.contains(&place(count)) || !(0..count).all(|number| form.contains(&place(number))) {
        return None;
    }
    let mut filled = form.to_owned();
    for (number, argument) in call.arguments.iter().enumerate() {
        let (value, place) = (&argument.value, place(number));
        if form.matches(&place).count() > 1 && !is_same_twice(value) {
            return None;
        }
        let piece = text.get(value.span.from..value.span.to).filter(|piece| piece.len() <= LONGEST)?;
        // Beside operators only what binds more tightly stays as it is.
        let piece = if form.starts_with('(') { operand(value, piece) } else { piece.to_owned() };
        filled = filled.replacen(&place, &piece, 1);
        if form.matches(&place).count() > 1 {
            filled = filled.replace(&place, &piece);
        }
    }
    Some(filled)
}

/// Returns the text of a value as it stands beside operators.
pub(crate) fn operand(value: &SyntaxNode, piece: &str) -> String {
    match value.parenthesised || is_plain(value) || is_call(value) {
        true => piece.to_owned(),
        false => format!("({piece})"),
    }
}

/// Returns true for a literal, a name, or a path of names.
pub(crate) fn is_plain(syntax: &SyntaxNode) -> bool {
    match &syntax.kind {
        SyntaxKind::Literal(_) | SyntaxKind::Name(_) | SyntaxKind::Variable(_) => true,
        SyntaxKind::Path(first, steps) => {
            is_plain(first) && steps.iter().all(|step| matches!(step, PathStep::Property(..)))
        }
        _ => false,
    }
}

/// Returns true if a value is sure to be the same where it is written twice.
pub(crate) fn is_same_twice(syntax: &SyntaxNode) -> bool {
    match &syntax.kind {
        SyntaxKind::Chain(first, rest) => {
            is_same_twice(first) && rest.iter().all(|(_, operand)| is_same_twice(operand))
        }
        SyntaxKind::Minus(operand) => is_same_twice(operand),
        SyntaxKind::Call(call) => ["today", "length"].iter().any(|name| call.name.eq_ignore_ascii_case(name)),
        _ => is_plain(syntax),
    }
}

fn is_call(syntax: &SyntaxNode) -> bool {
    matches!(syntax.kind, SyntaxKind::Call(_) | SyntaxKind::Path(..) | SyntaxKind::Array(_) | SyntaxKind::Object(_))
}

/// Returns the mistake of a name that another language has for a value.
pub(crate) fn value(name: &str, span: Span) -> Option<Diagnostic> {
    let lower = name.to_lowercase();
    if PRESENTS.contains(&lower.as_str()) {
        return Some(mistake("unknown_property", span, format!("There is no `{name}`: {PRESENT}"), None));
    }
    let (_, written) = VALUES.iter().find(|(foreign, _)| *foreign == lower)?;
    let message = match *written {
        "null" => "\"No value\" is written `null`.".to_owned(),
        written => format!("`{name}` is written `{written}`."),
    };
    Some(mistake("unknown_property", span, message, Some((*written).to_owned())))
}
