//! Conditions on groups, over their keys and values. Parameters become cells once, when the request is planned.

use crate::buckets::Buckets;
use crate::cell::{self, Cell, ColumnForm};
use crate::columns::unknown;
use database::Value;
use jiff::Timestamp;
use jiff::civil::Date;
use model::error::{Error, Result};
use model::groups::DatePart;
use model::kinds::ValueContext;
use serde_json::{Map, Value as Json};
use std::cmp::Ordering;
use std::mem::discriminant;

/// The most conditions of a request in all.
const MAX_CONDITIONS: usize = 100;
/// The most arrays of conditions that may stand inside one another.
const MAX_LEVELS: usize = 5;
/// The most values of all `in` and `notIn` together.
const MAX_VALUES: usize = 1_000;
/// The most characters of a number as a text.
const MOST_DIGITS: usize = 100;
/// The names of comparisons.
const NAMES: &str = "eq, neq, lt, lte, gt, gte, between, in, notIn, isNull, isNotNull";

/// A condition on a group.
#[derive(Debug)]
pub(crate) enum Having {
    All(Vec<Having>),
    Any(Vec<Having>),
    Not(Box<Having>),
    Test(usize, Comparison),
}

#[derive(Debug)]
pub(crate) enum Comparison {
    Order(fn(Ordering) -> bool, Operand),
    OneOf(Vec<Operand>),
    Null,
}

/// A value to compare with.
#[derive(Debug)]
pub(crate) enum Operand {
    /// Nothing, which equals nothing alone.
    Null,
    /// A value of the column.
    Cell(Cell),
    /// A number that lies between two of the column: above the first.
    Above(i128),
    /// A number for a column of floats, or one beyond all exact numbers.
    Float(f64),
    /// The label of a period.
    Label(String),
}

/// The columns of a request's groups.
pub(crate) struct HavingColumns<'p> {
    pub(crate) names: &'p [&'p str],
    pub(crate) forms: &'p [ColumnForm<'p>],
    pub(crate) context: &'p ValueContext<'p>,
}

impl Having {
    /// Reads the conditions of a request, all of which must hold. Columns are found by their names.
    pub(crate) fn parse(columns: &HavingColumns<'_>, conditions: &[Json]) -> Result<Self> {
        let mut reader = HavingReader { columns, conditions: 0, values: 0 };
        reader.array(conditions, 1).map(Having::All)
    }

    /// Returns true if there is none.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Having::All(parts) if parts.is_empty())
    }

    /// Returns true if the condition holds for a group.
    pub(crate) fn holds(&self, cells: &[Cell], buckets: &[Buckets]) -> bool {
        match self {
            Having::All(parts) => parts.iter().all(|part| part.holds(cells, buckets)),
            Having::Any(parts) => parts.iter().any(|part| part.holds(cells, buckets)),
            Having::Not(part) => !part.holds(cells, buckets),
            Having::Test(column, comparison) => comparison.holds(&cells[*column], buckets.get(*column)),
        }
    }
}

impl Comparison {
    fn holds(&self, cell: &Cell, buckets: Option<&Buckets>) -> bool {
        match self {
            Comparison::Null => *cell == Cell::Null,
            Comparison::Order(takes, operand) => operand.compare(cell, buckets).is_some_and(takes),
            Comparison::OneOf(operands) => {
                operands.iter().any(|operand| operand.compare(cell, buckets) == Some(Ordering::Equal))
            }
        }
    }
}

