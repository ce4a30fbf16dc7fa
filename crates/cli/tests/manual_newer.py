"""Features for the scripts of manual.py, one after the other, written from the manuals of the servers.

A feature has definitions, which come first in a script, and statements. Both are templates: `{word}` is replaced by one
of the alternatives that the feature, or GRAMMAR below, has for the word.
"""

import re

GRAMMAR = {
    "k": "1|2|3|4|5|6", "n": "0|1|2|3|5|10|42|-1|100", "d": "0.5|1.25|10.00|-3.50|99.99|7", "w": "'a'|'b'|'apple'|'B'|'zeta'|''|'a b'|'it''s'",
    "day": "'2024-01-31'|'2024-02-29'|'2023-12-31'|'2024-03-31'|'2025-06-15'|'2000-01-01'", "time": "'10:00:00'|'23:59:59'|'00:00:00'|'07:30:15'",
    "moment": "'2024-01-31 10:00:00'|'2024-02-29 23:59:59'|'2023-12-31 00:00:00'|'2024-10-27 02:30:00'|'2024-03-31 02:30:00'", "cmp": "=|<>|<|>|<=|>=",
    "sort": "| DESC| ASC", "agg": "min|max|count", "unit": "DAY|MONTH|YEAR|HOUR|MINUTE|WEEK",
}

