//! Routes, their OpenAPI documents, pages for browsers and the files of the console.

pub mod admin;
mod app;
mod browser_session;
mod console;
pub mod description;
mod pages;
mod router;
mod routes;
mod target;

pub use app::App;
