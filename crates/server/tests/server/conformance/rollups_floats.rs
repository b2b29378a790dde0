//! Sums of floats: the same in whichever order the rows were written, without drift, and never what is no number.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Choices, Client, Engine, Server};

const STATION: &str = r#"
id: 50
name: station
properties:
  sum:    {id: 500, kind: pRollup, relation: reading.station, function: sum, property: value}
  mean:   {id: 501, kind: pRollup, relation: reading.station, function: avg, property: value}
  least:  {id: 502, kind: pRollup, relation: reading.station, function: min, property: value}
  most:   {id: 503, kind: pRollup, relation: reading.station, function: max, property: value}
  double: {id: 504, kind: pFloat, calculate: "{=sum * 2}"}
  squares: {id: 505, kind: pRollup, relation: reading.station, function: sum, property: square}
"#;

const READING: &str = r#"
id: 51
name: reading
properties:
  station: {id: 510, kind: pRelation, type: station, onDelete: cascade}
  value:   {id: 511, kind: pFloat}
  square:  {id: 512, kind: pFloat, title: Square, calculate: "{=value * value}"}
"#;

const FILES: [(&str, &str); 2] = [("types/station.yaml", STATION), ("types/reading.yaml", READING)];

async fn station(client: &Client, id: &Json) -> Json {
    client.get(&format!("collection/station/{id}")).await.is(200).json()
}

/// The float nearest to what the readings come to: Shewchuk's algorithm, as in Python's `math.fsum`.
fn added_up(readings: &[(Json, f64)]) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for (_, value) in readings {
        let mut sum = *value;
        let mut rests = Vec::new();
        for partial in partials {
            let (large, small) = if sum.abs() < partial.abs() { (partial, sum) } else { (sum, partial) };
            sum = large + small;
            let rest = small - (sum - large);
            rests.extend((rest != 0.0).then_some(rest));
        }
        rests.push(sum);
        partials = rests;
    }
    let Some(mut sum) = partials.pop() else { return 0.0 };
    while let Some(partial) = partials.pop() {
        let before = sum;
        sum = before + partial;
        let rest = partial - (sum - before);
        if rest != 0.0 {
            // What lies exactly between two floats goes where the rest is.
            let same = partials.last().is_some_and(|next| (rest < 0.0) == (*next < 0.0));
            let further = sum + rest * 2.0;
            return if same && further - sum == rest * 2.0 { further } else { sum };
        }
    }
    sum
}

#[spec]
async fn a_sum_is_exact_in_whichever_order_it_came(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    // One after the other they come to less: 1e16 + 1 is 1e16.
    let values = [1e16, 1.0, -1e16, 1.0];
    let mut sums = Vec::new();
    for order in [[0, 1, 2, 3], [3, 1, 2, 0], [2, 3, 0, 1]] {
        let id = admin.create("station", json!({})).await["id"].clone();
        let mut readings = Vec::new();
        for _ in values {
            readings.push(admin.create("reading", json!({"station": id})).await["id"].clone());
        }
        for place in order {
            admin
                .patch(&format!("collection/reading/{}", readings[place]), json!({"value": values[place]}))
                .await
                .is(200);
        }
        let shown = station(&admin, &id).await;
        sums.push([shown["sum"].as_f64(), shown["mean"].as_f64(), shown["double"].as_f64()]);
    }
    assert_eq!(sums, [[Some(2.0), Some(0.5), Some(4.0)]; 3]);
}

#[spec]
async fn a_sum_does_not_drift(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let id = admin.create("station", json!({})).await["id"].clone();
    let mut choices = Choices::new(0x50_f7);
    let mut readings: Vec<(Json, f64)> = Vec::new();
    let scales = [1e-9, 0.1, 1.0, 1e9, 1e15];
    for round in 0..60 {
        let value = (choices.below(2_000) as f64 - 1_000.0) / 3.0 * choices.of(&scales);
        match choices.below(4) {
            0 if !readings.is_empty() => {
                let (gone, _) = readings.swap_remove(choices.below(readings.len()));
                admin.delete(&format!("collection/reading/{gone}")).await.is(204);
            }
            1 if !readings.is_empty() => {
                let place = choices.below(readings.len());
                readings[place].1 = value;
                admin
                    .patch(&format!("collection/reading/{}", readings[place].0), json!({"value": value}))
                    .await
                    .is(200);
            }
            _ => {
                let made = admin.create("reading", json!({"station": id, "value": value})).await;
                readings.push((made["id"].clone(), value));
            }
        }
        if round % 5 == 0 {
            let (shown, expected) = (station(&admin, &id).await, added_up(&readings));
            assert_eq!(shown["sum"].as_f64(), Some(expected), "round {round}");
            assert_eq!(shown["double"].as_f64(), Some(expected * 2.0), "round {round}");
            let mean = (!readings.is_empty()).then(|| expected / readings.len() as f64);
            assert_eq!(shown["mean"].as_f64(), mean, "round {round}");
        }
    }
    // Nothing is left of what went.
    for (gone, _) in &readings {
        admin.delete(&format!("collection/reading/{gone}")).await.is(204);
    }
    let shown = station(&admin, &id).await;
    assert_eq!((shown["sum"].as_f64(), &shown["mean"], &shown["most"]), (Some(0.0), &Json::Null, &Json::Null));
}

/// What is no number comes in by no way.
#[spec]
async fn what_is_no_number_is_never_stored(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let id = admin.create("station", json!({})).await["id"].clone();
    for text in ["NaN", "Infinity", "-Infinity", "1e999", "\"NaN\"", "\"1\""] {
        let body = format!("{{\"station\": {id}, \"value\": {text}}}");
        let request = admin.request("POST", "collection/reading").body("application/json", body);
        request.send().await.is(400);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("readings.csv");
    for cell in ["NaN", "inf", "-Infinity", "1e999"] {
        std::fs::write(&file, format!("station,value\n{id},{cell}\n")).unwrap();
        let arguments = ["import", "reading", file.to_str().unwrap()];
        let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &arguments).await;
        assert!(!done && said.contains("must be a number"), "{cell}: {said}");
    }
    // A calculation that leaves the numbers is refused with the write.
    admin.post("collection/reading", json!({"station": id, "value": 1e200})).await.is(400).says("Square");
    // So is a sum that does, as one of decimals with too many digits.
    let first = admin.create("reading", json!({"station": id, "value": 1.2e154})).await["id"].clone();
    admin.post("collection/reading", json!({"station": id, "value": -1.2e154})).await.is(400).says("station.squares ");
    let shown = station(&admin, &id).await;
    assert_eq!((shown["sum"].as_f64(), shown["squares"].as_f64()), (Some(1.2e154), Some(1.2e154 * 1.2e154)));
    admin.patch(&format!("collection/reading/{first}"), json!({"value": 1e100})).await.is(200);
    admin.create("reading", json!({"station": id, "value": -1e100})).await;
    let shown = station(&admin, &id).await;
    assert_eq!((shown["sum"].as_f64(), shown["squares"].as_f64()), (Some(0.0), Some(1e100 * 1e100 * 2.0)));
    assert_eq!((shown["least"].as_f64(), shown["most"].as_f64()), (Some(-1e100), Some(1e100)));
}
