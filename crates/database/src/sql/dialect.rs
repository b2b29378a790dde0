//! The differences in the SQL of the two engines, as methods of [`Sql`] that mean the same on both.

use super::{JsonStep, JsonType, Sql, SqlDialect, SqlParameter, TextForm};
use crate::{ColumnType, Name, Value, ddl};
use std::fmt::Write as _;

impl Sql {
    /// Appends ` = one of the values`: the column, which is of that type, stands before it. The number of values
    /// does not change the statement's text. No value is one of none.
    pub fn any_of(&mut self, column: ColumnType, values: Vec<Value>) -> &mut Self {
        let list = SqlParameter::List(column, values);
        match self.dialect {
            SqlDialect::Sqlite => self.push(" IN rarray(").parameter(list).push(")"),
            SqlDialect::Postgres { .. } => {
                self.push(" = ANY(").parameter(list).push("::").column_type(column).push("[])")
            }
        }
    }

    /// Appends the engine's name of a column type, for casts.
    pub fn column_type(&mut self, column: ColumnType) -> &mut Self {
        let name = ddl::column_type(&self.dialect, column);
        self.push(name)
    }

    /// Appends a placeholder and binds the value to it, as a value of that type. Where the statement itself does not
    /// tell a parameter's type (`SELECT $1`, `CASE … THEN $1`), this does.
    pub fn bind_as(&mut self, column: ColumnType, value: impl Into<Value>) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.bind(value),
            SqlDialect::Postgres { .. } => self.bind(value).push("::").column_type(column),
        }
    }

    /// Appends a text in the form in which it is to be compared.
    pub fn text_form(&mut self, form: TextForm, text: impl FnOnce(&mut Sql)) -> &mut Self {
        let of_postgres = match (&self.dialect, form) {
            (_, TextForm::Exact) => return self.around("", text, ""),
            (SqlDialect::Sqlite, TextForm::Lower) => return self.around("plinth_lower(", text, ")"),
            (SqlDialect::Sqlite, TextForm::Folded) => return self.around("plinth_fold(", text, ")"),
            (SqlDialect::Postgres { .. }, TextForm::Lower) => "v",
            (SqlDialect::Postgres { .. }, TextForm::Folded) => {
                "regexp_replace(normalize(v, NFD), '[\\u0300-\\u036F]', '', 'g')"
            }
        };
        // The collation decides which letters there are, of which ASCII has no more than its own; the result is
        // compared by code point again.
        self.push("((SELECT CASE WHEN octet_length(v) = length(v) THEN lower(v COLLATE \"C\") ELSE replace(lower(");
        self.push(of_postgres).push(" COLLATE \"und-x-icu\"), 'ς', 'σ') COLLATE \"C\" END FROM (SELECT (");
        self.around("", text, ")::text AS v OFFSET 0) AS f) COLLATE \"C\")")
    }

    /// Appends a boolean that compares a text, in a form, several times: `comparisons` gets the form's name.
    pub fn shared_form(
        &mut self,
        form: TextForm,
        text: impl FnOnce(&mut Sql),
        comparisons: impl FnOnce(&mut Sql, &'static str),
    ) -> &mut Self {
        self.push("(SELECT ");
        comparisons(self, "s.v");
        // What has a limit is worked out once, and not put into each place where it is named.
        self.push(" FROM (SELECT ").text_form(form, text).push(" AS v LIMIT 1 OFFSET 0) AS s)")
    }

    /// Appends whether one text contains the other, character by character.
    pub fn contains(&mut self, text: impl FnOnce(&mut Sql), part: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.call("(instr(", text, part, ") > 0)"),
            SqlDialect::Postgres { .. } => self.call("(strpos(", text, part, ") > 0)"),
        }
    }

    /// Appends whether the text begins with the other, character by character.
    pub fn starts_with(&mut self, text: impl FnOnce(&mut Sql), part: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.call("plinth_starts_with(", text, part, ")"),
            SqlDialect::Postgres { .. } => self.call("starts_with(", text, part, ")"),
        }
    }

    /// Appends whether the text ends with the other, character by character.
    pub fn ends_with(&mut self, text: impl FnOnce(&mut Sql), part: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.call("plinth_ends_with(", text, part, ")"),
            SqlDialect::Postgres { .. } => {
                self.push("starts_with(").around("reverse(", text, ")").push(", ").around("reverse(", part, "))")
            }
        }
    }

    /// Appends whether the text matches the pattern: `%` stands for any text, `_` for one character, `\` takes away
    /// the meaning of what follows, and stands for itself at the end. Case-sensitive.
    pub fn like(&mut self, text: impl FnOnce(&mut Sql), pattern: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.call("plinth_like(", text, pattern, ")"),
            // PostgreSQL refuses a lone escape at the end: it gets a second one.
            SqlDialect::Postgres { .. } => self.around("((", text, ")").around(
                " LIKE regexp_replace((",
                pattern,
                ")::text, '^((?:[^\\\\]|\\\\.)*)\\\\$', '\\1\\\\\\\\'))",
            ),
        }
    }

    /// Appends the text at a path in a JSON document: a string's text, a number or boolean as JSON writes it, the JSON
    /// text of an object or array; null for JSON's null and where there is nothing.
    pub fn json_text_at(&mut self, document: impl FnOnce(&mut Sql), path: &[JsonStep]) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => {
                self.push(
                    "(SELECT CASE json_type(j, p) WHEN 'null' THEN NULL WHEN 'text' THEN j ->> p ELSE j -> p END",
                );
                self.around(" FROM (SELECT (", document, ") AS j, ").bind(json_path(path)).push(" AS p))")
            }
            SqlDialect::Postgres { .. } => {
                self.around("((", document, ")::json");
                for (index, step) in path.iter().enumerate() {
                    self.push(if index + 1 == path.len() { " ->> " } else { " -> " });
                    match step {
                        JsonStep::Key(key) => self.bind(key.as_str()).push("::text"),
                        JsonStep::Index(index) => self.bind(i64::from(*index)).push("::integer"),
                    };
                }
                if path.is_empty() {
                    self.push(" #>> '{}'");
                }
                self.push(")")
            }
        }
    }

    /// Appends the value at a path in a JSON document where it is of that type, else null.
    pub fn json_at(&mut self, document: impl FnOnce(&mut Sql), path: &[JsonStep], json_type: JsonType) -> &mut Self {
        let (sqlite, postgres) = match json_type {
            JsonType::Any => return self.json_text_at(document, path),
            JsonType::String => ("json_type(j, p) = 'text' THEN j ->> p", "'string' THEN v #>> '{}'"),
            JsonType::Number => {
                let sqlite = "json_type(j, p) IN ('integer', 'real') THEN CAST(j ->> p AS REAL)";
                (sqlite, "'number' THEN (v #>> '{}')::double precision")
            }
            JsonType::Boolean => {
                ("json_type(j, p) IN ('true', 'false') THEN j ->> p", "'boolean' THEN (v #>> '{}')::boolean")
            }
        };
        match self.dialect {
            SqlDialect::Sqlite => {
                self.push("(SELECT CASE WHEN ").push(sqlite).push(" END FROM (SELECT (");
                document(self);
                self.push(") AS j, ").bind(json_path(path)).push(" AS p))")
            }
            SqlDialect::Postgres { .. } => {
                self.push("(SELECT CASE WHEN json_typeof(v) = ").push(postgres).push(" END FROM (SELECT (");
                document(self);
                self.push(")::json");
                for step in path {
                    match step {
                        JsonStep::Key(key) => self.push(" -> ").bind(key.as_str()).push("::text"),
                        JsonStep::Index(index) => self.push(" -> ").bind(i64::from(*index)).push("::integer"),
                    };
                }
                self.push(" AS v) AS d)")
            }
        }
    }

    /// Appends the values of a link table `(owner, position, value)` for one owner, by position, as a JSON array's
    /// text; `[]` where there are none. The values are of type Text or Integer.
    pub fn links(&mut self, table: &Name, owner: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => {
                self.push("(SELECT json_group_array(l.value ORDER BY l.position) FROM ").table(table);
            }
            SqlDialect::Postgres { .. } => {
                self.push("(SELECT '[' || coalesce(string_agg(to_json(l.value)::text, ',' ORDER BY l.position), '')");
                self.push(" || ']' FROM ").table(table);
            }
        }
        self.around(" AS l WHERE l.owner = ", owner, ")")
    }

    /// Appends the rows of a table, which has the alias `a`, for which a condition holds, by `order`, as the text of a
    /// JSON array of arrays of the columns; `[]` where there are none. The columns are of type Text or Integer.
    pub fn json_rows(
        &mut self,
        table: &Name,
        columns: &[Name],
        order: &Name,
        condition: impl FnOnce(&mut Sql),
    ) -> &mut Self {
        let (before, between, after) = match self.dialect {
            SqlDialect::Sqlite => ("group_concat(json_array(", "), ',' ORDER BY a.", ")"),
            SqlDialect::Postgres { .. } => ("string_agg(json_build_array(", ")::text, ',' ORDER BY a.", ")"),
        };
        self.push("(SELECT '[' || coalesce(").push(before);
        for (index, column) in columns.iter().enumerate() {
            self.push(if index > 0 { ", a." } else { "a." }).name(column);
        }
        self.push(between).name(order).push(after).push(", '') || ']' FROM ").table(table);
        self.around(" AS a WHERE ", condition, ")")
    }

    /// Appends the texts that a SELECT gives in its one column `value`, in its order, as a JSON array's text: for a
    /// view, as [`Sql::readable_links`].
    pub fn readable_list(&mut self, select: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("(SELECT json_group_array(value) FROM (", select, "))"),
            SqlDialect::Postgres { .. } => {
                self.push("(SELECT '[' || coalesce(string_agg(to_json(v.value)::text, ','), '') || ']' FROM (");
                self.around("", select, ") AS v)")
            }
        }
    }

    /// Appends a column's value in a form that people read at a database's own tools.
    pub fn readable(&mut self, column: ColumnType, value: impl Fn(&mut Sql)) -> &mut Self {
        match (&self.dialect, column) {
            (SqlDialect::Sqlite, ColumnType::Date) => self.around("date(", value, " * 86400, 'unixepoch')"),
            (SqlDialect::Sqlite, ColumnType::Timestamp) => {
                self.around("strftime('%Y-%m-%dT%H:%M:%fZ', ", value, " / 1000.0, 'unixepoch')")
            }
            (SqlDialect::Sqlite, ColumnType::Uuid) => {
                for (index, digits) in ["1, 8", "9, 4", "13, 4", "17, 4", "21, 12"].into_iter().enumerate() {
                    self.push(if index == 0 { "lower(" } else { " || '-' || " });
                    self.around("substr(hex(", &value, "), ").push(digits).push(")");
                }
                self.push(")")
            }
            _ => self.around("", value, ""),
        }
    }

    /// Appends the month of a column that holds its first day, such as `2026-01`, for a view.
    pub fn readable_month(&mut self, value: impl Fn(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("strftime('%Y-%m', ", value, " * 86400, 'unixepoch')"),
            SqlDialect::Postgres { .. } => self.around("to_char(", value, ", 'YYYY-MM')"),
        }
    }

    /// [`Sql::links`] for a view. A view is parsed by whatever tool opens a file, so on SQLite it must not use
    /// what tools of a few years ago do not know: they would refuse the whole file.
    pub fn readable_links(&mut self, table: &Name, owner: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => {
                self.push("(SELECT json_group_array(value) FROM (SELECT l.value FROM ").table(table);
                self.around(" AS l WHERE l.owner = ", owner, " ORDER BY l.position))")
            }
            SqlDialect::Postgres { .. } => self.links(table, owner),
        }
    }

    /// Appends the number that a column holds times 10 to the power of `scale`.
    pub fn readable_decimal(&mut self, scale: u8, value: impl FnOnce(&mut Sql)) -> &mut Self {
        let zeros = usize::from(scale);
        match self.dialect {
            _ if scale == 0 => self.around("", value, ""),
            SqlDialect::Sqlite => self.around("(", value, " / 1").append(&"0".repeat(zeros)).push(".0)"),
            // A product keeps the digits that there are; a quotient of numerics has many more.
            SqlDialect::Postgres { .. } => self.around("(", value, " * 0.").append(&"0".repeat(zeros - 1)).push("1)"),
        }
    }

    /// Appends where nulls stand, behind a sort key.
    pub fn order_nulls(&mut self, last: bool) -> &mut Self {
        self.push(if last { " NULLS LAST" } else { " NULLS FIRST" })
    }

    /// Appends to the one table of a SELECT that its rows are to be read in the order of their ids. PostgreSQL weighs
    /// that by itself.
    pub fn in_order_of_id(&mut self) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.push(" NOT INDEXED"),
            SqlDialect::Postgres { .. } => self,
        }
    }

    /// Appends which rows of a result are wanted.
    pub fn limit(&mut self, limit: i64, offset: i64) -> &mut Self {
        // A number that the planner sees: it must know that a page is short.
        self.push(" LIMIT ").literal(limit).push(" OFFSET ").bind(offset)
    }

    /// Appends an integer or a text as a text.
    pub fn cast_text(&mut self, value: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("CAST(", value, " AS TEXT)"),
            SqlDialect::Postgres { .. } => self.around("(CAST(", value, " AS text) COLLATE \"C\")"),
        }
    }

    /// Appends how two values compare as not distinct: a null equals a null.
    pub fn same(&mut self, one: impl FnOnce(&mut Sql), other: impl FnOnce(&mut Sql)) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("(", one, " IS ").around("", other, ")"),
            SqlDialect::Postgres { .. } => self.around("(", one, " IS NOT DISTINCT FROM ").around("", other, ")"),
        }
    }

    fn call(
        &mut self,
        before: &'static str,
        first: impl FnOnce(&mut Sql),
        second: impl FnOnce(&mut Sql),
        after: &'static str,
    ) -> &mut Self {
        self.around(before, first, ", ").around("", second, after)
    }

    pub(super) fn around(
        &mut self,
        before: &'static str,
        inner: impl FnOnce(&mut Sql),
        after: &'static str,
    ) -> &mut Self {
        self.push(before);
        inner(self);
        self.push(after)
    }
}

/// A path as SQLite writes it: `$."key"[0]`, with the key escaped as in JSON.
fn json_path(path: &[JsonStep]) -> String {
    let mut text = String::from("$");
    for step in path {
        match step {
            JsonStep::Index(index) => {
                let _ = write!(text, "[{index}]");
            }
            JsonStep::Key(key) => {
                text.push_str(".\"");
                for character in key.chars() {
                    match character {
                        '"' | '\\' => text.extend(['\\', character]),
                        control if control < ' ' => {
                            let _ = write!(text, "\\u{:04x}", u32::from(control));
                        }
                        other => text.push(other),
                    }
                }
                text.push('"');
            }
        }
    }
    text
}
