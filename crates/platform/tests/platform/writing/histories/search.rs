//! The search for an order of writes, one after the other, that gives the answers and the final state that were seen.

use super::reference::{Outcome, State, Write, apply};
use super::schema::Schema;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A write that was answered. Moments are numbers of one sequence.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) write: Write,
    pub(super) outcome: Outcome,
    /// When it was sent, when it was done but for the commit, and when its answer was there.
    pub(super) sent: u64,
    pub(super) done: u64,
    pub(super) answered: u64,
}

/// How many writes are tried in a place at most. A history that needs more passes for one without an order.
const MOST: usize = 100_000;

/// Returns whether an order was found that explains a history.
pub(super) fn serial(schema: &Schema, before: &State, history: &[Answered], after: &State) -> bool {
    let mut search = Search { schema, after, known: HashSet::new(), tried: 0 };
    let mut all: Vec<&Answered> = history.iter().collect();
    // Where locks are held to the commit, it is the order in which writes were done before. It is tried first.
    all.sort_by_key(|answered| answered.done);
    search.explains(before.clone(), all)
}

struct Search<'s> {
    schema: &'s Schema,
    after: &'s State,
    /// States that lead nowhere, with what is still to be placed.
    known: HashSet<u64>,
    tried: usize,
}

impl Search<'_> {
    fn explains(&mut self, state: State, mut rest: Vec<&Answered>) -> bool {
        // A refused write changes nothing: the first place that explains its answer is as good as any.
        while let Some(place) = (0..rest.len()).find(|place| {
            rest[*place].outcome.is_err() && open(&rest, *place) && self.after_write(&state, rest[*place]).is_some()
        }) {
            rest.remove(place);
        }
        if rest.is_empty() {
            return state == *self.after;
        }
        let mut hasher = DefaultHasher::new();
        (&state, rest.iter().map(|answered| answered.answered).collect::<Vec<_>>()).hash(&mut hasher);
        if !self.known.insert(hasher.finish()) {
            return false;
        }
        for place in 0..rest.len() {
            if rest[place].outcome.is_err() || !open(&rest, place) {
                continue;
            }
            self.tried += 1;
            if self.tried > MOST {
                return false;
            }
            if let Some(next) = self.after_write(&state, rest[place]) {
                let mut others = rest.clone();
                others.remove(place);
                if self.explains(next, others) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the state after a write, where its answer is the one that was seen.
    fn after_write(&self, state: &State, answered: &Answered) -> Option<State> {
        let made = match &answered.outcome {
            Ok(Some((id, _))) => *id,
            _ => 0,
        };
        let mut next = state.clone();
        (apply(self.schema, &mut next, &answered.write, made) == answered.outcome).then_some(next)
    }
}

/// Returns whether no other write was answered before this one was sent.
fn open(rest: &[&Answered], place: usize) -> bool {
    rest.iter().all(|other| other.answered >= rest[place].sent)
}
