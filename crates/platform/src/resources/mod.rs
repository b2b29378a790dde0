//! Resources of the tenant's types: list, read, create, replace, patch, delete.
