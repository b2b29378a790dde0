//! The texts that the platform comes with, in English and Czech.

/// Names of files as a tenant's own have them, and texts.
pub(super) const TEXTS: &[(&str, &str)] = &[
    ("verify_link.en.subject", include_str!("templates/verify_link.en.subject")),
    ("verify_link.en.txt", include_str!("templates/verify_link.en.txt")),
    ("verify_link.en.html", include_str!("templates/verify_link.en.html")),
    ("verify_code.en.subject", include_str!("templates/verify_code.en.subject")),
    ("verify_code.en.txt", include_str!("templates/verify_code.en.txt")),
    ("verify_code.en.html", include_str!("templates/verify_code.en.html")),
    ("reset.en.subject", include_str!("templates/reset.en.subject")),
    ("reset.en.txt", include_str!("templates/reset.en.txt")),
    ("reset.en.html", include_str!("templates/reset.en.html")),
    ("verify_sms.en.txt", include_str!("templates/verify_sms.en.txt")),
    ("verify_link.cs.subject", include_str!("templates/verify_link.cs.subject")),
    ("verify_link.cs.txt", include_str!("templates/verify_link.cs.txt")),
    ("verify_link.cs.html", include_str!("templates/verify_link.cs.html")),
    ("verify_code.cs.subject", include_str!("templates/verify_code.cs.subject")),
    ("verify_code.cs.txt", include_str!("templates/verify_code.cs.txt")),
    ("verify_code.cs.html", include_str!("templates/verify_code.cs.html")),
    ("reset.cs.subject", include_str!("templates/reset.cs.subject")),
    ("reset.cs.txt", include_str!("templates/reset.cs.txt")),
    ("reset.cs.html", include_str!("templates/reset.cs.html")),
    ("verify_sms.cs.txt", include_str!("templates/verify_sms.cs.txt")),
];
