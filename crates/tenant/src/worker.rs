//! Parts that the turns of all queues share: leases, places at destinations, signals, pauses between tries.

mod clock;
mod context;
mod lease;
pub mod pause;
mod places;
mod sample;
mod signal;
mod turn;
mod wishes;

pub use clock::CLOCK_ERROR;
pub use context::WorkerContext;
pub use lease::{LEASE, RENEWAL};
pub use pause::{TRIES, pause};
pub use places::{Place, PlaceEntry, Places, SLOW};
pub use sample::Sample;
pub use signal::{Parked, Signal, Signals, Stop};
pub use turn::WorkerTurn;
pub(crate) use wishes::WorkerWishes;
