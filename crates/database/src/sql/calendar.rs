//! Days and instants as numbers, which mean the same on both engines and never make one fail.

use super::{Sql, SqlDialect};
use crate::calendar::{BEYOND, DAYS};

impl Sql {
    /// Appends a date as the number of days after 1970-01-01.
    pub fn day_number(&mut self, date: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("", date, ""),
            SqlDialect::Postgres { .. } => self.around("(", date, " - DATE '1970-01-01')"),
        }
    }

    /// Appends the date of a number of days after 1970-01-01; null where no year of four digits has it.
    pub fn numbered_day(&mut self, number: impl Fn(&mut Sql)) -> &mut Self {
        let (first, last) = DAYS;
        let sqlite = matches!(self.dialect, SqlDialect::Sqlite);
        self.push(if sqlite { "" } else { "(DATE '1970-01-01' + " });
        self.around("(CASE WHEN ", &number, " BETWEEN ").literal(first).push(" AND ").literal(last);
        self.around(" THEN ", &number, " END)");
        if sqlite { self } else { self.push("::integer)") }
    }

    /// Appends an instant as the number of milliseconds after 1970-01-01T00:00:00Z.
    pub fn instant_number(&mut self, instant: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("", instant, ""),
            SqlDialect::Postgres { .. } => self.around("(EXTRACT(epoch FROM ", instant, ")::numeric * 1000)"),
        }
    }

    /// Appends the number of the day that lies so many months after a day, at the last day of its month where that is
    /// shorter. `BEYOND` if one of the two days is outside of the years 1 to 9999.
    pub fn months_on(&mut self, day: impl FnOnce(&mut Sql), months: impl FnOnce(&mut Sql)) -> &mut Self {
        if matches!(self.dialect, SqlDialect::Sqlite) {
            return self.around("plinth_months_on(", day, ", ").around("", months, ")");
        }
        let (first, last) = DAYS;
        let date = "(DATE '1970-01-01' + m.d::integer)";
        // Months are counted before anything is made of them, so that no step leaves the years that dates have.
        self.push("(SELECT CASE WHEN m.d IS NULL OR m.n IS NULL THEN NULL WHEN m.d NOT BETWEEN ").literal(first);
        self.push(" AND ").literal(last).push(" THEN ").literal(BEYOND).push(" WHEN EXTRACT(year FROM ").push(date);
        self.push(") * 12 + EXTRACT(month FROM ").push(date).push(") - 1 + m.n NOT BETWEEN 12 AND 119999 THEN ");
        self.literal(BEYOND).push(" ELSE (").push(date).push(" + make_interval(months => m.n::integer))::date");
        self.around(" - DATE '1970-01-01' END FROM (SELECT (", day, ")::numeric AS d, ");
        self.around("(", months, ")::numeric AS n) AS m)")
    }
}
