//! The operations.

use crate::asker::Asker;
use crate::report::Beside;
use clap::ValueEnum;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operation {
    /// One row by its id.
    Get,
    /// The same past all caches.
    GetFresh,
    /// One row that the client has already.
    Unchanged,
    /// One of 10,000 headlines with fields of the article that it refers to, which is what is kept of single rows.
    Embedded,
    /// The same past all caches.
    EmbeddedFresh,
    /// A page of 25 of all rows, by id, with the exact total.
    All,
    /// A page of 25 of the rows with a status, by id, with the exact total.
    Filtered,
    /// The same past all caches.
    FilteredFresh,
    /// The same, where one request in a hundred is a change.
    FilteredMixed,
    /// A page of 25 of the rows with a status, sorted by views, with the exact total.
    List,
    /// The same past all caches.
    ListFresh,
    /// The same, where one request in a hundred is a change.
    Mixed,
    /// A page of 25 of the rows with a tag, with the exact total.
    Tagged,
    /// The same past all caches.
    TaggedFresh,
    /// A page of 25 of the headlines with a word that begins so, with the exact total.
    Search,
    /// A file of 16 KB.
    Upload,
    /// The numbers of rows by status and month, past all caches.
    Groups,
    /// A change of one number.
    Patch,
    /// A new row.
    Create,
    /// A page of 25 of all invoices, by id, past all caches: what grants are compared with.
    Invoices,
    /// The same of the tenth that an agent sees, by a grant over one relation.
    InvoicesAgent,
    /// The same of the hundred that a customer sees, by a grant over one relation.
    InvoicesCustomer,
    /// The same of another tenth, by a grant over a relation that is calculated by the way.
    InvoicesLeader,
    /// The agent's, by a filter of whoever sees all.
    InvoicesOfAgent,
    /// The customer's, by such a filter.
    InvoicesOfCustomer,
    /// The leader's, by such a filter.
    InvoicesOfLeader,
    /// A page of 50 companies, past all caches.
    Companies,
    /// The same with five invoices of each.
    CompaniesInvoices,
    /// The same with the number and the sum of all their invoices.
    CompaniesTotals,
    /// The first, where one request in a hundred is a change of an invoice.
    InvoicesMixed,
    /// The agent's, with the same changes.
    InvoicesAgentMixed,
    /// The customer's, with the same changes.
    InvoicesCustomerMixed,
    /// The leader's, with the same changes.
    InvoicesLeaderMixed,
    /// A new row of three properties.
    Plain,
    /// A hundred of them in one batch.
    Batch,
    /// The same by itself, with three stored calculations.
    Calculated,
    /// The same without calculations, where an automation listens whose `if` does not hold.
    Heard,
    /// Where an automation runs: until its run, of one step, was carried out.
    Causing,
    /// A page of 100 rows with the three stored calculations, past all caches.
    Stored,
    /// The same with a virtual calculation beside.
    Virtual,
}

/// The tag that some of the articles have.
pub(crate) const TAG: &str = "spotlight";

/// Rows on a page of those with calculations.
pub(crate) const ITEMS: u32 = 100;
/// Creates of a batch.
pub(crate) const BATCHED: u32 = 100;
/// Headlines that are asked for with what they embed.
pub(crate) const EMBEDDED: i64 = 10_000;

