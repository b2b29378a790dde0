//! The articles: 100,000 rows that are the same in every run and for every server.

use crate::answer::Json;
use crate::random::Random;

/// A row of the table, without what the server gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Article {
    /// A short text.
    pub title: String,
    /// A text of 300 characters.
    pub body: String,
    /// One of [`STATUSES`].
    pub status: String,
    /// From 0 to 999,999.
    pub views: i64,
    /// Two decimal places.
    pub price: f64,
    /// Milliseconds since 1970-01-01T00:00:00Z, full seconds.
    pub published_at: i64,
    /// From 1 to 1,000.
    pub author: i64,
}

/// The values that `status` has, each in a fifth of the rows.
pub const STATUSES: [&str; 5] = ["draft", "review", "published", "archived", "deleted"];

const WORDS: [&str; 24] = [
    "river", "stone", "lamp", "window", "quiet", "market", "paper", "engine", "garden", "winter", "letter", "bridge",
    "copper", "island", "morning", "signal", "harbour", "thread", "mirror", "valley", "castle", "orchard", "of", "and",
];
const FIRST_SECOND: i64 = 1_577_836_800; // 2020-01-01
const FIVE_YEARS: i64 = 5 * 365 * 86_400;

/// The first `count` articles.
pub fn articles(count: usize) -> impl Iterator<Item = Article> {
    let mut random = Random::new(42);
    (1..=count).map(move |number| article(number as u64, &mut random))
}

/// An article with that number in its title, and the rest drawn from `random`.
pub fn article(number: u64, random: &mut Random) -> Article {
    Article {
        title: format!("Article {number} {}", text(24, random)),
        body: text(300, random),
        status: STATUSES[random.between(0, 5) as usize].to_owned(),
        views: random.between(0, 1_000_000),
        price: random.between(100, 100_000) as f64 / 100.0,
        published_at: (FIRST_SECOND + random.between(0, FIVE_YEARS)) * 1000,
        author: random.between(1, 1001),
    }
}

impl Article {
    /// Appends the article as the JSON object that creates it.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        out.raw(b"{\"title\":");
        out.text(&self.title);
        out.raw(b",\"body\":");
        out.text(&self.body);
        out.raw(b",\"status\":");
        out.text(&self.status);
        out.raw(b",\"views\":");
        out.integer(self.views);
        out.raw(b",\"price\":");
        out.float(self.price);
        out.raw(b",\"published_at\":");
        out.datetime(self.published_at);
        out.raw(b",\"author\":");
        out.integer(self.author);
        out.raw(b"}");
    }
}

fn text(length: usize, random: &mut Random) -> String {
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        text.push_str(WORDS[random.between(0, WORDS.len() as i64) as usize]);
        text.push(' ');
    }
    text.truncate(length - 1);
    text.push('.');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_always_the_same() {
        let rows: Vec<Article> = articles(1000).collect();
        assert_eq!(rows, articles(1000).collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row.body.len() == 300));
        let published = rows.iter().filter(|row| row.status == "published").count();
        assert!((150..250).contains(&published), "{published}");
    }
}
