//! A machine without certificates of authorities, such as an empty container.

use super::program::Plinth;
use spec::spec;

#[spec]
async fn a_server_starts_without_certificates_of_authorities_and_says_so(plinth: Plinth) {
    let nothing = [("SSL_CERT_FILE", "/nonexistent/certs.pem"), ("SSL_CERT_DIR", "/nonexistent")];
    let demo = plinth.start_of(&["demo", "helpdesk"], &nothing);
    demo.client().get("/healthz").await.is(200);
    demo.stop();
    let server = plinth.start_with("serve", &nothing);
    server.client().get("/healthz").await.is(200);
    let logged = server.logged();
    assert!(
        logged.contains("There are no certificates of authorities") && logged.contains("ca-certificates"),
        "{logged}"
    );
    server.stop();
}