impl Operand {
    /// Returns how a cell compares with this; none where one of them is nothing and the other is not, or where they are of
    /// two types.
    fn compare(&self, cell: &Cell, buckets: Option<&Buckets>) -> Option<Ordering> {
        match (cell, self) {
            (Cell::Null, Operand::Null) => Some(Ordering::Equal),
            (Cell::Null, _) | (_, Operand::Null) => None,
            (Cell::Value(one), Operand::Cell(Cell::Value(other))) if discriminant(one) != discriminant(other) => None,
            (cell, Operand::Cell(operand)) => Some(cell::order(cell, operand)),
            (Cell::Exact(units), Operand::Above(below)) => Some(units.cmp(below).then(Ordering::Less)),
            (Cell::Exact(_), Operand::Float(float)) => {
                Some(if *float < 0.0 { Ordering::Greater } else { Ordering::Less })
            }
            (Cell::Float(number), Operand::Float(float)) => number.partial_cmp(float),
            (Cell::Exact(number), Operand::Label(label)) => {
                Some(by_label(buckets?.label(i64::try_from(*number).ok()?)?, label))
            }
            _ => None,
        }
    }
}

/// Reads conditions, and counts what it reads.
struct HavingReader<'r, 'p> {
    columns: &'r HavingColumns<'p>,
    conditions: usize,
    values: usize,
}

impl HavingReader<'_, '_> {
    fn array(&mut self, conditions: &[Json], depth: usize) -> Result<Vec<Having>> {
        if depth > MAX_LEVELS {
            return Err(invalid(format!("takes arrays nested {MAX_LEVELS} levels deep at most")));
        }
        conditions.iter().map(|condition| self.one(condition, depth)).collect()
    }

    fn one(&mut self, condition: &Json, depth: usize) -> Result<Having> {
        self.conditions += 1;
        if self.conditions > MAX_CONDITIONS {
            return Err(invalid(format!("takes at most {MAX_CONDITIONS} conditions")));
        }
        let members = condition.as_object().ok_or_else(|| invalid("needs objects".into()))?;
        if let Some(name) = members.keys().find(|name| !["property", "type", "param"].contains(&name.as_str())) {
            return Err(invalid(format!("has no member {name:?} in its conditions")));
        }
        let [name, comparison] = ["property", "type"].map(|member| members.get(member).and_then(Json::as_str));
        let (Some(name), Some(comparison)) = (name, comparison) else {
            return Err(invalid("needs \"property\" and \"type\" in each condition".into()));
        };
        if name == "*" {
            let parts = match members.get("param") {
                Some(Json::Array(parts)) if !parts.is_empty() => self.array(parts, depth + 1)?,
                _ => return Err(invalid(format!("needs an array of conditions for {comparison:?}"))),
            };
            return match comparison {
                "and" => Ok(Having::All(parts)),
                "or" => Ok(Having::Any(parts)),
                "not" => Ok(Having::Not(Box::new(Having::All(parts)))),
                _ => Err(invalid(format!("has no group {comparison:?}; there are and, or, not"))),
            };
        }
        let names = self.columns.names;
        let column = names.iter().position(|known| *known == name).ok_or_else(|| unknown(names, name))?;
        self.test(column, comparison, members)
    }

