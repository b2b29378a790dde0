//! Facts about a place in a text. The cursor of a test is `|`.

use crate::shop::surroundings;
use analysis::{NameSort, analyse};

/// Cuts the cursor out of a text.
fn cursor(marked: &str) -> (String, usize) {
    (marked.replacen('|', "", 1), marked.find('|').unwrap())
}

fn labels(marked: &str) -> Vec<String> {
    let (text, at) = cursor(marked);
    let surroundings = surroundings();
    analyse(&text, &surroundings).completions(at).into_iter().map(|item| item.label).collect()
}

/// Asserts that the completions begin with some labels.
#[track_caller]
fn first(marked: &str, expected: &[&str]) {
    let found = labels(marked);
    assert_eq!(found.iter().take(expected.len()).collect::<Vec<_>>(), expected, "{marked}: {found:?}");
}

#[test]
fn a_dot_leads_to_the_properties_of_its_value() {
    first("{=company.|", &["id", "name", "note", "uuid"]);
    first("{=company.|}", &["id", "name", "note", "uuid"]);
    first("{=total > 5 and company.|", &["id", "name"]);
    first("{=upper(company.na|me)}", &["name"]);
    first("{=[1, company.| ", &["id", "name"]);
    first("{=lines.|", &["id", "text"]);
    first("{=lines[0].|", &["id", "text"]);
    first("{=trigger('resource').company.|", &["id", "name"]);
    first("{=var('found').|", &["id", "name"]);
    first("{=$found.|", &["id", "name"]);
    first("{=user('company').|", &["id", "name"]);
    first("{=(company ?? var('found')).|", &["id", "name"]);
    first("Dear {=company.name}, {=company.n| and }", &["name", "note"]);
    first("{=a <> b and /* c */ company /* d */ . |", &["id", "name"]);
    first("company.|", &["id", "name"]);
}

#[test]
fn functions_follow_a_dot_if_they_take_its_value() {
    let found = labels("{=company.name.|}");
    assert!(found.contains(&"upper".to_owned()) && !found.contains(&"arrayShift".to_owned()), "{found:?}");
    let found = labels("{=lines.|}");
    assert!(found.contains(&"map".to_owned()) && !found.contains(&"time".to_owned()), "{found:?}");
    assert!(labels("{=jsonDecode(status).|}").contains(&"map".to_owned()));
}

#[test]
fn a_value_may_be_a_property_a_variable_or_a_function() {
    first("{=|", &["company", "id", "lines", "status", "total", "uuid", "$found"]);
    first("{=total * st|", &["status", "startsWith"]);
    first("{=$|}", &["found"]);
    first("{=total |}", &["and", "in", "not in", "or", "xor"]);
    assert_eq!(labels("{=tot|al}"), ["total"]);
    assert!(labels("{=1|}").is_empty());
    assert!(labels("{=/* com| */ 1}").is_empty());
    assert!(labels("plain t|ext {=1}").is_empty());
}

#[test]
fn texts_of_some_functions_hold_names() {
    assert_eq!(labels("{=trigger('|"), ["changes", "resource"]);
    assert_eq!(labels("{=trigger('re|')}"), ["resource"]);
    assert_eq!(labels("{=var('|')}"), ["found"]);
    first("{=user('company.|')}", &["id", "name"]);
    first("{=map(lines, 'te|", &["text"]);
    first("{=map(lines, {Text: '|'})}", &["id", "text"]);
    first("{=lines.map('|')}", &["id", "text"]);
    assert_eq!(labels("{=hasChanged('st|')}"), ["status"]);
    assert_eq!(labels("{=changedFrom(trigger('changes'), 'st|')}"), ["status"]);
    assert!(labels("{=changedFrom('status', '|')}").is_empty());
    assert!(labels("{=upper('|')}").is_empty());
}

#[test]
fn a_completion_takes_the_place_of_the_whole_name() {
    let surroundings = surroundings();
    let analysis = analyse("{=company.name}", &surroundings);
    let replaced = analysis.completions(11)[0].replaced;
    assert_eq!((replaced.from, replaced.to), (10, 14));
}

#[test]
fn a_signature_names_the_argument_at_the_place() {
    let signature = |marked: &str| {
        let (text, at) = cursor(marked);
        let surroundings = surroundings();
        let found = analyse(&text, &surroundings).signature(at)?;
        let active = found.active.map(|active| {
            let place = found.parameters[active];
            found.label[place.from..place.to].to_owned()
        });
        Some((found.label, active.unwrap_or_default()))
    };
    let label = "explode(separator, string, limit = 9223372036854775807)";
    assert_eq!(signature("{=explode(|"), Some((label.to_owned(), "separator".to_owned())));
    assert_eq!(signature("{=explode(',', [1, 2|"), Some((label.to_owned(), "string".to_owned())));
    assert_eq!(
        signature("{=explode(',', upper(status), |)}"),
        Some((label.to_owned(), "limit = 9223372036854775807".to_owned()))
    );
    assert_eq!(signature("{=','.explode(|)}"), Some((label.to_owned(), "string".to_owned())));
    assert_eq!(signature("{=explode(limit: |)}"), Some((label.to_owned(), "limit = 9223372036854775807".to_owned())));
    assert_eq!(signature("{=explode(1, 2, 3, |)}"), Some((label.to_owned(), String::new())));
    assert_eq!(signature("{=(total|)}"), None);
    assert_eq!(signature("{=nosuch(|)}"), None);
}

#[test]
fn hover_tells_types_and_functions() {
    let hover = |marked: &str| {
        let (text, at) = cursor(marked);
        let surroundings = surroundings();
        analyse(&text, &surroundings).hover(at).map(|hover| hover.markdown).unwrap_or_default()
    };
    assert_eq!(hover("{=company.na|me}"), "`company.name`: a string");
    assert_eq!(hover("{=com|pany.name}"), "`invoice.company`: a resource of company");
    assert_eq!(hover("{=li|nes}"), "`invoice.lines`: resources of line");
    assert_eq!(hover("{=company.na|me and }"), "`company.name`: a string");
    assert_eq!(hover("{=user('company.na|me')}"), "`company.name`: a string");
    assert_eq!(hover("{=trigger('res|ource')}"), "`trigger('resource')`: a resource of invoice");
    assert_eq!(hover("{=1 |< 2}"), "a boolean");
    assert!(hover("{=up|per('a')}").contains("Converts a string to upper case"), "{}", hover("{=up|per('a')}"));
}

#[test]
fn names_know_their_owners() {
    let text = "{=map(lines, {T: 'text'}) ~ company.name ~ user('company.name') ~ hasChanged('status') ~ $found}";
    let surroundings = surroundings();
    let analysis = analyse(text, &surroundings);
    let owned = analysis.names.iter().filter_map(|name| match &name.sort {
        NameSort::Property { owner: Some(owner), name: property } => {
            assert_eq!(&text[name.span.from..name.span.to], property);
            Some(format!("{owner}.{property}"))
        }
        _ => None,
    });
    let expected = [
        "invoice.lines",
        "line.text",
        "invoice.company",
        "company.name",
        "user.company",
        "company.name",
        "invoice.status",
    ];
    assert_eq!(owned.collect::<Vec<_>>(), expected);
}

#[test]
fn mistakes_are_those_of_the_language() {
    let surroundings = surroundings();
    let analysis = analyse("{=company.nme}", &surroundings);
    let [mistake] = analysis.diagnostics.as_slice() else { panic!("{:?}", analysis.diagnostics) };
    assert_eq!((mistake.code, mistake.suggestion.as_deref()), ("unknown_property", Some("name")));
}
