//! The parameters of a query string.

use super::answer::Problem;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// The parameters of one request, each under a name that its route knows.
#[derive(Debug, Default)]
pub struct Query<'q> {
    pairs: Vec<(&'static str, Cow<'q, str>)>,
}

impl<'q> Query<'q> {
    /// Reads a query string. A name outside of `known` is refused by name (D-2); `name[]=` counts as `name`.
    pub fn parse(raw: Option<&'q str>, known: &[&'static str]) -> Result<Self, Problem> {
        let Some(raw) = raw.filter(|raw| !raw.is_empty()) else { return Ok(Query::default()) };
        let mut pairs = Vec::new();
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name).ok_or_else(|| undecodable("A parameter's name"))?;
            let plain = name.strip_suffix("[]").unwrap_or(&name);
            let Some(known) = known.iter().find(|known| **known == plain) else {
                return Err(unknown(plain));
            };
            let value = decode(value).ok_or_else(|| undecodable(known))?;
            pairs.push((*known, value));
        }
        Ok(Query { pairs })
    }

    /// Whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether the parameter was given.
    pub fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(given, _)| *given == name)
    }

    /// A parameter that is given at most once.
    pub fn one(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut values = self.all(name);
        let first = values.next();
        match values.next() {
            None => Ok(first),
            Some(_) => {
                let message = format!("The parameter {name} is given more than once.");
                Err(Problem::invalid_at(name, "parameter_repeated", message))
            }
        }
    }

    /// A parameter with several values: a comma list, repeated, or both; `None` where it is not given.
    pub fn list(&self, name: &str) -> Option<Vec<&str>> {
        self.has(name).then(|| {
            self.all(name).flat_map(|value| value.split(',')).map(str::trim).filter(|part| !part.is_empty()).collect()
        })
    }

    /// All values of a parameter, as they were given.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.pairs.iter().filter(move |(given, _)| *given == name).map(|(_, value)| value.as_ref())
    }

    /// The names that were given, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.pairs.iter().map(|(name, _)| *name)
    }
}

/// The problem of a parameter that no one knows.
pub fn unknown(name: &str) -> Problem {
    Problem::invalid_at(name, "parameter_unknown", format!("There is no parameter {name:?}."))
}

/// Decodes `%41` and `+`, strictly: what is not UTF-8 or a broken escape is nothing.
pub(crate) fn decode(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains(['%', '+']) {
        return Some(Cow::Borrowed(raw));
    }
    for (place, _) in raw.match_indices('%') {
        let code = raw.as_bytes().get(place + 1..place + 3)?;
        if !code.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
    }
    let spaced = raw.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(|text| Cow::Owned(text.into_owned()))
}

fn undecodable(what: &str) -> Problem {
    Problem::invalid("parameter_encoding", format!("{what} is not percent-encoded UTF-8."))
}

#[cfg(test)]
mod tests {
    use super::Query;

    const KNOWN: &[&str] = &["page", "tags", "name", "_noCache"];

    fn parse(raw: &str) -> Result<Query<'_>, String> {
        Query::parse(Some(raw), KNOWN).map_err(|problem| problem.message.into_owned())
    }

    #[test]
    fn reads_parameters() {
        let query =
            parse("page=2&tags=a,b&tags[]=c&tags%5B%5D=d&&name=%C4%8Cesk%C3%A9+Bud%2Bjovice&_noCache=1").unwrap();
        assert_eq!(query.one("page").unwrap(), Some("2"));
        assert_eq!(query.list("tags").unwrap(), ["a", "b", "c", "d"]);
        assert_eq!(query.one("name").unwrap(), Some("České Bud+jovice"));
        assert_eq!(query.list("page2"), None);
        assert!(query.has("_noCache") && !query.is_empty());
        assert_eq!(parse("name").unwrap().one("name").unwrap(), Some(""));
        assert!(Query::parse(None, KNOWN).unwrap().is_empty());
    }

    #[test]
    fn refuses_by_name() {
        assert_eq!(parse("colour=1").unwrap_err(), "There is no parameter \"colour\".");
        assert_eq!(parse("_mine=1").unwrap_err(), "There is no parameter \"_mine\".");
        assert_eq!(parse("Page=1").unwrap_err(), "There is no parameter \"Page\".");
        assert_eq!(parse("name=%ff").unwrap_err(), "name is not percent-encoded UTF-8.");
        assert_eq!(parse("name=%4").unwrap_err(), "name is not percent-encoded UTF-8.");
        assert_eq!(parse("name=%+1").unwrap_err(), "name is not percent-encoded UTF-8.");
        assert!(parse("page=1&page=2").unwrap().one("page").is_err());
    }
}
