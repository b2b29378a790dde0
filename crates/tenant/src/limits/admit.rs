//! Admission of requests, decided before the key of a request is hashed or looked up.

use super::refusals::{RefusalAllowance, RefusalPause, RefusalPlaces};
use super::table::{SubjectTable, TakeOutcome, first_block};
use super::upload_turns::UploadTurn;
use crate::Tenant;
use crate::worker::WorkerTurn;
use context::key_text::{KeyText, refused};
use database::{LeaseClaim, ReadCost, RecentUsers};
use model::error::{Error, ErrorKind, Result};
use model::rate::{RatePolicy, RequestRate};
use model::types::Model;
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The number of keys that work that a node remembers, and the number of addresses.
const KEYS: usize = 1 << 15;
const ADDRESSES: usize = 1 << 17;
/// The most leases that a request asks for where others use them up at once.
const TRIES: usize = 8;
/// Milliseconds between two readings of the configuration for requests that are refused.
const LOOK: u64 = 1_000;

/// The counters of a process, for all its tenants.
pub struct Gates {
    keys: SubjectTable,
    addresses: SubjectTable,
    address_rate: Option<RequestRate>,
    /// Nobody outside knows what falls together in it.
    hasher: RandomState,
    refusals: Arc<RefusalPlaces>,
    /// Refusals of requests that lead to no tenant.
    stray_refusals: RefusalAllowance,
    /// The tenants whose requests were admitted last.
    pub(super) tenants: RecentUsers,
}

/// The result for a request that may go on.
#[derive(Debug)]
pub enum Admitted {
    /// It has no key.
    Keyless,
    /// Its key works, or did a moment ago.
    Keyed,
    /// It has no key, and acts by the public role.
    Public,
    /// Its key does not work, for this reason.
    Refused(Error),
}

/// The subject of a charge.
struct ChargeSubject<'s> {
    table: &'s SubjectTable,
    mark: u64,
    policy: RatePolicy,
}

/// A request that was counted for an address, until its key turns out to work.
#[derive(Debug)]
#[must_use]
pub struct AddressCharge {
    mark: u64,
    rate: RequestRate,
    /// Milliseconds of the node's clock.
    taken: i64,
}

impl Gates {
    /// Counters with a limit for addresses, of a server with so many connections; none is no limit.
    pub fn new(address_rate: Option<RequestRate>, connections: usize) -> Self {
        let hasher = RandomState::new();
        Gates {
            keys: SubjectTable::new(KEYS),
            addresses: SubjectTable::new(ADDRESSES),
            address_rate,
            hasher,
            refusals: Arc::new(RefusalPlaces::new(connections)),
            stray_refusals: RefusalAllowance::default(),
            tenants: RecentUsers::default(),
        }
    }

    /// Charges an address for a request that leads to no tenant at hand, on this node alone.
    pub fn stray(&self, address: IpAddr, now: i64) -> Result<Option<AddressCharge>> {
        let Some(rate) = self.address_rate else { return Ok(None) };
        let subject = self.address("", network(address), rate);
        for _ in 0..2 {
            match subject.table.take(subject.mark, rate, now) {
                TakeOutcome::Yes => return Ok(Some(AddressCharge { mark: subject.mark, rate, taken: now })),
                TakeOutcome::No(until) => return Err(subject.refused(until, now)),
                TakeOutcome::Lease(_) | TakeOutcome::Unknown => {
                    let ends_in = Duration::from_secs(rate.seconds.into());
                    let lease = database::LeaseGrant { granted: rate.requests, rest: 0, ends_in };
                    subject.table.put(subject.mark, rate, lease, now, now);
                }
            }
        }
        Ok(None)
    }

    /// Counts the refusal of a request that leads to no tenant.
    pub fn refuse_stray(&self, now: Instant) -> RefusalPause {
        self.stray_refusals.refuse(&self.refusals, now)
    }

    /// Takes back what was counted for an address, where it was.
    fn pardon(&self, charge: Option<AddressCharge>) {
        if let Some(AddressCharge { mark, rate, taken }) = charge {
            self.addresses.give_back(mark, rate, taken);
        }
    }

    fn address(&self, tenant: &str, network: u64, rate: RequestRate) -> ChargeSubject<'_> {
        ChargeSubject {
            table: &self.addresses,
            mark: self.mark((tenant, network)),
            policy: RatePolicy { name: "address", rate },
        }
    }

    fn mark(&self, of: impl Hash) -> u64 {
        self.hasher.hash_one(of).max(1)
    }
}

