//! The pages in Debian's Chromium, by keyboard alone, in each language.

mod chromium;
mod driver;
mod resetting;
mod signing_in;
mod verifying;

use chromium::Browser;
use testing::{Engine, Server};

/// A language, and what pages say in it.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) tag: &'static str,
    pub(crate) sign_in: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) account: &'static str,
    /// The first page of the console.
    pub(crate) start: &'static str,
    pub(crate) signed_out: &'static str,
}

pub(crate) const LANGUAGES: [Words; 2] = [
    Words {
        tag: "en",
        sign_in: "Sign in",
        failed: "The name or the password is wrong, or the account is not active.",
        account: "Your account",
        start: "Home",
        signed_out: "You are signed out.",
    },
    Words {
        tag: "cs",
        sign_in: "Přihlásit se",
        failed: "Jméno nebo heslo není správné, nebo účet není aktivní.",
        account: "Váš účet",
        start: "Domů",
        signed_out: "Jste odhlášeni.",
    },
];

/// Runs a test in a browser of each language, over servers of its own. One engine is enough: what pages say is asked
/// over HTTP on both.
pub(crate) fn in_each_language(name: &str, test: impl AsyncFn(&Browser, &Server, Words)) {
    for words in LANGUAGES {
        testing::run(Engine::Sqlite, name, |server: Server| {
            let test = &test;
            async move {
                let base = format!("http://{}", server.client().address());
                Browser::run(&base, words.tag, async |browser| test(browser, &server, words).await).await;
            }
        });
    }
}
