//! Lines of the log of requests in JSON: the text that the subscriber would make of them, at a tenth of its cost.

use jiff::Timestamp;
use std::cell::RefCell;
use std::io::Write;
use std::net::IpAddr;
use std::time::{Duration, Instant, SystemTime};

/// The age up to which a look at the clock of the machine serves further lines of a thread.
const RECENT: Duration = Duration::from_millis(10);
/// The longest time between two looks that are taken for one.
const EXACT: Duration = Duration::from_micros(100);

/// The line of a request.
#[derive(Clone, Copy)]
pub(super) struct AccessLine<'l> {
    pub(super) method: &'l str,
    pub(super) route: &'l str,
    pub(super) status: u16,
    pub(super) bytes: u64,
    pub(super) took: Duration,
    pub(super) waited: Duration,
    pub(super) ran: Duration,
    pub(super) id: &'l str,
    pub(super) tenant: &'l str,
    pub(super) key: Option<i64>,
    pub(super) address: Option<IpAddr>,
}

/// The writer of the lines of a thread.
struct LineWriter {
    text: Vec<u8>,
    /// A moment, and the time of it.
    looked: Option<(Instant, SystemTime)>,
    /// The second since 1970 that `date` has the text of.
    second: u64,
    date: Vec<u8>,
}

thread_local! {
    static WRITER: RefCell<LineWriter> =
        const { RefCell::new(LineWriter { text: Vec::new(), looked: None, second: 0, date: Vec::new() }) };
}

/// Passes the line of a request that ended at a moment to `write`, behind a mark and with a line break.
pub(super) fn with_line<T>(line: &AccessLine<'_>, ended: Instant, mark: &str, write: impl FnOnce(&[u8]) -> T) -> T {
    WRITER.with_borrow_mut(|writer| {
        writer.text.clear();
        writer.text.extend_from_slice(mark.as_bytes());
        writer.time(ended);
        writer.fields(line);
        write(&writer.text)
    })
}

/// Returns a moment and its time.
#[expect(clippy::disallowed_methods, reason = "lines have the time of the machine, as those of the subscriber do")]
fn look() -> (Instant, SystemTime) {
    // Another thread may have its turn between the two.
    let looks = || (Instant::now(), SystemTime::now());
    let mut tries = std::iter::repeat_with(looks).take(4);
    let exact = tries.find(|(moment, _)| moment.elapsed() < EXACT);
    exact.unwrap_or_else(looks)
}

impl LineWriter {
    /// Writes the time of a moment, which is now or just before.
    fn time(&mut self, moment: Instant) {
        let recent = self.looked.filter(|(looked, _)| moment.saturating_duration_since(*looked) < RECENT);
        let (looked, time) = recent.unwrap_or_else(look);
        self.looked = Some((looked, time));
        let time = time + moment.saturating_duration_since(looked);
        let since_1970 = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        if since_1970.as_secs() != self.second || self.date.is_empty() {
            self.second = since_1970.as_secs();
            let second = i64::try_from(self.second).ok().and_then(|second| Timestamp::from_second(second).ok());
            self.date.clear();
            write!(self.date, "{}", second.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S.")).expect(GROWS);
        }
        self.text.extend_from_slice(b"{\"timestamp\":\"");
        self.text.extend_from_slice(&self.date);
        self.digits::<6>(since_1970.subsec_micros().into());
    }

    fn fields(&mut self, line: &AccessLine<'_>) {
        self.text.extend_from_slice(b"Z\",\"level\":\"INFO\",\"method\":\"");
        // The first three are texts of this program, and need no escapes.
        self.text.extend_from_slice(line.method.as_bytes());
        self.text.extend_from_slice(b"\",\"route\":\"");
        self.text.extend_from_slice(line.route.as_bytes());
        self.text.extend_from_slice(b"\",\"status\":");
        self.number(line.status.into());
        self.text.extend_from_slice(b",\"bytes\":");
        self.number(line.bytes);
        self.text.extend_from_slice(b",\"ms\":");
        self.millis(line.took);
        self.text.extend_from_slice(b",\"wait_ms\":");
        self.millis(line.waited);
        self.text.extend_from_slice(b",\"database_ms\":");
        self.millis(line.ran);
        self.text.extend_from_slice(b",\"id\":\"");
        self.text.extend_from_slice(line.id.as_bytes());
        self.text.extend_from_slice(b"\",\"tenant\":\"");
        self.name(line.tenant);
        self.text.push(b'"');
        if let Some(key) = line.key {
            self.text.extend_from_slice(if key < 0 { b",\"key\":-" } else { b",\"key\":" });
            self.number(key.unsigned_abs());
        }
        if let Some(address) = line.address {
            self.text.extend_from_slice(b",\"address\":\"");
            self.address(address);
            self.text.push(b'"');
        }
        self.text.extend_from_slice(b",\"target\":\"request\"}\n");
    }

    /// Writes a name. Few of these have a letter that JSON escapes.
    fn name(&mut self, text: &str) {
        if text.bytes().any(|letter| letter < b' ' || letter == b'"' || letter == b'\\') {
            let quoted = serde_json::to_vec(text).expect(GROWS);
            self.text.extend_from_slice(&quoted[1..quoted.len() - 1]);
        } else {
            self.text.extend_from_slice(text.as_bytes());
        }
    }

    /// Writes milliseconds, exact to the microsecond, without zeros at the end but for the first digit.
    fn millis(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.number(micros / 1_000);
        self.text.push(b'.');
        match micros % 1_000 {
            hundreds if hundreds % 100 == 0 => self.digits::<1>(hundreds / 100),
            tens if tens % 10 == 0 => self.digits::<2>(tens / 10),
            all => self.digits::<3>(all),
        }
    }

    fn address(&mut self, address: IpAddr) {
        match address {
            IpAddr::V4(address) => {
                for (place, octet) in address.octets().into_iter().enumerate() {
                    if place > 0 {
                        self.text.push(b'.');
                    }
                    self.number(octet.into());
                }
            }
            IpAddr::V6(_) => write!(self.text, "{address}").expect(GROWS),
        }
    }

    fn number(&mut self, number: u64) {
        match number {
            0..10 => self.digits::<1>(number),
            10..100 => self.digits::<2>(number),
            100..1_000 => self.digits::<3>(number),
            1_000..10_000 => self.digits::<4>(number),
            _ => write!(self.text, "{number}").expect(GROWS),
        }
    }

    /// Writes the last digits of a number, so many of them.
    fn digits<const COUNT: usize>(&mut self, mut number: u64) {
        let mut digits = [b'0'; COUNT];
        for digit in digits.iter_mut().rev() {
            *digit += (number % 10) as u8;
            number /= 10;
        }
        self.text.extend_from_slice(&digits);
    }
}

const GROWS: &str = "a vector takes what is written";

#[cfg(test)]
mod tests {
    use super::{AccessLine, look, with_line};
    use jiff::Timestamp;
    use serde_json::Value as Json;
    use std::net::IpAddr;
    use std::time::{Duration, Instant};

