//! The greeting that a demo prints when it serves: how to get in, and four lines to paste.

use super::Credentials;

/// A greeting, with all that it tells of an example.
pub(super) enum Greeting {
    World(WorldWelcome),
    Shop(ShopWelcome),
    Helpdesk(HelpdeskWelcome),
    /// The tenant is not as this version makes it; its name.
    Changed(&'static str),
}

/// The facts of the world that the greeting tells.
pub(super) struct WorldWelcome {
    /// The number of countries.
    pub(super) countries: u64,
    /// The number of cities.
    pub(super) cities: u64,
    /// The id of Czechia.
    pub(super) country: i64,
    /// The id of Prague.
    pub(super) city: i64,
}

/// The facts of the shop that the greeting tells.
pub(super) struct ShopWelcome {
    /// The number of companies.
    pub(super) companies: u64,
    /// The number of invoices.
    pub(super) invoices: u64,
    /// The id of an invoice that is a draft.
    pub(super) invoice: i64,
}

/// The facts of the helpdesk that the greeting tells.
pub(super) struct HelpdeskWelcome {
    /// The number of tickets.
    pub(super) tickets: u64,
    /// The number of comments.
    pub(super) comments: u64,
    /// The id of a ticket with comments.
    pub(super) ticket: i64,
}

impl Greeting {
    /// The greeting, with `curl` lines that work as they stand.
    pub(super) fn text(&self, url: &str, credentials: &Credentials) -> String {
        match self {
            Greeting::World(facts) => world(url, credentials, facts),
            Greeting::Shop(facts) => shop(url, credentials, facts),
            Greeting::Helpdesk(facts) => helpdesk(url, credentials, facts),
            Greeting::Changed(name) => changed(url, credentials, name),
        }
    }
}

fn world(url: &str, credentials: &Credentials, facts: &WorldWelcome) -> String {
    let Credentials { user, password, key } = credentials;
    let WorldWelcome { countries, cities, country, city } = facts;
    let collection = format!("{url}/api/v1/collection");
    let json = "-H 'Content-Type: application/json'";
    format!(
        r#"
Plinth serves {countries} countries and {cities} cities on {url}

Open {url}/c/city in a browser, and sign in:
  user      {user}
  password  {password}

Programs use the key {key}

The five largest cities of Czechia, a filtered list:
  curl -H 'key: {key}' '{collection}/city?orderBy=-population&perPage=5&showFields=name,population,country.name' --get --data-urlencode 'filters=[{{"property":"country.code","type":"eq","param":"CZ"}}]'

One country, got by its id:
  curl -H 'key: {key}' '{collection}/country/{country}'

A new city, created:
  curl -H 'key: {key}' {json} '{collection}/city' -d '{{"name":"Plinthville","country":{country},"population":1,"latitude":49.9,"longitude":14.4}}'

One more inhabitant for Prague, a PATCH with +=:
  curl -H 'key: {key}' {json} -X PATCH '{collection}/city/{city}' -d '{{"population+=":1}}'

The API described in OpenAPI: {url}/api/ext/v1/openapi.json (with the key). Ctrl+C ends the demo.
"#
    )
}

fn shop(url: &str, credentials: &Credentials, facts: &ShopWelcome) -> String {
    let Credentials { user, password, key } = credentials;
    let ShopWelcome { companies, invoices, invoice } = facts;
    let collection = format!("{url}/api/v1/collection");
    let json = "-H 'Content-Type: application/json'";
    format!(
        r#"
Plinth serves a shop of {companies} companies and {invoices} invoices on {url}

Open {url}/c/invoice in a browser, and sign in:
  user      {user}
  password  {password}

Programs use the key {key}

Invoices that are overdue, a query:
  curl -H 'key: {key}' '{url}/api/ext/v1/query/overdue?on=2026-12-31'

The finances, a canvas:
  curl -H 'key: {key}' '{url}/api/ext/v1/canvas/finance'

A new line, which raises its invoice's total:
  curl -H 'key: {key}' {json} '{collection}/line' -d '{{"invoice":{invoice},"text":"Bookends","quantity":3,"price":12.50}}'

That invoice, with its totals and its company's turnover:
  curl -H 'key: {key}' '{collection}/invoice/{invoice}?showFields=number,status,net,total,paid,balance,overdue,company.name,company.turnover'

docs/tutorial.md shows how to build it. The API described in OpenAPI: {url}/api/ext/v1/openapi.json (with the key). Ctrl+C ends the demo.
"#
    )
}

fn helpdesk(url: &str, credentials: &Credentials, facts: &HelpdeskWelcome) -> String {
    let Credentials { user, password, key } = credentials;
    let HelpdeskWelcome { tickets, comments, ticket } = facts;
    let api = format!("{url}/api/ext/v1");
    let json = "-H 'Content-Type: application/json'";
    format!(
        r#"
Plinth serves a helpdesk of {tickets} tickets and {comments} comments on {url}

Open {url}/board/board in a browser, and sign in:
  user      {user}
  password  {password}

Programs use the key {key}

A ticket with its comments and their authors, by the inverse of a relation:
  curl -H 'key: {key}' '{api}/collection/ticket/{ticket}?showFields=number,subject,company.name,comments.text,comments.author.user_name'

Tickets by status and priority, groups:
  curl -H 'key: {key}' {json} '{api}/aggregate/ticket' -d '{{"groupBy":["status","priority"],"values":{{"tickets":"count","minutes":{{"function":"sum","property":"minutes"}}}}}}'

The companies with the most tickets, counted and sorted by an inverse:
  curl -H 'key: {key}' '{api}/collection/company?showFields=name,plan,tickets.$count&orderBy=-tickets.$count&perPage=5'

What visitors read, without a key:
  curl '{api}/collection/article'

examples/helpdesk has its files, and a public page for visitors. The API described in OpenAPI: {url}/api/ext/v1/openapi.json (with the key). Ctrl+C ends the demo.
"#
    )
}

fn changed(url: &str, credentials: &Credentials, name: &str) -> String {
    let Credentials { user, password, key } = credentials;
    format!(
        r#"
Plinth serves the {name} on {url}

Open {url}/ in a browser, and sign in:
  user      {user}
  password  {password}

Programs use the key {key}

It is served as it is: an earlier version made it, or it was changed since. `plinth demo {name} --data DIR` makes this version's in another folder.

The API described in OpenAPI: {url}/api/ext/v1/openapi.json (with the key). Ctrl+C ends the demo.
"#
    )
}