    fn test(&mut self, column: usize, comparison: &str, members: &Map<String, Json>) -> Result<Having> {
        let param = members.get("param");
        let one = |param: Option<&Json>| match param {
            Some(param) => self.columns.operand(column, param),
            None => Err(invalid(format!("needs a param for {comparison}"))),
        };
        let ordered = |takes: fn(Ordering) -> bool, param: Option<&Json>| match one(param)? {
            Operand::Null => Err(invalid(format!("cannot compare with null by {comparison}"))),
            operand => Ok(Having::Test(column, Comparison::Order(takes, operand))),
        };
        let not = |having: Having| Having::Not(Box::new(having));
        Ok(match comparison {
            "eq" => Having::Test(column, Comparison::Order(Ordering::is_eq, one(param)?)),
            "neq" => not(Having::Test(column, Comparison::Order(Ordering::is_eq, one(param)?))),
            "lt" => ordered(Ordering::is_lt, param)?,
            "lte" => ordered(Ordering::is_le, param)?,
            "gt" => ordered(Ordering::is_gt, param)?,
            "gte" => ordered(Ordering::is_ge, param)?,
            "between" => match param.and_then(Json::as_array).map(Vec::as_slice) {
                Some([from, to]) if !(from.is_null() && to.is_null()) => {
                    // Null is an open end, as in filters.
                    let mut ends = Vec::new();
                    if !from.is_null() {
                        ends.push(ordered(Ordering::is_ge, Some(from))?);
                    }
                    if !to.is_null() {
                        ends.push(ordered(Ordering::is_le, Some(to))?);
                    }
                    Having::All(ends)
                }
                _ => return Err(invalid("needs [from, to] as param of between, one of which may be null".into())),
            },
            "in" => self.one_of(column, param)?,
            "notIn" => not(self.one_of(column, param)?),
            "isNull" | "isNotNull" if param.is_some_and(|param| !param.is_null()) => {
                return Err(invalid(format!("takes no param for {comparison}")));
            }
            "isNull" => Having::Test(column, Comparison::Null),
            "isNotNull" => not(Having::Test(column, Comparison::Null)),
            _ => return Err(invalid(format!("has no type {comparison:?}; there are {NAMES}"))),
        })
    }

    fn one_of(&mut self, column: usize, param: Option<&Json>) -> Result<Having> {
        let params = param.and_then(Json::as_array);
        let params = params.ok_or_else(|| invalid("needs an array as param of in and notIn".into()))?;
        self.values += params.len();
        if self.values > MAX_VALUES {
            return Err(invalid(format!("takes at most {MAX_VALUES} values of in and notIn together")));
        }
        let operands = params.iter().map(|param| self.columns.operand(column, param)).collect::<Result<_>>()?;
        Ok(Having::Test(column, Comparison::OneOf(operands)))
    }
}

impl HavingColumns<'_> {
    /// Reads a parameter as a value of a column.
    fn operand(&self, column: usize, param: &Json) -> Result<Operand> {
        let name = self.names[column];
        if param.is_null() {
            return Ok(Operand::Null);
        }
        match (&self.forms[column], param) {
            (ColumnForm::Property(property), param) => {
                let value = property
                    .kind
                    .read(param, self.context)
                    .map_err(|fault| Error::problems(vec![fault.of("having", &format!("The param for {name:?}"))]))?;
                // Filters ask for the uuids of related resources: of those that the caller sees.
                if matches!(value, Value::Uuid(_)) && property.kind.relation().is_some() {
                    let what = format!("needs the id of a resource as param for {name:?}. Filters take its uuid, too");
                    return Err(invalid(what));
                }
                Ok(Operand::Cell(Cell::Value(value)))
            }
            (ColumnForm::Period(part), Json::String(label)) if is_label(*part, label) => {
                Ok(Operand::Label(label.clone()))
            }
            (ColumnForm::Period(part), _) => {
                let example = example(*part);
                Err(invalid(format!("needs the label of a period, such as {example:?}, as param for {name:?}")))
            }
            (ColumnForm::Float, Json::Number(number)) => Ok(Operand::Float(number.as_f64().unwrap_or(f64::MAX))),
            (ColumnForm::Exact { scale, .. }, Json::Number(number)) => Ok(exact(&number.to_string(), *scale)),
            (ColumnForm::Exact { scale, .. }, Json::String(text)) if is_decimal(text) => Ok(exact(text, *scale)),
            _ => Err(invalid(format!("needs a number as param for {name:?}"))),
        }
    }
}

/// A label of a part of dates, which are all written alike: so they sort by their characters.
fn example(part: DatePart) -> &'static str {
    match part {
        DatePart::Year => "2026",
        DatePart::Quarter => "2026-Q4",
        DatePart::Month => "2026-10",
        DatePart::Hour => "2026-10-19T14:00+02:00",
        DatePart::Week | DatePart::Day | DatePart::Weekday | DatePart::HourOfDay => "2026-10-19",
    }
}

