//! JSON and HTTP answers, written by hand.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

/// Writing JSON to the end of a buffer.
pub trait Json {
    /// Appends bytes as they are.
    fn raw(&mut self, bytes: &[u8]);
    /// Appends a number.
    fn integer(&mut self, value: i64);
    /// Appends a number, `null` where it is not finite.
    fn float(&mut self, value: f64);
    /// Appends a quoted text.
    fn text(&mut self, value: &str);
    /// Appends a uuid as a quoted text.
    fn uuid(&mut self, value: &[u8]);
    /// Appends milliseconds since 1970 as a quoted text, in UTC and without the milliseconds.
    fn datetime(&mut self, milliseconds: i64);
    /// Appends the number of articles of a status and a month.
    fn group(&mut self, status: &str, month: &str, rows: i64);
}

const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";

impl Json for Vec<u8> {
    fn group(&mut self, status: &str, month: &str, rows: i64) {
        self.raw(b"{\"status\":");
        self.text(status);
        self.raw(b",\"month\":");
        self.text(month);
        self.raw(b",\"count\":");
        self.integer(rows);
        self.raw(b"}");
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn integer(&mut self, value: i64) {
        self.raw(itoa::Buffer::new().format(value).as_bytes());
    }

    fn float(&mut self, value: f64) {
        if value.is_finite() {
            self.raw(ryu::Buffer::new().format_finite(value).as_bytes());
        } else {
            self.raw(b"null");
        }
    }

    fn text(&mut self, value: &str) {
        self.push(b'"');
        let bytes = value.as_bytes();
        let mut written = 0;
        for (index, &byte) in bytes.iter().enumerate() {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.raw(&bytes[written..index]);
            written = index + 1;
            match byte {
                b'"' => self.raw(b"\\\""),
                b'\\' => self.raw(b"\\\\"),
                b'\n' => self.raw(b"\\n"),
                _ => self.raw(&[
                    b'\\',
                    b'u',
                    b'0',
                    b'0',
                    HEXADECIMAL[(byte >> 4) as usize],
                    HEXADECIMAL[(byte & 15) as usize],
                ]),
            }
        }
        self.raw(&bytes[written..]);
        self.push(b'"');
    }

    fn uuid(&mut self, value: &[u8]) {
        self.push(b'"');
        for (index, &byte) in value.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                self.push(b'-');
            }
            self.push(HEXADECIMAL[(byte >> 4) as usize]);
            self.push(HEXADECIMAL[(byte & 15) as usize]);
        }
        self.push(b'"');
    }

    fn datetime(&mut self, milliseconds: i64) {
        let seconds = milliseconds.div_euclid(1000);
        let (year, month, day) = civil(seconds.div_euclid(86_400));
        let second = seconds.rem_euclid(86_400);
        let mut text = *b"\"0000-00-00T00:00:00+00:00\"";
        digits(&mut text[1..5], year);
        digits(&mut text[6..8], month);
        digits(&mut text[9..11], day);
        digits(&mut text[12..14], second / 3600);
        digits(&mut text[15..17], second / 60 % 60);
        digits(&mut text[18..20], second % 60);
        self.raw(&text);
    }
}

/// An answer with a JSON body.
pub fn json(status: StatusCode, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// An answer with a message.
pub fn message(status: StatusCode, message: &str) -> Response {
    json(status, format!("{{\"message\":\"{message}\"}}").into_bytes())
}

fn digits(target: &mut [u8], mut value: i64) {
    for digit in target.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
    }
}

/// Year, month and day of a day since 1970-01-01. A year begins in March here, so that the leap day is its last.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

/// The day since 1970-01-01 of a date.
pub(crate) fn day(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datetimes_are_written_in_utc() {
        let mut out = Vec::new();
        out.datetime(1_582_979_696_000);
        assert_eq!(out, b"\"2020-02-29T12:34:56+00:00\"");
    }

    #[test]
    fn days_and_dates_agree() {
        for number in -1000..40_000 {
            let (year, month, of_month) = civil(number);
            assert_eq!(day(year, month, of_month), number);
        }
    }
}
