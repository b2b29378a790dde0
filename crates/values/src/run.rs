//! One evaluation: what it is given, what it may use up.

use crate::size::{BLOCK, size};
use crate::value::Value;
use crate::variables::Variables;
use crate::{Fault, HostProviders, LanguageRules, Result, StepAccount};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The limits of an evaluation (decisions, "Limits").
#[derive(Debug, Clone, Copy)]
pub struct RunLimits {
    /// Steps: one for each node, element and some bytes touched; 1,000,000.
    pub fuel: u64,
    /// Bytes of live values; 10 MB.
    pub memory: usize,
    /// Items of one array; 100,000.
    pub items: usize,
    /// Calls of `query()`; 20.
    pub queries: u32,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits { fuel: 1_000_000, memory: 10 * 1024 * 1024, items: 100_000, queries: 20 }
    }
}

impl RunLimits {
    /// The limits with another number of steps.
    #[must_use]
    pub fn with_fuel(self, fuel: u64) -> Self {
        RunLimits { fuel, ..self }
    }

    /// The limits with another number of bytes.
    #[must_use]
    pub fn with_memory(self, memory: usize) -> Self {
        RunLimits { memory, ..self }
    }

    /// The limits with another number of items of an array.
    #[must_use]
    pub fn with_items(self, items: usize) -> Self {
        RunLimits { items, ..self }
    }

    /// The limits with another number of queries.
    #[must_use]
    pub fn with_queries(self, queries: u32) -> Self {
        RunLimits { queries, ..self }
    }
}

/// An evaluation under way. Functions are given it to charge what they do and to ask the providers.
pub struct Run<'r> {
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The acting user's display zone, and its IANA name.
    pub zone: TimeZone,
    /// The providers of what exists in this place beyond the values.
    pub providers: &'r dyn HostProviders,
    /// Random bytes.
    pub random: &'r mut dyn FnMut(&mut [u8]),
    /// Variables that setVar made.
    pub variables: Variables,
    /// The limits.
    pub limits: RunLimits,
    /// The steps at hand: all that there are, or what was drawn from the account.
    fuel: u64,
    /// The account that it shares with others, if it does.
    account: Option<&'r StepAccount>,
    memory: usize,
    /// Bytes that variables keep alive until the end.
    held: usize,
    queries: u32,
    /// Decisions of secrets that the evaluation is within.
    veils: u32,
    rules: LanguageRules,
    /// True once a value depended on the rules.
    asked_rules: bool,
    /// True while all values are written in the text: constants are being computed.
    written: bool,
}

/// The memory that was free, and held by variables, before a part of an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct MemoryMark {
    memory: usize,
    held: usize,
}

/// The bytes that an entry of a map or an object takes while it is made one by one.
const ENTRY: usize = 384;

/// The number of steps that are drawn from an account at once, so that each step is not looked up there.
const DRAWN: u64 = 256;

impl<'r> Run<'r> {
    /// An evaluation with full supplies.
    #[inline]
    pub fn new(
        now: Timestamp,
        zone: TimeZone,
        providers: &'r dyn HostProviders,
        random: &'r mut dyn FnMut(&mut [u8]),
        limits: RunLimits,
    ) -> Self {
        let (fuel, memory) = (limits.fuel, limits.memory);
        Run {
            now,
            zone,
            providers,
            random,
            variables: Variables::default(),
            limits,
            fuel,
            account: None,
            memory,
            held: 0,
            queries: 0,
            veils: 0,
            rules: LanguageRules::default(),
            asked_rules: false,
            written: false,
        }
    }

    /// The same by the rules of a version.
    #[must_use]
    pub fn by_rules(self, rules: LanguageRules) -> Self {
        Run { rules, ..self }
    }

    /// The same on values that are written in the text alone.
    #[must_use]
    pub fn on_written(self) -> Self {
        Run { written: true, ..self }
    }

    /// Returns true where the rules are of version 1. Asked only where the versions differ.
    pub fn is_former(&mut self) -> bool {
        self.asked_rules = true;
        self.rules == LanguageRules::V1
    }

    /// Returns true if the value so far rests on the version of the rules.
    pub fn rests_on_rules(&self) -> bool {
        self.asked_rules
    }

    /// Returns true while all values are written in the text.
    pub fn is_written(&self) -> bool {
        self.written
    }

    /// The same, paid out of an account that others share. What is left at the end ([`Run::steps_left`]) is to be given back.
    pub fn paid_by(mut self, account: &'r StepAccount) -> Self {
        self.fuel = account.draw(DRAWN);
        self.account = Some(account);
        self
    }

    /// Uses up steps that are at hand; none where there are fewer.
    #[inline]
    pub fn take(&mut self, steps: u64) -> bool {
        let rest = self.fuel.checked_sub(steps);
        self.fuel = rest.unwrap_or(self.fuel);
        rest.is_some()
    }

    /// Uses up steps, before the work that they pay for.
    #[inline]
    pub fn charge(&mut self, steps: u64) -> Result<()> {
        if self.take(steps) { Ok(()) } else { self.draw(steps) }
    }