/// Returns true if a text is the label of a period.
fn is_label(part: DatePart, label: &str) -> bool {
    let form = example(part).bytes();
    let is_formed = label.len() == form.len()
        && form.zip(label.bytes()).all(|(form, byte)| match form {
            b'0'..=b'9' => byte.is_ascii_digit(),
            b'+' => matches!(byte, b'+' | b'-'),
            form => form == byte,
        });
    is_formed
        && match part {
            DatePart::Year => label != "0000",
            DatePart::Quarter => matches!(label.as_bytes().last(), Some(b'1'..=b'4')),
            DatePart::Month => format!("{label}-01").parse::<Date>().is_ok(),
            DatePart::Hour => label.parse::<Timestamp>().is_ok(),
            DatePart::Week | DatePart::Day | DatePart::Weekday | DatePart::HourOfDay => label.parse::<Date>().is_ok(),
        }
}

/// Returns the order of two labels. When the clocks go back, an hour comes twice, with two offsets.
fn by_label(one: &str, other: &str) -> Ordering {
    match (one.parse::<Timestamp>(), other.parse::<Timestamp>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        _ => one.cmp(other),
    }
}

/// Returns true for a number without an exponent, as answers with exact numbers have it (E-123).
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= MOST_DIGITS && is_number(whole) && is_number(part)
}

/// Returns a number in units of a column with so many digits behind the point.
fn exact(text: &str, scale: u8) -> Operand {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let scale = usize::from(scale);
    let kept = &part[..part.len().min(scale)];
    let units = format!("{whole}{kept}{}", "0".repeat(scale - kept.len())).parse::<i128>();
    let rest = part[kept.len()..].bytes().any(|digit| digit != b'0');
    match units {
        // Below zero, what is cut off leads away from zero.
        Ok(units) if rest && text.starts_with('-') => Operand::Above(units - 1),
        Ok(units) if rest => Operand::Above(units),
        Ok(units) => Operand::Cell(Cell::Exact(units)),
        // With an exponent: larger than all that is exact, or smaller than a unit.
        Err(_) => match text.parse::<f64>() {
            Ok(number) if number.abs() < 1.0 => Operand::Above(if number < 0.0 { -1 } else { 0 }),
            number => Operand::Float(number.unwrap_or(f64::MAX)),
        },
    }
}

fn invalid(what: String) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter having {what}."))
}

#[cfg(test)]
mod tests {
    use super::{Operand, exact, is_decimal};
    use crate::cell::Cell;
    use std::cmp::Ordering::{self, Equal, Greater, Less};

    fn compared(units: i128, scale: u8, with: &str) -> Option<Ordering> {
        let operand: Operand = exact(with, scale);
        operand.compare(&Cell::Exact(units), None)
    }

    #[test]
    fn numbers_are_texts_without_exponents() {
        for text in ["0", "-1.50", "170141183460469231731687303715884105728.5"] {
            assert!(is_decimal(text), "{text}");
        }
        for text in ["", "-", ".5", "5.", "1e3", "+1", " 1", "1,5", "--1", "1.2.3", &"9".repeat(101)] {
            assert!(!is_decimal(text), "{text}");
        }
    }

    #[test]
    fn numbers_compare_by_all_their_digits() {
        for (units, scale, with, expected) in [
            (150, 2, "1.5", Equal),
            (150, 2, "1.501", Less),
            (-150, 2, "-1.501", Greater),
            (151, 2, "1.501", Greater),
            (2, 0, "2.0", Equal),
            (i128::from(i64::MAX) * 4, 0, "1e300", Less),
            (0, 2, "1e-9", Less),
            (1, 2, "1e-9", Greater),
            (0, 2, "-1e-9", Greater),
            (-5, 0, "-1e300", Greater),
        ] {
            assert_eq!(compared(units, scale, with), Some(expected), "{units} {scale} {with}");
        }
    }
}
