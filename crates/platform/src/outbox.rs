//! What leaves the platform: mails and SMS, and things to do later, in rows of the transaction that wants them (D-39).
//!
//! A row holds what its text is made of, sealed; the text is made when it is sent. What was sent, given up or
//! cancelled has none of it any more.

mod cancel;
mod enqueue;
mod message;
mod signal;

pub use cancel::cancel;
pub(crate) use signal::Signal;

pub use enqueue::{enqueue, later};
pub use message::{Channel, Message, Method, Reference, State, Task, Template, Values};