    fn line() -> AccessLine<'static> {
        AccessLine {
            method: "GET",
            route: "/a/{b}",
            status: 200,
            bytes: 0,
            took: Duration::ZERO,
            waited: Duration::ZERO,
            ran: Duration::ZERO,
            id: "0b8f3c0a9d5e7f12",
            tenant: "",
            key: None,
            address: None,
        }
    }

    fn text(line: &AccessLine<'_>) -> String {
        with_line(line, Instant::now(), "", |text| String::from_utf8(text.to_vec()).unwrap())
    }

    #[test]
    fn a_line_is_what_the_subscriber_would_write() {
        let plain = text(&line());
        let expected = r#"Z","level":"INFO","method":"GET","route":"/a/{b}","status":200,"bytes":0,"ms":0.0,"wait_ms":0.0,"database_ms":0.0,"id":"0b8f3c0a9d5e7f12","tenant":"","target":"request"}"#;
        assert_eq!(&plain["{\"timestamp\":\"2026-11-29T02:01:07.120123".len()..], format!("{expected}\n"));
        for tenant in ["acme", "a\"b\\c\n\u{1}", "é😀"] {
            let parsed: Json = serde_json::from_str(&text(&AccessLine { tenant, ..line() })).unwrap();
            assert_eq!(parsed["tenant"], tenant);
        }
        for key in [0, 7, -3, i64::MAX, i64::MIN] {
            let parsed: Json = serde_json::from_str(&text(&AccessLine { key: Some(key), ..line() })).unwrap();
            assert_eq!(parsed["key"], key);
        }
        for address in ["192.0.2.0", "0.0.0.0", "255.1.20.3", "2001:db8:1::", "::ffff:1.2.3.4"] {
            let address: IpAddr = address.parse().unwrap();
            let parsed: Json = serde_json::from_str(&text(&AccessLine { address: Some(address), ..line() })).unwrap();
            assert_eq!(parsed["address"], address.to_string());
        }
    }

    #[test]
    fn a_mark_stands_before_all() {
        let marked = with_line(&line(), Instant::now(), "<6>", |text| String::from_utf8(text.to_vec()).unwrap());
        assert!(marked.starts_with("<6>{\"timestamp\":\"") && marked.matches('\n').count() == 1, "{marked}");
    }

    #[test]
    fn numbers_are_written_as_json_writes_them() {
        for micros in [0, 1, 9, 10, 11, 99, 100, 120, 123, 999, 1_000, 1_001, 2_500, 10_010, 123_456, 7_200_000_000] {
            let took = Duration::from_micros(micros);
            let written = text(&AccessLine { took, bytes: micros, ..line() });
            let ms = serde_json::to_string(&(micros as f64 / 1e3)).unwrap();
            let expected = format!("\"bytes\":{micros},\"ms\":{ms},");
            assert!(written.contains(&expected), "{expected}: {written}");
        }
        assert!(text(&AccessLine { bytes: u64::MAX, ..line() }).contains("\"bytes\":18446744073709551615,"));
    }

    fn now() -> Timestamp {
        Timestamp::try_from(look().1).unwrap()
    }

    #[test]
    fn the_time_is_that_of_the_end() {
        let mut last = Timestamp::UNIX_EPOCH;
        for _ in 0..50 {
            let before = now();
            let parsed: Json = serde_json::from_str(&text(&line())).unwrap();
            let time: Timestamp = parsed["timestamp"].as_str().unwrap().parse().unwrap();
            let slack = Duration::from_millis(1);
            assert!(time >= last - slack && time >= before - slack && time <= now() + slack, "{time}");
            last = time;
            std::thread::yield_now();
        }
    }
}
