//! Made-up cities, as many as GeoNames has of more than 1,000 people.

use crate::Result;
use benches::random::Random;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// Their number.
pub(super) const CITIES: usize = 170_391;

const COUNTRIES: [&str; 12] = ["AT", "BR", "CN", "CZ", "DE", "FR", "GB", "IN", "IR", "IT", "JP", "US"];
const ZONES: [&str; 4] = ["Europe/Prague", "Asia/Tehran", "America/Sao_Paulo", "America/New_York"];
const SYLLABLES: [&str; 16] =
    ["ba", "dor", "el", "gra", "hö", "ji", "ka", "lým", "mo", "nov", "pra", "qey", "ste", "ta", "vil", "zü"];

/// Writes them as CSV, with the columns of GeoNames.
pub(super) fn write_cities(path: &Path) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut random = Random::new(17);
    writeln!(file, "geoname_id,name,country_code,admin1_code,latitude,longitude,population,timezone")?;
    for id in 1..=CITIES {
        let mut pick = |count: usize| random.between(0, count as i64) as usize;
        let name: String = (0..2 + pick(3)).map(|_| SYLLABLES[pick(SYLLABLES.len())]).collect();
        let (country, zone, region) = (COUNTRIES[pick(COUNTRIES.len())], ZONES[pick(ZONES.len())], pick(90));
        let (latitude, longitude, people) = (pick(16_000_000), pick(36_000_000), 1_000 + pick(50_000));
        let degrees = |hundred_thousandths: usize, half: f64| hundred_thousandths as f64 / 100_000.0 - half;
        writeln!(
            file,
            "{id},{name} {},{country},{region:02},{:.5},{:.5},{people},{zone}",
            id % 1_000,
            degrees(latitude, 80.0),
            degrees(longitude, 180.0)
        )?;
    }
    Ok(file.flush()?)
}
