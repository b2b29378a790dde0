//! Functions of spreadsheets whose replacement depends on their arguments.

use crate::analysis::foreign_format;
use crate::foreign_words::{LONGEST, is_plain, is_same_twice, operand};
use crate::parser::{BinaryOperator, FunctionCall, SyntaxKind, SyntaxNode};
use crate::value::Value;

/// The end of a message, behind "There is no `name()`: ", and the text that can take the place of the call.
type Remedy = (&'static str, Option<String>);

/// Returns what is written here for a function of spreadsheets, whose name is in lower case.
pub(crate) fn remedy(name: &str, call: &FunctionCall, text: &str) -> Option<Remedy> {
    let call = SheetCall { call, text };
    let found = call.of_condition(name).or_else(|| call.of_text(name)).or_else(|| call.of_date(name));
    found.or_else(|| call.of_number(name))
}

/// Returns true for a function whose arguments are ranges of cells, as a rule.
pub(crate) fn takes_ranges(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "sumif",
        "sumifs",
        "averageif",
        "countif",
        "countifs",
        "counta",
        "vlookup",
        "xlookup",
        "hlookup",
        "lookup",
        "match",
    ];
    NAMES.iter().any(|range| name.eq_ignore_ascii_case(range))
}

/// A call with the text that it stands in.
struct SheetCall<'c> {
    call: &'c FunctionCall,
    text: &'c str,
}

impl<'c> SheetCall<'c> {
    fn of_condition(&self, name: &str) -> Option<Remedy> {
        Some(match name {
            "if" => ("write `if(a, b, c)`, with `null` where nothing else holds.", self.without_else()?),
            "and" => ("write `a and b`.", self.joined(" and ")),
            "or" => ("write `a or b`.", self.joined(" or ")),
            "ifs" => ("write `if(a, b, c)`, or `a ? b : c`.", self.conditions()),
            "switch" => ("write `if(a, b, c)`, or `a ? b : c`.", self.cases()),
            "choose" => ("write `if(a == 1, b, c)`.", self.choices()),
            "iferror" => (
                "an error ends the whole expression. For a missing value write `a ?? b`, for a division \
                 `b != 0 ? a / b : c`.",
                self.division(),
            ),
            "vlookup" | "xlookup" | "hlookup" | "lookup" | "index" | "match" => (
                "a dot follows a relation: `customer.name`. `resource('customer', code)` finds one by its code. For a few \
                 values write `{CZ: 0.21, SK: 0.23}[country]`.",
                None,
            ),
            _ => return None,
        })
    }

    fn of_text(&self, name: &str) -> Option<Remedy> {
        Some(match name {
            "concatenate" | "concat" => ("write `a ~ b`; `concat([a, b])` takes one array.", self.joined(" ~ ")),
            "text" => {
                let remedy = "write `formatDate(x, 'd.m.Y')` for a date, and `toString(x)` for another value.";
                (remedy, self.formatted())
            }
            "textjoin" => ("write `join(', ', [a, b])`; of two names `trim(a ~ ' ' ~ b)`.", self.text_join()),
            "mid" => {
                let remedy = "write `firstNChars(x, 3)`; from the end `lastNChars(x, 3)`.";
                let starts = self.number(1) == Some(1) && self.count() == 3;
                (remedy, starts.then(|| self.fill("firstNChars({0}, {2})")).flatten())
            }
            "isnumber" => ("`toFloat(x)` makes a number of a text; `contains(x, 'a')` looks for a part.", self.found()),
            "char" => {
                let is_break = self.number(0) == Some(10);
                ("a new line is `\"\\n\"`.", is_break.then(|| "\"\\n\"".to_owned()))
            }
            _ => return None,
        })
    }

    fn of_date(&self, name: &str) -> Option<Remedy> {
        Some(match name {
            "date" => ("a day is written `'2026-12-31'`.", self.day()),
            "days" => ("the days between two dates are `later - earlier`.", self.fill("({0} - {1})")),
            "datedif" => {
                let unit = self.literal(2).map(|unit| unit.to_ascii_lowercase());
                let form = unit.filter(|unit| unit == "d").map(|_| "({1} - {0})");
                let remedy = "the days between two dates are `later - earlier`, whole years `dateDiff(a, b).y`.";
                (remedy, form.and_then(|form| self.fill(form)))
            }
            "edate" | "dateadd" => ("write `x + 1.months`.", self.months()),
            "eomonth" => ("the last day of a month is `formatDate(x, 'Y-m-t')`.", self.end_of_month()),
            "weekday" => {
                let remedy = "write `formatDate(x, 'N')`: 1 is Monday, 7 is Sunday.";
                let is_iso = self.number(1) == Some(2);
                (remedy, is_iso.then(|| self.piece(0)).flatten().map(|of| format!("toInt(formatDate({of}, 'N'))")))
            }
            _ => return None,
        })
    }

