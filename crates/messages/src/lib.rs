//! Messages: mails and SMS that transactions order, with their delivery, notifications to users, and requests
//! to other hosts.

pub mod notifications;
pub mod outbox;
pub mod outgoing;
