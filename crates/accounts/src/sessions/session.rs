//! The record of a session, and lists of a user's sessions.

use super::IDLE;
use database::{ColumnType, Row, Tx, Value, ValueRef};
use jiff::Timestamp;
use model::error::Result;
use model::table_names::SESSION;
use std::net::{IpAddr, Ipv6Addr};

/// The greatest length of what is kept of a browser's own name, in characters.
const AGENT: usize = 250;

/// The browser that a session is begun in.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The peer's address.
    pub address: IpAddr,
    /// The browser's own name.
    pub agent: String,
}

/// A session of a user.
#[derive(Clone, Debug)]
pub struct Session {
    /// The record's id.
    pub id: i64,
    /// The user.
    pub owner: i64,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// When it was last used, to the minute.
    pub seen: i64,
    /// When it ends at the latest.
    pub expires: i64,
    /// The address where it was begun: one of IPv4, or the first half of one of IPv6.
    pub address: String,
    /// The browser's own name at that time.
    pub agent: String,
    /// The user's roles when the token was made.
    pub(super) rights: String,
    /// The id of its key; none in a session that a version without them began.
    pub key: Option<i64>,
}

/// The columns that [`Session::read`] reads, at the front of a row.
pub(super) const COLUMNS: &str = "id, owner, created, seen, expires, address, agent, rights, key";

impl Browser {
    pub(super) fn network(&self) -> String {
        match self.address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                format!("{}/64", Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
        }
    }

    pub(super) fn kept_agent(&self) -> String {
        self.agent.chars().filter(|character| !character.is_control()).take(AGENT).collect()
    }
}

impl Session {
    pub(super) fn read(row: &Row<'_>) -> database::Result<Self> {
        Ok(Session {
            id: row.integer(0)?,
            owner: row.integer(1)?,
            created: instant(row, 2)?,
            seen: instant(row, 3)?,
            expires: instant(row, 4)?,
            address: row.text(5)?.to_owned(),
            agent: row.text(6)?.to_owned(),
            rights: row.text(7)?.to_owned(),
            key: if row.is_null(8)? { None } else { Some(row.integer(8)?) },
        })
    }

    /// Milliseconds since 1970 at which it ends where nothing more is asked.
    pub fn ends(&self) -> i64 {
        self.expires.min(self.seen + IDLE)
    }

    pub(super) fn lives(&self, now: Timestamp) -> bool {
        now.as_millisecond() < self.ends()
    }
}

/// The sessions of a user that live, the one used last first.
pub fn list(tx: &mut Tx<'_>, owner: i64, now: Timestamp) -> Result<Vec<Session>> {
    let mut sql = tx.sql();
    sql.push("SELECT ").push(COLUMNS).push(" FROM ").table(&SESSION).push(" WHERE owner = ").bind(owner);
    sql.push(" AND expires > ").bind(Value::Timestamp(now.as_millisecond()));
    sql.push(" AND seen > ").bind(Value::Timestamp(now.as_millisecond() - IDLE));
    sql.push(" ORDER BY seen DESC, id DESC");
    let mut sessions = Vec::new();
    tx.query(&sql, &mut |row| {
        sessions.push(Session::read(row)?);
        Ok(())
    })?;
    Ok(sessions)
}

fn instant(row: &Row<'_>, index: usize) -> database::Result<i64> {
    Ok(match row.get(index, ColumnType::Timestamp)? {
        ValueRef::Timestamp(milliseconds) => milliseconds,
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::Browser;

    #[test]
    fn an_address_of_ipv6_is_kept_by_half() {
        for (address, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            let browser = Browser { address: address.parse().unwrap(), agent: "a\r\nb".to_owned() };
            assert_eq!(browser.network(), expected);
            assert_eq!(browser.kept_agent(), "ab");
        }
    }
}