POSTGRESQL = {
    "enum": {
        "mood": "'sad'|'ok'|'happy'|'great'", "moodcol": "m|m|{mood}::mood", "id": "1|2|3|4|5|6|7|8|9",
        "": ["CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy', 'great')", "CREATE TABLE people (id int PRIMARY KEY, m mood NOT NULL DEFAULT 'ok', was mood, name varchar(12))",
             "INSERT INTO people (id, m, name) VALUES (1, 'happy', 'ann'), (2, 'sad', 'bob'), (3, DEFAULT, NULL)"],
        "do": ["INSERT INTO people VALUES ({id}, {mood}, {mood}, {w})", "INSERT INTO people (id, name) VALUES ({id}, {w}) RETURNING m", "UPDATE people SET m = {mood} WHERE m {cmp} {mood}", "UPDATE people SET was = m, m = {mood} WHERE id = {id}",
               "SELECT id, m FROM people WHERE m {cmp} {mood} ORDER BY m{sort}, id", "SELECT m, count(*) FROM people GROUP BY m ORDER BY m", "SELECT max(m), min(was) FROM people", "SELECT {mood}::mood {cmp} {mood}::mood", "SELECT id FROM people WHERE m::text {cmp} {w} ORDER BY id",
               "SELECT m::text || '!' FROM people ORDER BY id", "SELECT id, CASE m WHEN 'sad' THEN 1 WHEN 'great' THEN 2 ELSE 0 END FROM people ORDER BY 1", "SELECT id FROM people WHERE m IN ({mood}, {mood}) ORDER BY id", "SELECT 'angry'::mood", "INSERT INTO people VALUES ({id}, 'angry')",
               "SELECT coalesce(was, m) FROM people ORDER BY id", "DELETE FROM people WHERE m = {mood} AND id > 3 RETURNING id, m", "SELECT DISTINCT m FROM people ORDER BY m{sort}", "SELECT id FROM people WHERE m BETWEEN {mood} AND {mood} ORDER BY id",
               "SELECT greatest(m, {mood}::mood) FROM people ORDER BY id", "SELECT enum_range(NULL::mood)::text", "SELECT array_agg(m ORDER BY m) FROM people", "SELECT nullif(m, {mood}) FROM people ORDER BY id", "SELECT a.id, b.id FROM people a JOIN people b ON a.m = b.was ORDER BY 1, 2",
               "SELECT m {cmp} 'nonsense' FROM people", "SELECT upper(m::text), length(m::text) FROM people ORDER BY id", "SELECT id, rank() OVER (ORDER BY m) FROM people ORDER BY id"],
    },
    "domain": {
        "v": "1|5|10|0|-3|NULL|99|100|101", "mail": "'a@b'|'x@example.org'|'nobody'|''|NULL",
        "": ["CREATE DOMAIN percent AS integer CHECK (VALUE BETWEEN 0 AND 100)", "CREATE DOMAIN mail AS text NOT NULL CHECK (VALUE LIKE '%@%')", "CREATE DOMAIN price AS numeric(8,2) DEFAULT 1.50 CHECK (VALUE >= 0)",
             "CREATE TABLE shop (id int PRIMARY KEY, p percent, m mail, c price)", "INSERT INTO shop VALUES (1, 10, 'a@b', 2.5)"],
        "do": ["INSERT INTO shop VALUES ({k}, {v}, {mail}, {d})", "INSERT INTO shop (id, m) VALUES ({k} + 10, {mail}) ON CONFLICT DO NOTHING RETURNING *", "UPDATE shop SET p = {v} WHERE id = {k}", "UPDATE shop SET p = p + {n}", "UPDATE shop SET c = c * {d} WHERE id < 4", "SELECT {v}::percent",
               "SELECT p + 1, c * 2, m || '!' FROM shop ORDER BY id", "SELECT sum(p), avg(c), max(m) FROM shop", "SELECT id FROM shop WHERE p {cmp} {n} ORDER BY id", "SELECT {mail}::mail", "SELECT pg_typeof(p)::text FROM shop", "SELECT CAST(p AS text) || '%' FROM shop ORDER BY id",
               "SELECT p::numeric / 3 FROM shop ORDER BY id", "SELECT CASE WHEN p > 5 THEN p ELSE 0 END FROM shop ORDER BY id", "DELETE FROM shop WHERE c > {d} AND id > 2", "SELECT coalesce(p, 7) FROM shop ORDER BY id", "SELECT p, count(*) FROM shop GROUP BY p ORDER BY p NULLS FIRST"],
    },
    "range": {
        "r": "'[1,5)'|'[3,9]'|'(,4)'|'[2,)'|'empty'|'(1,2)'|'[7,7]'|NULL|'[5,10)'", "int": "int4range({n}, {n} + 10)|{r}::int4range|r|r|int4range(1, {k}, '[]')|int4range(NULL, {k})", "day2": "daterange('2024-01-01', '2024-02-01')|s|s|'[2024-01-15,2024-03-01)'::daterange|'(,2024-02-10]'::daterange",
        "": ["CREATE TABLE slot (id int PRIMARY KEY, r int4range, s daterange, q numrange)", "INSERT INTO slot VALUES (1, '[1,5)', '[2024-01-01,2024-01-31]', '[0.5,2.5)'), (2, 'empty', NULL, '(,1]'), (3, '[4,)', '(2024-01-10,2024-02-10)', 'empty')"],
        "do": ["INSERT INTO slot VALUES ({k} + 3, {r}, '[2024-01-{k}0,2024-02-01)', numrange({d}, 100))", "UPDATE slot SET r = {int} WHERE id = {k}", "SELECT id FROM slot WHERE {int} @> {n} ORDER BY id", "SELECT id FROM slot WHERE {int} && {int} ORDER BY id", "SELECT id, {int} * {int} FROM slot ORDER BY id",
               "SELECT lower(r), upper(r), isempty(r), lower_inc(r), upper_inc(r), lower_inf(r) FROM slot ORDER BY id", "SELECT {int} {cmp} {int} FROM slot ORDER BY id", "SELECT id, r FROM slot ORDER BY r{sort}, id", "SELECT {int} << {int}, {int} -|- {int} FROM slot ORDER BY id", "SELECT id FROM slot WHERE {day2} @> DATE {day} ORDER BY id",
               "SELECT upper({day2}) - lower({day2}) FROM slot ORDER BY id", "SELECT {int} + {int} FROM slot WHERE id = {k}", "SELECT {int} - {int} FROM slot WHERE id = {k}", "SELECT id FROM slot WHERE q @> {d} ORDER BY id", "SELECT r::text, s::text FROM slot ORDER BY id", "SELECT int4range({n}, {n})", "DELETE FROM slot WHERE r @> {n} AND id > 3 RETURNING r",
               "SELECT numrange({d}, {d}, '[]')", "SELECT count(DISTINCT r) FROM slot", "SELECT '[1,2'::int4range", "SELECT range_merge({int}, {int}) FROM slot ORDER BY id", "SELECT {int} <@ int4range(0, 50) FROM slot ORDER BY id", "SELECT r, count(*) FROM slot GROUP BY r ORDER BY r"],
    },
    "sequence": {
        "": ["CREATE SEQUENCE tickets START 10 INCREMENT BY 5", "CREATE SEQUENCE round MAXVALUE 3 CYCLE", "CREATE TABLE ticket (id serial PRIMARY KEY, no bigint DEFAULT nextval('tickets'), t text)", "CREATE TABLE item (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, g int GENERATED BY DEFAULT AS IDENTITY (START WITH 100), t text)"],
        "do": ["INSERT INTO ticket (t) VALUES ({w}) RETURNING id, no", "INSERT INTO ticket (t) SELECT {w} FROM generate_series(1, {k})", "SELECT nextval('tickets')", "SELECT currval('tickets')", "SELECT nextval('round') < 4", "SELECT lastval()", "SELECT setval('tickets', {k}0)", "SELECT setval('tickets', {k}0, false)", "INSERT INTO item (t) VALUES ({w}), ({w}) RETURNING *",
               "INSERT INTO item (id, t) VALUES ({k}, {w})", "INSERT INTO item (id, t) OVERRIDING SYSTEM VALUE VALUES ({k} + 50, {w}) ON CONFLICT DO NOTHING", "INSERT INTO item (g, t) VALUES ({k}, {w}) RETURNING id, g", "INSERT INTO item (g, t) OVERRIDING USER VALUE VALUES ({k}, {w}) RETURNING g", "ALTER SEQUENCE tickets RESTART WITH {k}00", "UPDATE item SET id = DEFAULT WHERE id = {k}",
               "UPDATE item SET id = {k}", "SELECT * FROM ticket ORDER BY id", "SELECT * FROM item ORDER BY id", "DELETE FROM ticket WHERE id % 3 = 0", "SELECT max(id), max(no) FROM ticket", "TRUNCATE ticket RESTART IDENTITY", "INSERT INTO ticket DEFAULT VALUES RETURNING id"],
    },
    "trigger": {
        "": ["CREATE TABLE acct (id int PRIMARY KEY, bal int NOT NULL, note text)", "CREATE TABLE hist (n serial PRIMARY KEY, op text, id int, was int, now int)", "INSERT INTO acct VALUES (1, 100, 'x'), (2, 50, NULL), (3, 0, 'z')",
             "CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hist (op, id, was, now) VALUES (TG_OP, coalesce(NEW.id, OLD.id), OLD.bal, NEW.bal); RETURN NULL; END $$", "CREATE TRIGGER log_acct AFTER INSERT OR UPDATE OR DELETE ON acct FOR EACH ROW EXECUTE FUNCTION log_it()",
             "CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.bal < 0 THEN RAISE EXCEPTION 'overdrawn'; END IF; NEW.note := coalesce(NEW.note, 'none'); RETURN NEW; END $$", "CREATE TRIGGER guard_acct BEFORE INSERT OR UPDATE ON acct FOR EACH ROW EXECUTE FUNCTION guard()"],
        "do": ["INSERT INTO acct VALUES ({k}, {n}, {w})", "INSERT INTO acct (id, bal) VALUES ({k} + 5, {n}), ({k} + 20, {n}) ON CONFLICT (id) DO UPDATE SET bal = excluded.bal + 1", "UPDATE acct SET bal = bal - {n} WHERE id = {k}", "UPDATE acct SET bal = bal + 1", "UPDATE acct SET note = NULL WHERE id = {k} RETURNING note", "DELETE FROM acct WHERE id = {k} RETURNING *",
               "SELECT * FROM acct ORDER BY id", "SELECT op, id, was, now FROM hist ORDER BY n", "SELECT op, count(*) FROM hist GROUP BY op ORDER BY op", "DROP TRIGGER IF EXISTS log_acct ON acct", "ALTER TABLE acct DISABLE TRIGGER guard_acct", "ALTER TABLE acct ENABLE TRIGGER guard_acct", "SELECT sum(bal) FROM acct", "DELETE FROM hist WHERE n < {k}"],
    },
    "merge": {
        "src": "feed|feed|(SELECT id, qty FROM feed WHERE qty > 2)|(VALUES (1, 5), ({k}, 9))", "cond": "s.qty > {k}|g.qty {cmp} s.qty|g.qty IS NULL",
        "": ["CREATE TABLE goods (id int PRIMARY KEY, qty int, t text DEFAULT 'new')", "CREATE TABLE feed (id int, qty int)", "INSERT INTO goods VALUES (1, 1, 'a'), (2, 2, 'b'), (3, NULL, 'c')", "INSERT INTO feed VALUES (1, 10), (3, 3), (5, 7)"],
        "do": ["MERGE INTO goods g USING {src} s(id, qty) ON g.id = s.id WHEN MATCHED THEN UPDATE SET qty = s.qty WHEN NOT MATCHED THEN INSERT (id, qty) VALUES (s.id, s.qty)", "MERGE INTO goods AS g USING feed AS s ON g.id = s.id WHEN MATCHED AND {cond} THEN DELETE WHEN MATCHED THEN UPDATE SET t = {w}",
               "MERGE INTO goods g USING feed s ON g.id = s.id WHEN NOT MATCHED AND s.qty > {k} THEN INSERT VALUES (s.id, s.qty, {w}) WHEN MATCHED THEN DO NOTHING", "MERGE INTO goods g USING feed s ON g.id = s.id AND {cond} WHEN MATCHED THEN UPDATE SET qty = coalesce(g.qty, 0) + s.qty, t = DEFAULT",
               "INSERT INTO feed VALUES ({k}, {n})", "DELETE FROM feed WHERE id = {k}", "UPDATE feed SET qty = qty + 1 WHERE id > {k}", "SELECT * FROM goods ORDER BY id", "SELECT id, qty FROM feed ORDER BY 1, 2", "MERGE INTO goods g USING feed s ON g.id = s.id WHEN MATCHED THEN UPDATE SET id = s.id + 10"],
    },
    "view": {
        "": ["CREATE TABLE staff (id int PRIMARY KEY, dept int, pay numeric(8,2), name text)", "INSERT INTO staff VALUES (1, 1, 100, 'ann'), (2, 1, 200.5, 'bob'), (3, 2, 50, 'cy')", "CREATE VIEW sales AS SELECT id, name, pay FROM staff WHERE dept = 1",
             "CREATE VIEW paid AS SELECT id, pay AS wage, dept FROM staff WHERE pay > 60 WITH CHECK OPTION", "CREATE VIEW pays AS SELECT dept, count(*) AS k, sum(pay) AS total FROM staff GROUP BY dept", "CREATE MATERIALIZED VIEW summary AS SELECT dept, max(pay) AS top FROM staff GROUP BY dept"],
        "do": ["INSERT INTO sales (id, name) VALUES ({k} + 3, {w})", "INSERT INTO paid VALUES ({k} + 10, {n}, {k})", "UPDATE sales SET pay = pay + {d} WHERE id = {k}", "UPDATE paid SET wage = wage - {n}", "UPDATE paid SET dept = 2 WHERE id = {k} RETURNING *", "DELETE FROM sales WHERE id = {k}", "SELECT * FROM sales ORDER BY id", "SELECT * FROM paid ORDER BY id", "SELECT * FROM pays ORDER BY dept",
               "SELECT * FROM summary ORDER BY dept", "REFRESH MATERIALIZED VIEW summary", "?UPDATE pays SET k = 1", "SELECT s.name, p.total FROM sales s JOIN pays p ON p.dept = 1 ORDER BY s.id", "UPDATE staff SET dept = {k} WHERE id = {k}", "SELECT count(*) FROM sales WHERE pay IS NULL", "INSERT INTO sales (id) VALUES (1)"],
    },
    "generated": {
        "": ["CREATE TABLE box (id int PRIMARY KEY, w numeric(6,2), h numeric(6,2), area numeric GENERATED ALWAYS AS (w * h) STORED, label text GENERATED ALWAYS AS ('box ' || CAST(id AS text)) STORED)", "CREATE TEMP TABLE scratch (id int PRIMARY KEY, v text)", "INSERT INTO box (id, w, h) VALUES (1, 2, 3), (2, 1.5, NULL)", "CREATE UNIQUE INDEX box_label ON box (lower(label))"],
        "do": ["INSERT INTO box (id, w, h) VALUES ({k}, {d}, {d}) RETURNING *", "INSERT INTO box (id, area) VALUES ({k} + 10, 5)", "INSERT INTO box (id, w, area) VALUES ({k} + 30, 2, DEFAULT)", "UPDATE box SET w = w + {d} WHERE id = {k} RETURNING area", "UPDATE box SET area = 1", "UPDATE box SET h = {d}, id = id + 100 WHERE id = {k}", "SELECT id, area, label FROM box WHERE area {cmp} {n} ORDER BY id", "SELECT sum(area) FROM box",
               "INSERT INTO scratch VALUES ({k}, {w}) ON CONFLICT (id) DO UPDATE SET v = scratch.v || excluded.v", "INSERT INTO scratch SELECT id + 20, label FROM box ON CONFLICT DO NOTHING", "SELECT * FROM scratch ORDER BY id", "DELETE FROM scratch", "CREATE TEMP TABLE gone ON COMMIT DROP AS SELECT id FROM box", "SELECT b.id, s.v FROM box b LEFT JOIN scratch s USING (id) ORDER BY 1", "ALTER TABLE box ADD COLUMN twice numeric GENERATED ALWAYS AS (w * 2) STORED"],
    },
    "partition": {
        "p": "1|15|25|35|NULL|9|10", "": ["CREATE TABLE event (id int, at int, kind text) PARTITION BY RANGE (at)", "CREATE TABLE event_a PARTITION OF event FOR VALUES FROM (0) TO (10)", "CREATE TABLE event_b PARTITION OF event FOR VALUES FROM (10) TO (30)", "CREATE TABLE colour (id int, c text) PARTITION BY LIST (c)", "CREATE TABLE colour_r PARTITION OF colour FOR VALUES IN ('red', 'pink')",
               "CREATE TABLE colour_x PARTITION OF colour DEFAULT", "CREATE TABLE spread (id int PRIMARY KEY, v text) PARTITION BY HASH (id)", "CREATE TABLE spread_0 PARTITION OF spread FOR VALUES WITH (MODULUS 2, REMAINDER 0)", "CREATE TABLE spread_1 PARTITION OF spread FOR VALUES WITH (MODULUS 2, REMAINDER 1)", "INSERT INTO event VALUES (1, 1, 'x'), (2, 12, 'y')"],
        "do": ["INSERT INTO event VALUES ({k}, {p}, {w})", "UPDATE event SET at = {p} WHERE id = {k}", "SELECT * FROM event ORDER BY id, at, kind", "SELECT * FROM event_a ORDER BY id, at, kind", "DELETE FROM event WHERE at > {n}", "INSERT INTO event_b VALUES ({k}, {p}, 'direct')", "INSERT INTO colour VALUES ({k}, 'red'), ({k}, {w})", "UPDATE colour SET c = 'pink' WHERE id = {k}", "SELECT c, count(*) FROM colour GROUP BY c ORDER BY c",
               "SELECT count(*) FROM colour_x", "INSERT INTO spread VALUES ({k}, {w}) ON CONFLICT (id) DO UPDATE SET v = excluded.v", "SELECT * FROM spread ORDER BY id", "SELECT max(at), min(at) FROM event", "CREATE TABLE IF NOT EXISTS event_c PARTITION OF event FOR VALUES FROM (30) TO (40)", "?ALTER TABLE event DETACH PARTITION event_a"],
    },
    "json": {
        "doc": "'{\"a\": 1, \"b\": [1, 2, {\"c\": null}]}'|'{\"a\": \"x\", \"n\": 1.50}'|'[1, \"two\", false]'|'{}'|'null'|'{\"b\": {\"c\": {\"d\": 7}}}'", "j": "j|j|{doc}::jsonb", "path": "'{a}'|'{b,0}'|'{b,c}'|'{}'|'{b,-1}'", "jp": "'$.a'|'$.b[*]'|'$.b[0]'|'$.n ? (@ > 1)'|'$.*'|'$.b.c.d'|'lax $.zz'",
        "": ["CREATE TABLE doc (id int PRIMARY KEY, j jsonb, raw json)", "INSERT INTO doc VALUES (1, '{\"a\": 1, \"b\": [1, 2]}', '{\"z\" : 1}'), (2, '[]', NULL), (3, NULL, '[1]')"],
        "do": ["INSERT INTO doc VALUES ({k}, {doc}, {doc})", "UPDATE doc SET j = jsonb_set(j, {path}, to_jsonb({n})) WHERE id = {k}", "UPDATE doc SET j['a'] = to_jsonb({w}::text) WHERE id = {k}", "UPDATE doc SET j = j || {doc} WHERE jsonb_typeof(j) = 'object'", "SELECT id, {j} -> 'a', {j} ->> 'b' FROM doc ORDER BY id", "SELECT {j} #> {path}, {j} #>> {path} FROM doc ORDER BY id", "SELECT id FROM doc WHERE {j} @> {doc} ORDER BY id",
               "SELECT id FROM doc WHERE {j} ? 'a' ORDER BY id", "SELECT {j} - 'a', {j} #- {path} FROM doc ORDER BY id", "SELECT jsonb_path_query_array({j}, {jp}) FROM doc ORDER BY id", "SELECT jsonb_path_exists({j}, {jp}) FROM doc ORDER BY id", "SELECT id, e.value FROM doc, jsonb_array_elements(CASE jsonb_typeof(j) WHEN 'array' THEN j ELSE '[]' END) e ORDER BY id, e.value::text", "SELECT id, e.key, e.value FROM doc CROSS JOIN LATERAL jsonb_each(CASE jsonb_typeof(j) WHEN 'object' THEN j ELSE '{}' END) e ORDER BY 1, 2",
               "SELECT jsonb_agg(id ORDER BY id), jsonb_object_agg(id, j -> 'a') FROM doc", "SELECT jsonb_build_object('id', id, 'doc', j) FROM doc ORDER BY id", "SELECT to_jsonb(id), row_to_json(ROW(id, 1))::text FROM doc ORDER BY id", "SELECT jsonb_typeof(j), jsonb_typeof(j -> 'b') FROM doc ORDER BY id", "SELECT jsonb_strip_nulls({j}), jsonb_pretty({j}) FROM doc ORDER BY id", "SELECT raw FROM doc ORDER BY id", "SELECT (j -> 'a')::int FROM doc WHERE id = {k}", "SELECT {j} = {j} FROM doc ORDER BY id",
               "SELECT (j ->> 'n')::numeric * 2 FROM doc ORDER BY id", "SELECT * FROM jsonb_to_recordset('[{\"a\":1,\"b\":\"x\"},{\"a\":null}]') AS r(a int, b text)", "SELECT jsonb_insert({j}, {path}, '9') FROM doc WHERE id = 1", "SELECT jsonb_array_length(j) FROM doc WHERE id = 2", "SELECT '{bad'::jsonb", "SELECT j @@ '$.a == 1' FROM doc ORDER BY id"],
    },
    "zone": {
        "z": "'UTC'|'Europe/Berlin'|'America/New_York'|'+02:00'|'Asia/Kolkata'", "iv": "interval '1 day'|interval '1 month'|interval '90 minutes'|interval '1 year 2 months'|make_interval(hours => {n})|interval '-2 days'|i", "t": "at|at|TIMESTAMPTZ '2024-03-31 01:30:00+00'|TIMESTAMPTZ '2024-10-27 00:30:00+00'", "l": "loc|loc|TIMESTAMP {moment}",
        "field": "year|month|day|hour|minute|dow|doy|week|quarter|epoch|isodow", "": ["CREATE TABLE trip (id int PRIMARY KEY, at timestamptz, loc timestamp, d date, i interval, c time)", "INSERT INTO trip VALUES (1, '2024-01-31 10:00+00', '2024-01-31 10:00', '2024-01-31', '1 day', '10:00'), (2, '2024-03-31 01:30+00', '2024-03-31 02:30', '2024-02-29', '2 hours 30 minutes', '23:59:59'), (3, NULL, NULL, NULL, NULL, NULL)"],
        "do": ["SELECT {l} + {iv}, {l} - {iv} FROM trip ORDER BY id", "SELECT {t} AT TIME ZONE {z} FROM trip ORDER BY id", "SELECT {l} AT TIME ZONE {z} FROM trip ORDER BY id", "SELECT d + {n}, d - DATE {day}, d + {iv} FROM trip ORDER BY id", "SELECT age(loc, TIMESTAMP {moment}) FROM trip ORDER BY id", "SELECT extract({field} FROM {l}) FROM trip ORDER BY id", "SELECT date_trunc('month', {l}), date_trunc('hour', {l}) FROM trip ORDER BY id", "SELECT {t} {cmp} {t} FROM trip ORDER BY id",
               "SELECT {t} - {t} FROM trip ORDER BY id", "SELECT extract(epoch FROM {t}) FROM trip ORDER BY id", "SELECT i * {k}, i / {k}, -i FROM trip ORDER BY id", "SELECT justify_interval(i * 40) FROM trip ORDER BY id", "SELECT id FROM trip WHERE {l} {cmp} TIMESTAMP {moment} ORDER BY id", "SELECT c + {iv}, c - TIME {time} FROM trip ORDER BY id", "UPDATE trip SET loc = loc + {iv}, d = d + {n} WHERE id = {k}", "INSERT INTO trip VALUES ({k}, {moment}, {moment}, {day}, '{k} days', {time})",
               "UPDATE trip SET at = at + interval '1 hour' WHERE id = {k} RETURNING at", "SELECT to_char({l}, 'YYYY-MM-DD HH24:MI'), to_char(d, 'Dy DD Mon') FROM trip ORDER BY id", "SELECT generate_series(DATE {day}, DATE {day} + 3, interval '1 day') AT TIME ZONE 'UTC'", "SELECT min(loc), max(d), sum(i), max(c) FROM trip", "SELECT date_part('{field}', d) FROM trip ORDER BY id", "SELECT at::date, at::timestamp FROM trip ORDER BY id", "SELECT (d, i) OVERLAPS (DATE {day}, DATE {day} + 30) FROM trip ORDER BY id",
               "SELECT {day}::date, {moment}::timestamp::date, {moment}::timestamptz FROM trip WHERE id = 1", "SELECT date_bin('15 minutes', {l}, TIMESTAMP '2001-01-01') FROM trip ORDER BY id", "SELECT make_timestamp(2024, {k}, {k}, {k}, 0, 1.5), make_date(2024, {k}, 31)", "SELECT i {cmp} {iv} FROM trip ORDER BY id"],
    },
    "routine": {
        "": ["CREATE TABLE num (id int PRIMARY KEY, v int)", "INSERT INTO num VALUES (1, 10), (2, 20), (3, 30)", "CREATE FUNCTION twice(x int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT x * 2'", "CREATE FUNCTION total(top int) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE s bigint := 0; r record; BEGIN FOR r IN SELECT v FROM num WHERE id <= top ORDER BY id LOOP s := s + r.v; END LOOP; RETURN s; END $$",
             "CREATE FUNCTION grade(x int) RETURNS text LANGUAGE plpgsql AS $$ BEGIN IF x IS NULL THEN RETURN 'none'; ELSIF x > 15 THEN RETURN 'high'; END IF; CASE x WHEN 10 THEN RETURN 'ten'; ELSE RETURN 'low'; END CASE; END $$", "CREATE PROCEDURE bump(which int, by int DEFAULT 1) LANGUAGE plpgsql AS $$ BEGIN UPDATE num SET v = v + by WHERE id = which; IF NOT FOUND THEN INSERT INTO num VALUES (which, by); END IF; END $$",
             "CREATE FUNCTION above(x int) RETURNS TABLE (i int, w int) LANGUAGE sql AS 'SELECT id, v FROM num WHERE v > x ORDER BY id'"],
        "do": ["SELECT twice({n}), twice(v) FROM num ORDER BY id", "SELECT total({k})", "SELECT id, grade(v) FROM num ORDER BY id", "SELECT grade(NULL), grade({n})", "CALL bump({k}, {n})", "CALL bump({k})", "?CALL bump(by => {n}, which => {k})", "SELECT * FROM above({n})", "SELECT a.i, n.v FROM above({n}) a JOIN num n ON n.id = a.i ORDER BY 1", "UPDATE num SET v = twice(v) WHERE id = {k}", "SELECT * FROM num ORDER BY id",
               "DO $$ BEGIN FOR i IN 1..{k} LOOP UPDATE num SET v = v + i WHERE id = i; END LOOP; END $$", "DO $$ DECLARE x int; BEGIN SELECT v INTO x FROM num WHERE id = {k}; IF x > 20 THEN RAISE EXCEPTION 'too much'; END IF; DELETE FROM num WHERE id = {k} + 3; END $$", "PREPARE p AS SELECT v FROM num WHERE id = $1", "EXECUTE p({k})", "DEALLOCATE p", "SELECT twice('x')", "SELECT twice(1, 2)", "SELECT id FROM num WHERE twice(v) {cmp} {n} ORDER BY id", "SELECT sum(twice(v)) FROM num"],
    },
}

