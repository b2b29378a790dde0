//! The request of each operation.

use crate::asker::{Asker, Keys};
use crate::operation::{EMBEDDED, ITEMS, Operation, TAG};
use crate::requests::{
    FRESH, JSON, batch, collection, companies, groups, invoices, invoices_of, item, list_query, pages, request, search,
    status, upload,
};
use benches::articles;
use benches::random::Random;

impl Operation {
    /// Writes a request of this kind to `out`, instead of what is there.
    pub(crate) fn write(self, out: &mut Vec<u8>, rows: u32, keys: &Keys, random: &mut Random) {
        out.clear();
        let key = keys.of(self.asker());
        let id = random.between(1, i64::from(rows) + 1);
        let page = random.between(1, pages(rows) + 1);
        // A tenth of the rows.
        let of_agent = page.min(i64::from(rows / 250));
        let mut article = |headers: &str, path: &str| request(out, "GET", &collection(path), key, headers, b"");
        match self {
            Operation::Get => article("", &format!("/{id}")),
            Operation::GetFresh => article(FRESH, &format!("/{id}")),
            Operation::Unchanged => article("If-None-Match: *\r\n", &format!("/{id}")),
            Operation::Embedded | Operation::EmbeddedFresh => {
                let headers = if self == Operation::Embedded { "" } else { FRESH };
                let id = random.between(1, EMBEDDED.min(i64::from(rows)) + 1);
                let path = format!("/api/v1/collection/headline/{id}?showFields=title,article.title,article.status");
                request(out, "GET", &path, key, headers, b"");
            }
            Operation::All => article("", &format!("?page={page}&perPage=25")),
            Operation::Filtered => article("", &list_query(status(random), page, None)),
            Operation::FilteredFresh => article(FRESH, &list_query(status(random), page, None)),
            Operation::List => article("", &list_query(status(random), page, Some("-views"))),
            Operation::ListFresh => article(FRESH, &list_query(status(random), page, Some("-views"))),
            Operation::FilteredMixed | Operation::Mixed => {
                let list = if self == Operation::Mixed { Operation::List } else { Operation::Filtered };
                let one = if random.between(0, 100) == 0 { Operation::Patch } else { list };
                one.write(out, rows, keys, random);
            }
            Operation::Invoices => invoices(out, page, key, FRESH),
            Operation::InvoicesAgent | Operation::InvoicesLeader => invoices(out, of_agent, key, FRESH),
            Operation::InvoicesCustomer => invoices(out, random.between(1, 5), key, FRESH),
            Operation::InvoicesOfAgent => invoices_of(out, of_agent, ("customer.manager", "in", keys.users[0]), key),
            Operation::InvoicesOfLeader => invoices_of(out, of_agent, ("leader", "in", keys.users[2]), key),
            Operation::InvoicesOfCustomer => {
                invoices_of(out, random.between(1, 5), ("customer.users", "anyOf", keys.users[1]), key);
            }
            Operation::Companies => companies(out, page, "", key),
            Operation::CompaniesInvoices => companies(out, page, "invoices.number,invoices.net", key),
            Operation::CompaniesTotals => companies(out, page, "invoices.$count,invoices.$sum.net", key),
            Operation::InvoicesMixed
            | Operation::InvoicesAgentMixed
            | Operation::InvoicesCustomerMixed
            | Operation::InvoicesLeaderMixed => {
                if random.between(0, 100) == 0 {
                    let body = format!("{{\"net\":{}}}", random.between(0, 1_000_000));
                    let path = format!("/api/v1/collection/invoice/{id}");
                    return request(out, "PATCH", &path, keys.of(Asker::Writer), JSON, body.as_bytes());
                }
                let page = match self {
                    Operation::InvoicesAgentMixed | Operation::InvoicesLeaderMixed => of_agent,
                    Operation::InvoicesCustomerMixed => random.between(1, 5),
                    _ => page,
                };
                invoices(out, page, key, "");
            }
            Operation::Plain | Operation::Calculated | Operation::Heard | Operation::Causing => {
                let path = format!("/api/v1/collection/{}", self.creates().unwrap_or_default());
                request(out, "POST", &path, key, JSON, item(random).as_bytes());
            }
            Operation::Batch => request(out, "POST", "/api/ext/v1/batch", key, JSON, batch(random).as_bytes()),
            Operation::Stored | Operation::Virtual => {
                let more = if self == Operation::Virtual { ",shown" } else { "" };
                let fields = format!("id,name,amount,price,total,large,label{more}");
                let path = format!("/api/v1/collection/shownItem?perPage={ITEMS}&page={page}&showFields={fields}");
                request(out, "GET", &path, key, FRESH, b"");
            }
            Operation::Tagged => article("", &format!("?page={page}&perPage=25&tags={TAG}")),
            Operation::TaggedFresh => article(FRESH, &format!("?page={page}&perPage=25&tags={TAG}")),
            // A number without its last digit: for most, eleven headlines begin so.
            Operation::Search => request(out, "GET", &search((id / 10).max(1)), key, "", b""),
            Operation::Upload => upload(out, key),
            Operation::Groups => request(out, "GET", &groups(), key, FRESH, b""),
            Operation::Patch => {
                let body = format!("{{\"views\":{}}}", random.between(0, 1_000_000));
                request(out, "PATCH", &collection(&format!("/{id}")), key, JSON, body.as_bytes());
            }
            Operation::Create => {
                let mut body = Vec::with_capacity(600);
                articles::article(random.number() >> 32, random).write_json(&mut body);
                request(out, "POST", &collection(""), key, JSON, &body);
            }
        }
    }
}