impl Tenant {
    /// Counts the refusal of a request.
    pub fn refuse(&self, now: Instant) -> RefusalPause {
        self.refusals.refuse(&self.gates.refusals, now)
    }

    /// Notes that a request with a key that works was admitted.
    pub fn note_request(&self, now: Instant) {
        self.gates.tenants.note(self.number, now);
    }

    /// Waits for the turn of an upload's work, where other tenants have requests.
    pub async fn upload_turn(&self) -> Option<UploadTurn<'_>> {
        self.uploads.take(&self.gates, self.number).await
    }

    /// Counts a request without a key for its address, or refuses it.
    pub async fn admit_keyless(&self, address: IpAddr) -> Result<Admitted> {
        self.charge_address(address).await?;
        Ok(Admitted::Keyless)
    }

    /// Counts a request, or refuses it. One with a key that works counts for the key alone, from whatever address. Where
    /// this node does not know the key, its address is charged before anything is done about it. A key that works takes
    /// that charge back, and the `stray` one of a tenant that was not at hand.
    pub async fn admit(
        self: &Arc<Self>,
        address: IpAddr,
        key: Option<&str>,
        stray: Option<AddressCharge>,
    ) -> Result<Admitted> {
        let Some(text) = key else { return self.admit_keyless(address).await };
        let mark = self.gates.mark((self.name(), text));
        let charge = match self.key_rate() {
            Some(rate) if self.gates.keys.knows(mark) => {
                self.gates.pardon(stray);
                let charged = self.charge_key(text, mark, rate).await;
                match charged {
                    // A limit that was raised or lifted holds for those, too, whom it shut out.
                    Err(_) if self.may_look_again() => {
                        self.model().await?;
                        self.charge_key(text, mark, self.key_rate().unwrap_or(rate)).await?;
                    }
                    charged => charged?,
                }
                return Ok(Admitted::Keyed);
            }
            _ => self.charge_address(address).await?,
        };
        let key = match KeyText::parse(text) {
            Ok(key) => key,
            Err(error) => return Ok(Admitted::Refused(error)),
        };
        match self.read(ReadCost::Point, &key.into(), |_, _| Ok(())).await {
            Ok(()) => {}
            Err(error) if error.kind == ErrorKind::Forbidden => return Ok(Admitted::Refused(error)),
            Err(error) => return Err(error),
        }
        self.gates.pardon(charge);
        self.gates.pardon(stray);
        self.gates.keys.learn(mark, self.milliseconds());
        self.charge_key(text, mark, self.key_rate().flatten()).await?;
        Ok(Admitted::Keyed)
    }

    /// Counts a request without a key for its address, or refuses it where the tenant has no public role.
    pub async fn admit_public(self: &Arc<Self>, address: IpAddr) -> Result<Admitted> {
        self.charge_address(address).await?;
        let latest = match self.latest_model() {
            Some(model) => self.charge_visitor(address, &model).await,
            None => Err(refused()),
        };
        match latest {
            // A role that was added, or a limit that was raised, holds for those, too, whom the last one shut out.
            Err(_) if self.latest_model().is_none() || self.may_look_again() => {
                let model = self.model().await?;
                self.charge_visitor(address, &model).await
            }
            charged => charged,
        }
    }

    async fn charge_visitor(&self, address: IpAddr, model: &Model) -> Result<Admitted> {
        let public = model.settings.public.as_ref().ok_or_else(refused)?;
        self.charge_public(address, public.rate).await?;
        Ok(Admitted::Public)
    }

    /// Counts a request that was admitted so many times more, since it takes as much as several.
    pub async fn admit_more(&self, address: IpAddr, key: Option<&str>, times: u32) -> Result<()> {
        let rate = match key {
            Some(_) => self.key_rate().flatten(),
            None => self.latest_model().and_then(|model| model.settings.public.as_ref()?.rate),
        };
        // If the limit is lower, such a request takes all of it.
        let times = rate.map_or(0, |rate| times.min(rate.requests.saturating_sub(1)));
        for _ in 0..times {
            match key {
                Some(text) => self.charge_key(text, self.gates.mark((self.name(), text)), rate).await?,
                None => self.charge_public(address, rate).await?,
            }
        }
        Ok(())
    }

    async fn charge_public(&self, address: IpAddr, rate: Option<RequestRate>) -> Result<()> {
        let Some(rate) = rate else { return Ok(()) };
        let network = network(address);
        let subject = ChargeSubject {
            table: &self.gates.addresses,
            mark: self.gates.mark((self.name(), "public", network)),
            policy: RatePolicy { name: "public", rate },
        };
        self.charge(&subject, || format!("public:{network:x}")).await
    }

    async fn charge_key(&self, text: &str, mark: u64, rate: Option<RequestRate>) -> Result<()> {
        let Some(rate) = rate else { return Ok(()) };
        let subject = ChargeSubject { table: &self.gates.keys, mark, policy: RatePolicy { name: "key", rate } };
        // The text's id is enough of a name: only keys that work get here.
        self.charge(&subject, || KeyText::parse(text).map_or_else(|_| "key:".into(), |key| format!("key:{}", key.id)))
            .await
    }

    async fn charge_address(&self, address: IpAddr) -> Result<Option<AddressCharge>> {
        let Some(rate) = self.gates.address_rate else { return Ok(None) };
        let network = network(address);
        let subject = self.gates.address(self.name(), network, rate);
        self.charge(&subject, || format!("address:{network:x}")).await?;
        Ok(Some(AddressCharge { mark: subject.mark, rate, taken: self.milliseconds() }))
    }

    async fn charge(&self, subject: &ChargeSubject<'_>, name: impl Fn() -> String) -> Result<()> {
        let ChargeSubject { table, mark, policy: RatePolicy { rate, .. } } = *subject;
        match table.take(mark, rate, self.milliseconds()) {
            TakeOutcome::Yes => Ok(()),
            TakeOutcome::No(until) => Err(subject.refused(until, self.milliseconds())),
            TakeOutcome::Lease(_) | TakeOutcome::Unknown => self.lease_and_charge(subject, name()).await,
        }
    }

    /// Charges where a block has to be leased first.
    fn lease_and_charge<'t>(&'t self, subject: &'t ChargeSubject<'_>, name: String) -> WorkerTurn<'t, ()> {
        let ChargeSubject { table, mark, policy: RatePolicy { rate, .. } } = *subject;
        Box::pin(async move {
            let _turn = table.turn(mark).lock().await;
            for _ in 0..TRIES {
                let asked = self.milliseconds();
                let most = match table.take(mark, rate, asked) {
                    TakeOutcome::Yes => return Ok(()),
                    TakeOutcome::No(until) => return Err(subject.refused(until, asked)),
                    TakeOutcome::Lease(most) => most,
                    TakeOutcome::Unknown => first_block(rate),
                };
                let period = Duration::from_secs(rate.seconds.into());
                let claim = LeaseClaim { subject: name.clone(), limit: rate.requests, period, most };
                let lease = self.store().lease(claim).await?;
                table.put(mark, rate, lease, asked, self.milliseconds());
            }
            Err(Error::from(database::Error::Busy))
        })
    }

    /// Returns true if a refused request may read the configuration: once in a second, for all requests together.
    fn may_look_again(&self) -> bool {
        let (now, last) = (self.milliseconds(), self.looked.load(Relaxed));
        now.abs_diff(last) >= LOOK && self.looked.compare_exchange(last, now, Relaxed, Relaxed).is_ok()
    }

    fn milliseconds(&self) -> i64 {
        self.environment().clock.now().as_millisecond()
    }
}

impl ChargeSubject<'_> {
    fn refused(&self, until: i64, now: i64) -> Error {
        let seconds = (until - now + 999) / 1_000;
        let retry_after = u32::try_from(seconds.max(1)).unwrap_or(u32::MAX);
        let message = match self.policy.name {
            "key" => "Too many requests with this API key. Try again later.",
            "public" => "Too many requests without an API key from this address. Try again later.",
            _ => "Too many requests without a valid API key from this address. Try again later.",
        };
        Error::new(ErrorKind::TooMany { retry_after, policy: Some(self.policy) }, "rate_limited", message)
    }
}

/// An address as attackers come by them: one of IPv4, a /64 of IPv6. The first bit tells the two apart.
fn network(address: IpAddr) -> u64 {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => (address.to_bits() >> 64) as u64 | 1 << 63,
    }
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn addresses_of_one_network_are_one() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.2"), of("10.0.0.1"));
        assert_ne!(of("::1"), of("0.0.0.0"));
    }
}
