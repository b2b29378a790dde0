//! The files of the console, as `console/embed.mjs` lists them after each build. Not edited by hand.

use super::ConsoleFile;

/// The page of all places.
pub(super) const PAGE: &str = "";

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 0] = [];
