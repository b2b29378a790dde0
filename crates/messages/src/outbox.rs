//! What leaves the platform: mails and SMS, and things to do later, in rows of the transaction that wants them (D-39).
//!
//! A row holds what its text is made of, sealed; the text is made when it is sent. What was sent, given up or
//! cancelled has none of it any more.

pub mod cancel;
mod cap;
mod claim;
mod deliver;
pub mod enqueue;
mod files;
mod gateway;
mod helpers;
mod kept_messages;
mod lines;
pub mod list;
mod message;
mod render;
mod routes;
mod settle;
mod smtp;
mod task;
mod texts;
mod traced_delivery;
mod turn;
mod waiting;

pub use cancel::cancel;
pub use cancel::cancel_all;
pub use cancel::cancel_resets;
pub use claim::next;
pub use deliver::Delivered;
pub use deliver::deliver_due;

pub use context::listener::OutboxTask;
pub use enqueue::{enqueue, later};
pub use gateway::{Gateway, GatewayOptions};
pub use kept_messages::{Kept, KeptLetter};
pub use list::{OutboxPage, OutboxRequest, get, list, retry};
pub use message::{Channel, Message, Method, Reference, State, Template, Values};
pub use render::check as check_text;
pub use render::is_sender;
pub use routes::{MailRoute, Routes, SmsRoute};
pub use smtp::{MailTls, Smtp, SmtpOptions};
pub use waiting::waiting;
