//! Datetimes in zones.

use super::{kind, pass, zone};
use spec::spec;

/// Passes the input through `pDateTime` in the zone.
fn check(zone_name: &str, input: &str, expected: &str) {
    let given = pass(&*kind("pDateTime", "{}"), &serde_json::Value::from(input).to_string(), &zone(zone_name));
    let given = given.trim_matches('"');
    assert_eq!(given.split(": ").next(), Some(expected), "{input} in {zone_name} gave {given}");
}

#[spec(plain, "R-046")]
fn naive_ones_are_read_in_the_display_zone() {
    check("Europe/Prague", "2026-11-20 14:30:00", "2026-11-20T14:30:00+01:00");
    check("Europe/Prague", "2026-07-20T14:30", "2026-07-20T14:30:00+02:00");
    check("Asia/Kathmandu", "2026-07-20 14:30:00.250", "2026-07-20T14:30:00.250+05:45");
    check("America/St_Johns", "2026-01-20", "2026-01-20T00:00:00-03:30");
    check("UTC", "2026-07-20 14:30:00", "2026-07-20T14:30:00+00:00");
}

#[spec(plain, "R-045", "R-048", "R-049")]
fn others_keep_their_instant() {
    check("Europe/Prague", "2026-11-20T14:30:00Z", "2026-11-20T15:30:00+01:00");
    check("Europe/Prague", "2026-11-20t14:30:00.007z", "2026-11-20T15:30:00.007+01:00");
    check("America/New_York", "2026-11-20T00:30:00+01:00", "2026-11-19T18:30:00-05:00");
    check("UTC", "2026-11-20 14:30:00 -0530", "2026-11-20T20:00:00+00:00");
    check("UTC", "2026-11-20 14:30:00+02", "2026-11-20T12:30:00+00:00");
    check("UTC", "2026-11-20T14:30:00.123456789Z", "2026-11-20T14:30:00.123+00:00");
}

#[test]
fn a_gap_moves_forward_and_an_overlap_is_the_first() {
    check("Europe/Prague", "2026-03-29 02:30:00", "2026-03-29T03:30:00+02:00");
    check("Europe/Prague", "2026-10-25 02:30:00", "2026-10-25T02:30:00+02:00");
    check("America/New_York", "2026-03-08 02:30:00", "2026-03-08T03:30:00-04:00");
    check("America/New_York", "2026-11-01 01:30:00", "2026-11-01T01:30:00-04:00");
    // The second one can be told by its offset.
    check("Europe/Prague", "2026-10-25T02:30:00+01:00", "2026-10-25T02:30:00+01:00");
    // Samoa had no 30 December 2011.
    check("Pacific/Apia", "2011-12-30 12:00:00", "2011-12-31T12:00:00+14:00");
    // Lord Howe's summer is half an hour.
    check("Australia/Lord_Howe", "2026-10-04 02:15:00", "2026-10-04T02:45:00+11:00");
}

#[test]
fn the_ends_of_time() {
    check("UTC", "0001-01-01 00:00:00", "0001-01-01T00:00:00+00:00");
    check("UTC", "9999-12-31 23:59:59.999", "9999-12-31T23:59:59.999+00:00");
    check("America/New_York", "9999-12-31 12:00:00", "9999-12-31T12:00:00-05:00");
    check("UTC", "0000-12-31 00:00:00", "not_datetime");
    check("UTC", "9999-12-31T23:59:59-00:01", "out_of_range");
    check("UTC", "0001-01-01T00:00:00+00:01", "out_of_range");
    // The local year would be 10000.
    check("Europe/Prague", "9999-12-31T23:30:00Z", "9999-12-31T23:30:00+00:00");
    // Local mean time in Prague was 57 minutes and 44 seconds ahead; the instant is kept exactly.
    check("Europe/Prague", "1800-01-01T00:00:00Z", "1800-01-01T00:57:00+00:57");
    check("UTC", "1969-12-31 23:59:59.999", "1969-12-31T23:59:59.999+00:00");
}

#[test]
fn what_is_none_is_refused() {
    for input in [
        "",
        "now",
        "2026-11-20T",
        "2026-11-20T14",
        "2026-11-20T24:00:00",
        "2026-11-20T14:60",
        "2026-11-20T14:30:60",
        "2026-02-30 10:00:00",
        "2026-11-20T14:30:00+24:00",
        "2026-11-20T14:30:00+01:60",
        "2026-11-20T14:30:00.",
        "2026-11-20T14:30:00 ",
        "2026-11-20T14:30:00ZZ",
        "2026-11-20T14:30:00Z\u{0}",
        "20.11.2026 14:30",
        "2026-11-20T14:30:00[Europe/Prague]",
        "+2026-11-20T14:30:00Z",
        "２０２６-11-20T14:30:00Z",
        "2026-11-20T14:30:00.1234567890Z",
        "1763650000",
    ] {
        check("Europe/Prague", input, "not_datetime");
    }
}
