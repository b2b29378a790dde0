//! The patterns of date texts. The longest match wins, the earlier rule where two are equally long.
//!
//! The grammar is that of PHP's timelib (MIT), as one automaton: a text is read in one pass.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::pool::Pool;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use std::sync::LazyLock;

/// The kind of a token; the order decides ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenRule {
    Yesterday,
    Now,
    Noon,
    Midnight,
    Tomorrow,
    Timestamp,
    TimestampFraction,
    EdgeOfMonth,
    AroundHour,
    WeekdayOf,
    TwelveHours,
    TwelveHoursFraction,
    TwentyFourHours,
    HoursMinutes,
    HoursMinutesSeconds,
    American,
    YearMonthDay,
    ShortYearMonthDay,
    LongYearMonthDay,
    YearMonth,
    LooseYearMonthDay,
    DayNameYear,
    DayMonthYearPoints,
    DayMonthShortYearPoints,
    NameYear,
    YearName,
    NameDay,
    DayName,
    Packed,
    DateAndTime,
    DayOfYear,
    WeekDay,
    Week,
    NameDayYearDashes,
    YearNameDayDashes,
    Log,
    Year,
    Ago,
    Weekday,
    WordWeek,
    Word,
    Month,
    Zone,
    NameDayTwelveHours,
    NameDayTime,
    Number,
    Skipped,
}

struct TokenAutomaton {
    dfa: DFA,
    caches: Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync>>,
    rules: Vec<TokenRule>,
}

static AUTOMATON: LazyLock<Option<TokenAutomaton>> = LazyLock::new(|| {
    let (rules, patterns): (Vec<TokenRule>, Vec<String>) = rules().into_iter().unzip();
    let nfa = thompson::NFA::compiler()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .configure(thompson::Config::new().utf8(false))
        .build_many(&patterns)
        .ok()?;
    let config = DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true);
    let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
    let maker = dfa.clone();
    let caches = Pool::new(Box::new(move || maker.create_cache()) as Box<dyn Fn() -> Cache + Send + Sync>);
    Some(TokenAutomaton { dfa, caches, rules })
});

/// Each token of a text with its rule, in order; ends with `None` where nothing fits.
pub(super) fn tokens(text: &[u8]) -> impl Iterator<Item = Option<(TokenRule, &[u8])>> {
    let mut automaton = AUTOMATON.as_ref().map(|automaton| (automaton, automaton.caches.get()));
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let token = automaton.as_mut().and_then(|(automaton, cache)| automaton.longest(cache, &text[at..]));
        at = token.map_or(text.len(), |(_, token)| at + token.len());
        Some(token)
    })
}

impl TokenAutomaton {
    /// The longest token at the beginning.
    fn longest<'t>(&self, cache: &mut Cache, text: &'t [u8]) -> Option<(TokenRule, &'t [u8])> {
        let input = Input::new(text).anchored(Anchored::Yes);
        let found = self.dfa.try_search_fwd(cache, &input).ok()??;
        let rule = *self.rules.get(found.pattern().as_usize())?;
        (found.offset() > 0).then(|| (rule, &text[..found.offset()]))
    }
}

const SPACE: &str = r"(?:[ \t]+|(?:\xC2\xA0)+|(?:\xE2\x80\xAF)+)";
const HOUR24: &str = "(?:[01]?[0-9]|2[0-4])";
const HOUR24_PADDED: &str = "(?:[01][0-9]|2[0-4])";
const HOUR12: &str = "(?:0?[1-9]|1[0-2])";
const MINUTE: &str = "(?:[0-5]?[0-9])";
const MINUTE_PADDED: &str = "(?:[0-5][0-9])";
const SECOND: &str = "(?:[0-5]?[0-9]|60)";
const SECOND_PADDED: &str = "(?:[0-5][0-9]|60)";
const MERIDIAN: &str = r"(?:[AaPp]\.?[Mm]\.?[\x00\t ])";
const ZONE: &str = r"(?:\(?[A-Za-z]{1,6}\)?|[A-Z][a-z]+(?:[_/-][A-Za-z]+)+)";
const MONTH: &str = "(?:0?[0-9]|1[0-2])";
const MONTH_PADDED: &str = "(?:0[0-9]|1[0-2])";
const DAY: &str = "(?:(?:[0-2]?[0-9]|3[01])(?:st|nd|rd|th)?)";
const DAY_PADDED: &str = "(?:0[0-9]|[1-2][0-9]|3[01])";
const YEAR: &str = "[0-9]{1,4}";
const YEAR4: &str = "[0-9]{4}";
const DAY_FULL: &str = "(?i:sunday|monday|tuesday|wednesday|thursday|friday|saturday)";
const DAY_SHORT: &str = "(?i:sun|mon|tue|wed|thu|fri|sat)";
const MONTH_FULL: &str = "(?i:january|february|march|april|may|june|july|august|september|october|november|december)";
const MONTH_SHORT: &str = "(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)";
const ORDINAL: &str = "(?i:first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth)";
const DIRECTION: &str = "(?i:next|last|previous|this)";

