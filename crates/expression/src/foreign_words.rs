//! Words of other languages and of spreadsheets, with the text that Plinth's language has for each.

use crate::check::mistake;
use crate::error::{Diagnostic, Span};
use crate::parser::FunctionCall;

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
        names: &["round"],
        remedy: "a pDecimal rounds to its scale when it is stored.",
        replacements: &[],
    },
    ForeignFunction {
        names: &["floor", "int", "trunc"],
        remedy: "`toInt(x)` cuts off the fraction.",
        replacements: &[],
    },
    ForeignFunction { names: &["abs"], remedy: "write `x < 0 ? -x : x`.", replacements: &["({0} < 0 ? -({0}) : {0})"] },
    ForeignFunction { names: &["max"], remedy: "write `a > b ? a : b`.", replacements: &["({0} > {1} ? {0} : {1})"] },
    ForeignFunction { names: &["min"], remedy: "write `a < b ? a : b`.", replacements: &["({0} < {1} ? {0} : {1})"] },
    ForeignFunction {
        names: &["sum", "avg", "average", "sumif", "countif", "sumifs", "countifs", "averageif"],
        remedy: "a total of resources is a property of kind pRollup: \
                 `{relation: line.invoice, function: sum, property: amount}`.",
        replacements: &[],
    },
    ForeignFunction {
        names: &["now", "today", "sysdate", "getdate", "curdate", "current_date", "current_timestamp"],
        remedy: PRESENT,
        replacements: &[],
    },
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
        names: &["coalesce", "nvl", "ifnull", "iferror", "nz"],
        remedy: "write `a ?? b`.",
        replacements: &["({0} ?? {1})", "({0} ?? {1} ?? {2})"],
    },
    ForeignFunction {
        names: &["concatenate"],
        remedy: "write `a ~ b`; `concat([a, b])` takes one array.",
        replacements: &["({0} ~ {1})", "({0} ~ {1} ~ {2})"],
    },
    ForeignFunction {
        names: &["substr", "substring", "mid", "left"],
        remedy: "write `firstNChars(x, 3)`; from the end `lastNChars(x, 3)`.",
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
        names: &["iif", "ifs", "switch"],
        remedy: "write `if(a, b, c)`, or `a ? b : c`.",
        replacements: &["if({0}, {1}, {2})"],
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
    let found = FUNCTIONS.iter().find(|function| function.names.contains(&lower.as_str()))?;
    let message = format!("There is no `{}()`: {}", call.name, found.remedy);
    let plain = call.arguments.iter().all(|argument| !argument.spread && argument.name.is_none());
    let Some(whole) = whole.filter(|_| plain) else {
        // Behind a dot the first argument is in front: a name alone can take the place of one.
        let renamed = found.replacements.iter().find_map(|form| form.strip_suffix("({0})"));
        return Some(mistake("unknown_function", call.name_span, message, renamed.map(str::to_owned)));
    };
    let arguments: Vec<&str> = call
        .arguments
        .iter()
        .filter_map(|argument| text.get(argument.value.span.from..argument.value.span.to))
        .collect();
    let replacement = found.replacements.iter().find_map(|form| fill(form, &arguments));
    Some(mistake("unknown_function", whole, message, replacement))
}

/// Fills a form's places; none where it has other places than there are arguments.
fn fill(form: &str, arguments: &[&str]) -> Option<String> {
    let fits = !form.contains(&format!("{{{}}}", arguments.len()))
        && (0..arguments.len()).all(|place| form.contains(&format!("{{{place}}}")));
    let filled = || {
        let mut parts = form.split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (place, rest) = part.split_once('}')?;
            text.push_str(arguments.get(place.parse::<usize>().ok()?)?);
            text.push_str(rest);
        }
        Some(text)
    };
    fits.then(filled).flatten()
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

/// Returns the mistake of a character that no token of the language begins with, at the start of the rest of a text.
pub(crate) fn character(first: char, rest: &str, from: usize) -> Diagnostic {
    let span = |length: usize| Span { from, to: from + length };
    let mistake =
        |length, message: String, suggestion| mistake("unexpected_character", span(length), message, suggestion);
    match first {
        '=' if rest.starts_with("=>") => {
            mistake(2, "There are no functions of one's own: write `map(items, 'name')`.".to_owned(), None)
        }
        '=' => {
            let message = "`=` sets nothing here: compare with `==`. setVar() sets a variable.";
            mistake(1, message.to_owned(), Some("==".to_owned()))
        }
        ';' => mistake(1, "Arguments are divided by commas: `if(a, b, c)`.".to_owned(), Some(",".to_owned())),
        '#' | '@' => {
            let message = format!("`{first}` means nothing here: a property stands by its name alone, `name`.");
            mistake(1, message, None)
        }
        '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '‛' | '«' | '»' => {
            let (text, length) = quoted(rest);
            let written = text.map(|text| format!("\"{text}\""));
            let example = written.as_deref().filter(|written| written.len() <= 60).unwrap_or("\"text\"");
            mistake(length, format!("These are typographic quotes. Write `{example}`."), written)
        }
        other => mistake(other.len_utf8(), format!("`{}` means nothing here.", other.escape_debug()), None),
    }
}

/// Returns the text between typographic quotes, where it can stand between plain ones, and the length of it all.
fn quoted(rest: &str) -> (Option<&str>, usize) {
    let closing = |letter: char| matches!(letter, '“' | '”' | '‟' | '‘' | '’' | '‛' | '«' | '»' | '"');
    let mut letters = rest.char_indices();
    let first = letters.next().map_or(0, |(_, letter)| letter.len_utf8());
    let Some((end, last)) = letters.find(|(_, letter)| closing(*letter)) else { return (None, first) };
    let text = &rest[first..end];
    (Some(text).filter(|text| !text.contains(['"', '\\'])), end + last.len_utf8())
}
