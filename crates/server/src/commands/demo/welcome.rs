//! What the demo prints when it serves: how to get in, and four lines to paste.

use super::Credentials;
use super::tenant::Facts;

/// The greeting, with `curl` lines that work as they stand.
pub(super) fn text(url: &str, credentials: &Credentials, facts: &Facts) -> String {
    let Credentials { user, password, key } = credentials;
    let Facts { countries, cities, country, city } = facts;
    let collection = format!("{url}/api/v1/collection");
    let json = "-H 'Content-Type: application/json'";
    format!(
        r#"
Plinth serves {countries} countries and {cities} cities on {url}

  user      {user}
  password  {password}
  key       {key}

The five largest cities of Czechia, a filtered list:
  curl -H 'key: {key}' '{collection}/city?orderBy=-population&perPage=5&showFields=name,population,country.name' --get --data-urlencode 'filters=[{{"property":"country.code","type":"eq","param":"CZ"}}]'

One country, got by its id:
  curl -H 'key: {key}' '{collection}/country/{country}'

A new city, created:
  curl -H 'key: {key}' {json} '{collection}/city' -d '{{"name":"Plinthville","country":{country},"population":1,"latitude":49.9,"longitude":14.4}}'

One more inhabitant for Prague, a PATCH with +=:
  curl -H 'key: {key}' {json} -X PATCH '{collection}/city/{city}' -d '{{"population+=":1}}'

The API described in OpenAPI: {url}/api/ext/v1/openapi.json (with the key). Ctrl+C ends the demo.
"#
    )
}
