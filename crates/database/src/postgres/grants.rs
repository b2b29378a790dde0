//! The statements that give two roles their rights: one owns the tables, the other changes their rows.

use super::node_list;
use super::session_settings::SessionSettings;
use crate::ddl::quoted;
use std::fmt::Write;

/// The roles of an installation.
#[derive(Clone, Copy, Debug)]
pub struct RoleNames<'n> {
    /// The role of commands: it makes schemas and changes tables.
    pub owner: &'n str,
    /// The role of servers: it reads and changes rows.
    pub app: &'n str,
}

/// The beginnings of the statements that give a role its rights on a schema that was there before.
const EXISTING: [&str; 3] = [
    "GRANT USAGE ON SCHEMA %I TO",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO",
    "GRANT SELECT, USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA %I TO",
];

/// Returns the statements, to be run in the database by a superuser. They may run again.
pub fn grants(roles: RoleNames<'_>) -> String {
    let [owner, app] = [roles.owner, roles.app].map(quoted);
    let mut sql = String::from(
        "-- Run this in Plinth's database, as a superuser. It may run again.\nBEGIN;\nDO $grants$\nDECLARE schema name;\nBEGIN\n",
    );
    for (name, role) in [(roles.owner, &owner), (roles.app, &app)] {
        let _ = writeln!(
            sql,
            "  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {}) THEN\n    CREATE ROLE {role} LOGIN;\n  END IF;",
            text(name)
        );
    }
    let database = |sql: &mut String, statement: &str| {
        let _ = writeln!(sql, "  EXECUTE format({}, current_database());", text(statement));
    };
    database(&mut sql, "REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC");
    database(&mut sql, &format!("GRANT CONNECT, CREATE ON DATABASE %I TO {}", escaped(&owner)));
    database(&mut sql, &format!("GRANT CONNECT ON DATABASE %I TO {}", escaped(&app)));
    for (name, value) in SessionSettings::of_requests().pairs() {
        let setting = format!("ALTER ROLE {} IN DATABASE %I SET {} = {}", escaped(&app), quoted(name), text(value));
        database(&mut sql, &setting);
    }
    // Those of deleted tenants begin with `plinth-`.
    sql.push_str("  FOR schema IN SELECT nspname FROM pg_namespace WHERE nspname ~ '^plinth[_-]' LOOP\n");
    for statement in EXISTING {
        let _ = writeln!(sql, "    EXECUTE format({}, schema);", text(&format!("{statement} {}", escaped(&app))));
    }
    let _ = write!(
        sql,
        "  END LOOP;\nEND $grants$;\nREVOKE CREATE ON SCHEMA public FROM PUBLIC;\n\
         ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE ON SCHEMAS TO {app};\n\
         ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app};\n\
         ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT, USAGE, UPDATE ON SEQUENCES TO {app};\n\
         SET LOCAL ROLE {owner};\n{};\nCOMMIT;\n",
        node_list::TABLE
    );
    sql
}

/// Returns a text of SQL.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns a text for the function `format` of PostgreSQL.
fn escaped(text: &str) -> String {
    text.replace('%', "%%")
}
