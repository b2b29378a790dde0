//! The check of a folder for an editor, which wants to know its expressions, too.

use super::diagnostic::Diagnostic;
use super::expression_sites::{ExpressionSites, noting};
use super::identity::IssuedIds;
use super::load::{Loaded, load};
use super::test_file::check_tests;
use crate::source_files::Files;

/// The result of a check for an editor.
#[derive(Debug)]
pub struct NotedCheck {
    /// The model of the files with the findings of their expressions and tests, or everything that is wrong with them.
    pub outcome: Result<Loaded, Vec<Diagnostic>>,
    /// The expressions.
    pub sites: ExpressionSites,
}

/// Checks files with their tests. Notes the expressions, those that are wrong included.
pub fn check_noting(files: &Files) -> NotedCheck {
    let check = || {
        let mut loaded = load(files, &IssuedIds::default())?;
        match check_tests(&loaded, files) {
            Ok((_, found)) => {
                loaded.findings.extend(found);
                Ok(loaded)
            }
            Err(problems) => Err(loaded.findings.into_iter().chain(problems).collect()),
        }
    };
    let (outcome, sites) = noting(check);
    NotedCheck { outcome, sites }
}

#[cfg(test)]
mod tests {
    use super::check_noting;
    use crate::source_files::Files;
    use std::path::Path;

    fn shop() -> Files {
        Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop")).unwrap()
    }

    #[test]
    fn every_expression_of_the_shop_is_noted() {
        let files = shop();
        let noted = check_noting(&files);
        noted.outcome.unwrap();
        let places = [
            ("types/company.yaml", "properties.owed.where"),
            ("roles/customer.yaml", "types.company.show.where"),
            ("queries/overdue.yaml", "params.on.default"),
            ("canvases/finance.yaml", "items.0.value"),
            ("automations/paid.yaml", "on.if"),
            ("tests/invoices.yaml", "cases.7.steps.3.expect"),
        ];
        for (file, key) in places {
            assert!(noted.sites.scopes.contains_key(&(file.to_owned(), key.to_owned())), "{file}: {key}");
        }
        assert_eq!(noted.sites.user.unwrap().name(), "user");
    }

    #[test]
    fn an_expression_that_is_wrong_is_noted_with_its_scope() {
        let mut files = shop();
        let wrong = files.get("types/company.yaml").unwrap().replace("{=status == 'sent'}", "{=status.}");
        files.insert("types/company.yaml", wrong);
        let noted = check_noting(&files);
        assert!(noted.outcome.is_err());
        let scope = &noted.sites.scopes[&("types/company.yaml".to_owned(), "properties.owed.where".to_owned())];
        assert_eq!(scope.context.as_ref().unwrap().name(), "invoice");
    }
}