/// All rules in order.
fn rules() -> Vec<(TokenRule, String)> {
    let mut rules = words();
    rules.extend(times());
    rules.extend(dates());
    rules.extend(mixed());
    rules.extend(rest());
    rules
}

fn words() -> Vec<(TokenRule, String)> {
    let twelve = format!("(?:{SPACE}?{MERIDIAN})?");
    vec![
        (TokenRule::Yesterday, "(?i:yesterday)".into()),
        (TokenRule::Now, "(?i:now)".into()),
        (TokenRule::Noon, "(?i:noon)".into()),
        (TokenRule::Midnight, "(?i:midnight|today)".into()),
        (TokenRule::Tomorrow, "(?i:tomorrow)".into()),
        (TokenRule::Timestamp, "@-?[0-9]+".into()),
        (TokenRule::TimestampFraction, r"@-?[0-9]+\.[0-9]{0,6}".into()),
        (TokenRule::EdgeOfMonth, "(?i:first day of|last day of)".into()),
        (TokenRule::AroundHour, format!("(?i:back of |front of ){HOUR24}{twelve}")),
        (
            TokenRule::WeekdayOf,
            format!("(?:{ORDINAL}|{DIRECTION}){SPACE}(?:{DAY_FULL}(?i:s)?|{DAY_SHORT}){SPACE}(?i:of)"),
        ),
    ]
}

fn times() -> Vec<(TokenRule, String)> {
    vec![
        (
            TokenRule::TwelveHours,
            format!("{HOUR12}(?:[:.]{MINUTE_PADDED}|[:.]{MINUTE}[:.]{SECOND_PADDED})?{SPACE}?{MERIDIAN}"),
        ),
        (TokenRule::TwelveHoursFraction, format!("{HOUR12}:{MINUTE_PADDED}:{SECOND_PADDED}[:.][0-9]+{MERIDIAN}")),
        (
            TokenRule::TwentyFourHours,
            format!(r"(?i:t){HOUR24}|(?i:t)?{HOUR24}[:.]{MINUTE}(?:[:.]{SECOND}(?:\.[0-9]+)?)?"),
        ),
        (TokenRule::HoursMinutes, format!("(?i:t)?{HOUR24_PADDED}{MINUTE_PADDED}")),
        (TokenRule::HoursMinutesSeconds, format!("(?i:t)?{HOUR24_PADDED}{MINUTE_PADDED}{SECOND_PADDED}")),
    ]
}

fn dates() -> Vec<(TokenRule, String)> {
    let name = month_name();
    let padded = format!("{MONTH_PADDED}-{DAY_PADDED}");
    vec![
        (TokenRule::American, format!("{MONTH}/{DAY}(?:/{YEAR})?")),
        (
            TokenRule::YearMonthDay,
            format!("[+-]?{YEAR4}-{padded}|{YEAR4}/{MONTH_PADDED}/{DAY_PADDED}/?|{YEAR4}/{MONTH}/{DAY}"),
        ),
        (TokenRule::ShortYearMonthDay, format!("[0-9]{{2}}-{padded}")),
        (TokenRule::LongYearMonthDay, format!("[+-][0-9]{{5,19}}-{padded}")),
        (TokenRule::YearMonth, format!("{YEAR4}-{MONTH}")),
        (TokenRule::LooseYearMonthDay, format!("{YEAR}-{MONTH}-{DAY}")),
        (TokenRule::DayNameYear, format!(r"{DAY}[ \t.-]*{name}[ \t.-]*{YEAR}")),
        (TokenRule::DayMonthYearPoints, format!(r"{DAY}[.\t-]{MONTH}[.-]{YEAR4}")),
        (TokenRule::DayMonthShortYearPoints, format!(r"{DAY}[.\t]{MONTH}\.[0-9]{{2}}")),
        (TokenRule::NameYear, format!(r"{name}[ .\t-]*{YEAR4}")),
        (TokenRule::YearName, format!(r"{YEAR4}[ .\t-]*{name}")),
        (TokenRule::NameDay, format!(r"{name}[ .\t-]*{DAY}[,.stndrh\t ]+{YEAR}|{}", name_day())),
        (TokenRule::DayName, format!(r"{DAY}[ .\t-]*{name}")),
        (TokenRule::Packed, format!("{YEAR4}{MONTH_PADDED}{DAY_PADDED}")),
    ]
}

