//! The expression language. The crate has no content yet: everything that is configured is taken literally.
