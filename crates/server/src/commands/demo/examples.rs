//! The examples that a demo serves: their files, their data, and what it says of them.

use super::tenant::{count, id_by};
use super::welcome::{Greeting, HelpdeskWelcome, ShopWelcome, WorldWelcome};
use crate::commands::Failure;
use clap::ValueEnum;
use tenant::Tenant;

/// The choice of an example.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Choice {
    /// 252 countries and 34,006 cities
    #[default]
    World,
    /// Companies, invoices, lines and payments, as docs/tutorial.md makes them
    Shop,
    /// Companies, 5,000 tickets and their comments, and articles for visitors without a key
    Helpdesk,
}

/// An example.
pub(super) struct Example {
    /// The tenant's name.
    pub(super) name: &'static str,
    /// In the data folder: how to get in.
    pub(super) credentials: &'static str,
    /// Its files, but for tests.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// Its data, in the order in which relations need them.
    pub(super) data: &'static [ExampleData],
    /// The title and the text of the notification that waits for its user.
    pub(super) notice: Option<(&'static str, &'static str)>,
    /// The function that makes the greeting for when it is served.
    pub(super) greeting: fn(&Tenant) -> Result<Greeting, Failure>,
}

/// Rows of a type, as CSV.
pub(super) struct ExampleData {
    pub(super) collection: &'static str,
    /// The property that tells rows apart, where one does.
    pub(super) key: Option<&'static str>,
    pub(super) rows: u64,
    pub(super) csv: &'static [u8],
    /// True if the CSV is in gzip.
    pub(super) packed: bool,
}

impl Choice {
    pub(super) fn example(self) -> &'static Example {
        match self {
            Choice::World => &WORLD,
            Choice::Shop => &SHOP,
            Choice::Helpdesk => &HELPDESK,
        }
    }
}

/// A file of an example, by its path.
macro_rules! files {
    ($example:literal: $($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../../examples/", $example, "/", $path)))),*]
    };
}

static WORLD: Example = Example {
    name: "world",
    credentials: "demo.json",
    files: files!("world":
        "tenant.yaml",
        "types/country.yaml",
        "types/city.yaml",
        "queries/continents.yaml",
        "queries/largest_cities.yaml",
        "canvases/cities.yaml",
        "roles/admin.yaml",
        "roles/reader.yaml",
        "users/admin.yaml",
    ),
    data: &[
        packed("country", Some("code"), 252, include_bytes!("../../../../../examples/world/data/countries.csv.gz")),
        packed(
            "city",
            Some("geoname_id"),
            34_006,
            include_bytes!("../../../../../examples/world/data/cities15000.csv.gz"),
        ),
    ],
    notice: Some((
        "Welcome to Plinth",
        "Open City, choose a population, press Enter and type another number. Ctrl+Z takes it back, and ? shows all keys.",
    )),
    greeting: |tenant| {
        let prague = "3067696";
        let facts = WorldWelcome {
            countries: count(tenant, "country")?,
            cities: count(tenant, "city")?,
            country: id_by(tenant, "country", "code", "CZ")?,
            city: id_by(tenant, "city", "geoname_id", prague)?,
        };
        Ok(Greeting::World(facts))
    },
};

static SHOP: Example = Example {
    name: "shop",
    credentials: "demo-shop.json",
    files: files!("shop":
        "tenant.yaml",
        "types/company.yaml",
        "types/invoice.yaml",
        "types/line.yaml",
        "types/payment.yaml",
        "types/user.yaml",
        "roles/admin.yaml",
        "roles/accountant.yaml",
        "roles/customer.yaml",
        "users/admin.yaml",
        "queries/customers.yaml",
        "queries/months.yaml",
        "queries/overdue.yaml",
        "queries/unpaid.yaml",
        "canvases/finance.yaml",
        "automations/paid.yaml",
        "automations/reminders.yaml",
        "automations/settled.yaml",
    ),
    data: &[
        plain("company", Some("code"), 5, include_bytes!("../../../../../examples/shop/data/companies.csv")),
        plain("invoice", Some("reference"), 8, include_bytes!("../../../../../examples/shop/data/invoices.csv")),
        plain("line", None, 9, include_bytes!("../../../../../examples/shop/data/lines.csv")),
        plain("payment", None, 3, include_bytes!("../../../../../examples/shop/data/payments.csv")),
    ],
    notice: None,
    greeting: |tenant| {
        let facts = ShopWelcome {
            companies: count(tenant, "company")?,
            invoices: count(tenant, "invoice")?,
            invoice: id_by(tenant, "invoice", "reference", "CROW-2")?,
        };
        Ok(Greeting::Shop(facts))
    },
};

static HELPDESK: Example = Example {
    name: "helpdesk",
    credentials: "demo-helpdesk.json",
    files: files!("helpdesk":
        "tenant.yaml",
        "types/article.yaml",
        "types/comment.yaml",
        "types/company.yaml",
        "types/ticket.yaml",
        "types/user.yaml",
        "roles/admin.yaml",
        "roles/agent.yaml",
        "roles/customer.yaml",
        "roles/visitor.yaml",
        "users/admin.yaml",
        "users/ann.yaml",
        "users/bob.yaml",
        "users/cleo.yaml",
        "users/dan.yaml",
        "queries/board.yaml",
        "queries/late.yaml",
        "queries/open.yaml",
        "canvases/board.yaml",
        "automations/answered.yaml",
        "automations/received.yaml",
        "automations/solved.yaml",
    ),
    data: &[
        packed("company", Some("domain"), 60, include_bytes!("../../../../../examples/helpdesk/data/companies.csv.gz")),
        plain("article", Some("title"), 6, include_bytes!("../../../../../examples/helpdesk/data/articles.csv")),
        packed("ticket", None, 5_000, include_bytes!("../../../../../examples/helpdesk/data/tickets.csv.gz")),
        packed("comment", None, 12_286, include_bytes!("../../../../../examples/helpdesk/data/comments.csv.gz")),
    ],
    notice: None,
    greeting: |tenant| {
        let facts = HelpdeskWelcome {
            tickets: count(tenant, "ticket")?,
            comments: count(tenant, "comment")?,
            ticket: id_by(tenant, "ticket", "number", "T-00001")?,
        };
        Ok(Greeting::Helpdesk(facts))
    },
};

const fn packed(collection: &'static str, key: Option<&'static str>, rows: u64, csv: &'static [u8]) -> ExampleData {
    ExampleData { collection, key, rows, csv, packed: true }
}

const fn plain(collection: &'static str, key: Option<&'static str>, rows: u64, csv: &'static [u8]) -> ExampleData {
    ExampleData { collection, key, rows, csv, packed: false }
}
