//! Places of a node for what goes to one destination: a host, a domain of mails. One that hangs leaves places to the
//! others.
//!
//! A destination is slow once something that went there took long, or is under way for long. A slow one has half of the
//! places while it answers. One that does not answer has a single place, by which it shows that it is well again. What
//! else goes there steps aside for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time after which something under way makes its destination slow.
pub const SLOW: Duration = Duration::from_secs(2);
/// The time for which something steps aside, in milliseconds: the first, by how much the next is longer, and the
/// longest. What waits for a destination comes back spread over time.
const ASIDE: (i64, i64, i64) = (5_000, 20, 60_000);
/// The most destinations that are remembered before those that nothing went to for a while are forgotten.
const REMEMBERED: usize = 1_000;
/// For how long a destination counts as slow where nothing goes to it.
const FORGOTTEN: Duration = Duration::from_secs(10 * 60);

/// The places of a node, of one sort of thing that leaves.
pub struct Places {
    /// The number of places of a destination.
    most: usize,
    destinations: Mutex<HashMap<String, DestinationPlaces>>,
}

#[derive(Default)]
struct DestinationPlaces {
    /// The numbers of those under way, each with when it began.
    under_way: Vec<(u64, Instant)>,
    /// The number of those that were under way so far: the number of the next.
    count: u64,
    /// Since when it is slow.
    slow: Option<Instant>,
    /// True if what ended last was answered.
    answers: bool,
    /// The number of those that stepped aside since it is slow.
    aside: i64,
}

/// The answer to somebody who asks for a place.
pub enum PlaceEntry {
    /// A place, until it is dropped.
    Taken(Place),
    /// None, but soon.
    Full,
    /// None, as the destination is slow: it should not be asked for again for so many milliseconds.
    Slow(i64),
}

/// A place, which is free again when this is dropped.
pub struct Place {
    places: Arc<Places>,
    destination: String,
    number: u64,
    /// True if something goes there by it.
    used: bool,
    /// True if an answer came.
    answered: bool,
}

impl Place {
    /// Is free again, once an answer came. One that is dropped without it had none.
    pub fn answered(mut self) {
        self.answered = true;
    }

    /// The same, by which something goes there from now on: how long that takes tells of the destination.
    pub fn used(mut self) -> Self {
        let mut destinations = self.places.lock();
        let under_way = destinations.get_mut(&self.destination).map(|known| &mut known.under_way);
        if let Some((_, began)) = under_way.into_iter().flatten().find(|(number, _)| *number == self.number) {
            *began = Instant::now();
        }
        drop(destinations);
        self.used = true;
        self
    }
}