    /// Uses up more steps than are at hand.
    #[cold]
    fn draw(&mut self, steps: u64) -> Result<()> {
        if let Some(account) = self.account {
            if account.take(steps - self.fuel) {
                self.fuel = account.draw(DRAWN);
                return Ok(());
            }
            if steps <= self.limits.fuel {
                // Others used it up: nothing that shares it goes on. What takes too much by itself fails alone.
                account.end();
            }
        }
        Err(Fault::new(
            "fuel_spent",
            format!("The expression takes more than {} steps: go through fewer items.", self.limits.fuel),
        ))
    }

    /// Returns the number of steps at hand.
    pub fn steps_left(&self) -> u64 {
        self.fuel
    }

    /// Returns the number of bytes that are free.
    pub fn memory_left(&self) -> usize {
        self.memory
    }

    /// Uses up memory, before it is allocated; 64 bytes cost a step, too.
    #[inline]
    pub fn reserve(&mut self, bytes: usize) -> Result<()> {
        self.charge(bytes as u64 / 64)?;
        self.hold(bytes)
    }

    /// Uses up memory that costs no steps: what a value takes beside its contents while it is made.
    #[inline]
    pub fn hold(&mut self, bytes: usize) -> Result<()> {
        match self.memory.checked_sub(bytes) {
            Some(rest) => {
                self.memory = rest;
                Ok(())
            }
            None => Err(Fault::new(
                "memory_spent",
                format!(
                    "The values of the expression take more than {} bytes: take fewer or shorter ones.",
                    self.limits.memory
                ),
            )),
        }
    }

    /// Remembers what is free before a part of the evaluation.
    #[inline]
    pub fn mark(&self) -> MemoryMark {
        MemoryMark { memory: self.memory, held: self.held }
    }

    /// Gives back what a part of the evaluation used and dropped: all but what its result and variables keep alive.
    /// That counts what they share with others, too, and never more than the part used: what is free is never said to
    /// be more than it is.
    #[inline]
    pub fn settle(&mut self, mark: MemoryMark, result: &Value) {
        if self.memory < mark.memory {
            let used = mark.memory - self.memory;
            let kept = size(result, used).saturating_add(self.held - mark.held).min(used);
            self.memory = mark.memory - kept;
        }
    }

    /// Counts what a variable keeps alive; it is never given back.
    pub fn keep(&mut self, name: &str, value: &Value) -> Result<()> {
        let entry = name.len() + 4 * ENTRY / 2;
        self.reserve(entry)?;
        let kept = size(value, self.limits.memory - self.memory);
        self.held += entry + kept;
        // Counting takes time, too; what one variable holds was paid for as it was made, what many share was not.
        self.charge(kept as u64 / 512)
    }

    /// Does what perhaps a secret decided on, where nothing may be kept that would tell of it.
    #[inline]
    pub fn veiled<T>(&mut self, secret: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        self.veils += u32::from(secret);
        let made = work(self);
        self.veils -= u32::from(secret);
        made
    }

    /// Refuses what stays to be seen where a secret decided that it is done, or on any of these values.
    pub fn undecided(&self, function: &str, values: &[Value], advice: &str) -> Result<()> {
        if self.veils == 0 && !values.iter().any(|value| matches!(value, Value::Secret(_))) {
            return Ok(());
        }
        let message = format!("A secret cannot decide whether {function}() is called, or with which name: {advice}.");
        Err(Fault::new("secret_decides", message))
    }

    /// Counts a call of `query()`.
    pub fn take_query(&mut self) -> Result<()> {
        if self.queries >= self.limits.queries {
            let message =
                format!("An expression may call query() {} times: ask for more in one query.", self.limits.queries);
            return Err(Fault::new("too_many_queries", message));
        }
        self.queries += 1;
        Ok(())
    }

    /// Refuses arrays that are too long, before they are made.
    #[inline]
    pub fn items(&mut self, count: usize) -> Result<()> {
        if count > self.limits.items {
            let message = format!("An array may have at most {} items: filter in a query.", self.limits.items);
            return Err(Fault::new("array_too_long", message));
        }
        self.reserve(count * size_of::<Value>())?;
        self.hold(BLOCK)
    }

    /// The same for an array that grows as it is made: while it moves, its items are there three times.
    pub fn growing(&mut self, count: usize) -> Result<()> {
        self.items(count)?;
        self.hold(count * 2 * size_of::<Value>())
    }

    /// The same for a map, or an object with names of its own.
    pub fn entries(&mut self, count: usize) -> Result<()> {
        self.items(count)?;
        self.hold(BLOCK + count * (ENTRY - size_of::<Value>()))
    }

    /// Uses up the memory that stays of entries that were paid for as a part was taken over, which is dropped.
    pub fn added(&mut self, count: usize) -> Result<()> {
        self.hold(count * ENTRY)
    }

    /// The same for an object that shares its list of names: values are moved into their block.
    pub fn properties(&mut self, count: usize) -> Result<()> {
        self.items(count)?;
        self.hold(count * size_of::<Value>())
    }
}
