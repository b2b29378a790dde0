//! `#[spec("R-131", "D-23")]`: ties a test to the requirements and decisions that it proves.
//!
//! The identifiers are the rows of `spec/requirements.tsv`, `spec/decisions.tsv`, `spec/abuse.tsv` and
//! `spec/extensions.tsv`; one that none of them has does not compile. `cargo run -p testing --bin conformance` lists the tests of each row.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

const TABLES: [&str; 4] = [
    include_str!("../../../spec/requirements.tsv"),
    include_str!("../../../spec/decisions.tsv"),
    include_str!("../../../spec/abuse.tsv"),
    include_str!("../../../spec/extensions.tsv"),
];

/// Makes a test of a function, and names the rows that it proves.
///
/// ```text
/// #[spec("R-129", "D-13")]
/// async fn a_resource_is_read_by_id(server: Server) { … }
///
/// #[spec]
/// async fn a_store_gets_what_it_lacks(server: Server) { … }
///
/// #[spec(plain, "R-045")]
/// fn an_instant_is_written_with_its_offset() { … }
/// ```
///
/// The first becomes two tests, `a_resource_is_read_by_id::sqlite` and `…::postgres`, each run by
/// `testing::run`: its argument is whatever `testing::Subject` makes for an engine. The second is the same, for what no row says.
/// The third is one plain test.
#[proc_macro_attribute]
pub fn spec(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match rows(attribute).and_then(|plain| if plain { Ok(plain_test(&item)) } else { tests(&item) }) {
        Ok(mut tests) => {
            tests.extend(item);
            tests
        }
        Err((message, span)) => {
            let mut error = compile_error(&message, span);
            error.extend(item);
            error
        }
    }
}

type Refused = (String, Span);

/// Checks the rows; gives whether the first word is `plain`.
fn rows(attribute: TokenStream) -> Result<bool, Refused> {
    let (mut plain, mut count) = (false, 0);
    for token in attribute {
        match &token {
            TokenTree::Ident(word) if word.to_string() == "plain" && count == 0 => plain = true,
            TokenTree::Punct(comma) if comma.as_char() == ',' => {}
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let row = text.trim_matches('"');
                if !TABLES.iter().any(|table| table.lines().any(|line| line.split('\t').next() == Some(row))) {
                    return Err((format!("{text} is no row of spec/*.tsv"), literal.span()));
                }
                count += 1;
            }
            other => return Err(("expected rows, as in \"R-131\"".to_owned(), other.span())),
        }
    }
    if plain && count == 0 {
        return Err(("a plain test that names no row needs no attribute".to_owned(), Span::call_site()));
    }
    Ok(plain)
}

/// `#[test]`, to stand before the function.
fn plain_test(item: &TokenStream) -> TokenStream {
    let span = name(item).map_or(Span::call_site(), |name| name.span());
    test_attribute(span)
}

/// A module named like the function, with a test for each engine. Modules and functions do not share names.
fn tests(item: &TokenStream) -> Result<TokenStream, Refused> {
    let name = name(item).ok_or(("expected a function".to_owned(), Span::call_site()))?;
    let mut body = TokenStream::new();
    for (test, engine) in [("sqlite", "Sqlite"), ("postgres", "Postgres")] {
        body.extend(test_attribute(name.span()));
        let call = format!("::testing::run(::testing::Engine::{engine}, module_path!(), super::{name});");
        let call: TokenStream = call.parse().map_err(|_| ("no path in here".to_owned(), name.span()))?;
        body.extend([
            TokenTree::from(Ident::new("fn", name.span())),
            Ident::new(test, name.span()).into(),
            Group::new(Delimiter::Parenthesis, TokenStream::new()).into(),
            Group::new(Delimiter::Brace, call).into(),
        ]);
    }
    Ok(TokenStream::from_iter([
        TokenTree::from(Ident::new("mod", name.span())),
        name.into(),
        Group::new(Delimiter::Brace, body).into(),
    ]))
}

fn test_attribute(span: Span) -> TokenStream {
    let test = TokenStream::from(TokenTree::from(Ident::new("test", span)));
    TokenStream::from_iter([
        TokenTree::from(Punct::new('#', Spacing::Alone)),
        Group::new(Delimiter::Bracket, test).into(),
    ])
}

/// The identifier after `fn`.
fn name(item: &TokenStream) -> Option<Ident> {
    let mut tokens = item.clone().into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "fn"))?;
    match tokens.next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

fn compile_error(message: &str, span: Span) -> TokenStream {
    let text = TokenStream::from(TokenTree::from(Literal::string(message)));
    let tokens = [
        TokenTree::from(Ident::new("compile_error", span)),
        Punct::new('!', Spacing::Alone).into(),
        Group::new(Delimiter::Brace, text).into(),
    ];
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}
