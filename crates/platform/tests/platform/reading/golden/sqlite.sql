-- everything
SELECT CAST(COALESCE(SUM(rows), 0) AS INTEGER) FROM plinth_counter WHERE type = $1;
SELECT r0.id, r0.uuid, r0.p100, r0.p101, r0.p102, r0.p103, r0.p104, r0.p105, r0.p106, r0.p107, r0.p108, r0.p109, (SELECT json_group_array(l.value ORDER BY l.position) FROM m110 AS l WHERE l.owner = r0.id), r0.p111, (SELECT json_group_array(l.value ORDER BY l.position) FROM m112 AS l WHERE l.owner = r0.id), r0.p113, r0.p114, r0.p115 FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $1) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- by several keys
SELECT CAST(COALESCE(SUM(rows), 0) AS INTEGER) FROM plinth_counter WHERE type = $1;
SELECT r0.id, r0.uuid, r0.p100, r0.p101, r0.p102, r0.p103, r0.p104, r0.p105, r0.p106, r0.p107, r0.p108, r0.p109, (SELECT json_group_array(l.value ORDER BY l.position) FROM m110 AS l WHERE l.owner = r0.id), r0.p111, (SELECT json_group_array(l.value ORDER BY l.position) FROM m112 AS l WHERE l.owner = r0.id), r0.p113, r0.p114, r0.p115 FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 ORDER BY r0.p101 DESC NULLS FIRST, r0.p100 ASC NULLS LAST, r0.id ASC LIMIT 20 OFFSET $1) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.p100 ASC NULLS LAST, r0.id ASC;

-- by what a relation leads to
SELECT CAST(COALESCE(SUM(rows), 0) AS INTEGER) FROM plinth_counter WHERE type = $1;
SELECT r0.id, r0.p100 FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 LEFT JOIN t11 AS j0 ON j0.id = r0.p111 LEFT JOIN t12 AS j1 ON j1.id = j0.p132 ORDER BY j1.p140 ASC NULLS LAST, j0.p130 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $1) AS k ON k.id = r0.id LEFT JOIN t11 AS j0 ON j0.id = r0.p111 LEFT JOIN t12 AS j1 ON j1.id = j0.p132 ORDER BY j1.p140 ASC NULLS LAST, j0.p130 DESC NULLS FIRST, r0.id ASC;

