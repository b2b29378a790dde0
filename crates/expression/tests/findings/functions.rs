//! The table "Functions and null", row by row: an argument that may be null, and its finding.

use crate::place::check;

#[test]
fn null_is_taken_where_it_is_empty() {
    // Rows 1 to 36 without 18 to 24, whose results tell.
    check(&[
        ("upper(no_name) ~ lower(no_name) ~ firstUpper(no_name) ~ firstLower(no_name) ~ trim(no_name)", ""),
        ("removeHtmlTags(no_name) ~ firstNChars(no_name, 2) ~ lastNChars(no_name, 2)", ""),
        ("join(no_name, labels)", ""),
        ("base64_encode(no_name) ~ base64_decode(no_name) ~ toString(no_name)", ""),
        ("startsWith(no_name, 'a') and endsWith(no_name, 'a') and contains(no_name, 'a')", ""),
        ("compareDates(no_due, '>', due)", ""),
        ("toBool(no_name) and toInt(no_count) == toFloat(no_count)", ""),
        ("length(toArray(no_name)) + length(no_name) + length(map(no_labels))", ""),
        ("if(no_settled, 1, 2)", ""),
        ("merge(no_address)", ""),
        ("toApiArray(no_photo)", ""),
        ("formatDate(no_due, 'd.m.Y')", ""),
    ]);
}

#[test]
fn null_passes() {
    check(&[
        ("webalize(toUtc(no_created))", "error null_argument `toUtc(no_created)`"),
        ("webalize(toUtc(created))", ""),
        ("webalize(fromUtc(no_created))", "error null_argument `fromUtc(no_created)`"),
        ("date('Y', strtotime(no_due))", "error null_is_present `strtotime(no_due)`"),
        ("date('Y', strtotime(due))", ""),
        ("dateDiff(issued, no_due).days + 1", "warning may_be_empty `dateDiff(issued, no_due).days`"),
        ("resource('company', no_count)", ""),
        ("arrayGetKey(no_labels, 1)", ""),
        ("randomFromList(no_labels)", ""),
        ("hasChanged(trigger('changes'), 'status')", ""),
    ]);
}

#[test]
fn null_is_the_context_or_the_present() {
    check(&[
        ("getTitle(no_company)", "error null_is_context `no_company`"),
        ("export(no_company)", "error null_is_context `no_company`"),
        ("objectShowLink(no_company)", "error null_is_context `no_company`"),
        ("objectEditLink(null)", "error null_is_context `null`"),
        ("no_company.objectShowLink()", "error null_is_context `no_company`"),
        ("objectShowLink()", ""),
        ("no_company != null ? objectShowLink(no_company) : ''", ""),
        ("date('Y', no_due)", "error null_is_present `no_due`"),
        ("strtotime('+1 day', no_count)", "error null_is_present `no_count`"),
        ("compareDates(due, '>', no_due)", "error null_is_present `no_due`"),
    ]);
}

#[test]
fn null_is_alike_or_loose() {
    check(&[
        ("md5(no_name)", "warning empty_alike `no_name`"),
        ("sha1(no_name)", "warning empty_alike `no_name`"),
        ("sha256(no_name)", "warning empty_alike `no_name`"),
        ("explode(',', no_name)", "warning empty_alike `no_name`"),
        ("fileFromData(no_name, 'a')", "warning empty_alike `no_name`"),
        ("in_array(no_name, labels)", "warning empty_equals `no_name`"),
        ("contains(labels, no_name)", "warning empty_equals `no_name`"),
        ("md5(name)", ""),
    ]);
}

#[test]
fn null_is_refused() {
    check(&[
        ("startsWith(name, no_name)", "error null_argument `no_name`"),
        ("endsWith(name, no_name)", "error null_argument `no_name`"),
        ("contains(name, no_name)", "error null_argument `no_name`"),
        ("firstNChars(name, no_count)", "error null_argument `no_count`"),
        ("lastNChars(name, no_count)", "error null_argument `no_count`"),
        ("range(no_count, 5)", "error null_argument `no_count`"),
        ("range(1, no_count)", "error null_argument `no_count`"),
        ("range(1, 5, no_count)", "error null_argument `no_count`"),
        ("webalize(no_name)", "error null_argument `no_name`"),
        ("no_name.webalize()", "error null_argument `no_name`"),
        ("company.no_name.webalize()", "error null_argument `company.no_name`"),
        ("jsonDecode(no_name)", "error null_argument `no_name`"),
        ("random(no_count)", "error null_argument `no_count`"),
        ("arrayKeys(no_labels)", "error null_argument `no_labels`"),
        ("join(',', no_labels)", "error null_argument `no_labels`"),
        ("concat(no_labels)", "error null_argument `no_labels`"),
        ("in_array(name, no_labels)", "error null_argument `no_labels`"),
        ("arrayValues(no_labels)", "error null_argument `no_labels`"),
        ("arrayFirstValue(no_labels)", "error null_argument `no_labels`"),
        ("arrayLastValue(no_labels)", "error null_argument `no_labels`"),
        ("arrayShift(no_labels)", "error null_argument `no_labels`"),
        ("arrayPop(no_labels)", "error null_argument `no_labels`"),
        ("arrayShiftGetArray(no_labels)", "error null_argument `no_labels`"),
        ("arrayPopGetArray(no_labels)", "error null_argument `no_labels`"),
        ("arrayPush(no_labels, 1)", "error null_argument `no_labels`"),
        ("arrayUnshift(no_labels, 1)", "error null_argument `no_labels`"),
        ("object(no_address)", "error null_argument `no_address`"),
        ("objectRaw(no_labels)", "error null_argument `no_labels`"),
        ("explode(no_name, name)", "error null_argument `no_name`"),
    ]);
}

#[test]
fn arguments_are_of_kinds_that_serve() {
    check(&[
        ("arrayKeys(address)", "error wrong_argument `address`"),
        ("arrayKeys(toArray(address))", ""),
        ("upper(address)", "error wrong_argument `address`"),
        ("upper(count)", ""),
        ("upper(due)", ""),
        ("firstNChars(name, number)", "error wrong_argument `number`"),
        ("firstNChars(name, due)", "error wrong_argument `due`"),
        ("formatDate(labels, 'Y')", "error wrong_argument `labels`"),
        ("dateDiff(settled, due)", "error wrong_argument `settled`"),
        ("strtotime('+1 day', due)", "error wrong_argument `due`"),
        ("strtotime('+1 day', created)", ""),
        ("toInt(name)", "warning number_in_text `name`"),
        ("toFloat(name)", "warning number_in_text `name`"),
        ("toInt(lastNChars(number, 4))", ""),
        ("toInt('12')", ""),
        ("formatDate(due, 'd.m.Y')", ""),
        ("formatDate(due, '%d')", "error wrong_format `'%d'`"),
        ("date('YYYY')", "error wrong_format `'YYYY'`"),
        ("map(labels, 'webalize()')", ""),
        ("map(lines, 'no_name.webalize()')", "error null_argument `no_name`"),
        ("map(lines, 'name' ~ '.webalize().upper()')", ""),
    ]);
}
