-- count > 3 and state == 'new'
SELECT r0.id, (((r0.p101 > $1 AND r0.p109 = $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- not (count > 3)
SELECT r0.id, (((r0.p101 > $1) IS NOT TRUE) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- owner.country.code == 'CZ'
SELECT r0.id, ((r0.p111 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.p132 IN (SELECT r2.id FROM t12 AS r2 WHERE r2.p141 = $1))) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- owner.country.code != 'CZ'
SELECT r0.id, (((r0.p111 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.p132 IN (SELECT r2.id FROM t12 AS r2 WHERE r2.p141 = $1))) IS NOT TRUE) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- people.id == 3
SELECT r0.id, ((r0.id IN (SELECT l1.owner FROM m112 AS l1 WHERE l1.value = $1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- 3 not in people
SELECT r0.id, (((r0.id IN (SELECT l1.owner FROM m112 AS l1 WHERE l1.value = $1)) IS NOT TRUE) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- people.chief.name in ['a', 'b']
SELECT r0.id, ((r0.id IN (SELECT l1.owner FROM m112 AS l1 JOIN t11 AS r1 ON r1.id = l1.value WHERE r1.p134 IN (SELECT r2.id FROM t11 AS r2 WHERE r2.p130 IN rarray($1)))) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- 'red' in marks
SELECT r0.id, ((r0.id IN (SELECT l1.owner FROM m110 AS l1 WHERE l1.value = $1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- price >= 0.125
SELECT r0.id, ((r0.p102 > $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- price == 12.5
SELECT r0.id, ((r0.p102 = $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- text == null
SELECT r0.id, ((r0.p100 IS NULL) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- count == limit
SELECT r0.id, ((((r0.p101 = r0.p114) OR (r0.p101 IS NULL AND r0.p114 IS NULL))) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- ratio < count
SELECT r0.id, (((r0.p103 < CAST(r0.p101 AS REAL))) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- day >= '2026-11-20' and month == '2026-11'
SELECT r0.id, (((r0.p105 >= $1 AND r0.p106 = $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- at < '2026-11-20'
SELECT r0.id, ((r0.p108 < $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- compareDates(day, '>')
SELECT r0.id, ((r0.p105 > $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- day < date('Y-m-d') - 5.days
SELECT r0.id, ((r0.p105 < $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- day + 5.days > '2026-11-20'
SELECT r0.id, (((r0.p105 > $1 AND (r0.p105 > $2) IS NOT TRUE)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- day - 1.months == '2026-11-20'
SELECT r0.id, ((((plinth_months_on(r0.p105, $1) = $2) AND ((plinth_months_on(r0.p105, $3) > $4)) IS NOT TRUE)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- day + limit.days <= day
SELECT r0.id, (((((r0.p105 + r0.p114) <= r0.p105) AND (((r0.p114 < $1) OR (((r0.p105 + r0.p114) > $2) OR ((r0.p105 + r0.p114) < $3)))) IS NOT TRUE)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- month + count.months > '2026-11'
SELECT r0.id, ((((plinth_months_on(r0.p106, r0.p101) > $1) AND (((r0.p101 < $2) OR (plinth_months_on(r0.p106, r0.p101) > $3))) IS NOT TRUE)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- day - '2026-11-20' > 5
SELECT r0.id, ((((r0.p105 - $1) > $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- formatDate(day + 1.weeks, 'Y-m') === '2026-11'
SELECT r0.id, ((((COALESCE(((substr(date(((CASE WHEN (r0.p105 + $1) BETWEEN -719162 AND 2932896 THEN (r0.p105 + $2) END)) * 86400, 'unixepoch'), 1, 4) || $3) || substr(substr(date(((CASE WHEN (r0.p105 + $4) BETWEEN -719162 AND 2932896 THEN (r0.p105 + $5) END)) * 86400, 'unixepoch'), 1, 7), -2)), $6) = $7) AND (r0.p105 > $8) IS NOT TRUE)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- at + 4.hours < '2026-11-20T12:00:00Z'
SELECT r0.id, ((r0.p108 < $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- at - (limit % 100).hours < created
SELECT r0.id, ((((r0.p108 + ((r0.p114 % $1) * $2)) < r0.created)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- at - created > 4.hours
SELECT r0.id, ((((r0.p108 - r0.created) > $1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- (at - created).totalHours > 1.5
SELECT r0.id, ((((CAST(((r0.p108 - r0.created) * $1) AS REAL) / NULLIF($2, 0)) > $3)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- upper(text) === 'A'
SELECT r0.id, (((plinth_upper(COALESCE(r0.p100, $1)) = $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- lower(owner.name) === 'a'
SELECT r0.id, (((plinth_words_lower(COALESCE((SELECT r1.p130 FROM t11 AS r1 WHERE r1.id = r0.p111), $1)) = $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- trim(text) ~ count ~ price === ' 1'
SELECT r0.id, (((((trim(COALESCE(r0.p100, $1), $2) || COALESCE(CAST(r0.p101 AS TEXT), $3)) || COALESCE(plinth_decimal_text(r0.p102, 2), $4)) = $5)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- length(text) > 2
SELECT r0.id, (((length(COALESCE(r0.p100, $1)) > $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- (owner.name ?? text) === 'a'
SELECT r0.id, (((COALESCE((SELECT r1.p130 FROM t11 AS r1 WHERE r1.id = r0.p111), r0.p100) = $1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- (flag ? count : limit) > 1
SELECT r0.id, ((((CASE WHEN r0.p104 = $1 THEN r0.p101 ELSE r0.p114 END) > $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- startsWith(text, 'a') and 'b' in text
SELECT r0.id, (((plinth_starts_with(COALESCE(r0.p100, $1), $2) AND (instr(r0.p100, $3) > 0))) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- in_array(count, [1, 2])
SELECT r0.id, ((r0.p101 IN rarray($1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- state in ['new', 'old']
SELECT r0.id, ((r0.p109 IN rarray($1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- length(text) / 2 > 1.5
SELECT r0.id, ((((CAST(length(COALESCE(r0.p100, $1)) AS REAL) / NULLIF(CAST($2 AS REAL), 0)) > $3)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- length(text) / (length(text) - 1) * 3 >= 4
SELECT r0.id, ((((((CAST(length(COALESCE(r0.p100, $1)) AS REAL) / NULLIF(CAST((length(COALESCE(r0.p100, $2)) - $3) AS REAL), 0)) * CAST($4 AS REAL)) >= $5) AND ((length(COALESCE(r0.p100, $6)) - $7) <> $8))) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- toFloat(flag) - 0.5 > 0
SELECT r0.id, (((((CASE WHEN r0.p104 = $1 THEN $2 ELSE $3 END) - $4) > $5)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- toInt(price) == 3
SELECT r0.id, (((COALESCE((r0.p102 / 100), $1) = $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- toInt(flag) + length(marks) > 1
SELECT r0.id, (((((CASE WHEN r0.p104 = $1 THEN $2 ELSE $3 END) + (SELECT COUNT(*) FROM m110 AS l1 WHERE l1.owner = r0.id)) > $4)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- length(people) > 1
SELECT r0.id, ((((SELECT COUNT(*) FROM m112 AS l1 WHERE l1.owner = r0.id) > $1)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- owner.id == 3
SELECT r0.id, ((r0.p111 = $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- formatDate(day, 'd.m.Y') === '20.11.2026'
SELECT r0.id, (((COALESCE(((((substr(date((r0.p105) * 86400, 'unixepoch'), -2) || $1) || substr(substr(date((r0.p105) * 86400, 'unixepoch'), 1, 7), -2)) || $2) || substr(date((r0.p105) * 86400, 'unixepoch'), 1, 4)), $3) = $4)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- compareDates(at, 'within', '2026-10-25')
SELECT r0.id, (((r0.p108 >= $1 AND r0.p108 < $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- compareDates(at, '<', created)
SELECT r0.id, (((r0.p108 < r0.created)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- flag
SELECT r0.id, ((r0.p104 = $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- count
SELECT r0.id, ((r0.p101 <> $1) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- text
SELECT r0.id, (((r0.p100 <> $1 AND r0.p100 <> $2)) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- owner
SELECT r0.id, ((r0.p111 IS NOT NULL) IS TRUE) FROM t10 AS r0 ORDER BY r0.id;

-- name != 'a'
SELECT r0.id, ((r0.p130 <> $1) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- not (name > 'a')
SELECT r0.id, ((r0.p130 <= $1) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- name
SELECT r0.id, (((r0.p130 <> $1 AND r0.p130 <> $2)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- name == null
SELECT r0.id, ((FALSE) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- name === chief.name
SELECT r0.id, (((r0.p130 = (SELECT r1.p130 FROM t11 AS r1 WHERE r1.id = r0.p134))) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- name not in ['a', 'b']
SELECT r0.id, (((r0.p130 IN rarray($1)) IS NOT TRUE) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- length(name) - 1 > 2
SELECT r0.id, ((((length(r0.p130) - $1) > $2)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- length(name) * length(name) > 2
SELECT r0.id, ((((length(r0.p130) * length(r0.p130)) > $1)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- startsWith(name, 'a')
SELECT r0.id, ((plinth_starts_with(r0.p130, $1)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- name ~ salary === 'a1'
SELECT r0.id, ((((r0.p130 || COALESCE(CAST(r0.p133 AS TEXT), $1)) = $2)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- created <= updated
SELECT r0.id, (((r0.created <= r0.updated)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- id % 2
SELECT r0.id, ((((r0.id % $1) <> $2)) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

-- country != chief.country
SELECT r0.id, (((((r0.p132 = (SELECT r1.p132 FROM t11 AS r1 WHERE r1.id = r0.p134)) OR (r0.p132 IS NULL AND (r0.p134 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.p132 IS NOT NULL)) IS NOT TRUE))) IS NOT TRUE) IS TRUE) FROM t11 AS r0 ORDER BY r0.id;