-- members
SELECT COUNT(*) FROM t10 AS r0 WHERE r0.id IN (SELECT l1.owner FROM m110 AS l1 WHERE l1.value IN rarray($1) GROUP BY l1.owner HAVING COUNT(DISTINCT l1.value) = $2);
SELECT r0.id, (SELECT json_group_array(l.value ORDER BY l.position) FROM m110 AS l WHERE l.owner = r0.id), (SELECT json_group_array(l.value ORDER BY l.position) FROM m112 AS l WHERE l.owner = r0.id) FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE r0.id IN (SELECT l1.owner FROM m110 AS l1 WHERE l1.value IN rarray($1) GROUP BY l1.owner HAVING COUNT(DISTINCT l1.value) = $2) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $3) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- comparisons
SELECT COUNT(*) FROM t10 AS r0 WHERE ((r0.p101 >= $1 AND r0.p101 <= $2) AND (r0.p100 = $3) IS NOT TRUE AND (r0.p109 IS NULL OR r0.p109 = $4) AND (r0.p101 = r0.p114 OR (r0.p101 IS NULL AND r0.p114 IS NULL)));
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE ((r0.p101 >= $1 AND r0.p101 <= $2) AND (r0.p100 = $3) IS NOT TRUE AND (r0.p109 IS NULL OR r0.p109 = $4) AND (r0.p101 = r0.p114 OR (r0.p101 IS NULL AND r0.p114 IS NULL))) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $5) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- texts
SELECT COUNT(*) FROM t10 AS r0 WHERE ((r0.p100 >= $1 AND r0.p100 < $2) AND (instr(plinth_fold(r0.p100), $3) > 0) AND plinth_like(plinth_lower(r0.p100), $4));
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE ((r0.p100 >= $1 AND r0.p100 < $2) AND (instr(plinth_fold(r0.p100), $3) > 0) AND plinth_like(plinth_lower(r0.p100), $4)) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $5) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- relations
SELECT COUNT(*) FROM t10 AS r0 WHERE ((r0.p111 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.p132 IN (SELECT r2.id FROM t12 AS r2 WHERE r2.p141 = $1))) IS NOT TRUE AND r0.id IN (SELECT l1.owner FROM m112 AS l1 JOIN t11 AS r1 ON r1.id = l1.value WHERE r1.p134 IN (SELECT r2.id FROM t11 AS r2 WHERE r2.p130 = $2)) AND (r0.id IN (SELECT l1.owner FROM m112 AS l1 JOIN t11 AS r1 ON r1.id = l1.value WHERE (r1.p133 > $3) IS NOT TRUE)) IS NOT TRUE);
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE ((r0.p111 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.p132 IN (SELECT r2.id FROM t12 AS r2 WHERE r2.p141 = $1))) IS NOT TRUE AND r0.id IN (SELECT l1.owner FROM m112 AS l1 JOIN t11 AS r1 ON r1.id = l1.value WHERE r1.p134 IN (SELECT r2.id FROM t11 AS r2 WHERE r2.p130 = $2)) AND (r0.id IN (SELECT l1.owner FROM m112 AS l1 JOIN t11 AS r1 ON r1.id = l1.value WHERE (r1.p133 > $3) IS NOT TRUE)) IS NOT TRUE) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $4) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- a day and a hierarchy
SELECT COUNT(*) FROM t10 AS r0 WHERE ((r0.p108 >= $1 AND r0.p108 < $2) AND r0.p111 IN (WITH RECURSIVE tree(id, depth) AS (SELECT x.id, 1 FROM t11 AS x WHERE x.p134 = $3 UNION SELECT x.id, tree.depth + 1 FROM tree JOIN t11 AS x ON x.p134 = tree.id WHERE tree.depth < 100) SELECT tree.id FROM tree WHERE tree.id IS NOT NULL));
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE ((r0.p108 >= $1 AND r0.p108 < $2) AND r0.p111 IN (WITH RECURSIVE tree(id, depth) AS (SELECT x.id, 1 FROM t11 AS x WHERE x.p134 = $3 UNION SELECT x.id, tree.depth + 1 FROM tree JOIN t11 AS x ON x.p134 = tree.id WHERE tree.depth < 100) SELECT tree.id FROM tree WHERE tree.id IS NOT NULL)) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $4) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- full text
SELECT COUNT(*), (SELECT CAST(COALESCE(SUM(rows), 0) AS INTEGER) FROM plinth_counter WHERE type = $1), $2, $3 FROM t10 AS r0 WHERE (r0.id IN (SELECT rowid FROM f10 WHERE f10 MATCH $4) AND r0.p111 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.id IN (SELECT rowid FROM f11 WHERE f11 MATCH $5)));
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE (r0.id IN (SELECT rowid FROM f10 WHERE f10 MATCH $1) AND r0.p111 IN (SELECT r1.id FROM t11 AS r1 WHERE r1.id IN (SELECT rowid FROM f11 WHERE f11 MATCH $2))) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $3) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- a tag
SELECT COUNT(*) FROM plinth_tagged AS g WHERE g.type = $1 AND g.tag = (SELECT x.id FROM plinth_tag AS x WHERE x.identifier = $2 AND TRUE);
SELECT r0.id FROM t10 AS r0 JOIN plinth_tagged AS g ON g.object = r0.id AND g.type = $1 AND g.tag = (SELECT x.id FROM plinth_tag AS x WHERE x.identifier = $2 AND TRUE) ORDER BY g.object DESC LIMIT 20 OFFSET $3;

-- a tag by another order
SELECT COUNT(*) FROM plinth_tagged AS g WHERE g.type = $1 AND g.tag = (SELECT x.id FROM plinth_tag AS x WHERE x.identifier = $2 AND TRUE);
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE r0.id IN (SELECT g.object FROM plinth_tagged AS g WHERE g.type = $1 AND g.tag = (SELECT x.id FROM plinth_tag AS x WHERE x.identifier = $2 AND TRUE)) ORDER BY r0.p100 ASC NULLS LAST, r0.id ASC LIMIT 20 OFFSET $3) AS k ON k.id = r0.id ORDER BY r0.p100 ASC NULLS LAST, r0.id ASC;

