//! Instants, days and months: stored in UTC, spoken in the display zone.

use serde_json::json;
use spec::spec;
use testing::Server;

/// Creates an article as admin (Europe/Prague) and gives what admin, and the editor in New York, read.
async fn shown(server: &Server, published: &str) -> (String, String) {
    let id = server.admin().create("article", json!({"name": "A", "published": published})).await["id"].clone();
    let path = format!("collection/article/{id}?showFields=published");
    let read = async |client: testing::Client| {
        let reply = client.get(&path).await.is(200);
        reply.at("/published").as_str().unwrap().to_owned()
    };
    (read(server.admin()).await, read(server.editor()).await)
}

#[spec("R-044", "R-045", "R-046", "R-047", "R-048", "R-049")]
async fn one_instant_is_shown_in_each_users_zone(server: Server) {
    for (input, prague, new_york) in [
        ("2026-07-01T12:00:00Z", "2026-07-01T14:00:00+02:00", "2026-07-01T08:00:00-04:00"),
        ("2026-01-01T00:30:00+05:30", "2025-12-31T20:00:00+01:00", "2025-12-31T14:00:00-05:00"),
        ("2026-07-01 12:00:00", "2026-07-01T12:00:00+02:00", "2026-07-01T06:00:00-04:00"),
        ("2026-07-01T12:00:00", "2026-07-01T12:00:00+02:00", "2026-07-01T06:00:00-04:00"),
        // 02:30 does not exist in Prague on that day: forward. It exists twice in October: the first.
        ("2026-03-29 02:30:00", "2026-03-29T03:30:00+02:00", "2026-03-28T21:30:00-04:00"),
        ("2026-10-25 02:30:00", "2026-10-25T02:30:00+02:00", "2026-10-24T20:30:00-04:00"),
        ("1969-07-20T20:17:40Z", "1969-07-20T21:17:40+01:00", "1969-07-20T16:17:40-04:00"),
        ("2026-07-01T12:00:00.5Z", "2026-07-01T14:00:00.500+02:00", "2026-07-01T08:00:00.500-04:00"),
    ] {
        assert_eq!(shown(&server, input).await, (prague.to_owned(), new_york.to_owned()), "{input}");
    }
}

#[spec("R-046", "R-047")]
async fn a_naive_datetime_is_in_the_zone_of_who_sends_it(server: Server) {
    let editor = server
        .role("writer", "role: writer\nsystem: [restApi]\ntypes: {article: {show: true, edit: true, create: true}}\n")
        .await;
    let user = server.user("writer").await;
    server.admin().patch(&format!("collection/user/{user}"), json!({"timezone": "Asia/Tokyo"})).await.is(200);
    let row = editor.create("article", json!({"name": "A", "published": "2026-07-01 12:00:00"})).await;
    assert_eq!(row["published"], "2026-07-01T12:00:00+09:00");
    let path = format!("collection/article/{}", row["id"]);
    assert_eq!(server.admin().get(&path).await.at("/published"), "2026-07-01T05:00:00+02:00");
    // The zone of a filter's value is the caller's too.
    let filter = json!({"filters": [{"property": "published", "type": "eq", "param": "2026-07-01 12:00:00"}]});
    editor.search("collection/article", filter.clone()).await.is(200);
    server.admin().search("collection/article", filter).await.is(204);
}

#[spec("R-044", "R-047", "R-048", "R-049")]
async fn what_is_stored_stays_where_it_is_when_zones_change(server: Server) {
    let admin = server.admin();
    let body = json!({"name": "A", "published": "2026-07-01 12:00:00"});
    let path = format!("collection/article/{}?showFields=published", admin.create("article", body).await["id"]);
    let published = async || admin.get(&path).await.is(200).at("/published");
    assert_eq!(published().await, "2026-07-01T12:00:00+02:00");
    let tenant = |zone: &str| format!("tenant: acme\nhosts: [acme.test]\ntimezone: {zone}\n");
    server.change(&[("tenant.yaml", &tenant("Asia/Kolkata"))]).await;
    assert_eq!(published().await, "2026-07-01T15:30:00+05:30");
    server.set_user("admin", json!({"timezone": "America/New_York"})).await;
    assert_eq!(published().await, "2026-07-01T06:00:00-04:00");
    server.change(&[("tenant.yaml", &tenant("UTC"))]).await;
    assert_eq!(published().await, "2026-07-01T06:00:00-04:00");
    server.set_user("admin", json!({"timezone": null})).await;
    assert_eq!(published().await, "2026-07-01T10:00:00+00:00");
    // What a filter means by the same instant is found from every zone.
    for instant in ["2026-07-01 10:00:00", "2026-07-01T12:00:00+02:00", "2026-07-01T03:00:00-07:00"] {
        let filters = json!({"filters": [{"property": "published", "type": "eq", "param": instant}]});
        assert_eq!(admin.search("collection/article", filters).await.is(200).at("/stats/total"), 1, "{instant}");
    }
}

#[spec("R-050", "R-045")]
async fn what_the_service_says_it_also_understands(server: Server) {
    let (prague, new_york) = shown(&server, "2026-07-01T12:00:00.125Z").await;
    for said in [prague.as_str(), new_york.as_str(), "2026-07-01T12:00:00.125+00:00", "2026-07-01T12:00:00.125000Z"] {
        assert_eq!(shown(&server, said).await.0, prague, "{said}");
    }
}

#[spec("R-032", "R-051")]
async fn days_and_months_drop_time_and_offset(server: Server) {
    let admin = server.admin();
    for (property, input, output) in [
        ("released", "2026-07-01", "2026-07-01"),
        ("released", "2026-07-01T23:59:59-11:00", "2026-07-01"),
        ("released", "2026-07-01T00:00:00Z", "2026-07-01"),
        ("released", "2026-07-01 22:00:00", "2026-07-01"),
        ("month", "2026-07", "2026-07"),
        ("month", "2026-07-31", "2026-07"),
        ("month", "2026-07-31T23:59:59-11:00", "2026-07"),
        ("month", "2026-07T10:00:00Z", "2026-07"),
        ("month", "2026-07 10:00", "2026-07"),
        ("month", "2026-07Z", "2026-07"),
        ("month", "2026-07+02:00", "2026-07"),
        ("month", "2026-07-02:00", "2026-07"),
    ] {
        let mut body = json!({"name": "A"});
        body[property] = json!(input);
        let row = admin.post("collection/article", body).await.is(201).json();
        assert_eq!(row[property], output, "{input}");
        let id = &row["id"];
        let reply = server.editor().get(&format!("collection/article/{id}?showFields={property}")).await.is(200);
        assert_eq!(reply.json()[property], output, "{input}");
    }
}

#[spec("R-269", "D-2")]
async fn what_is_no_date_is_refused(server: Server) {
    let admin = server.admin();
    for (property, input) in [
        ("published", json!("yesterday")),
        ("published", json!("2026-02-30T00:00:00Z")),
        ("published", json!("2026-01-01T25:00:00Z")),
        ("published", json!(1_700_000_000)),
        ("published", json!("")),
        ("published", json!("+999999-01-01T00:00:00Z")),
        ("released", json!("2026-02-29")),
        ("released", json!("01.02.2026")),
        ("released", json!(20_260_101)),
        ("month", json!("2026-13")),
        ("opens", json!("24:00:00")),
        ("opens", json!("noon")),
    ] {
        let mut body = json!({"name": "A"});
        body[property] = input;
        let title = property[..1].to_uppercase() + &property[1..];
        admin.post("collection/article", body).await.is(400).says(&title);
    }
}
