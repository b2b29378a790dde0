-- count > 3 and state == 'new'
SELECT r0.id, (((r0.p101 > $1::bigint AND r0.p109 = $2::text)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- not (count > 3)
SELECT r0.id, (((r0.p101 > $1::bigint) IS NOT TRUE) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- owner.country.code == 'CZ'
SELECT r0.id, ((r0.p111 IN (SELECT r1.id FROM "plinth_acme".t11 AS r1 WHERE r1.p132 IN (SELECT r2.id FROM "plinth_acme".t12 AS r2 WHERE r2.p141 = $1::text))) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- owner.country.code != 'CZ'
SELECT r0.id, (((r0.p111 IN (SELECT r1.id FROM "plinth_acme".t11 AS r1 WHERE r1.p132 IN (SELECT r2.id FROM "plinth_acme".t12 AS r2 WHERE r2.p141 = $1::text))) IS NOT TRUE) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- people.id == 3
SELECT r0.id, ((r0.id IN (SELECT l1.owner FROM "plinth_acme".m112 AS l1 WHERE l1.value = $1::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- 3 not in people
SELECT r0.id, (((r0.id IN (SELECT l1.owner FROM "plinth_acme".m112 AS l1 WHERE l1.value = $1::bigint)) IS NOT TRUE) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- people.chief.name in ['a', 'b']
SELECT r0.id, ((r0.id IN (SELECT l1.owner FROM "plinth_acme".m112 AS l1 JOIN "plinth_acme".t11 AS r1 ON r1.id = l1.value WHERE r1.p134 IN (SELECT r2.id FROM "plinth_acme".t11 AS r2 WHERE r2.p130 = ANY($1::text[])))) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- 'red' in marks
SELECT r0.id, ((r0.id IN (SELECT l1.owner FROM "plinth_acme".m110 AS l1 WHERE l1.value = $1::text)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- price >= 0.125
SELECT r0.id, ((r0.p102 > $1::bigint) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- price == 12.5
SELECT r0.id, ((r0.p102 = $1::bigint) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- text == null
SELECT r0.id, ((r0.p100 IS NULL) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- count == limit
SELECT r0.id, ((((r0.p101 = r0.p114) OR (r0.p101 IS NULL AND r0.p114 IS NULL))) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- ratio < count
SELECT r0.id, (((r0.p103 < (r0.p101)::double precision)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- day >= '2026-11-20' and month == '2026-11'
SELECT r0.id, (((r0.p105 >= $1::date AND r0.p106 = $2::date)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- at < '2026-11-20'
SELECT r0.id, ((r0.p108 < $1::timestamp with time zone) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- compareDates(day, '>')
SELECT r0.id, ((r0.p105 > $1::date) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- day < date('Y-m-d') - 5.days
SELECT r0.id, ((r0.p105 < $1::date) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- day + 5.days > '2026-11-20'
SELECT r0.id, (((r0.p105 > $1::date AND (r0.p105 > $2::date) IS NOT TRUE)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- day - 1.months == '2026-11-20'
SELECT r0.id, (((((SELECT CASE WHEN m.d IS NULL OR m.n IS NULL THEN NULL WHEN m.d NOT BETWEEN -719162 AND 2932896 THEN 9999999 WHEN EXTRACT(year FROM (DATE '1970-01-01' + m.d::integer)) * 12 + EXTRACT(month FROM (DATE '1970-01-01' + m.d::integer)) - 1 + m.n NOT BETWEEN 12 AND 119999 THEN 9999999 ELSE ((DATE '1970-01-01' + m.d::integer) + make_interval(months => m.n::integer))::date - DATE '1970-01-01' END FROM (SELECT ((r0.p105 - DATE '1970-01-01'))::numeric AS d, ($1::bigint)::numeric AS n) AS m) = $2::bigint) AND (((SELECT CASE WHEN m.d IS NULL OR m.n IS NULL THEN NULL WHEN m.d NOT BETWEEN -719162 AND 2932896 THEN 9999999 WHEN EXTRACT(year FROM (DATE '1970-01-01' + m.d::integer)) * 12 + EXTRACT(month FROM (DATE '1970-01-01' + m.d::integer)) - 1 + m.n NOT BETWEEN 12 AND 119999 THEN 9999999 ELSE ((DATE '1970-01-01' + m.d::integer) + make_interval(months => m.n::integer))::date - DATE '1970-01-01' END FROM (SELECT ((r0.p105 - DATE '1970-01-01'))::numeric AS d, ($3::bigint)::numeric AS n) AS m) > $4::bigint)) IS NOT TRUE)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- day + limit.days <= day
SELECT r0.id, (((((((r0.p105 - DATE '1970-01-01'))::numeric + r0.p114) <= (r0.p105 - DATE '1970-01-01')) AND (((r0.p114 < $1::bigint) OR (((((r0.p105 - DATE '1970-01-01'))::numeric + r0.p114) > $2::bigint) OR ((((r0.p105 - DATE '1970-01-01'))::numeric + r0.p114) < $3::bigint)))) IS NOT TRUE)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- month + count.months > '2026-11'
SELECT r0.id, (((((SELECT CASE WHEN m.d IS NULL OR m.n IS NULL THEN NULL WHEN m.d NOT BETWEEN -719162 AND 2932896 THEN 9999999 WHEN EXTRACT(year FROM (DATE '1970-01-01' + m.d::integer)) * 12 + EXTRACT(month FROM (DATE '1970-01-01' + m.d::integer)) - 1 + m.n NOT BETWEEN 12 AND 119999 THEN 9999999 ELSE ((DATE '1970-01-01' + m.d::integer) + make_interval(months => m.n::integer))::date - DATE '1970-01-01' END FROM (SELECT ((r0.p106 - DATE '1970-01-01'))::numeric AS d, (r0.p101)::numeric AS n) AS m) > $1::bigint) AND (((r0.p101 < $2::bigint) OR ((SELECT CASE WHEN m.d IS NULL OR m.n IS NULL THEN NULL WHEN m.d NOT BETWEEN -719162 AND 2932896 THEN 9999999 WHEN EXTRACT(year FROM (DATE '1970-01-01' + m.d::integer)) * 12 + EXTRACT(month FROM (DATE '1970-01-01' + m.d::integer)) - 1 + m.n NOT BETWEEN 12 AND 119999 THEN 9999999 ELSE ((DATE '1970-01-01' + m.d::integer) + make_interval(months => m.n::integer))::date - DATE '1970-01-01' END FROM (SELECT ((r0.p106 - DATE '1970-01-01'))::numeric AS d, (r0.p101)::numeric AS n) AS m) > $3::bigint))) IS NOT TRUE)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- day - '2026-11-20' > 5
SELECT r0.id, (((((r0.p105 - DATE '1970-01-01') - $1::bigint) > $2::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- formatDate(day + 1.weeks, 'Y-m') === '2026-11'
SELECT r0.id, ((((COALESCE(((left((to_char((DATE '1970-01-01' + (CASE WHEN ((r0.p105 - DATE '1970-01-01') + $1::bigint) BETWEEN -719162 AND 2932896 THEN ((r0.p105 - DATE '1970-01-01') + $2::bigint) END)::integer), 'YYYY-MM-DD') COLLATE "C"), 4) || $3::text COLLATE "C") || right(left((to_char((DATE '1970-01-01' + (CASE WHEN ((r0.p105 - DATE '1970-01-01') + $4::bigint) BETWEEN -719162 AND 2932896 THEN ((r0.p105 - DATE '1970-01-01') + $5::bigint) END)::integer), 'YYYY-MM-DD') COLLATE "C"), 7), 2)), $6::text COLLATE "C") = $7::text COLLATE "C") AND (r0.p105 > $8::date) IS NOT TRUE)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- at + 4.hours < '2026-11-20T12:00:00Z'
SELECT r0.id, ((r0.p108 < $1::timestamp with time zone) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- at - (limit % 100).hours < created
SELECT r0.id, (((((EXTRACT(epoch FROM r0.p108)::numeric * 1000) + ((r0.p114 % $1::bigint) * $2::bigint)) < (EXTRACT(epoch FROM r0.created)::numeric * 1000))) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- at - created > 4.hours
SELECT r0.id, (((((EXTRACT(epoch FROM r0.p108)::numeric * 1000) - (EXTRACT(epoch FROM r0.created)::numeric * 1000)) > $1::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- (at - created).totalHours > 1.5
SELECT r0.id, ((((((((EXTRACT(epoch FROM r0.p108)::numeric * 1000) - (EXTRACT(epoch FROM r0.created)::numeric * 1000)) * $1::bigint))::double precision / NULLIF($2::double precision, 0)) > $3::double precision)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- upper(text) === 'A'
SELECT r0.id, ((((SELECT CASE WHEN octet_length(v) = length(v) THEN upper(v) ELSE translate(CASE WHEN v ~ $1::text THEN (SELECT string_agg(COALESCE(m.t, c.c), '' ORDER BY c.n) FROM regexp_split_to_table(v, '') WITH ORDINALITY AS c(c, n) LEFT JOIN unnest($2::text[], $3::text[]) AS m(f, t) ON m.f = c.c) ELSE v END, $4::text, $5::text) END FROM (SELECT (COALESCE(r0.p100, $6::text COLLATE "C"))::text COLLATE "C" AS v) AS f) = $7::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- lower(owner.name) === 'a'
SELECT r0.id, ((((SELECT (SELECT CASE WHEN octet_length(v) = length(v) THEN lower(v) ELSE translate(CASE WHEN v ~ $1::text THEN (SELECT string_agg(COALESCE(m.t, c.c), '' ORDER BY c.n) FROM regexp_split_to_table(v, '') WITH ORDINALITY AS c(c, n) LEFT JOIN unnest($2::text[], $3::text[]) AS m(f, t) ON m.f = c.c) ELSE v END, $4::text, $5::text) END FROM (SELECT (CASE WHEN strpos(w, 'Σ') > 0 THEN regexp_replace(w, $6::text, 'ς', 'g') ELSE w END)::text COLLATE "C" AS v) AS f) FROM (SELECT (COALESCE((SELECT r1.p130 FROM "plinth_acme".t11 AS r1 WHERE r1.id = r0.p111), $7::text COLLATE "C"))::text AS w) AS s) = $8::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- trim(text) ~ count ~ price === ' 1'
SELECT r0.id, (((((btrim(COALESCE(r0.p100, $1::text COLLATE "C"), $2::text) || COALESCE((CAST(r0.p101 AS text) COLLATE "C"), $3::text COLLATE "C")) || COALESCE((((r0.p102)::numeric * 0.01)::text COLLATE "C"), $4::text COLLATE "C")) = $5::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- length(text) > 2
SELECT r0.id, (((length(COALESCE(r0.p100, $1::text COLLATE "C")) > $2::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- (owner.name ?? text) === 'a'
SELECT r0.id, (((COALESCE((SELECT r1.p130 FROM "plinth_acme".t11 AS r1 WHERE r1.id = r0.p111), r0.p100) = $1::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- (flag ? count : limit) > 1
SELECT r0.id, ((((CASE WHEN r0.p104 = $1::boolean THEN r0.p101 ELSE r0.p114 END) > $2::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- startsWith(text, 'a') and 'b' in text
SELECT r0.id, (((starts_with(COALESCE(r0.p100, $1::text COLLATE "C"), $2::text COLLATE "C") AND (strpos(r0.p100, $3::text COLLATE "C") > 0))) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- in_array(count, [1, 2])
SELECT r0.id, ((r0.p101 = ANY($1::bigint[])) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- state in ['new', 'old']
SELECT r0.id, ((r0.p109 = ANY($1::text[])) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- length(text) / 2 > 1.5
SELECT r0.id, (((((length(COALESCE(r0.p100, $1::text COLLATE "C")))::double precision / NULLIF(($2::bigint)::double precision, 0)) > $3::double precision)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- length(text) / (length(text) - 1) * 3 >= 4
SELECT r0.id, (((((((length(COALESCE(r0.p100, $1::text COLLATE "C")))::double precision / NULLIF(((length(COALESCE(r0.p100, $2::text COLLATE "C")) - $3::bigint))::double precision, 0)) * ($4::bigint)::double precision) >= $5::double precision) AND ((length(COALESCE(r0.p100, $6::text COLLATE "C")) - $7::bigint) <> $8::bigint))) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- toFloat(flag) - 0.5 > 0
SELECT r0.id, (((((CASE WHEN r0.p104 = $1::boolean THEN $2::double precision ELSE $3::double precision END) - $4::double precision) > $5::double precision)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- toInt(price) == 3
SELECT r0.id, (((COALESCE(div((r0.p102)::numeric, 100), $1::bigint) = $2::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- toInt(flag) + length(marks) > 1
SELECT r0.id, (((((CASE WHEN r0.p104 = $1::boolean THEN $2::bigint ELSE $3::bigint END) + (SELECT COUNT(*) FROM "plinth_acme".m110 AS l1 WHERE l1.owner = r0.id)) > $4::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- length(people) > 1
SELECT r0.id, ((((SELECT COUNT(*) FROM "plinth_acme".m112 AS l1 WHERE l1.owner = r0.id) > $1::bigint)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- owner.id == 3
SELECT r0.id, ((r0.p111 = $1::bigint) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- formatDate(day, 'd.m.Y') === '20.11.2026'
SELECT r0.id, (((COALESCE(((((right((to_char(r0.p105, 'YYYY-MM-DD') COLLATE "C"), 2) || $1::text COLLATE "C") || right(left((to_char(r0.p105, 'YYYY-MM-DD') COLLATE "C"), 7), 2)) || $2::text COLLATE "C") || left((to_char(r0.p105, 'YYYY-MM-DD') COLLATE "C"), 4)), $3::text COLLATE "C") = $4::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- compareDates(at, 'within', '2026-10-25')
SELECT r0.id, (((r0.p108 >= $1::timestamp with time zone AND r0.p108 < $2::timestamp with time zone)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- compareDates(at, '<', created)
SELECT r0.id, (((r0.p108 < r0.created)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- flag
SELECT r0.id, ((r0.p104 = $1::boolean) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- count
SELECT r0.id, ((r0.p101 <> $1::bigint) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- text
SELECT r0.id, (((r0.p100 <> $1::text AND r0.p100 <> $2::text)) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- owner
SELECT r0.id, ((r0.p111 IS NOT NULL) IS TRUE) FROM "plinth_acme".t10 AS r0 ORDER BY r0.id;

-- name != 'a'
SELECT r0.id, ((r0.p130 <> $1::text) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- not (name > 'a')
SELECT r0.id, ((r0.p130 <= $1::text) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- name
SELECT r0.id, (((r0.p130 <> $1::text AND r0.p130 <> $2::text)) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- name == null
SELECT r0.id, ((FALSE) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- name === chief.name
SELECT r0.id, (((r0.p130 = (SELECT r1.p130 FROM "plinth_acme".t11 AS r1 WHERE r1.id = r0.p134))) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- name not in ['a', 'b']
SELECT r0.id, (((r0.p130 = ANY($1::text[])) IS NOT TRUE) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- length(name) - 1 > 2
SELECT r0.id, ((((length(r0.p130) - $1::bigint) > $2::bigint)) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- length(name) * length(name) > 2
SELECT r0.id, (((((length(r0.p130))::bigint * length(r0.p130)) > $1::bigint)) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- startsWith(name, 'a')
SELECT r0.id, ((starts_with(r0.p130, $1::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- name ~ salary === 'a1'
SELECT r0.id, ((((r0.p130 || COALESCE((CAST(r0.p133 AS text) COLLATE "C"), $1::text COLLATE "C")) = $2::text COLLATE "C")) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- created <= updated
SELECT r0.id, (((r0.created <= r0.updated)) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- id % 2
SELECT r0.id, ((((r0.id % $1::bigint) <> $2::bigint)) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

-- country != chief.country
SELECT r0.id, (((((r0.p132 = (SELECT r1.p132 FROM "plinth_acme".t11 AS r1 WHERE r1.id = r0.p134)) OR (r0.p132 IS NULL AND (r0.p134 IN (SELECT r1.id FROM "plinth_acme".t11 AS r1 WHERE r1.p132 IS NOT NULL)) IS NOT TRUE))) IS NOT TRUE) IS TRUE) FROM "plinth_acme".t11 AS r0 ORDER BY r0.id;