-- tags
SELECT COUNT(DISTINCT g.object) FROM plinth_tagged AS g WHERE g.type = $1 AND g.tag IN (SELECT x.id FROM plinth_tag AS x WHERE x.identifier IN rarray($2) AND TRUE);
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE r0.id IN (SELECT g.object FROM plinth_tagged AS g WHERE g.type = $1 AND g.tag IN (SELECT x.id FROM plinth_tag AS x WHERE x.identifier IN rarray($2) AND TRUE)) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $3) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- all of several tags
SELECT COUNT(*) FROM (SELECT g.object FROM plinth_tag AS x CROSS JOIN plinth_tagged AS g WHERE x.identifier IN rarray($1) AND TRUE AND g.tag = x.id AND g.type = $2 GROUP BY g.object HAVING COUNT(DISTINCT g.tag) = $3) AS o;
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE r0.id IN (SELECT g.object FROM plinth_tag AS x CROSS JOIN plinth_tagged AS g WHERE x.identifier IN rarray($1) AND TRUE AND g.tag = x.id AND g.type = $2 GROUP BY g.object HAVING COUNT(DISTINCT g.tag) = $3) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $4) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- all of several tags or of those below
SELECT COUNT(*) FROM (WITH RECURSIVE chosen(root, tag, level) AS (SELECT x.id, x.id, 1 FROM plinth_tag AS x WHERE x.identifier IN rarray($1) AND TRUE UNION ALL SELECT chosen.root, x.id, chosen.level + 1 FROM chosen JOIN plinth_tag AS x ON x.parent = chosen.tag WHERE chosen.level < 10 AND TRUE) SELECT g.object FROM chosen CROSS JOIN plinth_tagged AS g WHERE g.tag = chosen.tag AND g.type = $2 GROUP BY g.object HAVING COUNT(DISTINCT chosen.root) = $3) AS o;
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE r0.id IN (WITH RECURSIVE chosen(root, tag, level) AS (SELECT x.id, x.id, 1 FROM plinth_tag AS x WHERE x.identifier IN rarray($1) AND TRUE UNION ALL SELECT chosen.root, x.id, chosen.level + 1 FROM chosen JOIN plinth_tag AS x ON x.parent = chosen.tag WHERE chosen.level < 10 AND TRUE) SELECT g.object FROM chosen CROSS JOIN plinth_tagged AS g WHERE g.tag = chosen.tag AND g.type = $2 GROUP BY g.object HAVING COUNT(DISTINCT chosen.root) = $3) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $4) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- a tag, those below, and a filter
SELECT COUNT(*) FROM t10 AS r0 WHERE (r0.p101 = $1 AND r0.id IN (SELECT g.object FROM plinth_tagged AS g WHERE g.type = $2 AND g.tag IN (WITH RECURSIVE chosen(root, tag, level) AS (SELECT x.id, x.id, 1 FROM plinth_tag AS x WHERE x.identifier IN rarray($3) AND TRUE UNION ALL SELECT chosen.root, x.id, chosen.level + 1 FROM chosen JOIN plinth_tag AS x ON x.parent = chosen.tag WHERE chosen.level < 10 AND TRUE) SELECT chosen.tag FROM chosen)));
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE (r0.p101 = $1 AND r0.id IN (SELECT g.object FROM plinth_tagged AS g WHERE g.type = $2 AND g.tag IN (WITH RECURSIVE chosen(root, tag, level) AS (SELECT x.id, x.id, 1 FROM plinth_tag AS x WHERE x.identifier IN rarray($3) AND TRUE UNION ALL SELECT chosen.root, x.id, chosen.level + 1 FROM chosen JOIN plinth_tag AS x ON x.parent = chosen.tag WHERE chosen.level < 10 AND TRUE) SELECT chosen.tag FROM chosen))) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $4) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

-- documents and groups
SELECT COUNT(*) FROM t10 AS r0 WHERE ((SELECT CASE WHEN json_type(j, p) IN ('integer', 'real') THEN CAST(j ->> p AS REAL) END FROM (SELECT (r0.p113) AS j, $1 AS p)) > $2 OR ((SELECT COUNT(*) FROM m110 AS l1 WHERE l1.owner = r0.id) = $3) IS NOT TRUE);
SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE ((SELECT CASE WHEN json_type(j, p) IN ('integer', 'real') THEN CAST(j ->> p AS REAL) END FROM (SELECT (r0.p113) AS j, $1 AS p)) > $2 OR ((SELECT COUNT(*) FROM m110 AS l1 WHERE l1.owner = r0.id) = $3) IS NOT TRUE) ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC LIMIT 20 OFFSET $4) AS k ON k.id = r0.id ORDER BY r0.p101 DESC NULLS FIRST, r0.id ASC;