MARIADB = {
    "enum": {
        "e": "'small'|'medium'|'large'", "s": "'a'|'b'|'a,c'|''|'c,b'|'a,b,c'", "b": "b'101'|5|b'0'|15|3", "y": "2024|1999|'2001'|70|2155",
        "": ["CREATE TABLE shirt (id INT PRIMARY KEY, size ENUM('small','medium','large') NOT NULL DEFAULT 'medium', tags SET('a','b','c'), flags BIT(4), made YEAR, name VARCHAR(12))", "INSERT INTO shirt VALUES (1, 'small', 'a,b', b'101', 2024, 'x'), (2, 3, '', 2, 1999, NULL), (3, DEFAULT, NULL, NULL, NULL, 'z')"],
        "do": ["INSERT INTO shirt VALUES ({k}, {e}, {s}, {b}, {y}, {w})", "INSERT INTO shirt (id, name) VALUES ({k} + 10, {w}) RETURNING size", "UPDATE shirt SET size = {e} WHERE size = {e}", "UPDATE shirt SET tags = {s}, flags = {b} WHERE id = {k}", "SELECT id, size, tags FROM shirt WHERE size = {e} ORDER BY id", "SELECT id FROM shirt WHERE size {cmp} {e} ORDER BY id", "SELECT id, size + 0, tags + 0, flags + 0, made FROM shirt ORDER BY id", "SELECT size, COUNT(*) FROM shirt GROUP BY size ORDER BY size",
               "SELECT id FROM shirt ORDER BY size{sort}, id", "SELECT id FROM shirt WHERE FIND_IN_SET('a', tags) ORDER BY id", "SELECT id FROM shirt WHERE tags = {s} ORDER BY id", "SELECT id FROM shirt WHERE tags LIKE '%b%' ORDER BY id", "SELECT id FROM shirt WHERE tags & 1 ORDER BY id", "SELECT BIN(flags), flags = 5, flags & 1 FROM shirt ORDER BY id", "SELECT made + 1, made {cmp} {y} FROM shirt ORDER BY id", "SELECT CONCAT(size, '-', COALESCE(tags, 'none')) FROM shirt ORDER BY id", "INSERT INTO shirt (id, size) VALUES ({k} + 20, 'huge')",
               "INSERT INTO shirt (id, tags) VALUES ({k} + 30, 'a,zz')", "INSERT INTO shirt (id, made) VALUES ({k} + 40, 1800)", "INSERT INTO shirt (id, flags) VALUES ({k} + 50, 99)", "SELECT MAX(size), MIN(made), MAX(tags) FROM shirt", "SELECT id, CASE size WHEN 'small' THEN 's' ELSE 'x' END FROM shirt ORDER BY id", "SELECT DISTINCT size FROM shirt ORDER BY 1", "SELECT id FROM shirt WHERE size IN ({e}, {e}) AND made IS NOT NULL ORDER BY id", "DELETE FROM shirt WHERE size = {e} AND id > 5", "SELECT UPPER(size), LENGTH(tags) FROM shirt ORDER BY id",
               "SELECT BIT_COUNT(flags), HEX(flags) FROM shirt ORDER BY id", "SELECT a.id, b.id FROM shirt a JOIN shirt b ON a.size = b.size ORDER BY 1, 2", "SELECT GROUP_CONCAT(size ORDER BY id) FROM shirt", "UPDATE shirt SET made = made + 1", "SELECT IF(size = 'large', 1, 0), IFNULL(made, 0) FROM shirt ORDER BY id"],
    },
    "several": {
        "": ["CREATE TABLE owner (id INT PRIMARY KEY, name VARCHAR(10), cash INT)", "CREATE TABLE pet (id INT PRIMARY KEY, oid INT, name VARCHAR(10), cost DECIMAL(6,2))", "INSERT INTO owner VALUES (1, 'ann', 10), (2, 'bob', 20), (3, 'cy', NULL)", "INSERT INTO pet VALUES (1, 1, 'rex', 1.50), (2, 1, 'tom', 2), (3, 2, 'kit', NULL), (4, 9, 'stray', 5)"],
        "do": ["UPDATE owner o JOIN pet p ON p.oid = o.id SET o.cash = o.cash + 1, p.cost = {d}", "UPDATE owner o, pet p SET p.name = o.name WHERE p.oid = o.id AND o.id = {k}", "UPDATE owner JOIN pet ON pet.oid = owner.id SET cash = {n} WHERE cost {cmp} {d}", "UPDATE owner o LEFT JOIN pet p ON p.oid = o.id SET o.cash = 0 WHERE p.id IS NULL", "UPDATE owner, pet SET name = 'x' WHERE owner.id = pet.oid", "DELETE o, p FROM owner o JOIN pet p ON p.oid = o.id WHERE o.id = {k} + 2",
               "DELETE p FROM pet p LEFT JOIN owner o ON p.oid = o.id WHERE o.id IS NULL", "DELETE FROM p USING pet p JOIN owner o ON p.oid = o.id WHERE o.cash {cmp} {n} AND p.id > 2", "DELETE pet FROM pet, owner WHERE pet.oid = owner.id AND id = 1", "INSERT INTO pet VALUES ({k} + 4, {k}, {w}, {d})", "INSERT INTO owner VALUES ({k}, {w}, {n}) ON DUPLICATE KEY UPDATE cash = cash + VALUES(cash)", "SELECT o.name, p.name, p.cost FROM owner o LEFT JOIN pet p ON p.oid = o.id ORDER BY o.id, p.id", "SELECT * FROM pet ORDER BY id", "SELECT * FROM owner ORDER BY id",
               "SELECT * FROM owner, pet JOIN owner b ON b.id = owner.id", "UPDATE pet SET cost = cost * 2 ORDER BY id DESC LIMIT 2", "DELETE FROM pet ORDER BY cost, id LIMIT 1", "UPDATE owner SET cash = cash + 1, name = CONCAT(name, cash) WHERE id = {k}", "SELECT o.id, SUM(p.cost) FROM owner o JOIN pet p ON p.oid = o.id GROUP BY o.id WITH ROLLUP", "SELECT id FROM owner INTERSECT SELECT oid FROM pet", "SELECT id FROM owner EXCEPT SELECT oid FROM pet ORDER BY 1"],
    },
    "virtual": {
        "": ["CREATE TABLE box (id INT PRIMARY KEY, w DECIMAL(6,2), h DECIMAL(6,2), area DECIMAL(12,4) AS (w * h) STORED, label VARCHAR(20) AS (CONCAT('box ', id)) VIRTUAL, half INT GENERATED ALWAYS AS (id DIV 2) VIRTUAL)", "INSERT INTO box (id, w, h) VALUES (1, 2, 3), (2, 1.5, NULL)", "CREATE TEMPORARY TABLE scratch (id INT PRIMARY KEY, v VARCHAR(20))"],
        "do": ["INSERT INTO box (id, w, h) VALUES ({k}, {d}, {d}) RETURNING *", "INSERT INTO box (id, area) VALUES ({k} + 10, 5)", "INSERT INTO box (id, w, area) VALUES ({k} + 30, 2, DEFAULT)", "UPDATE box SET w = w + {d} WHERE id = {k}", "UPDATE box SET area = 1 WHERE id = {k}", "UPDATE box SET h = {d}, id = id + 100 WHERE id = {k}", "SELECT id, area, label, half FROM box WHERE area {cmp} {n} ORDER BY id", "SELECT SUM(area), MAX(label) FROM box", "SELECT half, COUNT(*) FROM box GROUP BY half ORDER BY half",
               "DELETE FROM box WHERE half = {k}", "INSERT INTO scratch VALUES ({k}, {w}) ON DUPLICATE KEY UPDATE v = VALUES(v)", "SELECT * FROM scratch ORDER BY id", "REPLACE INTO scratch VALUES ({k}, {w})", "ALTER TABLE box ADD COLUMN twice DECIMAL(8,2) AS (w * 2) VIRTUAL", "SELECT * FROM box ORDER BY id", "INSERT IGNORE INTO box (id, w) VALUES ({k}, {d})", "UPDATE box SET w = NULL WHERE label = 'box {k}'"],
    },
    "routine": {
        "": ["CREATE TABLE num (id INT PRIMARY KEY, v INT)", "CREATE TABLE hist (n INT AUTO_INCREMENT PRIMARY KEY, op VARCHAR(10), id INT, was INT, now INT)", "INSERT INTO num VALUES (1, 10), (2, 20), (3, 30)", "CREATE FUNCTION twice(x INT) RETURNS INT DETERMINISTIC RETURN x * 2", "CREATE PROCEDURE bump(which INT, amount INT) UPDATE num SET v = v + amount WHERE id = which",
             "DELIMITER //\nCREATE PROCEDURE upto(top INT) BEGIN DECLARE i INT DEFAULT 1; WHILE i <= top DO INSERT INTO num VALUES (i + 50, i) ON DUPLICATE KEY UPDATE v = v + i; SET i = i + 1; END WHILE; SELECT COUNT(*) FROM num; END//\nDELIMITER ;\nSELECT 1",
             "DELIMITER //\nCREATE FUNCTION grade(x INT) RETURNS VARCHAR(10) DETERMINISTIC BEGIN IF x IS NULL THEN RETURN 'none'; ELSEIF x > 15 THEN RETURN 'high'; END IF; CASE x WHEN 10 THEN RETURN 'ten'; ELSE RETURN 'low'; END CASE; END//\nDELIMITER ;\nSELECT 1",
             "CREATE TRIGGER num_log AFTER UPDATE ON num FOR EACH ROW INSERT INTO hist (op, id, was, now) VALUES ('upd', NEW.id, OLD.v, NEW.v)", "DELIMITER //\nCREATE TRIGGER num_guard BEFORE INSERT ON num FOR EACH ROW BEGIN IF NEW.v < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'negative'; END IF; SET NEW.v = COALESCE(NEW.v, 0) + 1; END//\nDELIMITER ;\nSELECT 1",
             "DELIMITER //\nCREATE PROCEDURE move(a INT, b INT, x INT, OUT left_over INT) BEGIN UPDATE num SET v = v - x WHERE id = a; UPDATE num SET v = v + x WHERE id = b; SELECT v INTO left_over FROM num WHERE id = a; END//\nDELIMITER ;\nSELECT 1"],
        "do": ["SELECT twice({n}), twice(v) FROM num ORDER BY id", "SELECT id, grade(v) FROM num ORDER BY id", "SELECT grade(NULL), grade({n})", "CALL bump({k}, {n})", "CALL upto({k})", "CALL move({k}, {k}, {n}, @x)", "UPDATE num SET v = twice(v) WHERE id = {k}", "SELECT * FROM num ORDER BY id", "SELECT op, id, was, now FROM hist ORDER BY n", "INSERT INTO num VALUES ({k} + 3, {n})", "INSERT INTO num VALUES ({k}, {n}) ON DUPLICATE KEY UPDATE v = v + 1", "DELETE FROM num WHERE id = {k} + 50", "SELECT SUM(twice(v)) FROM num",
               "SELECT id FROM num WHERE twice(v) {cmp} {n} ORDER BY id", "EXECUTE IMMEDIATE 'SELECT v FROM num WHERE id = ?' USING {k}", "SELECT twice('x')", "DROP TRIGGER IF EXISTS num_log", "SELECT COUNT(*), MAX(now) FROM hist"],
    },
    "view": {
        "": ["CREATE TABLE staff (id INT PRIMARY KEY, dept INT, pay DECIMAL(8,2), name VARCHAR(10))", "INSERT INTO staff VALUES (1, 1, 100, 'ann'), (2, 1, 200.5, 'bob'), (3, 2, 50, 'cy')", "CREATE VIEW sales AS SELECT id, name, pay FROM staff WHERE dept = 1", "CREATE VIEW paid AS SELECT id, pay AS wage, dept FROM staff WHERE pay > 60 WITH CHECK OPTION", "CREATE VIEW pays AS SELECT dept, COUNT(*) AS k, SUM(pay) AS total, AVG(pay) AS mean FROM staff GROUP BY dept"],
        "do": ["INSERT INTO sales (id, name) VALUES ({k} + 3, {w})", "INSERT INTO paid VALUES ({k} + 10, {n}, {k})", "UPDATE sales SET pay = pay + {d} WHERE id = {k}", "UPDATE paid SET wage = wage - {n}", "UPDATE paid SET dept = 2 WHERE id = {k}", "DELETE FROM sales WHERE id = {k}", "SELECT * FROM sales ORDER BY id", "SELECT * FROM paid ORDER BY id", "SELECT * FROM pays ORDER BY dept", "?UPDATE pays SET k = 1", "SELECT s.name, p.total FROM sales s JOIN pays p ON p.dept = 1 ORDER BY s.id", "SELECT mean * 3, CONCAT(mean), ROUND(mean, 5) FROM pays ORDER BY dept",
               "UPDATE staff SET dept = {k} WHERE id = {k}", "INSERT INTO sales (id) VALUES (1)", "SELECT COUNT(*) FROM sales WHERE pay IS NULL", "SELECT pay / 7, pay / 7 * 3, CONCAT(pay / 7), COALESCE(pay / 7, 'none') FROM staff ORDER BY id", "SELECT q.z * 2, q.z LIKE '1%' FROM (SELECT pay / 3 AS z FROM staff) q", "INSERT INTO staff (id, pay) SELECT id + 100, AVG(pay) FROM staff GROUP BY id", "SELECT pay / 3 IN (16.6667, 1), pay / 3 BETWEEN 16.66666 AND 16.66667 FROM staff ORDER BY id"],
    },
    "sequence": {
        "": ["CREATE SEQUENCE tickets START WITH 10 INCREMENT BY 5", "CREATE TABLE ticket (id INT AUTO_INCREMENT PRIMARY KEY, no BIGINT DEFAULT NEXTVAL(tickets), t VARCHAR(10))", "INSERT INTO ticket (t) VALUES ('x')"],
        "do": ["INSERT INTO ticket (t) VALUES ({w}) RETURNING id, no", "INSERT INTO ticket (t) VALUES ({w}), ({w})", "SELECT NEXT VALUE FOR tickets", "SELECT NEXTVAL(tickets)", "SELECT LASTVAL(tickets)", "SELECT PREVIOUS VALUE FOR tickets", "SELECT SETVAL(tickets, {k}0)", "ALTER SEQUENCE tickets RESTART {k}00", "INSERT INTO ticket (id, t) VALUES ({k}0, {w})", "INSERT INTO ticket (id, t) VALUES (0, {w})", "INSERT INTO ticket (id, t) VALUES (NULL, {w})", "SELECT LAST_INSERT_ID()", "SELECT * FROM ticket ORDER BY id", "DELETE FROM ticket WHERE id % 3 = 0",
               "REPLACE INTO ticket (id, t) VALUES ({k}, {w})", "SELECT MAX(id), MAX(no) FROM ticket", "TRUNCATE TABLE ticket", "UPDATE ticket SET no = NEXTVAL(tickets) WHERE id = {k}"],
    },
    "partition": {
        "p": "1|15|25|35|NULL|9|10", "": ["CREATE TABLE event (id INT, at INT, kind VARCHAR(10)) PARTITION BY RANGE (at) (PARTITION a VALUES LESS THAN (10), PARTITION b VALUES LESS THAN (30))", "CREATE TABLE spread (id INT PRIMARY KEY, v VARCHAR(10)) PARTITION BY HASH (id) PARTITIONS 3", "INSERT INTO event VALUES (1, 1, 'x'), (2, 12, 'y')"],
        "do": ["INSERT INTO event VALUES ({k}, {p}, {w})", "UPDATE event SET at = {p} WHERE id = {k}", "SELECT * FROM event ORDER BY id, at, kind", "SELECT COUNT(*) FROM event PARTITION (a)", "DELETE FROM event WHERE at > {n}", "INSERT INTO spread VALUES ({k}, {w}) ON DUPLICATE KEY UPDATE v = VALUES(v)", "SELECT * FROM spread ORDER BY id", "SELECT MAX(at), MIN(at) FROM event", "ALTER TABLE event ADD PARTITION (PARTITION c VALUES LESS THAN (40))", "ALTER TABLE event TRUNCATE PARTITION a"],
    },
    "json": {
        "doc": "'{\"a\": 1, \"b\": [1, 2, {\"c\": null}]}'|'{\"a\": \"x\", \"n\": 1.50}'|'[1, \"two\", false]'|'{}'|'null'|'{\"b\": {\"c\": {\"d\": 7}}}'", "j": "j|j|{doc}", "path": "'$.a'|'$.b[0]'|'$.b.c'|'$'|'$.n'|'$.zz'",
        "": ["CREATE TABLE doc (id INT PRIMARY KEY, j JSON)", "INSERT INTO doc VALUES (1, '{\"a\": 1, \"b\": [1, 2]}'), (2, '[]'), (3, NULL)"],
        "do": ["INSERT INTO doc VALUES ({k}, {doc})", "INSERT INTO doc VALUES ({k} + 10, 'no json')", "UPDATE doc SET j = JSON_SET(j, {path}, {n}) WHERE id = {k}", "UPDATE doc SET j = JSON_REMOVE(j, '$.b') WHERE id = {k}", "SELECT id, JSON_EXTRACT({j}, {path}), JSON_VALUE({j}, {path}) FROM doc ORDER BY id", "SELECT JSON_TYPE({j}), JSON_LENGTH({j}), JSON_KEYS({j}) FROM doc ORDER BY id", "SELECT id FROM doc WHERE JSON_CONTAINS({j}, '1', '$.a') ORDER BY id", "SELECT JSON_UNQUOTE(JSON_EXTRACT({j}, {path})) FROM doc ORDER BY id",
               "SELECT JSON_MERGE_PATCH({j}, {doc}) FROM doc ORDER BY id", "SELECT JSON_ARRAYAGG(id) FROM doc", "SELECT JSON_OBJECT('id', id, 'n', {n}) FROM doc ORDER BY id", "SELECT JSON_EXISTS({j}, {path}), JSON_QUERY({j}, {path}) FROM doc ORDER BY id", "SELECT JSON_EXTRACT(j, '$.a') + 1, JSON_EXTRACT(j, '$.a') = 1 FROM doc ORDER BY id", "SELECT JSON_ARRAY(id, {w}, NULL, {d}), JSON_QUOTE({w}) FROM doc ORDER BY id", "SELECT JSON_VALID({doc}), JSON_DEPTH({doc})", "SELECT JSON_INSERT({j}, {path}, {w}), JSON_REPLACE({j}, {path}, {w}) FROM doc ORDER BY id", "SELECT j FROM doc ORDER BY id"],
    },
    "zone": {
        "iv": "INTERVAL 1 {unit}|INTERVAL {n} {unit}|INTERVAL -2 DAY|INTERVAL '1:30' HOUR_MINUTE|INTERVAL '1-2' YEAR_MONTH|INTERVAL 90 SECOND", "l": "loc|loc|TIMESTAMP {moment}|CAST({moment} AS DATETIME)", "dd": "d|d|DATE {day}|CAST({day} AS DATE)",
        "": ["CREATE TABLE trip (id INT PRIMARY KEY, loc DATETIME, fine DATETIME(3), d DATE, c TIME, y YEAR)", "INSERT INTO trip VALUES (1, '2024-01-31 10:00', '2024-01-31 10:00:00.125', '2024-01-31', '10:00', 2024), (2, '2024-03-31 02:30', NULL, '2024-02-29', '23:59:59', 1999), (3, NULL, NULL, NULL, NULL, NULL)"],
        "do": ["SELECT {l} + {iv}, {l} - {iv} FROM trip ORDER BY id", "SELECT {dd} + {iv}, {dd} - {iv} FROM trip ORDER BY id", "SELECT DATE_ADD({dd}, {iv}), DATE_SUB({l}, {iv}) FROM trip ORDER BY id", "SELECT DATEDIFF({dd}, {dd}), TIMESTAMPDIFF({unit}, {l}, {l}) FROM trip ORDER BY id", "SELECT EXTRACT({unit} FROM {l}), YEAR({dd}), QUARTER({dd}), DAYOFYEAR({dd}) FROM trip ORDER BY id", "SELECT LAST_DAY({dd}), DAYNAME({dd}), WEEK({dd}), YEARWEEK({dd}) FROM trip ORDER BY id", "SELECT DATE_FORMAT({l}, '%Y-%m-%d %H:%i'), TIME({l}), DATE({l}) FROM trip ORDER BY id",
               "SELECT id FROM trip WHERE {l} {cmp} {moment} ORDER BY id", "SELECT id FROM trip WHERE {dd} {cmp} {day} ORDER BY id", "SELECT ADDTIME(c, '01:00:00'), TIME_TO_SEC(c), SEC_TO_TIME({n}) FROM trip ORDER BY id", "UPDATE trip SET loc = loc + {iv}, d = d + {iv} WHERE id = {k}", "INSERT INTO trip VALUES ({k}, {moment}, {moment}, {day}, {time}, 2020)", "SELECT MIN(loc), MAX(d), MAX(c), MIN(y) FROM trip", "SELECT fine, MICROSECOND(fine), fine + INTERVAL 1 SECOND FROM trip ORDER BY id", "SELECT TIMESTAMPADD({unit}, {n}, {l}) FROM trip ORDER BY id", "SELECT STR_TO_DATE('2024-0{k}-15', '%Y-%m-%d')",
               "SELECT CONVERT_TZ({l}, '+00:00', '+05:30') FROM trip ORDER BY id", "SELECT d = {day}, d BETWEEN {day} AND {day}, d IN ({day}, {day}) FROM trip ORDER BY id", "SELECT TO_DAYS({dd}), FROM_DAYS(738000 + {n}), MAKEDATE(2024, {k}0) FROM trip ORDER BY id", "INSERT INTO trip (id, d) VALUES ({k} + 10, '2024-02-30')", "SELECT d + 0, loc + 0, c + 0 FROM trip ORDER BY id", "SELECT CONCAT(d, ' ', c), CAST(loc AS CHAR(10)) FROM trip ORDER BY id", "UPDATE trip SET d = CAST(loc AS CHAR(10)) WHERE id = {k}"],
    },
}


class Newer:
    """The features of one script."""

    def __init__(self, generator):
        self.g = generator
        features = POSTGRESQL if generator.pg else MARIADB
        known = [name for name in sorted(features) if generator.exotic or generator.pg or name != "partition"]
        names = generator.r.sample(known, generator.pick([0, 1, 2, 3]))
        self.features = [features[name] for name in names]

    def fill(self, text, feature):
        def one(match):
            word = match[1]
            choices = feature.get(word) or GRAMMAR.get(word)
            return self.fill(self.g.pick(choices.split("|")), feature) if choices else match[0]

        return re.sub(r"\{(\w+)\}", one, text)

    def definitions(self):
        return [text for feature in self.features for text in feature[""]]

    def statement(self):
        feature = self.g.pick(self.features)
        # A "?" marks what the audit does not support: it occurs in some scripts only.
        common = [text for text in feature["do"] if self.g.exotic or text[0] != "?"]
        return self.fill(self.g.pick(common).lstrip("?"), feature)
