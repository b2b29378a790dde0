//! Dates of the row beside a display zone: datetimes of a day, a month or a year, and the texts of days.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::dates::{holds, midnight};
use crate::pushdown::equality::day_text;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, SpannedPart, TranslatedPart};
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{against, given};
use crate::pushdown::weight::unknown_intervals;
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Value as Cell};
use datetime::{DateTime, format};
use expression::{LanguageRules, Span as TextSpan, Value};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// No offset has as many seconds.
const DAY: i64 = 26 * 3_600;
/// Clocks may be put back over midnight as a period begins and as it ends.
pub(super) const MOST_INTERVALS: usize = 3;
/// The most days that one zone has left out.
const MOST_LEFT_OUT: usize = 1;

impl<'m> RuleTranslation<'_, 'm> {
    /// Two datetimes of the row; null is the present.
    pub(super) fn moments(
        &self,
        operator: &str,
        one: Scalar<'m>,
        other: Scalar<'m>,
        at: TextSpan,
    ) -> TranslationResult<Condition<'m>> {
        let (comparison, turned) = match operator {
            "==" => (ValueComparison::Equal, ValueComparison::Equal),
            "<" => (ValueComparison::Less, ValueComparison::Greater),
            "<=" => (ValueComparison::LessOrEqual, ValueComparison::GreaterOrEqual),
            ">" => (ValueComparison::Greater, ValueComparison::Less),
            ">=" => (ValueComparison::GreaterOrEqual, ValueComparison::LessOrEqual),
            _ => return Err(refused(at, "two datetimes of the row are compared by <, <=, ==, >= and > alone")),
        };
        let present = self.present().unwrap_or_else(any_present);
        let beside = |scalar: &Scalar<'m>, comparison| {
            self.beside(&ValueSort::Moment, scalar, comparison, &Value::DateTime(present.clone().into()), false)
        };
        let absent = |scalar: &Scalar<'m>| given(scalar).opposite();
        let both = Condition::Compare(comparison, one.clone(), other.clone());
        let none = Condition::constant(holds(comparison, std::cmp::Ordering::Equal));
        let ordered = both.or(absent(&other).and(beside(&one, comparison)));
        // Of a null as the first date nothing holds.
        if self.model.rules != LanguageRules::V1 {
            return Ok(ordered);
        }
        Ok(ordered.or(absent(&one).and(beside(&other, turned))).or(absent(&one).and(absent(&other)).and(none)))
    }

    pub(super) fn present(&self) -> Option<DateTime> {
        self.bindings.map(|bindings| DateTime::of(bindings.now, bindings.zone))
    }

    /// The datetimes that are shown as a date is, to the day, the month or the year.
    pub(super) fn period(
        &self,
        scalar: &Scalar<'m>,
        shown: &str,
        [date, present]: [&DateTime; 2],
        null_is_present: bool,
    ) -> Condition<'m> {
        let Some(bindings) = self.bindings else { return unknown_intervals(scalar, MOST_INTERVALS) };
        let show = |date: &DateTime| format(&date.in_zone(present.zone.clone()), shown.as_bytes());
        let absent =
            if null_is_present && show(present) == show(date) { given(scalar).opposite() } else { Condition::NEVER };
        // Reckoned by hand: instants end a day before days do.
        let offset = i64::from(date.in_zone(present.zone.clone()).offset());
        let local = date.seconds.saturating_add(offset).div_euclid(86_400);
        let day = Span::new().try_days(local).and_then(|days| Date::constant(1970, 1, 1).checked_add(days));
        let days = day.ok().map(|day| match shown {
            "Y-m-d" => (day, day),
            "Y-m" => (day.first_of_month(), day.last_of_month()),
            _ => (day.first_of_year(), day.last_of_year()),
        });
        let Some((first, last)) = days else { return absent };
        let bound = |comparison, seconds: i64| {
            let at = Cell::Timestamp(seconds.saturating_mul(1_000));
            against(scalar, comparison, ColumnType::Timestamp, at)
        };
        intervals(bindings.zone, first, last).into_iter().fold(absent, |found, (from, to)| {
            found.or(bound(ValueComparison::GreaterOrEqual, from).and(bound(ValueComparison::Less, to)))
        })
    }

    /// The days that the display zone has left out, which are read as the next one, and what is shown of that; while
    /// configuration is checked, as many as a zone may have.
    fn misread(&self, shown: &str) -> Vec<(i64, String)> {
        let Some((bindings, present)) = self.bindings.zip(self.present()) else {
            return vec![(0, String::new()); MOST_LEFT_OUT];
        };
        left_out(bindings.zone, &present).into_iter().map(|(day, read)| (day, show(&read, shown))).collect()
    }

    /// `formatDate(day, 'Y-m-d')`, of a day of the row.
    pub(super) fn formatted(
        &self,
        date: SpannedPart<'m>,
        format: SpannedPart<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let (SpannedPart { part: date, span }, SpannedPart { part: format, span: at }) = (date, format);
        let PartTerm::Bound(_, Some(Value::Text(text))) = format.term else {
            return Err(refused(at, "the format must be written out"));
        };
        let text = text.lossy().into_owned();
        let scalar = match date.term {
            PartTerm::Row(ValueSort::Date, scalar) => scalar,
            PartTerm::Row(ValueSort::Moment, _) => {
                return Err(refused(
                    span,
                    "the day of a datetime depends on the zone; compareDates() with within serves",
                ));
            }
            _ => return Err(refused(span, "the text of a day of the row is made, of nothing else")),
        };
        let (pieces, numeric) = pieces(&text).ok_or_else(|| refused(at, "of a day there are d, j, m, n, y and Y"))?;
        let whole = |day: Scalar<'m>| {
            let parts = pieces.iter().map(|piece| piece.of(&day));
            parts
                .reduce(|before, part| Scalar::of_two(ScalarOperation::Join, before, part))
                .unwrap_or_else(|| Scalar::text(""))
        };
        let mut shown = whole(Scalar::of_one(ScalarOperation::DateText, scalar.clone()));
        for (day, read) in self.misread(&text) {
            let is = against(&scalar, ValueComparison::Equal, ColumnType::Date, Cell::Date(day as i32));
            shown = Scalar::Choice(Box::new(is), Box::new(Scalar::text(&read)), Box::new(shown));
        }
        // Of an empty day the text is empty; by the rules of version 1 it was that of the present.
        let shows = self.model.rules == LanguageRules::V1;
        let present = self.present().filter(|_| shows).map(|present| show(&present, &text)).unwrap_or_default();
        shown = Scalar::First(vec![shown, Scalar::text(&present)]);
        Ok(TranslatedPart::row(ValueSort::Text(numeric), shown, date.raises.or(format.raises)))
    }
}

