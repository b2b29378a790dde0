//! A tenant's files: load, check, plan, apply, pull.