fn mixed() -> Vec<(TokenRule, String)> {
    let zone = offset();
    let clock = format!("{HOUR24_PADDED}:{MINUTE_PADDED}:{SECOND_PADDED}");
    let day_of_year = "(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])";
    let week = "(?:0[1-9]|[1-4][0-9]|5[0-3])";
    let packed = format!("{YEAR4}{MONTH_PADDED}{DAY_PADDED}");
    let date_and_time = [
        format!("{packed}T{HOUR24}:{MINUTE_PADDED}:{SECOND_PADDED}"),
        format!("{packed}[tT]{HOUR24}{MINUTE_PADDED}{SECOND_PADDED}"),
        format!(r"{YEAR4}-{MONTH_PADDED}-{DAY_PADDED}T{clock}\.[0-9]+(?:{zone})?"),
        format!("{YEAR4}-{MONTH}-{DAY}T{HOUR24}:{MINUTE}:{SECOND}"),
        format!("{YEAR4}:{MONTH_PADDED}:{DAY_PADDED} {clock}"),
    ];
    vec![
        (TokenRule::DateAndTime, date_and_time.join("|")),
        (TokenRule::DayOfYear, format!("{YEAR4}[.-]?{day_of_year}")),
        (TokenRule::WeekDay, format!("{YEAR4}-?W{week}-?[0-7]")),
        (TokenRule::Week, format!("{YEAR4}-?W{week}")),
        (TokenRule::NameDayYearDashes, format!("{MONTH_SHORT}-{DAY_PADDED}-{YEAR}")),
        (TokenRule::YearNameDayDashes, format!("{YEAR}-{MONTH_SHORT}-{DAY_PADDED}")),
        (TokenRule::Log, format!("{DAY}/{MONTH_SHORT}/{YEAR4}:{clock}{SPACE}{zone}")),
        (TokenRule::Year, YEAR4.into()),
    ]
}

fn rest() -> Vec<(TokenRule, String)> {
    let day = format!("(?:{DAY_FULL}(?i:s)?|{DAY_SHORT}|(?i:weekdays?))");
    let unit = format!(
        r"(?:(?i:ms|\xC2\xB5s|(?:msec|millisecond|\xC2\xB5sec|microsecond|usec|sec|second|min|minute|hour|day|fortnight|forthnight|month|year)s?|weeks)|{day})"
    );
    let (name_day, zone) = (name_day(), offset());
    let minutes = format!("{HOUR24}[:.]{MINUTE}");
    // With a zone the seconds have two digits.
    let zoned = format!("(?i:t)?{minutes}[:.]{SECOND_PADDED}{SPACE}?(?:{zone}|{ZONE})");
    let plain = format!("(?i:t)?{minutes}(?:[:.]{SECOND})?");
    vec![
        (TokenRule::Ago, "(?i:ago)".into()),
        (TokenRule::Weekday, day),
        (TokenRule::WordWeek, format!("{DIRECTION}{SPACE}(?i:week)")),
        (TokenRule::Word, format!("(?:{ORDINAL}|{DIRECTION}){SPACE}{unit}")),
        (TokenRule::Month, format!("{MONTH_FULL}|{MONTH_SHORT}")),
        (TokenRule::Zone, format!("{zone}|{ZONE}")),
        (
            TokenRule::NameDayTwelveHours,
            format!("(?:{name_day}){HOUR12}[:.](?:{MINUTE_PADDED}|{MINUTE}[:.]{SECOND_PADDED}){SPACE}?{MERIDIAN}"),
        ),
        (TokenRule::NameDayTime, format!("(?:{name_day})(?:{plain}|{zoned})")),
        (TokenRule::Number, format!(r"[+-]*[ \t]*[0-9]{{1,13}}{SPACE}?(?:{unit}|(?i:week))")),
        (TokenRule::Skipped, format!(r"[.,\x00\n]|{SPACE}")),
    ]
}

fn month_name() -> String {
    format!("(?:{MONTH_FULL}|{MONTH_SHORT}|I|II|III|IV|V|VI|VII|VIII|IX|X|XI|XII)")
}

/// A month's name and a day, with what must follow it.
fn name_day() -> String {
    format!(r"{}[ .\t-]*{DAY}(?:[,.stndrh\t ]+|\x00)", month_name())
}

fn offset() -> String {
    format!(
        "(?:(?:GMT)?[+-](?:{HOUR24}(?::?{MINUTE})?|{HOUR24_PADDED}{MINUTE_PADDED}{SECOND_PADDED}|{HOUR24_PADDED}:{MINUTE_PADDED}:{SECOND_PADDED}))"
    )
}