/// While configuration is checked, any present stands for the one that it will be.
pub(super) fn any_present() -> DateTime {
    DateTime::of(Timestamp::UNIX_EPOCH, &TimeZone::UTC)
}

/// A part of a day's text.
enum TextPiece {
    Year,
    ShortYear,
    Month,
    Day,
    /// Without the zero before it.
    Bare(Box<TextPiece>),
    Text(char),
}

impl TextPiece {
    /// Out of the text `YYYY-MM-DD`.
    fn of<'m>(&self, day: &Scalar<'m>) -> Scalar<'m> {
        let first = |count: i32| Scalar::of_one(ScalarOperation::First(count), day.clone());
        let last = |of: Scalar<'m>| Scalar::of_one(ScalarOperation::Last(2), of);
        match self {
            TextPiece::Year => first(4),
            TextPiece::ShortYear => last(first(4)),
            TextPiece::Month => last(first(7)),
            TextPiece::Day => last(day.clone()),
            TextPiece::Bare(piece) => {
                let two = piece.of(day);
                let zero = Scalar::of_one(ScalarOperation::First(1), two.clone());
                let has_zero = Condition::Compare(ValueComparison::Equal, zero, Scalar::text("0"));
                let one = Scalar::of_one(ScalarOperation::Last(1), two.clone());
                Scalar::Choice(Box::new(has_zero), Box::new(one), Box::new(two))
            }
            TextPiece::Text(character) => Scalar::text(&character.to_string()),
        }
    }
}