impl Operation {
    /// All of them. What changes rows comes last, so that the others find the same table.
    pub(crate) const ALL: [Operation; 40] = [
        Operation::Get,
        Operation::GetFresh,
        Operation::Unchanged,
        Operation::Embedded,
        Operation::EmbeddedFresh,
        Operation::All,
        Operation::Filtered,
        Operation::FilteredFresh,
        Operation::List,
        Operation::ListFresh,
        Operation::Tagged,
        Operation::TaggedFresh,
        Operation::Search,
        Operation::Upload,
        Operation::Groups,
        Operation::FilteredMixed,
        Operation::Mixed,
        Operation::Patch,
        Operation::Create,
        Operation::Invoices,
        Operation::InvoicesAgent,
        Operation::InvoicesCustomer,
        Operation::InvoicesLeader,
        Operation::InvoicesOfAgent,
        Operation::InvoicesOfCustomer,
        Operation::InvoicesOfLeader,
        Operation::Companies,
        Operation::CompaniesInvoices,
        Operation::CompaniesTotals,
        Operation::InvoicesMixed,
        Operation::InvoicesAgentMixed,
        Operation::InvoicesCustomerMixed,
        Operation::InvoicesLeaderMixed,
        Operation::Plain,
        Operation::Batch,
        Operation::Calculated,
        Operation::Heard,
        Operation::Causing,
        Operation::Stored,
        Operation::Virtual,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Operation::Get => "get one",
            Operation::GetFresh => "get one, fresh",
            Operation::Unchanged => "get one, 304",
            Operation::Embedded => "get embedded",
            Operation::EmbeddedFresh => "get embedded, fresh",
            Operation::All => "list all",
            Operation::Filtered => "filtered",
            Operation::FilteredFresh => "filtered, fresh",
            Operation::FilteredMixed => "filtered, 1 % patches",
            Operation::List => "sorted",
            Operation::ListFresh => "sorted, fresh",
            Operation::Mixed => "sorted, 1 % patches",
            Operation::Tagged => "by tag",
            Operation::TaggedFresh => "by tag, fresh",
            Operation::Search => "search",
            Operation::Upload => "upload",
            Operation::Groups => "by status and month, fresh",
            Operation::Patch => "patch",
            Operation::Create => "create",
            Operation::Invoices => "invoices, fresh",
            Operation::InvoicesAgent => "an agent's, fresh",
            Operation::InvoicesCustomer => "a customer's, fresh",
            Operation::InvoicesLeader => "a leader's, fresh",
            Operation::InvoicesOfAgent => "an agent's by a filter, fresh",
            Operation::InvoicesOfCustomer => "a customer's by a filter, fresh",
            Operation::InvoicesOfLeader => "a leader's by a filter, fresh",
            Operation::Companies => "50 companies, fresh",
            Operation::CompaniesInvoices => "with 5 invoices each, fresh",
            Operation::CompaniesTotals => "with their totals, fresh",
            Operation::InvoicesMixed => "invoices, 1 % patches",
            Operation::InvoicesAgentMixed => "an agent's, 1 % patches",
            Operation::InvoicesCustomerMixed => "a customer's, 1 % patches",
            Operation::InvoicesLeaderMixed => "a leader's, 1 % patches",
            Operation::Plain => "create of three properties",
            Operation::Batch => "batch of 100 creates",
            Operation::Calculated => "with three calculations",
            Operation::Heard => "with an automation that listens",
            Operation::Causing => "with a run",
            Operation::Stored => "list of 100, stored",
            Operation::Virtual => "with a virtual one",
        }
    }

    /// The status of an answer that counts.
    pub(crate) fn status(self) -> u16 {
        match self {
            Operation::Create => 201,
            _ if self.creates().is_some() => 201,
            Operation::Unchanged => 304,
            _ => 200,
        }
    }

    /// Whether the limit programs can be asked for it: they have articles alone, without tags and validators.
    pub(crate) fn limited(self) -> bool {
        let tagged = matches!(self, Operation::Tagged | Operation::TaggedFresh);
        let alone = matches!(self, Operation::Unchanged | Operation::Upload);
        !(tagged || alone || self.headlines() || self.invoices() || self.items())
    }

    /// Whether it reads invoices, which Plinth alone has.
    pub(crate) fn invoices(self) -> bool {
        matches!(
            self,
            Operation::Invoices
                | Operation::InvoicesAgent
                | Operation::InvoicesCustomer
                | Operation::InvoicesLeader
                | Operation::InvoicesOfAgent
                | Operation::InvoicesOfCustomer
                | Operation::InvoicesOfLeader
                | Operation::Companies
                | Operation::CompaniesInvoices
                | Operation::CompaniesTotals
                | Operation::InvoicesMixed
                | Operation::InvoicesAgentMixed
                | Operation::InvoicesCustomerMixed
                | Operation::InvoicesLeaderMixed
        )
    }

    /// Whether it needs the articles, which all servers have.
    pub(crate) fn articles(self) -> bool {
        !(self.invoices() || self.items())
    }

    /// Whether it is about rows with and without calculations and automations, which Plinth alone has.
    fn items(self) -> bool {
        self.creates().is_some() || self.reads_items() || self == Operation::Batch
    }

    /// The type of which it creates rows of three properties.
    pub(crate) fn creates(self) -> Option<&'static str> {
        match self {
            Operation::Plain => Some("plainItem"),
            Operation::Calculated => Some("calculatedItem"),
            Operation::Heard => Some("heardItem"),
            Operation::Causing => Some("causingItem"),
            _ => None,
        }
    }

    /// Whether it reads rows with calculations.
    pub(crate) fn reads_items(self) -> bool {
        matches!(self, Operation::Stored | Operation::Virtual)
    }

    /// Whose key the requests carry.
    pub(crate) fn asker(self) -> Asker {
        match self {
            Operation::InvoicesAgent | Operation::InvoicesAgentMixed => Asker::Agent,
            Operation::InvoicesCustomer | Operation::InvoicesCustomerMixed => Asker::Customer,
            Operation::InvoicesLeader | Operation::InvoicesLeaderMixed => Asker::Leader,
            _ => Asker::Writer,
        }
    }

    /// The operation that its cost is put beside, and how.
    pub(crate) fn beside(self) -> Option<(Operation, Beside)> {
        match self {
            Operation::InvoicesAgent
            | Operation::InvoicesCustomer
            | Operation::InvoicesLeader
            | Operation::InvoicesOfAgent
            | Operation::InvoicesOfCustomer
            | Operation::InvoicesOfLeader => Some((Operation::Invoices, Beside::Ratio)),
            Operation::InvoicesAgentMixed | Operation::InvoicesCustomerMixed | Operation::InvoicesLeaderMixed => {
                Some((Operation::InvoicesMixed, Beside::Ratio))
            }
            Operation::Calculated | Operation::Heard | Operation::Causing => {
                Some((Operation::Plain, Beside::Microseconds(1)))
            }
            Operation::CompaniesInvoices | Operation::CompaniesTotals => Some((Operation::Companies, Beside::Ratio)),
            Operation::Batch => Some((Operation::Plain, Beside::Share(BATCHED))),
            Operation::Virtual => Some((Operation::Stored, Beside::Microseconds(ITEMS))),
            _ => None,
        }
    }

    /// Whether it reads headlines, which Plinth alone has.
    pub(crate) fn headlines(self) -> bool {
        matches!(self, Operation::Search | Operation::Embedded | Operation::EmbeddedFresh)
    }

    /// Whether it reads rows by a tag.
    pub(crate) fn tagged(self) -> bool {
        matches!(self, Operation::Tagged | Operation::TaggedFresh)
    }

    /// With more connections than this, requests would wait for seconds, which is refused.
    pub(crate) fn most_connections(self) -> u32 {
        match self {
            Operation::Get
            | Operation::GetFresh
            | Operation::Unchanged
            | Operation::Embedded
            | Operation::EmbeddedFresh
            | Operation::Patch
            | Operation::Create => u32::MAX,
            _ if self.creates().is_some() => u32::MAX,
            _ => 8,
        }
    }
}