impl Places {
    /// So many places for each destination.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Places { most: most.max(1), destinations: Mutex::default() })
    }

    /// Takes a place at a destination of a tenant.
    pub fn enter(self: &Arc<Self>, tenant: &str, destination: &str) -> PlaceEntry {
        self.enter_at(format!("{tenant} {destination}"), Instant::now())
    }

    fn enter_at(self: &Arc<Self>, name: String, now: Instant) -> PlaceEntry {
        let mut destinations = self.lock();
        if destinations.len() > REMEMBERED && !destinations.contains_key(&name) {
            destinations.retain(|_, known| !known.under_way.is_empty() || known.is_slow(now));
        }
        let known = destinations.entry(name.clone()).or_default();
        if known.slow.is_some_and(|since| now.duration_since(since) >= FORGOTTEN) {
            (known.slow, known.aside) = (None, 0);
        }
        let slow = known.is_slow(now);
        let most = match (slow, known.answers) {
            (false, _) => self.most,
            (true, true) => (self.most / 2).max(1),
            (true, false) => 1,
        };
        if known.under_way.len() < most {
            let number = known.count;
            known.count += 1;
            known.under_way.push((number, now));
            let (places, destination) = (Arc::clone(self), name);
            return PlaceEntry::Taken(Place { places, destination, number, used: false, answered: false });
        }
        if !slow {
            return PlaceEntry::Full;
        }
        known.aside += 1;
        PlaceEntry::Slow((ASIDE.0 + known.aside * ASIDE.1).min(ASIDE.2))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, DestinationPlaces>> {
        self.destinations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DestinationPlaces {
    fn is_slow(&self, now: Instant) -> bool {
        self.slow.is_some_and(|since| now.duration_since(since) < FORGOTTEN)
            || self.under_way.iter().any(|(_, began)| now.duration_since(*began) > SLOW)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut destinations = self.places.lock();
        let Some(known) = destinations.get_mut(&self.destination) else { return };
        let Some(index) = known.under_way.iter().position(|(number, _)| *number == self.number) else { return };
        let (_, began) = known.under_way.swap_remove(index);
        if self.used {
            known.answers = self.answered;
        }
        match now.duration_since(began) > SLOW {
            _ if !self.used => {}
            true => known.slow = Some(now),
            false => (known.slow, known.aside) = (None, 0),
        }
        if known.under_way.is_empty() && known.slow.is_none() {
            destinations.remove(&self.destination);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ASIDE, FORGOTTEN, Place, PlaceEntry, Places, SLOW};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// So many places as there are at a destination.
    fn all(places: &Arc<Places>, now: Instant) -> Vec<Place> {
        let enter = || match places.enter_at("acme a.test".to_owned(), now) {
            PlaceEntry::Taken(place) => Some(place.used()),
            _ => None,
        };
        std::iter::from_fn(enter).collect()
    }

    /// Has what is under way take so long.
    fn last(places: &Arc<Places>, long: Duration) {
        for known in places.lock().values_mut() {
            known.under_way.iter_mut().for_each(|(_, began)| *began = began.checked_sub(long).unwrap());
        }
    }

    #[test]
    fn a_slow_destination_keeps_half_of_its_places_while_it_answers() {
        let (places, long) = (Places::new(8), SLOW + SLOW / 2);
        for (answers, left) in [(true, 4), (true, 4), (false, 1), (false, 1), (true, 4)] {
            let taken = all(&places, Instant::now());
            last(&places, long);
            for place in taken {
                if answers { place.answered() } else { drop(place) }
            }
            assert_eq!(all(&places, Instant::now()).len(), left);
        }
    }

    #[test]
    fn what_steps_aside_waits_as_at_first_once_a_slow_destination_is_forgotten() {
        let places = Places::new(1);
        let aside = |now| match places.enter_at("acme a.test".to_owned(), now) {
            PlaceEntry::Slow(pause) => pause,
            _ => panic!("it is slow and has no place"),
        };
        let _taken = all(&places, Instant::now());
        last(&places, SLOW * 2);
        let pauses: Vec<i64> = (0..50).map(|_| aside(Instant::now())).collect();
        assert!(pauses.is_sorted() && pauses[49] > pauses[0]);
        places.lock().values_mut().for_each(|known| known.slow = Some(Instant::now()));
        assert_eq!(aside(Instant::now() + FORGOTTEN + SLOW), ASIDE.0 + ASIDE.1);
    }

    #[test]
    fn a_destination_has_its_places_and_a_slow_one_a_single_one() {
        let places = Places::new(2);
        let taken = |entry| match entry {
            PlaceEntry::Taken(place) => Some(place.used()),
            _ => None,
        };
        let first = taken(places.enter("acme", "a.test")).unwrap();
        let second = taken(places.enter("acme", "a.test")).unwrap();
        assert!(matches!(places.enter("acme", "a.test"), PlaceEntry::Full));
        assert!(taken(places.enter("acme", "b.test")).is_some() && taken(places.enter("other", "a.test")).is_some());
        drop(first);
        let third = taken(places.enter("acme", "a.test")).unwrap();
        std::thread::sleep(SLOW + SLOW / 10);
        let PlaceEntry::Slow(one) = places.enter("acme", "a.test") else { panic!("it is slow") };
        let PlaceEntry::Slow(two) = places.enter("acme", "a.test") else { panic!("it is slow") };
        assert!(one < two, "they come back one after the other");
        drop(third);
        assert!(matches!(places.enter("acme", "a.test"), PlaceEntry::Slow(_)), "the second is still under way");
        drop(second);
        let probe = taken(places.enter("acme", "a.test")).unwrap();
        assert!(
            matches!(places.enter("acme", "a.test"), PlaceEntry::Slow(_)),
            "it was slow, and shows first that it is not"
        );
        drop(probe);
        let again = [places.enter("acme", "a.test"), places.enter("acme", "a.test")].map(taken);
        assert!(again.iter().all(Option::is_some));
    }
}