/// The parts of a format, and whether the text may be one that is a number.
fn pieces(format: &str) -> Option<(Vec<TextPiece>, bool)> {
    let piece = |character: char| match character {
        'Y' => Some(TextPiece::Year),
        'y' => Some(TextPiece::ShortYear),
        'm' => Some(TextPiece::Month),
        'n' => Some(TextPiece::Bare(Box::new(TextPiece::Month))),
        'd' => Some(TextPiece::Day),
        'j' => Some(TextPiece::Bare(Box::new(TextPiece::Day))),
        '-' | '/' | '.' | ' ' | ',' | ':' => Some(TextPiece::Text(character)),
        _ => None,
    };
    let pieces: Vec<TextPiece> = format.chars().map(piece).collect::<Option<_>>()?;
    let within = format.trim_matches(['-', '/', '.', ' ', ',', ':']);
    let numeric = !within.contains(['-', '/', ',', ':']);
    Some((pieces, numeric))
}

/// The seconds of some days, as clocks of a zone show them: one interval, unless the clocks were put back over midnight.
fn intervals(zone: &TimeZone, first: Date, last: Date) -> Vec<(i64, i64)> {
    let begin_of = |day: Date| day.duration_since(Date::constant(1970, 1, 1)).as_secs();
    let (first, after) = (begin_of(first), begin_of(last) + 86_400);
    let begin = Timestamp::new(first - DAY, 0).unwrap_or(Timestamp::MIN);
    let end = Timestamp::new(after + DAY, 0).unwrap_or(Timestamp::MAX);
    let mut found: Vec<(i64, i64)> = Vec::new();
    let mut add = |(from, offset): (Timestamp, i32), to: Timestamp| {
        let from = from.as_second().max(first - i64::from(offset));
        // Nothing comes behind the last moment that there is.
        let to = if to == Timestamp::MAX { i64::MAX } else { to.as_second() }.min(after - i64::from(offset));
        match found.last_mut() {
            _ if from >= to => {}
            Some(last) if last.1 == from => last.1 = to,
            _ => found.push((from, to)),
        }
    };
    let mut piece = (begin, zone.to_offset(begin).seconds());
    for transition in zone.following(begin).take_while(|transition| transition.timestamp() < end) {
        add(piece, transition.timestamp());
        piece = (transition.timestamp(), transition.offset().seconds());
    }
    add(piece, end);
    found
}

/// The days that a zone has left out, as it moved over the date line, and what they are read as.
fn left_out(zone: &TimeZone, present: &DateTime) -> Vec<(i64, DateTime)> {
    // Zones that follow a rule for ever do so by less than a day.
    let Ok(last) = "2038-01-01T00:00:00Z".parse::<Timestamp>() else { return Vec::new() };
    let mut found = Vec::new();
    let mut before = zone.to_offset(Timestamp::MIN).seconds();
    for transition in zone.following(Timestamp::MIN).take_while(|transition| transition.timestamp() < last) {
        let offset = transition.offset().seconds();
        if offset - before >= 12 * 3_600 {
            let local = |offset: i32| (transition.timestamp().as_second() + i64::from(offset)).div_euclid(86_400);
            // Among these they are.
            let days = (local(before)..=local(offset)).filter_map(|day| Some((day, midnight(day, present)?)));
            found.extend(days.filter(|(day, read)| show(read, "Y-m-d") != day_text(*day)));
        }
        before = offset;
    }
    found
}

/// A date in a format, as a text.
fn show(date: &DateTime, shown: &str) -> String {
    String::from_utf8_lossy(&format(date, shown.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_zone_has_more_than_is_weighed() {
        let mut most = (0, 0);
        for name in jiff::tz::db().available() {
            let zone = TimeZone::get(name.as_str()).unwrap();
            let present = DateTime::of(Timestamp::UNIX_EPOCH, &zone);
            most.0 = most.0.max(left_out(&zone, &present).len());
            // Days, months and years at whose ends the clocks change.
            for transition in zone.following(Timestamp::MIN).take(400) {
                let day = transition.timestamp().to_zoned(zone.clone()).date();
                let twice = |day: &Date| intervals(&zone, *day, *day).len() > 1;
                for day in [day.yesterday().unwrap(), day, day.tomorrow().unwrap()].into_iter().filter(twice) {
                    let month = (day.first_of_month(), day.last_of_month());
                    for (first, last) in [(day, day), month, (day.first_of_year(), day.last_of_year())] {
                        most.1 = most.1.max(intervals(&zone, first, last).len());
                    }
                }
            }
        }
        assert!(most.0 == MOST_LEFT_OUT && (2..=MOST_INTERVALS).contains(&most.1), "{most:?}");
    }
}
