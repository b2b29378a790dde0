//! Times expressions that are written to do harm, beside what they may take: `cargo run --release --bin hostile`. Fails
//! where one takes longer.

use expression::scope::AvailableProviders;
use expression::{HostProviders, Program, Providers, Run, RunLimits, Scope, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::process::ExitCode;
use std::time::{Duration, Instant};

// As in the binary of Plinth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often each is done; the fastest counts, since the machine does other work.
const ROUNDS: usize = 30;

const MIB: usize = 1024 * 1024;

/// The most bytes of a text that webalize has room for within the limits.
const SLUG: usize = 400_000;

struct Nothing;

impl Providers for Nothing {}

impl HostProviders for Nothing {}

/// Something hostile: each text is evaluated by itself, with `$value` set.
struct Attack {
    name: &'static str,
    texts: Vec<(String, Value)>,
    limits: RunLimits,
    /// The mistake that it ends with, or none.
    end: Option<&'static str>,
    may_take: Duration,
}

fn main() -> ExitCode {
    println!("| what is done | took | may take |");
    println!("| --- | --- | --- |");
    let mut all_in_time = true;
    for attack in attacks() {
        let took: Duration = attack.texts.iter().map(|(text, value)| fastest(&attack, text, value)).sum();
        println!("| {} | {:.1} ms | {} ms |", attack.name, took.as_secs_f64() * 1e3, attack.may_take.as_millis());
        all_in_time &= took < attack.may_take;
    }
    if all_in_time { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn attacks() -> Vec<Attack> {
    let mut attacks: Vec<Attack> = [
        ("60 doublings by `join`", "'x'", "join('', [$a, $a])"),
        ("60 doublings by `concat`", "'x'", "concat([$a, $a])"),
        ("60 doublings by `~`", "'x'", "$a ~ $a"),
        ("60 doublings by `merge`", "{b: 'x'}", "merge($a, {b: $a.b ~ $a.b})"),
        ("60 doublings by `merge` of arrays", "[1]", "merge($a, $a)"),
        ("60 doublings by `map`", "'x'", "join('', map([$a, $a], 'get()'))"),
    ]
    .map(|(name, start, step)| {
        let step = format!("setVar('a', {step})");
        Attack {
            name,
            texts: vec![(format!("[setVar('a', {start}), {}]", vec![step; 60].join(", ")), Value::Null)],
            limits: RunLimits::default(),
            end: Some("memory_spent"),
            may_take: Duration::from_millis(50),
        }
    })
    .into();
    let may_take = Duration::from_millis(100);
    let text = |function: &str, value: &str| (format!("length({function}($value))"), Value::text(value));
    let tags = |size: usize| vec![text("removeHtmlTags", &"<".repeat(size))];
    let ample = RunLimits { memory: usize::MAX, ..RunLimits::default() };
    let refused = Some("memory_spent");
    let unicode: String = ('\0'..=char::MAX).collect();
    let pieces = pieces(&unicode).into_iter().map(|piece| text("webalize", piece)).collect();
    let limits = RunLimits::default();
    attacks.extend([
        Attack { name: "removeHtmlTags, 3 MiB of `<`", texts: tags(3 * MIB), limits, end: None, may_take },
        Attack { name: "removeHtmlTags, 4 MiB of `<`, refused", texts: tags(4 * MIB), limits, end: refused, may_take },
        Attack {
            name: "removeHtmlTags, 4 MiB of `<`, with room",
            texts: tags(4 * MIB),
            limits: ample,
            end: None,
            may_take,
        },
        Attack { name: "webalize, all of Unicode in pieces", texts: pieces, limits, end: None, may_take },
        Attack {
            name: "webalize, all of Unicode in one text, refused",
            texts: vec![text("webalize", &unicode)],
            limits,
            end: refused,
            may_take,
        },
    ]);
    attacks
}

/// A text in pieces that there is room for.
fn pieces(mut text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let (piece, rest) = text.split_at(text.floor_char_boundary(SLUG));
        pieces.push(piece);
        text = rest;
    }
    pieces
}

/// The fastest of the rounds, in which the text is read, too.
fn fastest(attack: &Attack, text: &str, value: &Value) -> Duration {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        let end = once(text, value, attack.limits);
        let took = start.elapsed();
        assert_eq!(end, attack.end, "{}", attack.name);
        took
    });
    rounds.min().unwrap_or_default()
}

/// The mistake that an expression ends with.
fn once(text: &str, value: &Value, limits: RunLimits) -> Option<&'static str> {
    let program =
        Program::expression(text, &Scope::of(AvailableProviders::ALL)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &Nothing, &mut random, limits);
    run.variables.insert("value".to_string(), value.clone());
    program.evaluate(&mut run).err().map(|mistake| mistake.code)
}