    fn of_number(&self, name: &str) -> Option<Remedy> {
        const TOTAL: &str = "a total of resources is a property of kind pRollup: \
                             `{kind: pRollup, relation: line.invoice, function: sum, property: amount}`.";
        const CHOSEN: &str = "a total of resources is a property of kind pRollup: \
                              `{kind: pRollup, relation: line.invoice, function: sum, property: amount, \
                              where: \"{=price > 0}\"}`.";
        const COUNTED: &str = "a number of resources is a property of kind pRollup: \
                               `{kind: pRollup, relation: line.invoice, function: count, where: \"{=price > 0}\"}`.";
        let is_lone = self.count() < 2;
        Some(match name {
            "sum" | "avg" | "average" if is_lone => (TOTAL, None),
            "sumif" | "sumifs" | "averageif" => (CHOSEN, None),
            "countif" | "countifs" | "counta" => (COUNTED, None),
            "sum" => ("write `a + b`.", self.joined(" + ")),
            "avg" | "average" => {
                let sum = self.joined(" + ");
                ("write `(a + b) / 2`.", sum.map(|sum| format!("({sum} / {})", self.count())))
            }
            "product" => ("write `a * b`.", self.joined(" * ")),
            "round" => (
                "a pDecimal rounds to its scale when it is stored. Elsewhere \
                 `toInt(x * 100 + (x < 0 ? -0.5 : 0.5)) / 100` has two digits.",
                self.rounded(),
            ),
            "floor" | "int" | "trunc" | "rounddown" => {
                let is_whole = self.count() == 1 || self.number(1) == Some(0);
                let whole = self.piece(0).filter(|_| is_whole).map(|number| format!("toInt({number})"));
                ("`toInt(x)` cuts off the fraction.", whole)
            }
            _ => return None,
        })
    }

    /// `ROUND(x, 2)`: half a unit is added on the side of the sign, and the rest is cut off.
    fn rounded(&self) -> Option<String> {
        self.value(0).filter(|value| is_same_twice(value))?;
        let of = self.operand(0)?;
        let half = format!("({of} < 0 ? -0.5 : 0.5)");
        match if self.count() == 1 { 0 } else { self.number(1).filter(|_| self.count() == 2)? } {
            0 => Some(format!("toInt({of} + {half})")),
            digits @ 1..=6 => {
                let unit = 10_i64.pow(digits as u32);
                Some(format!("(toInt({of} * {unit} + {half}) / {unit})"))
            }
            _ => None,
        }
    }

    fn count(&self) -> usize {
        self.call.arguments.len()
    }

