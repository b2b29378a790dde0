//! From settings to the platform over its database.

use crate::settings::Settings;
use database::{Database, PostgresOptions, SqliteOptions};
use platform::tenants::{self, Platform};
use platform::work::World;
use std::sync::Arc;

/// The platform over the database of the settings. It blocks.
pub fn open(settings: &Settings, world: World) -> database::Result<Arc<Platform>> {
    let data = &settings.data;
    let database = if data.postgres.is_empty() {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let readers = if data.readers == 0 { threads } else { data.readers };
        let folder = data.folder.join("tenants");
        Database::sqlite(SqliteOptions { folder, readers, open_files: data.open_files })?
    } else {
        Database::postgres(PostgresOptions { url: data.postgres.clone(), connections: data.connections })?
    };
    let default_tenant = Some(settings.default_tenant.clone()).filter(|name| !name.is_empty());
    Ok(Platform::new(database, world, tenants::Settings { default_tenant, open_tenants: data.open_files }))
}
