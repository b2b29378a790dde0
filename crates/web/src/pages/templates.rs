//! Templates, texts and files of the pages.

use super::assets::PageAsset;
use super::language::{Language, Languages};
use http::HeaderMap;
use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use std::sync::Arc;

/// Templates, texts and files of the pages, read once.
pub(crate) struct Pages {
    pub(super) templates: Environment<'static>,
    pub(super) languages: Languages,
    pub(super) style: PageAsset,
    pub(super) icon: PageAsset,
}

impl Pages {
    /// The language that a request asks for; without one of ours, the tenant's.
    pub(crate) fn language(&self, headers: &HeaderMap, locale: &str) -> Arc<Language> {
        let wanted = self.languages.wanted(headers, false).or_else(|| self.languages.tagged(locale));
        Arc::clone(wanted.unwrap_or(&self.languages.all()[0]))
    }

    pub(crate) fn new() -> Self {
        let mut templates = Environment::new();
        templates.set_syntax(
            SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("no letters are set"),
        );
        for (name, text) in [
            ("choose.html", include_str!("../../pages/choose.html")),
            ("confirm.html", include_str!("../../pages/confirm.html")),
            ("forgot.html", include_str!("../../pages/forgot.html")),
            ("frame.html", include_str!("../../pages/frame.html")),
            ("home.html", include_str!("../../pages/home.html")),
            ("message.html", include_str!("../../pages/message.html")),
            ("reset.html", include_str!("../../pages/reset.html")),
            ("sign-in.html", include_str!("../../pages/sign-in.html")),
            ("verify.html", include_str!("../../pages/verify.html")),
        ] {
            templates.add_template(name, text).expect("the templates are read by the tests");
        }
        Pages {
            templates,
            languages: Languages::new(),
            style: PageAsset::new("style", "css", include_str!("../../pages/style.css")),
            icon: PageAsset::new("icon", "svg", include_str!("../../pages/icon.svg")),
        }
    }
}
