//! A description of the API in OpenAPI, and values that are checked by it.

use serde_json::Value as Json;

/// A description.
pub(super) struct Described(pub(super) Json);

impl Described {
    /// Fails unless a value is as a component says.
    pub(super) fn check(&self, component: &str, value: &Json) {
        let schema = &self.0["components"]["schemas"][component];
        assert!(schema.is_object(), "there is no schema {component}");
        self.valid(schema, value, component);
    }

    /// Returns the schema of the body of an answer with status 200.
    pub(super) fn answer(&self, path: &str, method: &str) -> Json {
        self.0["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"].clone()
    }

    /// Fails unless a value is as a schema says. Members that no schema tells of are mistakes, too.
    pub(super) fn valid(&self, schema: &Json, value: &Json, at: &str) {
        if let Err(mistake) = self.mistake(schema, value, at) {
            panic!("{mistake}");
        }
    }

    fn mistake(&self, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        if let Some(reference) = schema["$ref"].as_str() {
            let found = self.0.pointer(&reference[1..]).ok_or_else(|| format!("{at}: {reference} is missing"))?;
            return self.mistake(found, value, at);
        }
        if let Some(arms) = schema["anyOf"].as_array() {
            let fits = arms.iter().any(|arm| self.mistake(arm, value, at).is_ok());
            return if fits { Ok(()) } else { Err(format!("{at}: {value} is none of {arms:?}")) };
        }
        let types = match &schema["type"] {
            Json::String(name) => vec![name.as_str()],
            Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
            _ => return Ok(()),
        };
        if !types.iter().any(|name| is_of(name, value)) {
            return Err(format!("{at}: {value} is not of {types:?}"));
        }
        let is_listed = schema["enum"].as_array().is_none_or(|values| values.contains(value));
        let has_form = match (schema["pattern"].as_str(), value.as_str()) {
            (Some(pattern), Some(text)) => self::has_form(pattern, text),
            _ => true,
        };
        if !(is_listed && has_form) {
            return Err(format!("{at}: {value} is not as {schema} says"));
        }
        self.parts(schema, value, at)
    }

    fn parts(&self, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.mistake(&schema["items"], item, &format!("{at}/{index}"))?;
        }
        let Some(properties) = schema["properties"].as_object() else { return Ok(()) };
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            value.get(name).ok_or_else(|| format!("{at}: {name} is missing"))?;
        }
        for (name, member) in value.as_object().into_iter().flatten() {
            let told = properties.get(name).ok_or_else(|| format!("{at}: {name} is not described"))?;
            self.mistake(told, member, &format!("{at}/{name}"))?;
        }
        Ok(())
    }
}

/// Returns true if a value is of a type. A number without a fraction is an integer.
fn is_of(name: &str, value: &Json) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

/// Returns true if a text has the form of numbers that a pattern asks for; other patterns are not looked at.
fn has_form(pattern: &str, text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    match pattern {
        r"^-?\d+$" => digits(unsigned),
        r"^-?\d+(\.\d+)?$" => digits(whole) && digits(part),
        _ => true,
    }
}
