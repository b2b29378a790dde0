//! The way of an engine to the rows of a statement, read out of its plan.

/// A plan, in the words of SQLite or PostgreSQL.
pub(super) struct EnginePlan(Vec<String>);

impl EnginePlan {
    pub(super) fn new(lines: Vec<String>) -> Self {
        EnginePlan(lines.into_iter().map(|line| line.trim().to_owned()).collect())
    }

    /// Returns true if it reads all rows of a table.
    pub(super) fn scans(&self, table: &str, alias: &str) -> bool {
        let sqlite = format!("SCAN {alias}");
        let ends = [format!(" on {table}"), format!(" on {table} {alias}")];
        self.0.iter().enumerate().any(|(place, line)| {
            if *line == sqlite {
                return true;
            }
            let step = line.trim_start_matches("->").trim().split("  (").next().unwrap_or_default();
            let named = ends.iter().any(|end| step.ends_with(end) || step.contains(&format!("{end}_")));
            let searches = || self.0.get(place + 1).is_some_and(|next| next.starts_with("Index Cond:"));
            named && (step.contains("Seq Scan") || step.contains("Index Scan") && !searches())
        })
    }

    /// Returns true if it sorts rows.
    pub(super) fn sorts(&self) -> bool {
        self.0.iter().any(|line| line.starts_with("USE TEMP B-TREE FOR ORDER BY") || line.starts_with("Sort Key:"))
    }
}

#[cfg(test)]
mod tests {
    use super::EnginePlan;

    #[test]
    fn plans_tell_of_whole_tables() {
        for (plan, scans, sorts) in [
            ("SCAN r0", true, false),
            ("SEARCH r0 USING INDEX i_t10_p1_id (p1=?)", false, false),
            ("CO-ROUTINE k\n  SCAN r0\n  USE TEMP B-TREE FOR ORDER BY\nSCAN k", true, true),
            ("SCAN r0 USING INDEX i_t10_p1_id", false, false),
            (
                "Limit  (cost=1)\n  ->  Sort  (cost=1)\n        Sort Key: id\n        ->  Seq Scan on t10 r0  (cost=0)",
                true,
                true,
            ),
            ("->  Parallel Seq Scan on t10 r0_1  (cost=0)", true, false),
            ("->  Seq Scan on t101 r0  (cost=0)", false, false),
            ("Index Scan using t10_pkey on t10 r0  (cost=0)\n  Filter: (p1 = $1)", true, false),
            ("Index Scan using i_t10_p1_id on t10 r0  (cost=0)\n  Index Cond: (p1 = $1)", false, false),
            ("Bitmap Heap Scan on t10 r0  (cost=0)\n  Recheck Cond: (p1 = $1)", false, false),
        ] {
            let read = EnginePlan::new(plan.lines().map(str::to_owned).collect());
            assert_eq!((read.scans("t10", "r0"), read.sorts()), (scans, sorts), "{plan}");
        }
    }
}
