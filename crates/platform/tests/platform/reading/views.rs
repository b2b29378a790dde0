//! The views of types, as SQL sees them.

use super::world::World;
use database::{Name, Tx};
use serde_json::json;
use spec::spec;

#[spec]
async fn a_month_is_shown_as_it_is_written(world: World) {
    world.put("thing", &[json!({"month": "2026-01"}), json!({"month": "1999-12"}), json!({})]);
    let read = |tx: &mut Tx<'_>| -> model::error::Result<Vec<String>> {
        let mut sql = tx.sql();
        sql.push("SELECT COALESCE(month, 'none') FROM ").table(&Name::fixed("thing")).push(" ORDER BY id");
        let mut months = Vec::new();
        tx.query(&sql, &mut |row| {
            months.push(row.text(0)?.to_owned());
            Ok(())
        })?;
        Ok(months)
    };
    let months = tokio::task::block_in_place(|| world.tenant.store().read_blocking(read)).unwrap();
    assert_eq!(months, ["2026-01", "1999-12", "none"]);
}
