//! What each kind takes and refuses.

use super::{check, kind};
use spec::spec;

#[test]
fn texts() {
    check(
        "pString",
        "{}",
        &[
            (r#""Plzeň \"\\\n\u0001\u007f 🦀""#, "\"Plzeň \\\"\\\\\\n\\u0001\u{7f} 🦀\""),
            (r#""""#, r#""""#),
            (r#"" a ""#, r#"" a ""#),
            ("null", "null"),
            (r#""a\u0000b""#, "!text_nul"),
            ("1", "!not_text"),
            ("[]", "!not_text"),
            ("{}", "!not_text"),
            ("true", "!not_text"),
        ],
    );
    let long = format!("\"{}\"", "ř".repeat(255));
    check("pString", "{}", &[(&long, &long), (&long.replacen('ř', "řř", 1), "!too_long")]);
    check("pText", "{}", &[(&long.replacen('ř', "řř", 1), &long.replacen('ř', "řř", 1))]);
    check(
        "pString",
        r#"{"minLength": 2, "maxLength": 3, "trim": true}"#,
        &[(r#""  ab\t""#, r#""ab""#), (r#"" a ""#, "!too_short"), (r#""abcd""#, "!too_long")],
    );
    // The whole text must match, and a pattern cannot leave its anchors.
    check(
        "pString",
        r#"{"pattern": "[a-z]|[0-9]+"}"#,
        &[(r#""12""#, r#""12""#), (r#""a1""#, "!pattern_mismatch"), (r#""a\n""#, "!pattern_mismatch")],
    );
}

#[test]
fn numbers() {
    check(
        "pInteger",
        "{}",
        &[
            ("0", "0"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "!out_of_range"),
            ("-9223372036854775809", "!out_of_range"),
            ("2.0", "2"),
            ("1e3", "1000"),
            ("1.5", "!not_integer"),
            ("1e300", "!out_of_range"),
            ("1e18", "!not_exact"),
            ("-9007199254740994.0", "!not_exact"),
            ("1e19", "!out_of_range"),
            (r#""1""#, "!not_integer"),
            (r#""-9007199254740993""#, "-9007199254740993"),
            (r#""9223372036854775807""#, "9223372036854775807"),
            (r#""9223372036854775808""#, "!out_of_range"),
            (r#""-9223372036854775809""#, "!out_of_range"),
            ("true", "!not_integer"),
        ],
    );
    for other in ["01", "-0", "+1", " 1", "1.0", "1e3", "-", ""] {
        check("pInteger", "{}", &[(&format!("{other:?}"), "!not_integer")]);
    }
    check("pInteger", r#"{"min": 1, "max": 5}"#, &[("1", "1"), ("5", "5"), ("0", "!too_small"), ("6", "!too_large")]);
    check(
        "pFloat",
        "{}",
        &[
            ("1", "1.0"),
            ("-0.0", "0.0"),
            ("0.1", "0.1"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e308"),
            (r#""1""#, "!not_number"),
            (r#""NaN""#, "!not_number"),
        ],
    );
    check("pFloat", r#"{"min": -90, "max": 90}"#, &[("90.0", "90.0"), ("-90.5", "!too_small"), ("91", "!too_large")]);
}

#[test]
fn decimals() {
    check(
        "pDecimal",
        r#"{"scale": 2}"#,
        &[
            ("12.5", "12.50"),
            ("0.1", "0.10"),
            ("-0.01", "-0.01"),
            ("-0", "0.00"),
            ("3", "3.00"),
            ("1e2", "100.00"),
            ("1.005", "!too_many_places"),
            (r#""1.500""#, "1.50"),
            (r#""1.501""#, "!too_many_places"),
            (r#""9999999999999999.99""#, "9999999999999999.99"),
            (r#""-9999999999999999.99""#, "-9999999999999999.99"),
            (r#""10000000000000000""#, "!out_of_range"),
            (r#""99999999999999999999""#, "!out_of_range"),
            ("99999999999999.99", "!too_many_digits"),
            ("9999999999999.99", "9999999999999.99"),
            ("1e300", "!out_of_range"),
            (r#""1e2""#, "!not_decimal"),
            (r#""1,5""#, "!not_decimal"),
            (r#"".5""#, "!not_decimal"),
            (r#""5.""#, "!not_decimal"),
            (r#""--5""#, "!not_decimal"),
            (r#""+5""#, "!not_decimal"),
            (r#""""#, "!not_decimal"),
            (r#"" 5""#, "!not_decimal"),
            ("true", "!not_decimal"),
        ],
    );
    check(
        "pDecimal",
        r#"{"precision": 3, "scale": 0}"#,
        &[("999", "999"), ("1000", "!out_of_range"), ("0.5", "!too_many_places")],
    );
    check("pDecimal", r#"{"precision": 18, "scale": 18}"#, &[(r#""0.000000000000000001""#, "0.000000000000000001")]);
    check(
        "pDecimal",
        r#"{"scale": 2, "min": 0, "max": "99.50"}"#,
        &[("-0.01", "!too_small"), ("99.5", "99.50"), ("99.51", "!too_large")],
    );
}

#[test]
fn booleans() {
    check(
        "pBoolean",
        "{}",
        &[
            ("true", "true"),
            ("false", "false"),
            ("1", "true"),
            ("0", "false"),
            ("2", "!not_boolean"),
            (r#""true""#, "!not_boolean"),
        ],
    );
}

#[spec(plain, "R-051")]
fn days_months_and_times() {
    check(
        "pDate",
        "{}",
        &[
            (r#""2024-02-29""#, r#""2024-02-29""#),
            (r#""0001-01-01""#, r#""0001-01-01""#),
            (r#""9999-12-31""#, r#""9999-12-31""#),
            // Time and offset are dropped, never applied (R-051).
            (r#""2024-05-06T23:30:00-11:00""#, r#""2024-05-06""#),
            (r#""2024-05-06 00:15""#, r#""2024-05-06""#),
            (r#""2024-05-06T00:00:00.000Z""#, r#""2024-05-06""#),
            (r#""2024-05-06Z""#, r#""2024-05-06""#),
            (r#""2023-02-29""#, "!not_date"),
            (r#""2024-13-01""#, "!not_date"),
            (r#""2024-00-10""#, "!not_date"),
            (r#""0000-01-01""#, "!not_date"),
            (r#""2024-1-1""#, "!not_date"),
            (r#""2024-05""#, "!not_date"),
            (r#""2024-05-06x""#, "!not_date"),
            (r#""2024-05-06T<script>""#, "!not_date"),
            (r#""99999-01-01""#, "!not_date"),
            (r#""２０２４-05-06""#, "!not_date"),
            ("20240506", "!not_date"),
        ],
    );
    check(
        "pMonth",
        "{}",
        &[
            (r#""2024-02""#, r#""2024-02""#),
            (r#""2024-02-29""#, r#""2024-02""#),
            (r#""2024-12-31T23:59:59-12:00""#, r#""2024-12""#),
            (r#""2024-02-30""#, "!not_month"),
            (r#""2024-13""#, "!not_month"),
            (r#""2024""#, "!not_month"),
            (r#""2024-02-30T10:00Z""#, "!not_month"),
            (r#""2024-02x""#, "!not_month"),
            (r#""2024-02-x""#, "!not_month"),
            (r#""2024-02T10:00""#, r#""2024-02""#),
            (r#""2024-02Z""#, r#""2024-02""#),
            (r#""2024-02+02:00""#, r#""2024-02""#),
            (r#""2024-02-11:00""#, r#""2024-02""#),
            (r#""2024-02-1100""#, r#""2024-02""#),
        ],
    );
    check(
        "pTime",
        "{}",
        &[
            (r#""23:59""#, r#""23:59:00""#),
            (r#""00:00:01""#, r#""00:00:01""#),
            (r#""24:00""#, "!not_time"),
            (r#""12:60""#, "!not_time"),
            (r#""9:30""#, "!not_time"),
            (r#""12:00:00Z""#, "!not_time"),
        ],
    );
}

#[test]
fn choices() {
    let options =
        r##"{"options": {"new": {"title": "New", "color": "#2a7"}, "paid": null, "old": {"archived": true}}}"##;
    check(
        "pEnum",
        options,
        &[
            (r#""new""#, r#""new""#),
            (r#""New""#, "!not_option"),
            (r#""""#, "!not_option"),
            (r#""old""#, "!option_archived"),
            ("0", "!not_text"),
        ],
    );
    check(
        "pEnums",
        options,
        &[
            (r#"["paid","new","paid"]"#, r#"["paid","new","paid"]"#),
            ("[]", "[]"),
            ("null", "[]"),
            (r#"["new",null]"#, "!null_member"),
            (r#"["new","old"]"#, "!option_archived"),
            (r#""new""#, "!not_array"),
        ],
    );
    check("pGroup", "{}", &[(r#""staff""#, r#""staff""#), (r#""nobody""#, "!not_group"), ("1", "!not_text")]);
}

#[test]
fn references() {
    let uuid = r#""019A9F4E-0000-7000-8000-0123456789AB""#;
    check(
        "pRelation",
        r#"{"type": "country"}"#,
        &[
            ("7", "7"),
            ("7.0", "7"),
            // A uuid waits for whoever knows the rows.
            (uuid, "null"),
            (r#""7""#, "!not_reference"),
            (r#""019a9f4e000070008000012345678900""#, "!not_reference"),
            ("7.5", "!not_reference"),
            (r#"{"id":7}"#, "!not_reference"),
        ],
    );
    check(
        "pRelations",
        r#"{"type": "city"}"#,
        &[("[3,1,2]", "[3,1,2]"), ("3", "!not_array"), ("[[3]]", "!not_reference")],
    );
    check("pUser", "{}", &[("1", "1"), (r#""admin""#, "!not_reference")]);
    check("uuid", "{}", &[(uuid, r#""019a9f4e-0000-7000-8000-0123456789ab""#), (r#""x""#, "!not_uuid")]);
    let relation = kind("pRelation", r#"{"type": "country", "onDelete": "setNull"}"#);
    assert_eq!(relation.relation().unwrap().type_id, 10);
    assert_eq!(relation.relation().unwrap().on_delete, model::kinds::OnDelete::SetNull);
}

#[test]
fn texts_of_a_form() {
    check(
        "pEmail",
        "{}",
        &[
            (r#"" Jan.Novak+x@Example.COM ""#, r#""Jan.Novak+x@example.com""#),
            (r#""a@b""#, "!not_email"),
            (r#""a@b..cz""#, "!not_email"),
            (r#"".a@b.cz""#, "!not_email"),
            (r#""a b@c.cz""#, "!not_email"),
            (r#""a@-b.cz""#, "!not_email"),
            (r#""a@b.cz\r\nBcc: c@d.cz""#, "!not_email"),
            (r#""@b.cz""#, "!not_email"),
        ],
    );
    check(
        "pUrl",
        "{}",
        &[
            (r#""https://example.com/a?b=c#d""#, r#""https://example.com/a?b=c#d""#),
            (r#""HTTP://example.com""#, r#""HTTP://example.com""#),
            (r#""javascript:alert(1)""#, "!not_url"),
            (r#""java\nscript://x""#, "!not_url"),
            (r#""https:/example.com""#, "!not_url"),
            (r#""https://exa\tmple.com""#, "!not_url"),
            (r#""https://""#, "!not_url"),
            (r#""//example.com""#, "!not_url"),
            (r#""ftp://example.com""#, "!not_url"),
            (r#""https://example.com/\"><b>""#, "!not_url"),
        ],
    );
    check(
        "pPhone",
        "{}",
        &[
            (r#""+420 601-234.567""#, r#""+420601234567""#),
            (r#""601234567""#, "!not_phone"),
            (r#""+0601234567""#, "!not_phone"),
            (r#""+1234567890123456""#, "!not_phone"),
            (r#""+42060123456x""#, "!not_phone"),
        ],
    );
    check(
        "pSlug",
        "{}",
        &[
            (r#""first-post-2""#, r#""first-post-2""#),
            (r#""First""#, "!not_slug"),
            (r#""a--b""#, "!not_slug"),
            (r#""-a""#, "!not_slug"),
            (r#""""#, "!not_slug"),
        ],
    );
    check(
        "pColor",
        "{}",
        &[
            (r##""#2A7""##, r##""#2a7""##),
            (r##""#22aa77ff""##, r##""#22aa77ff""##),
            (r##""#22aa7""##, "!not_color"),
            (r#""red""#, "!not_color"),
        ],
    );
    check("pLogin", "{}", &[(r#"" Jan@Example.com""#, r#""jan@example.com""#), (r#""a b""#, "!not_login")]);
}

#[test]
fn documents() {
    check(
        "pJson",
        "{}",
        &[
            (r#"{"b": [1, 2.5, null], "a": {"x": "é\n"}}"#, r#"{"b":[1,2.5,null],"a":{"x":"é\n"}}"#),
            ("[]", "[]"),
            ("false", "false"),
            (r#""text""#, r#""text""#),
            (r#"{"a": "\u0000"}"#, "!text_nul"),
            (r#"{"\u0000": 1}"#, "!text_nul"),
        ],
    );
}

#[test]
fn documents_of_a_schema() {
    let schema = r#"{"schema": {"type": "object", "required": ["size"], "additionalProperties": false, "properties": {
        "size": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10},
        "tags": {"type": "array", "maxItems": 2, "uniqueItems": true, "items": {"type": "string", "pattern": "^[a-z]+$"}},
        "unit": {"enum": ["m", "kg", null]},
        "note": {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 3}]}}}}"#;
    check(
        "pJson",
        schema,
        &[
            (
                r#"{"size":2.0,"tags":["a","b"],"unit":null,"note":"ěšč"}"#,
                r#"{"size":2.0,"tags":["a","b"],"unit":null,"note":"ěšč"}"#,
            ),
            ("[]", "!schema_mismatch"),
            ("{}", "!schema_mismatch"),
            (r#"{"size":0}"#, "!schema_mismatch"),
            (r#"{"size":10}"#, "!schema_mismatch"),
            (r#"{"size":1.5}"#, "!schema_mismatch"),
            (r#"{"size":1,"other":1}"#, "!schema_mismatch"),
            (r#"{"size":1,"tags":["a","b","c"]}"#, "!schema_mismatch"),
            (r#"{"size":1,"tags":["a","a"]}"#, "!schema_mismatch"),
            (r#"{"size":1,"tags":["A"]}"#, "!schema_mismatch"),
            (r#"{"size":1,"unit":"s"}"#, "!schema_mismatch"),
            (r#"{"size":1,"note":"long"}"#, "!schema_mismatch"),
        ],
    );
    let fault = super::pass(&*kind("pJson", schema), r#"{"size":1,"tags":["a","B"]}"#, &super::zone("UTC"));
    assert_eq!(fault, "schema_mismatch: must match the pattern ^[a-z]+$ at /tags/1");
}

#[test]
fn passwords_never_come_out() {
    check("pPassword", "{}", &[(r#""correct horse""#, "null"), (r#""short""#, "!too_short")]);
    assert!(kind("pPassword", "{}").concealed());
}

#[test]
fn numbers_of_a_pattern() {
    let kind = kind("pAutonumber", r#"{"pattern": "INV-{YYYY}/{MM}-{####}"}"#);
    let pattern = kind.autonumber().unwrap();
    let day = jiff::civil::date(2026, 3, 9);
    assert_eq!(pattern.format(day, 42), "INV-2026/03-0042");
    assert_eq!(pattern.format(day, 123_456), "INV-2026/03-123456");
    assert_eq!(pattern.period(day), "2026-03");
}
