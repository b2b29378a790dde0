//! Ordinary POST fields, in both forms that HTML has for them.

use super::answer::Problem;
use super::query_string;

/// The form in which the fields are written.
#[derive(Debug)]
pub enum Kind {
    /// `a=1&b=2`.
    UrlEncoded,
    /// Parts between boundaries.
    Multipart {
        /// The boundary, without its dashes.
        boundary: String,
    },
}

/// The fields of a form, each given at most once.
#[derive(Default)]
pub struct Form {
    fields: Vec<(&'static str, String)>,
}

impl Form {
    /// Reads the fields; a name outside of `known`, or a name twice, is refused.
    pub fn parse(bytes: &[u8], kind: &Kind, known: &[&'static str]) -> Result<Self, Problem> {
        let text = str::from_utf8(bytes).map_err(|_| Problem::invalid("form_invalid", "The form is not UTF-8."))?;
        let mut form = Form::default();
        match kind {
            Kind::UrlEncoded => {
                for pair in text.split('&').filter(|pair| !pair.is_empty()) {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                    let decoded = query_string::decode(name).zip(query_string::decode(value));
                    let (name, value) = decoded.ok_or_else(|| invalid("a field is not percent-encoded UTF-8"))?;
                    form.add(&name, value.into_owned(), known)?;
                }
            }
            Kind::Multipart { boundary } => {
                for (name, value) in parts(text, boundary)? {
                    form.add(name, value.to_owned(), known)?;
                }
            }
        }
        Ok(form)
    }

    /// A field's value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_str())
    }

    fn add(&mut self, name: &str, value: String, known: &[&'static str]) -> Result<(), Problem> {
        let Some(known) = known.iter().find(|known| **known == name) else {
            return Err(Problem::invalid_at(name, "field_unknown", format!("There is no field {name:?}.")));
        };
        if self.get(known).is_some() {
            return Err(Problem::invalid_at(known, "field_repeated", format!("The field {known} is given twice.")));
        }
        self.fields.push((known, value));
        Ok(())
    }
}

/// The boundary among the parameters of `multipart/form-data`.
pub(crate) fn boundary(parameters: &str) -> Result<&str, Problem> {
    parameters
        .split(';')
        .filter_map(|parameter| parameter.trim().split_once('='))
        .find(|(name, _)| name.eq_ignore_ascii_case("boundary"))
        .map(|(_, value)| value.trim_matches('"'))
        .filter(|value| (1..=70).contains(&value.len()))
        .ok_or_else(|| invalid("the boundary is missing"))
}

fn parts<'t>(text: &'t str, boundary: &str) -> Result<Vec<(&'t str, &'t str)>, Problem> {
    let delimiter = format!("--{boundary}");
    let inner = format!("\r\n{delimiter}");
    let mut rest = text.strip_prefix("\r\n").unwrap_or(text);
    rest = rest.strip_prefix(&delimiter).ok_or_else(|| invalid("it does not begin with its boundary"))?;
    let mut parts = Vec::new();
    while !rest.starts_with("--") {
        rest = rest.strip_prefix("\r\n").ok_or_else(|| invalid("a boundary is malformed"))?;
        let (part, after) = rest.split_once(&inner).ok_or_else(|| invalid("it does not end with its boundary"))?;
        let (head, value) = part.split_once("\r\n\r\n").ok_or_else(|| invalid("a part has no head"))?;
        parts.push((part_name(head)?, value));
        rest = after;
    }
    Ok(parts)
}

fn part_name(head: &str) -> Result<&str, Problem> {
    let disposition = head
        .split("\r\n")
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-disposition"))
        .map(|(_, value)| value)
        .ok_or_else(|| invalid("a part has no name"))?;
    let mut name = None;
    for (key, value) in disposition.split(';').filter_map(|parameter| parameter.trim().split_once('=')) {
        match key {
            "name" => name = Some(value.trim_matches('"')),
            _ => return Err(invalid("a part is a file, or has parameters other than its name")),
        }
    }
    name.ok_or_else(|| invalid("a part has no name"))
}

fn invalid(why: &str) -> Problem {
    Problem::invalid("form_invalid", format!("The form cannot be read: {why}."))
}

#[cfg(test)]
mod tests {
    use super::{Form, Kind, boundary};

    const KNOWN: &[&str] = &["user", "password"];

    fn multipart(text: &str) -> Result<Form, super::Problem> {
        Form::parse(text.as_bytes(), &Kind::Multipart { boundary: "x".to_owned() }, KNOWN)
    }

    #[test]
    fn reads_both_forms() {
        let form = Form::parse(b"user=a%40b.cz&password=p+%26%2B", &Kind::UrlEncoded, KNOWN).unwrap();
        assert_eq!((form.get("user"), form.get("password")), (Some("a@b.cz"), Some("p &+")));
        let text = "--x\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\na@b.cz\r\n\
                    --x\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=password\r\n\r\np\r\n&\r\n--x--\r\n";
        let form = multipart(text).unwrap();
        assert_eq!((form.get("user"), form.get("password")), (Some("a@b.cz"), Some("p\r\n&")));
        assert_eq!(boundary(" charset=utf-8; Boundary=\"a b\"").unwrap(), "a b");
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["user=%ff", "users=1", "user=1&user=1", "user=%4"] {
            assert!(Form::parse(text.as_bytes(), &Kind::UrlEncoded, KNOWN).is_err(), "{text}");
        }
        for text in [
            "",
            "--x\r\n",
            "--x\r\n\r\n\r\n--x--",
            "--x\r\nContent-Disposition: form-data; name=\"user\"; filename=\"a\"\r\n\r\na\r\n--x--",
            "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--",
            "--x\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\na",
        ] {
            assert!(multipart(text).is_err(), "{text:?}");
        }
        assert!(boundary("").is_err());
    }
}
