//! Values made of others, which mean the same on both engines: numbers that are counted with, texts in another case
//! or of another length, and texts of what is no text.

use super::{Sql, SqlDialect};
use crate::{ColumnType, Value, case_tables};

impl Sql {
    /// Appends a placeholder for a text, which compares by code point even where no column is beside it.
    pub fn bind_text(&mut self, text: impl Into<Value>) -> &mut Self {
        self.bind_as(ColumnType::Text, text);
        match self.dialect {
            SqlDialect::Sqlite => self,
            SqlDialect::Postgres { .. } => self.push(" COLLATE \"C\""),
        }
    }

    /// Appends a value as a column of that type would have it, for a row that is in no table.
    pub fn bind_as_column(&mut self, column: ColumnType, value: impl Into<Value>) -> &mut Self {
        match column {
            ColumnType::Text => self.bind_text(value),
            _ => self.bind_as(column, value),
        }
    }

    /// Appends an integer to be counted with: what does not fit fails on neither engine.
    pub fn counted(&mut self, number: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("", number, ""),
            SqlDialect::Postgres { .. } => self.around("(", number, ")::numeric"),
        }
    }

    /// Appends an integer with 64 bits, for a result of as many.
    pub fn long(&mut self, number: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("", number, ""),
            SqlDialect::Postgres { .. } => self.around("(", number, ")::bigint"),
        }
    }

    /// Appends an integer as the nearest float.
    pub fn float(&mut self, number: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("CAST(", number, " AS REAL)"),
            SqlDialect::Postgres { .. } => self.around("(", number, ")::double precision"),
        }
    }

    /// Appends a float that is an integer of 64 bits but for what stands behind its point, without that.
    pub fn truncated(&mut self, number: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("CAST(", number, " AS INTEGER)"),
            SqlDialect::Postgres { .. } => self.around("trunc((", number, ")::numeric)"),
        }
    }

    /// Appends an integer divided by 10 to the power of `scale`, without what is left over.
    pub fn whole(&mut self, scale: u8, number: impl FnOnce(&mut Sql)) -> &mut Self {
        let unit = 10_i64.pow(u32::from(scale.min(18)));
        match self.dialect {
            SqlDialect::Sqlite => self.around("(", number, " / ").literal(unit).push(")"),
            SqlDialect::Postgres { .. } => self.around("div((", number, ")::numeric, ").literal(unit).push(")"),
        }
    }

    /// Appends a text in upper case, as [`str::to_uppercase`] gives it.
    pub fn upper(&mut self, text: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("plinth_upper(", text, ")"),
            SqlDialect::Postgres { .. } => self.cased("upper", case_tables::upper(), text),
        }
    }

    /// Appends a text in lower case, as [`str::to_lowercase`] gives it: with `ς` at the end of words.
    pub fn lower(&mut self, text: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("plinth_words_lower(", text, ")"),
            SqlDialect::Postgres { .. } => {
                self.push("(SELECT ");
                let ended = |sql: &mut Sql| {
                    sql.push("CASE WHEN strpos(w, 'Σ') > 0 THEN regexp_replace(w, ").bind(case_tables::final_sigma());
                    sql.push("::text, 'ς', 'g') ELSE w END");
                };
                self.cased("lower", case_tables::lower(), ended);
                self.around(" FROM (SELECT (", text, ")::text AS w) AS s)")
            }
        }
    }

    /// A text in another case by tables; of ASCII alone the engine knows it.
    fn cased(
        &mut self,
        function: &'static str,
        case: &case_tables::CaseTable,
        text: impl FnOnce(&mut Sql),
    ) -> &mut Self {
        let texts = |of: fn(&(String, String)) -> &String| -> Vec<Value> {
            case.long.iter().map(|pair| Value::Text(of(pair).clone())).collect()
        };
        self.push("(SELECT CASE WHEN octet_length(v) = length(v) THEN ").push(function).push("(v) ELSE translate(");
        self.push("CASE WHEN v ~ ").bind(case.class.as_str()).push("::text THEN (SELECT string_agg(");
        self.push("COALESCE(m.t, c.c), '' ORDER BY c.n) FROM regexp_split_to_table(v, '') WITH ORDINALITY AS c(c, n)");
        self.push(" LEFT JOIN unnest(").list(ColumnType::Text, texts(|pair| &pair.0)).push("::text[], ");
        self.list(ColumnType::Text, texts(|pair| &pair.1)).push("::text[]) AS m(f, t) ON m.f = c.c) ELSE v END, ");
        self.bind(case.from.as_str()).push("::text, ").bind(case.to.as_str()).push("::text) END");
        self.around(" FROM (SELECT (", text, ")::text COLLATE \"C\" AS v) AS f)")
    }

    /// Appends a text without those of the characters that stand at its beginning and at its end.
    pub fn trim(&mut self, text: impl FnOnce(&mut Sql), characters: &str) -> &mut Self {
        let function = if matches!(self.dialect, SqlDialect::Sqlite) { "trim(" } else { "btrim(" };
        self.around(function, text, ", ").bind_as(ColumnType::Text, characters).push(")")
    }

    /// Appends the first characters of a text; where the count is negative, all but so many of the last.
    pub fn first_characters(&mut self, text: impl FnOnce(&mut Sql), count: i32) -> &mut Self {
        match self.dialect {
            SqlDialect::Postgres { .. } => self.around("left(", text, ", ").literal(count).push(")"),
            SqlDialect::Sqlite if count >= 0 => self.around("substr(", text, ", 1, ").literal(count).push(")"),
            SqlDialect::Sqlite => {
                self.push("(SELECT substr(v, 1, max(length(v) + ").literal(count);
                self.around(", 0)) FROM (SELECT ", text, " AS v))")
            }
        }
    }

    /// Appends the last characters of a text; where the count is negative, all but so many of the first.
    pub fn last_characters(&mut self, text: impl FnOnce(&mut Sql), count: i32) -> &mut Self {
        match self.dialect {
            SqlDialect::Postgres { .. } => self.around("right(", text, ", ").literal(count).push(")"),
            SqlDialect::Sqlite if count == 0 => self.around("substr(", text, ", 1, 0)"),
            SqlDialect::Sqlite => {
                let start = if count > 0 { -count } else { 1 - count };
                self.around("substr(", text, ", ").literal(start).push(")")
            }
        }
    }

    /// Appends an integer divided by 10 to the power of `scale`, as a text with so many digits behind the point.
    pub fn decimal_text(&mut self, scale: u8, units: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("plinth_decimal_text(", units, ", ").literal(scale).push(")"),
            SqlDialect::Postgres { .. } => {
                let zeros = usize::from(scale);
                let unit = if zeros == 0 { "1".to_owned() } else { format!("0.{}1", "0".repeat(zeros - 1)) };
                self.around("(((", units, ")::numeric * ").append(&unit).push(")::text COLLATE \"C\")")
            }
        }
    }

    /// Appends a date as `YYYY-MM-DD`.
    pub fn date_text(&mut self, date: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("date((", date, ") * 86400, 'unixepoch')"),
            SqlDialect::Postgres { .. } => self.around("(to_char(", date, ", 'YYYY-MM-DD') COLLATE \"C\")"),
        }
    }
}
