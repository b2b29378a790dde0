//! One expression, compiled for one engine: its result, and how long many evaluations take.

use serde_json::Value as Json;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// An expression that is ready to be evaluated.
pub struct Case {
    /// What it gives.
    pub result: Json,
    /// Evaluates so many times.
    pub time: Box<dyn FnMut(u64) -> Duration>,
}

impl Case {
    /// Of what evaluates once, and what shows its result.
    pub fn of<T>(mut evaluate: impl FnMut() -> T + 'static, show: impl Fn(T) -> Json) -> Self {
        let result = show(evaluate());
        let time = move |count| {
            let start = Instant::now();
            for _ in 0..count {
                // By reference: what is made need not be moved.
                black_box(&evaluate());
            }
            start.elapsed()
        };
        Case { result, time: Box::new(time) }
    }

    /// Nanoseconds of one evaluation, over about that long.
    pub fn measure(&mut self, length: Duration) -> f64 {
        let mut count = 1;
        loop {
            let taken = (self.time)(count);
            if taken * 4 >= length {
                return taken.as_nanos() as f64 / count as f64;
            }
            count = if taken < length / 64 { count * 8 } else { count * 2 };
        }
    }
}

/// Results are equal whatever the engine's numbers are; an engine's undefined is null.
pub fn comparable(json: &Json) -> Json {
    match json {
        Json::Number(number) => number.as_f64().map_or(Json::Null, Json::from),
        Json::String(text) => text.parse::<f64>().map_or_else(|_| json.clone(), Json::from),
        Json::Array(items) => items.iter().map(comparable).collect(),
        Json::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().map(|(name, value)| (name.clone(), comparable(value))).collect();
            sorted.sort_by(|left, right| left.0.cmp(&right.0));
            Json::Object(sorted.into_iter().collect())
        }
        other => other.clone(),
    }
}