    fn value(&self, place: usize) -> Option<&'c SyntaxNode> {
        Some(&self.call.arguments.get(place)?.value)
    }

    /// The text of an argument, where it is short enough to be shown again.
    fn piece(&self, place: usize) -> Option<&'c str> {
        let span = self.value(place)?.span;
        self.text.get(span.from..span.to).filter(|piece| piece.len() <= LONGEST)
    }

    fn operand(&self, place: usize) -> Option<String> {
        Some(operand(self.value(place)?, self.piece(place)?))
    }

    fn literal(&self, place: usize) -> Option<String> {
        match &self.value(place)?.kind {
            SyntaxKind::Literal(Value::Text(text)) => Some(text.lossy().into_owned()),
            _ => None,
        }
    }

    fn number(&self, place: usize) -> Option<i64> {
        let value = self.value(place)?;
        let (sign, value) = match &value.kind {
            SyntaxKind::Minus(operand) => (-1, operand.as_ref()),
            _ => (1, value),
        };
        match &value.kind {
            SyntaxKind::Literal(Value::Int(number)) => number.checked_mul(sign),
            _ => None,
        }
    }

    /// A form with the arguments in its places.
    fn fill(&self, form: &str) -> Option<String> {
        (0..self.count()).try_fold(form.to_owned(), |filled, place| {
            Some(filled.replace(&format!("{{{place}}}"), &self.operand(place)?))
        })
    }

    /// All arguments with an operator between them.
    fn joined(&self, operator: &str) -> Option<String> {
        let operands: Option<Vec<String>> = (0..self.count()).map(|place| self.operand(place)).collect();
        operands.filter(|operands| operands.len() > 1).map(|operands| format!("({})", operands.join(operator)))
    }

    /// `IF(a, b)`; nothing where it has other arguments.
    fn without_else(&self) -> Option<Option<String>> {
        (self.count() == 2).then(|| Some(format!("if({}, {}, null)", self.piece(0)?, self.piece(1)?)))
    }

    /// `IFS(a, b, c, d)`. TRUE as a condition stands for all else.
    fn conditions(&self) -> Option<String> {
        let last = self.count().checked_sub(2)?;
        let is_else = |place| self.piece(place).is_some_and(|piece| piece.eq_ignore_ascii_case("true"));
        let (last, rest) = if is_else(last) { (last, self.piece(last + 1)?) } else { (last + 2, "null") };
        self.nested(0, last, rest, |place| self.piece(place).map(str::to_owned))
    }

    /// `SWITCH(x, a, b, c, d, e)`.
    fn cases(&self) -> Option<String> {
        let (count, of) = (self.count(), self.value(0).filter(|value| is_plain(value))?);
        let of = self.text.get(of.span.from..of.span.to)?;
        let (last, rest) = if count % 2 == 0 { (count - 1, self.piece(count - 1)?) } else { (count, "null") };
        self.nested(1, last, rest, |place| Some(format!("{of} == {}", self.operand(place)?)))
    }

    /// `CHOOSE(n, a, b)`.
    fn choices(&self) -> Option<String> {
        self.value(0).filter(|value| is_plain(value))?;
        let of = self.piece(0)?;
        (1..self.count()).rev().try_fold("null".to_owned(), |rest, place| {
            Some(format!("if({of} == {place}, {}, {rest})", self.piece(place)?))
        })
    }

    /// Pairs of a condition and a value, from the argument at a place to the one before another.
    fn nested(
        &self,
        from: usize,
        to: usize,
        rest: &str,
        condition: impl Fn(usize) -> Option<String>,
    ) -> Option<String> {
        let mut pairs = (from..to).step_by(2).rev();
        let is_even = to > from && (to - from).is_multiple_of(2);
        is_even.then(|| {
            pairs.try_fold(rest.to_owned(), |rest, place| {
                Some(format!("if({}, {}, {rest})", condition(place)?, self.piece(place + 1)?))
            })
        })?
    }

    /// `IFERROR(a / b, c)`, where b is a name.
    fn division(&self) -> Option<String> {
        let SyntaxKind::Chain(_, rest) = &self.value(0)?.kind else { return None };
        let mut divisors = rest.iter().filter(|(operator, _)| *operator == BinaryOperator::Divide);
        let (_, divisor) = divisors.next().filter(|(_, divisor)| is_plain(divisor))?;
        let divisor = self.text.get(divisor.span.from..divisor.span.to)?;
        let is_lone = divisors.next().is_none();
        is_lone.then(|| Some(format!("if({divisor} != 0, {}, {})", self.piece(0)?, self.piece(1)?)))?
    }

    /// `TEXT(x, 'dd.mm.yyyy')`.
    fn formatted(&self) -> Option<String> {
        let format = foreign_format(&self.literal(1)?)?;
        let is_quoted = format.contains(['\'', '\\']);
        self.piece(0).filter(|_| self.count() == 2 && !is_quoted).map(|of| format!("formatDate({of}, '{format}')"))
    }

    /// `TEXTJOIN(' ', TRUE, a, b)`: what is empty leaves blanks at the ends alone.
    fn text_join(&self) -> Option<String> {
        let is_names = self.literal(0)? == " " && self.count() == 4;
        is_names.then(|| Some(format!("trim({} ~ ' ' ~ {})", self.operand(2)?, self.operand(3)?)))?
    }

    /// `ISNUMBER(SEARCH('a', x))`.
    fn found(&self) -> Option<String> {
        let SyntaxKind::Call(inner) = &self.value(0)?.kind else { return None };
        let is_search = ["search", "find"].iter().any(|name| inner.name.eq_ignore_ascii_case(name));
        let inner = SheetCall { call: inner, text: self.text };
        is_search.then(|| Some(format!("contains({}, {})", inner.piece(1)?, inner.piece(0)?)))?
    }

    /// `DATE(2026, 12, 31)`.
    fn day(&self) -> Option<String> {
        let [year, month, day] = [self.number(0)?, self.number(1)?, self.number(2)?];
        let is_day = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        is_day.then(|| format!("'{year:04}-{month:02}-{day:02}'"))
    }

    /// `EDATE(x, 3)`.
    fn months(&self) -> Option<String> {
        let of = self.operand(0).filter(|_| self.count() == 2)?;
        match self.number(1) {
            Some(months) if months < 0 => Some(format!("({of} - {}.months)", months.unsigned_abs())),
            Some(months) => Some(format!("({of} + {months}.months)")),
            None => self
                .value(1)
                .filter(|value| is_plain(value))
                .and(self.piece(1))
                .map(|months| format!("({of} + {months}.months)")),
        }
    }

    /// `EOMONTH(x, 0)`.
    fn end_of_month(&self) -> Option<String> {
        let of = if self.number(1) == Some(0) { self.piece(0)?.to_owned() } else { self.months()? };
        Some(format!("formatDate({of}, 'Y-m-t')"))
    }
}
