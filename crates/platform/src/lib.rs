//! What Plinth does, without HTTP: tenants, types, resources, users, keys.
