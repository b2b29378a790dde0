//! Formatting a date, as PHP's `date`.

use super::civil::{WallClock, leap, month_length};
use super::{DateTime, zone};

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The most bytes that one letter of a format becomes.
pub const LONGEST: usize = 64;

/// The date by a format of letters; what is no letter of it stays, `\` keeps the byte behind it.
pub fn format(date: &DateTime, format: &[u8]) -> Vec<u8> {
    let shown = ShownDate { date, wall: date.wall(), offset: date.offset() };
    let mut out = Vec::with_capacity(format.len() * 2);
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' {
            out.push(bytes.next().unwrap_or(b'\\'));
            continue;
        }
        let part = shown.date_letter(byte).or_else(|| shown.time_letter(byte)).or_else(|| shown.zone_letter(byte));
        match part {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None => out.push(byte),
        }
    }
    out
}

struct ShownDate<'d> {
    date: &'d DateTime,
    wall: WallClock,
    offset: i32,
}

impl ShownDate<'_> {
    fn day_name(&self) -> &'static str {
        DAYS[self.wall.weekday() as usize % 7]
    }

    fn month_name(&self) -> &'static str {
        MONTHS[(self.wall.month as usize + 11) % 12]
    }

    fn date_letter(&self, letter: u8) -> Option<String> {
        let wall = &self.wall;
        Some(match letter {
            b'd' => format!("{:02}", wall.day),
            b'D' => self.day_name()[..3].to_owned(),
            b'j' => wall.day.to_string(),
            b'l' => self.day_name().to_owned(),
            b'S' => suffix(wall.day).to_owned(),
            b'w' => wall.weekday().to_string(),
            b'N' => ((wall.weekday() + 6) % 7 + 1).to_string(),
            b'z' => wall.day_of_year().to_string(),
            b'W' => format!("{:02}", wall.iso_week().1),
            b'o' => wall.iso_week().0.to_string(),
            b'F' => self.month_name().to_owned(),
            b'm' => format!("{:02}", wall.month),
            b'M' => self.month_name()[..3].to_owned(),
            b'n' => wall.month.to_string(),
            b't' => month_length(wall.year, wall.month).to_string(),
            b'L' => i32::from(leap(wall.year)).to_string(),
            b'y' => format!("{:02}", wall.year % 100),
            b'Y' => format!("{}{:04}", sign(wall.year, ""), wall.year.unsigned_abs()),
            b'x' => {
                let positive = if wall.year >= 10_000 { "+" } else { "" };
                format!("{}{:04}", sign(wall.year, positive), wall.year.unsigned_abs())
            }
            b'X' => format!("{}{:04}", sign(wall.year, "+"), wall.year.unsigned_abs()),
            _ => return None,
        })
    }

    fn time_letter(&self, letter: u8) -> Option<String> {
        let wall = &self.wall;
        let twelve = (wall.hour + 11) % 12 + 1;
        Some(match letter {
            b'a' => if wall.hour < 12 { "am" } else { "pm" }.to_owned(),
            b'A' => if wall.hour < 12 { "AM" } else { "PM" }.to_owned(),
            b'B' => {
                // Thousandths of the day, an hour east of UTC.
                let second = (i128::from(self.date.seconds) + 3600).rem_euclid(86_400);
                format!("{:03}", second * 10 / 864 % 1000)
            }
            b'g' => twelve.to_string(),
            b'G' => wall.hour.to_string(),
            b'h' => format!("{twelve:02}"),
            b'H' => format!("{:02}", wall.hour),
            b'i' => format!("{:02}", wall.minute),
            b's' => format!("{:02}", wall.second),
            b'u' => format!("{:06}", self.date.micros),
            b'v' => format!("{:03}", self.date.micros / 1000),
            b'c' => format!(
                "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}",
                wall.year,
                wall.month,
                wall.day,
                wall.hour,
                wall.minute,
                wall.second,
                self.offset(":")
            ),
            b'r' => format!(
                "{}, {:02} {} {:04} {:02}:{:02}:{:02} {}",
                &self.day_name()[..3],
                wall.day,
                &self.month_name()[..3],
                wall.year,
                wall.hour,
                wall.minute,
                wall.second,
                self.offset("")
            ),
            b'U' => self.date.seconds.to_string(),
            _ => return None,
        })
    }

    fn zone_letter(&self, letter: u8) -> Option<String> {
        let zone = &self.date.zone;
        let instant = i128::from(self.date.seconds);
        Some(match letter {
            b'e' => zone::full_name(zone).to_string(),
            b'I' => i32::from(zone.period(instant).summer).to_string(),
            b'O' => self.offset(""),
            b'P' => self.offset(":"),
            b'p' if ["UTC", "Z", "GMT+0000"].contains(&zone.short_name(instant).as_str()) => "Z".to_owned(),
            b'p' => self.offset(":"),
            b'T' => zone.short_name(instant),
            b'Z' => self.offset.to_string(),
            _ => return None,
        })
    }

    fn offset(&self, separator: &str) -> String {
        let (sign, size) = (if self.offset < 0 { '-' } else { '+' }, self.offset.unsigned_abs());
        format!("{sign}{:02}{separator}{:02}", size / 3600, size / 60 % 60)
    }
}

fn sign(year: i128, positive: &'static str) -> &'static str {
    if year < 0 { "-" } else { positive }
}

fn suffix(day: i128) -> &'static str {
    match (day, day % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}
