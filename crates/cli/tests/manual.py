"""Prints a random SQL script, written from the manuals of the servers.

    python3 manual.py postgresql|mariadb SEED STATEMENTS [known]

The script makes tables, views and rows in an empty database, and then runs queries, writes, definitions,
savepoints and statements that fail. The same arguments give the same script. With `known`, it also has what the
audit is known to judge wrongly.
"""

import random
import re
import sys

from manual_newer import Newer

# Templates by type of result: <int> stands for any expression of that type, <k> for a small number.
BOTH = {
    "int": """
        <int> + <int>|<int> - <int>|<int> * <k>|- <int>|abs(<int>)|char_length(<txt>)|octet_length(<txt>)
        ?ascii(<txt>)|coalesce(<int>, <int>)|nullif(<int>, <int>)|coalesce(<int>, <k>, <int>)
        CASE WHEN <boo> THEN <int> ELSE <int> END|CASE <int> WHEN <k> THEN <int> WHEN <int> THEN <k> END
        CASE WHEN <boo> THEN <int> WHEN <boo> THEN <k> END|sign(<int>)|mod(<int>, <int>)|<int> % <int>
        (<qint1>)|(<qint1>)|<int> & <int>|<int> \\174 <int>|~ <k>|<int> << <k>|<int> >> <k>
        position(<txt> IN <txt>)|extract(YEAR FROM <dat>)|extract(MONTH FROM <ts>)|extract(DAY FROM <dat>)
        extract(HOUR FROM <ts>)|extract(MINUTE FROM <ts>)|bit_length(<txt>)|length(<txt>)|extract(QUARTER FROM <dat>)
    """,
    "num": """
        <num> + <num>|<num> - <num>|<num> * <num>|<num> / <num>|<num> + <int>|round(<num>, <k>)|round(<num>)
        abs(<num>)|- <num>|floor(<num>)|ceil(<num>)|ceiling(<num>)|coalesce(<num>, <num>)|nullif(<num>, <num>)
        CASE WHEN <boo> THEN <num> ELSE <num> END|CAST(<int> AS decimal(12,3))|CAST(<num> AS decimal(9,1))
        sign(<num>)|mod(<num>, <int>)|<num> * <int>|<int> / <num>|(<qnum1>)|CAST(<num> AS decimal(6,4))
    """,
    "txt": """
        upper(<txt>)|lower(<txt>)|concat(<txt>, <txt>)|concat_ws('-', <txt>, <int>, <txt>)|substring(<txt> FROM <k>)
        substring(<txt> FROM <k> FOR <k>)|substring(<txt>, <k>, <k>)|left(<txt>, <k>)|right(<txt>, <k>)
        trim(<txt>)|ltrim(<txt>)|rtrim(<txt>)|trim(BOTH 'a' FROM <txt>)|trim(LEADING ' ' FROM <txt>)
        trim(TRAILING 'e' FROM <txt>)|replace(<txt>, <txt>, <txt>)|repeat(<txt>, <k>)|reverse(<txt>)
        lpad(<txt>, <k>, '*')|rpad(<txt>, 7, <txt>)|coalesce(<txt>, <txt>)|nullif(<txt>, <txt>)|md5(<txt>)
        CASE WHEN <boo> THEN <txt> ELSE <txt> END|CASE <txt> WHEN <txt> THEN 'one' WHEN <txt> THEN 'two' ELSE <txt> END
        (<qtxt1>)|concat(<int>, <txt>)|concat(<numc>, '')|concat(<dat>)|lpad(<txt>, 5, 'xy')|concat_ws(NULL, <txt>, 'b')
        left(<txt>, -1)|substring(<txt>, -2)|substring(<txt>, -1, 2)|repeat('ab', <k>)|replace(<txt>, 'a', '')
    """,
    "boo": """
        <int> = <int>|<int> < <int>|<int> <> <int>|<int> >= <int>|<num> > <num>|<num> = <int>|<txt> = <txt>|<txt> < <txt>
        <txt> <> <txt>|<txt> LIKE <pat>|<txt> NOT LIKE <pat>|<int> BETWEEN <int> AND <int>|<int> NOT BETWEEN <k> AND <int>
        <int> IN (<int>, <k>, <int>)|<int> NOT IN (<k>, <int>)|<txt> IN (<txt>, <txt>)|<int> IS NULL|<txt> IS NOT NULL
        <boo> AND <boo>|<boo> OR <boo>|NOT <boo>|<dat> < <dat>|<dat> = <dat>|<ts> >= <ts>|<dat> <= <ts>
        EXISTS (<qint>)|NOT EXISTS (<qint>)|<int> IN (<qint>)|<int> NOT IN (<qint>)|<txt> IN (<qtxt>)
        <int> = ANY (<qint>)|<int> > ALL (<qint>)|<int> <> ALL (<qint>)|<int> < SOME (<qint>)
        (<int>, <int>) = (<int>, <k>)|(<int>, <txt>) < (<int>, <txt>)|(<int>, <txt>) IN (<qpair>)
        (<boo>) IS TRUE|(<boo>) IS NOT FALSE|(<boo>) IS UNKNOWN|(<boo>) IS NOT TRUE|<txt> LIKE <pat> ESCAPE '!'
        <dat> IS NULL|<num> BETWEEN <num> AND <num>|<dat> BETWEEN <dat> AND <dat>|(<int>, <int>) IN ((<k>, <k>), (<int>, <k>))
        <txt> IS NULL OR <txt> = <txt>|coalesce(<boo>, <boo>)|CASE WHEN <boo> THEN <boo> ELSE <boo> END|<num> IN (<qint>)
        NULL IN (<k>, <int>)|<int> = NULL|(<int> IS NULL) = (<txt> IS NULL)|<tim> < <tim>|<num> <> <num>
    """,
    "dat": """
        coalesce(<dat>, <dat>)|CAST(<ts> AS date)|CASE WHEN <boo> THEN <dat> ELSE <dat> END|nullif(<dat>, <dat>)|(<qdat1>)
    """,
    "ts": """
        coalesce(<ts>, <ts>)|CASE WHEN <boo> THEN <ts> ELSE <ts> END|nullif(<ts>, <ts>)
    """,
    "tim": "coalesce(<tim>, <tim>)|?CAST(<ts> AS time)|nullif(<tim>, <tim>)",
    "flt": "<flt> + <flt>|<flt> * <k>|abs(<flt>)|coalesce(<flt>, <flt>)|- <flt>|floor(<flt>)|?sqrt(<k>)|<flt> / 4|<flt> - <int>",
    "agi": "count(*)|count(<int>)|count(DISTINCT <int>)|min(<int>)|max(<int>)|count(DISTINCT <txt>)|max(char_length(<txt>))",
    "agg": """
        count(*)|count(<txt>)|count(DISTINCT <txt>)|sum(<int>)|sum(DISTINCT <int>)|avg(<int>)|avg(<num>)|sum(<num>)|min(<num>)
        max(<num>)|min(<txt>)|max(<txt>)|min(<dat>)|max(<ts>)|sum(CASE WHEN <boo> THEN 1 ELSE 0 END)|count(CASE WHEN <boo> THEN 1 END)
        sum(<int>) * 2 + count(*)|max(<int>) - min(<int>)|coalesce(sum(<int>), 0)|count(DISTINCT <dat>)|avg(DISTINCT <numc>)
        min(<tim>)||sum(<num>) / count(*)|round(avg(<num>), 2)|max(concat(<txt>, 'x'))|sum(<flt>)
        nullif(count(*), <k>)|CASE WHEN count(*) > <k> THEN sum(<int>) ELSE -1 END|avg(<int> + <num>)
    """,
    "win": """
        row_number()|rank()|dense_rank()|sum(<int>)|count(*)|min(<txt>)|max(<num>)|lag(<int>)|lead(<txt>)|lag(<int>, 2)|ntile(<k1>)
        first_value(<int>)|last_value(<txt>)|percent_rank()|?cume_dist()|avg(<int>)|count(<txt>)|nth_value(<int>, 2)|sum(<num>)
    """,
}

POSTGRESQL = {
    "int": """
        <int> / <int>|<int> # <int>|strpos(<txt>, <txt>)|greatest(<int>, <int>, <k>)|least(<int>, <int>)|(<dat> - <dat>)
        cardinality(<ia>)|array_length(<ia>, 1)|(<ia>)[<k>]|?array_position(<ia>, <int>)|(<jsn> ->> 'a')::int|gcd(<k>, <k1>)
        lcm(<k>, <k>)|num_nulls(<int>, <txt>, <dat>)|num_nonnulls(<txt>, <int>)|round(<num>)::int|floor(<num>)::integer
        (<boo>)::int|CAST(<dig> AS integer)|<dig>::int8|regexp_count(<txt>, <re>)|array_upper(<ta>, 1)|jsonb_array_length(<jar>)
        date_part('dow', <dat>)::int|extract(doy FROM <dat>)::int|extract(ISODOW FROM <ts>)|extract(week FROM <dat>)
        width_bucket(<num>, 0, 10, 4)|div(<int>, <k1>)|extract(decade from <dat>)|?get_byte(<byt>, 0)|octet_length(<byt>)
        (SELECT sum(x) FROM unnest(<ia>) AS u(x))|(SELECT count(*) FROM jsonb_array_elements(<jar>))|extract(epoch FROM <ivl>)::int
        array_ndims(<ia>)|<k>::smallint|(<int>)::bigint * 1000000|factorial(<k>)::int|extract(isoyear FROM <dat>)
        (array[<int>, <k>])[2]|length(<txt>::varchar(3))|@ <int>|?<k> ^ 2|char_length(<txt>::char(4))|jsonb_array_length(<jsn> -> 'b')
        ?scale(<num>)|?min_scale(<num>)|(<jsn> #>> '{b,0}')::int|extract(century FROM <dat>)
    """,
    "num": """
        trunc(<num>, <k>)|trunc(<num>)|<num> % <num>|power(<k>, <k>)|<int>::numeric / <int>|greatest(<num>, <int>)
        least(<num>, <num>, <num>)|<num>::numeric(8,2)|extract(epoch FROM <ts>)|extract(second FROM <ts>)|<dig>::numeric
        to_number('1,234.5', '9,999.9')|round(<num>, -1)|?trim_scale(<num>)|(<jsn> ->> 'n')::numeric|div(<num>, <num>)
        round(<flt>::numeric, 2)|CAST(<dig> AS numeric(5,2))|extract(milliseconds FROM <ts>)|1e3 * <num>|.5 + <num>|<num> / 3
        ?extract(julian FROM <dat>)|sqrt(<num>)|?<num> ^ 2|(SELECT avg(x) FROM unnest(<ia>) x)|factorial(<k>)
    """,
    "txt": """
        <txt> \\174\\174 <txt>|<txt> \\174\\174 <int>|split_part(<txt>, 'a', <k1>)|split_part(<txt>, 'a', -1)|initcap(<txt>)|translate(<txt>, 'abc', 'xy')
        overlay(<txt> PLACING 'zz' FROM <k1>)|overlay(<txt> PLACING <txt> FROM 2 FOR <k>)|chr(<k> + 65)|to_hex(<k>)|btrim(<txt>, 'ae')
        quote_ident(<txt>)|quote_literal(<txt>)|quote_nullable(<txt>)|format('%s-%I-%L', <txt>, <txt>, <txt>)|format('%2$s %1$s', <int>, <txt>)
        regexp_replace(<txt>, <re>, '<x>')|regexp_replace(<txt>, <re>, '_', 'g')|regexp_substr(<txt>, <re>)|substring(<txt> from <re>)
        to_char(<dat>, <fmt>)|to_char(<ts>, <fmt>)|to_char(<num>, 'FM9990.00')|?to_char(<int>, '999,999')|to_char(<int>, 'S0000')
        greatest(<txt>, <txt>)|least(<txt>, <txt>, 'm')|array_to_string(<ta>, ',')|array_to_string(<ia>, '/', '?')|(<ta>)[<k>]
        <jsn> ->> 'b'|<jsn> #>> '{c,d}'|(<boo>)::text|<int>::text|<num>::varchar|CAST(<dat> AS text)|<ts>::text|<txt>::varchar(3)|<txt>::char(5)
        encode(<byt>, 'hex')|encode(<byt>, 'base64')|encode(sha256(<txt>::bytea), 'hex')|jsonb_typeof(<jsn>)|pg_typeof(<num>)::text
        string_to_array(<txt>, 'a')::text|<ia>::text|<jsn>::text|<uid>::text|left(<uid>::text, 4)|regexp_match(<txt>, <re>)::text
        trim(both from <txt>)|trim('xa' from <txt>)|ltrim(<txt>, 'bA')|rtrim(<txt>, <txt>)|convert_from(convert_to(<txt>, 'UTF8'), 'UTF8')
        (SELECT string_agg(x, '+' ORDER BY x) FROM unnest(<ta>) AS x)|?U&'d\\0061t' \\174\\174 <txt>|E'tab\\tx' \\174\\174 <txt>|$q$it's$q$ \\174\\174 <txt>
        !'two ' \\n 'parts'|<tim>::text|to_char(<ts>, 'HH24:MI')|?<ivl>::text|to_char(<dat>, 'FMMonth DD, YYYY')|?to_char(<tim>::interval, 'HH24')
        substr(<txt>, <k>, 3)|?lpad(<txt>, <k>)|repeat(<txt>, -1)|left(<txt>, -2)|right(<txt>, -1)|jsonb_pretty(<jsn>)|concat(<boo>, <num>)
        ?<txt> COLLATE "C"|concat_ws(', ', <ta>, <dat>)|?unistr('\\0061')|regexp_replace(<txt>, '([a-m])', '[\\1]', 'g')|strpos(<txt>, 'a')::text
    """,
    "boo": """
        <int> IS DISTINCT FROM <int>|<txt> IS NOT DISTINCT FROM <txt>|<txt> ILIKE <pat>|<txt> ~ <re>|<txt> ~* <re>|<txt> !~ <re>
        <txt> SIMILAR TO '(a\\174b)%'|<int> = ANY (<ia>)|<int> <> ALL (<ia>)|<ia> @> <ia>|<ia> && <ia>|<ia> <@ <ia>|<ia> = <ia>|<ia> < <ia>
        <jsn> @> '{"a":1}'|<jsn> ? 'a'|<jsn> ?\\174 array['a','zz']|<jsn> ?& array['a','b']|<jsn> = <jsn>|<jsn> @? '$.b[*] ? (@ > 1)'|<jsn> @@ '$.a == 1'
        <int> BETWEEN SYMMETRIC <int> AND <int>|(<dat>, <dat>) OVERLAPS (<dat>, <dat>)|starts_with(<txt>, <txt>)|<txt> ^@ 'a'
        <uid> = <uid>|<uid> < <uid>|<boo> = <boo>|<boo> IS DISTINCT FROM <boo>|isfinite(<dat>)|<ivl> < <ivl>|<ivl> = <ivl>|<byt> = <byt>|<byt> < <byt>
        regexp_like(<txt>, <re>)|regexp_like(<txt>, <re>, 'i')|<txt> = ANY (<ta>)|ROW(<int>, <txt>) IS NOT NULL|ROW(<int>, NULL) IS NULL
        ?(<int>, <txt>) IS DISTINCT FROM (<int>, <txt>)|?<txt> LIKE ANY (ARRAY['a%', '%e'])|?<txt> ~~ <pat>|?<txt> !~~* <pat>|<boo> < <boo>|?<dig>::boolean
        <dat> > <dat> + <ivl>|<ts> - <ts> > <ivl>|<k> = ALL (SELECT x FROM generate_series(1, <k>) x)|(<boo>) NOTNULL|!(<txt>) ISNULL|<txt> SIMILAR TO '[a-c]+_?'
        jsonb_path_exists(<jsn>, '$.c.d')|<txt> > 'B' COLLATE "C"|'t'::bool|'off'::boolean|bool '1'
    """,
    "dat": """
        <dat> + <k>|<dat> - <k>|make_date(2024, <k1>, <k1>)|date_trunc('month', <dat>)::date|to_date('2024-0' \\174\\174 <k1>, 'YYYY-MM')
        greatest(<dat>, <dat>)|least(<dat>, <ts>::date)|(<dat> + <ivl>)::date|date '2024-02-29' + <k>|'2024-01-31'::date|<ts>::date|date_trunc('week', <ts>)::date
        ?to_date('05 Dec 2000', 'DD Mon YYYY')|?'epoch'::date
    """,
    "ts": """
        <ts> + <ivl>|<ts> - <ivl>|<dat> + <tim>|date_trunc('hour', <ts>)|date_trunc('quarter', <ts>)|<dat>::timestamp|make_timestamp(2024, <k1>, <k1>, <k>, 5, 7.25)
        date_bin('15 minutes', <ts>, '2001-01-01')|greatest(<ts>, <ts>)|<ts>::timestamp(0)|<dat> + <ivl>|date_trunc('year', <ts>) + <ivl>
        ?to_timestamp('2024-05-0' \\174\\174 <k1>, 'YYYY-MM-DD') AT TIME ZONE 'UTC'
    """,
    "tim": "make_time(<k>, 30, 1.5)|<tim> + <ivl>|<tim> - interval '1 hour'|time '04:05:06.789'|<ts>::time|'10:11'::time",
    "ivl": """
        <ivl> + <ivl>|<ivl> * <k>|- <ivl>|<ivl> / <k1>|<ts> - <ts>|age(<ts>, <ts>)|age(<dat>, <dat>)|make_interval(days => <k>, hours => <int>)|justify_hours(<ivl>)|justify_days(<ivl>)
        justify_interval(<ivl>)|<tim> - <tim>|interval '1 year 2 mons' - <ivl>|<k> * interval '1 day'|interval '90' minute|?interval '1-2' year to month|<int> * interval '1.5 hours'
    """,
    "jsn": """
        <jsn> \\174\\174 <jsn>|<jsn> - 'a'|<jsn> #- '{c,d}'|jsonb_set(<jsn>, '{a}', to_jsonb(<int>))|jsonb_build_object('k', <int>, 't', <txt>)|jsonb_build_array(<int>, <txt>, <boo>)
        to_jsonb(<txt>)|to_jsonb(<ia>)|to_jsonb(<num>)|<jsn> -> 'b'|<jsn> #> '{b,1}'|(<jsn>)['c']|jsonb_strip_nulls(<jsn>)|jsonb_insert(<jsn>, '{b,0}', '9')|jsonb_path_query_array(<jsn>, '$.b[*]')
        jsonb_path_query_first(<jsn>, '$.b[*] ? (@ >= 2)')|<jar> -> <k>|?<jar> -> -1|<jar> \\174\\174 '7'|<jar> - 0|'null'::jsonb|to_jsonb(<dat>)|to_jsonb(<ts>)|?jsonb_object('{a,1,b,2}')
        (SELECT jsonb_agg(x ORDER BY x) FROM unnest(<ia>) x)|(SELECT jsonb_object_agg(key, value) FROM jsonb_each(<jsn>) WHERE value <> 'null')|to_jsonb(<boo>)|jsonb_build_object('a', <jsn>)
    """,
    "jar": "",
    "ia": """
        <ia> \\174\\174 <int>|<int> \\174\\174 <ia>|<ia> \\174\\174 <ia>|array_append(<ia>, <int>)|array_prepend(<int>, <ia>)|array_remove(<ia>, <int>)|?array_replace(<ia>, <k>, <int>)|ARRAY[<int>, <int>]
        array_cat(<ia>, <ia>)|(<ia>)[1:2]|(<ia>)[2:]|?ARRAY(<qint> ORDER BY 1)|trim_array(ARRAY[1,2,<int>], 1)|array_positions(<ia>, <int>)|'{1,NULL,3}'::int[]|coalesce(<ia>, '{}')
        string_to_array('1,2,x', ',', 'x')::int[]|(SELECT array_agg(x ORDER BY x DESC) FROM unnest(<ia>) x)
    """,
    "ta": "string_to_array(<txt>, 'a')|array_append(<ta>, <txt>)|regexp_split_to_array(<txt>, <re>)|ARRAY[<txt>, <txt>]|<ta> \\174\\174 <ta>|array_remove(<ta>, 'a')|string_to_array(<txt>, NULL)",
    "uid": "coalesce(<uid>, <uid>)|<uid>::text::uuid|md5(<txt>)::uuid",
    "byt": "<byt> \\174\\174 <byt>|convert_to(<txt>, 'UTF8')|decode('0aff', 'hex')|substring(<byt> FROM 1 FOR 2)|'\\xDEAD'::bytea|sha224(<byt>)",
    "flt": "<flt> / 2|<num>::float8|<int>::double precision|?power(<flt>, 2)|trunc(<flt>)|round(<flt>)|sqrt(16::float8)|<flt> * <flt>|greatest(<flt>, <int>)|ceil(<flt>)",
    "agg": """
        string_agg(<txt>, ',' ORDER BY <txt>, <int>)|array_agg(<int> ORDER BY <int>)|bool_and(<boo>)|bool_or(<boo>)|every(<boo>)|count(*) FILTER (WHERE <boo>)|sum(<int>) FILTER (WHERE <boo>)
        jsonb_agg(<int> ORDER BY <int>)|json_agg(<txt> ORDER BY <txt>)|jsonb_object_agg(coalesce(<txt>, '?'), <k>)|mode() WITHIN GROUP (ORDER BY <int>)|bit_or(<int>)|bit_and(<k>)|percentile_disc(0.5) WITHIN GROUP (ORDER BY <int>)
        ?percentile_cont(0.5) WITHIN GROUP (ORDER BY <flt>)|variance(<int>)|stddev_pop(<num>)|?bit_xor(<int>)|count(DISTINCT (<int>, <txt>))|?string_agg(DISTINCT <txt>, '/' ORDER BY <txt>)|var_pop(<int>)
        array_agg(DISTINCT <int>)|min(<ivl>)|sum(<ivl>)|max(<boo>::int)|array_agg(<txt> ORDER BY <txt> DESC NULLS LAST)|?avg(<ivl>)|stddev(<int>)|string_agg(<int>::text, '')|sum(<int>::bigint)
    """,
    "win": """
        ?array_agg(<int>)|?string_agg(<txt>, ',')|count(*) FILTER (WHERE <boo>)|lag(<int>, 1, -1)|lead(<txt>, 2, 'none')|bool_or(<boo>)|max(<dat>)
    """,
}

MARIADB = {
    "int": """
        <int> DIV <int>|<int> MOD <k1>|<int> ^ <int>|locate(<txt>, <txt>)|locate(<txt>, <txt>, <k>)|instr(<txt>, <txt>)|greatest(<int>, <int>, <k>)|least(<int>, <int>)|year(<dat>)|month(<ts>)
        dayofmonth(<dat>)|dayofweek(<dat>)|weekday(<dat>)|dayofyear(<ts>)|week(<dat>)|week(<dat>, 3)|weekofyear(<dat>)|yearweek(<dat>)|hour(<ts>)|minute(<tim>)|second(<ts>)|datediff(<dat>, <ts>)
        timestampdiff(DAY, <ts>, <ts>)|timestampdiff(MONTH, <dat>, <ts>)|timestampdiff(HOUR, <ts>, <ts>)|to_days(<dat>)|time_to_sec(<tim>)|field(<txt>, 'a', <txt>)|?field(<int>, <k>, <int>)|find_in_set(<txt>, 'a,b,apple')
        strcmp(<txt>, <txt>)|crc32(<txt>)|bit_count(<int>)|ifnull(<int>, <int>)|if(<boo>, <int>, <int>)|isnull(<txt>)|nvl(<int>, <k>)|?nvl2(<txt>, <int>, <int>)|CAST(<dig> AS SIGNED)|CAST(<num> AS INTEGER)|<dig> + 0
        CAST(<txt> AS SIGNED)|json_length(<jsn>)|json_depth(<jsn>)|?json_valid(<txt>)|json_value(<jsn>, '$.a')|json_extract(<jsn>, '$.b[0]') + 1|inet_aton('10.0.0.1')|round(<num>)|?truncate(<int>, -1)|?interval(<int>, 1, 5, 9)
        <boo> + <boo>|(<boo>) * <int>|quarter(<dat>)|microsecond(<ts>)|extract(DAY_HOUR FROM <ts>)|extract(YEAR_MONTH FROM <dat>)|CAST(<k> AS UNSIGNED) + <k>|?<int> ! = <int>|?regexp_instr(<txt>, <re>)|?unix_timestamp(<ts>)
        extract(WEEK FROM <dat>)|character_length(<txt>)|?period_diff(202405, 202401)|?coercibility('a')|?ord(<txt>)|length(<txt>) XOR <k>|1 - -<int>|?period_add(202401, <k>)|round(<int>, -1)|conv('a', 16, 10) + 0
    """,
    "num": """
        truncate(<num>, <k>)|<num> % <num>|?pow(<k>, 2)|greatest(<num>, <int>)|least(<num>, <num>)|<int> / <int>|ifnull(<num>, <num>)|if(<boo>, <num>, <num>)|format(<num>, 2) + 0|<dig> * 1.0|round(<num>, -1)
        CAST(<dig> AS DECIMAL(8,3))|<num> DIV 2|CAST(<txt> AS DECIMAL(6,2))|1.5 * <int>|<num> / 3|round(<int> / <k1>, 3)|<num> MOD 3|nullif(<num>, <int>)|-<num>|truncate(<num>, -1)|CAST(<int> AS DECIMAL(4,1))
    """,
    "txt": """
        substring_index(<txt>, 'a', 1)|substring_index(<txt>, 'a', -1)|insert(<txt>, <k1>, 2, 'zz')|space(<k>)|elt(<k>, 'x', <txt>, 'z')|hex(<txt>)|hex(<k>)|sha1(<txt>)|sha2(<txt>, 256)|to_base64(<txt>)|quote(<txt>)
        format(<num>, 2)|format(<int>, 0)|conv(<k>, 10, 2)|bin(<k>)|oct(<k>)|ifnull(<txt>, <txt>)|if(<boo>, <txt>, <txt>)|date_format(<ts>, <fmt>)|date_format(<dat>, <fmt>)|dayname(<dat>)|monthname(<ts>)
        json_unquote(json_extract(<jsn>, '$.b'))|json_value(<jsn>, '$.c.d')|json_type(<jsn>)|json_quote(<txt>)|CAST(<int> AS CHAR)|CAST(<numc> AS CHAR)|CAST(<dat> AS CHAR)|!CAST(<ts> AS CHAR(10))|!CAST(<txt> AS CHAR(3))
        mid(<txt>, <k1>, 2)|lcase(<txt>)|ucase(<txt>)|greatest(<txt>, <txt>)|least(<txt>, 'm')|?regexp_replace(<txt>, <re>, '_')|regexp_substr(<txt>, <re>)|char(65 + <k> USING utf8mb4)|inet_ntoa(167772161)|nvl(<txt>, '-')
        "double ""quotes"" x"|'it\\'s \\\\ here'|concat('a' 'b', <txt>)|concat("q", <txt>)|substr(<txt>, -3)|rpad(<txt>, 4, 'é')|?_utf8mb4'Zoë'|concat(<txt>, NULL)|?json_search(<jsn>, 'one', 'x')|nullif(<txt>, 'A')|?x'4D' = 'm'
        concat(<flt>)|concat(<boo>)|concat(<tim>)|!concat(<num> / 3)|left(<ts>, 7)|substr(<dat>, 6, 2)|trim(<int>)|replace(<numc>, '.', ',')|lpad(<int>, 4, 0)|?chr(<k> + 97)|upper(<dat>)|reverse(<int>)|?sformat('{} {}', <txt>, <int>)
    """,
    "boo": """
        <int> <=> <int>|<txt> <=> <txt>|?<txt> REGEXP <re>|?<txt> RLIKE <re>|?<txt> NOT REGEXP <re>|<boo> XOR <boo>|<boo> && <boo>|! <boo>|<txt> = BINARY <txt>|<txt> LIKE <pat> COLLATE utf8mb4_bin|<txt> = <txt> COLLATE utf8mb4_bin
        <int> != <int>|<int> = <txt>|<dat> = '2024-02-29'|<ts> > '2024-01-01 12:00'|<dat> > <dat> - INTERVAL 1 MONTH|json_contains(<jsn>, '1', '$.a')|json_exists(<jsn>, '$.c.d')|json_valid(<jsn>)|<int>|<num> = '2.5'|<dig> = <int>
        <txt> BETWEEN 'a' AND <txt>|if(<boo>, TRUE, FALSE)|<boo> IS NULL|json_contains_path(<jsn>, 'one', '$.a', '$.zz')|<txt> LIKE 'a%' OR <txt> IN ('A', 'b ')|<boo> \\174\\174 <boo>|?<txt> < _utf8mb4'm'|<dat> IN ('2024-01-01', '2024-02-29')
        <txt> > <int>|?<tim> > '10:00'|<dat> < 20240301|<ts> BETWEEN '2024-01-01' AND '2024-12-31'|<int> IN ('1', '2', 3)|<txt> IN (1, '2')|NOT <int> = <int>|?<txt> SOUNDS LIKE 'aple'|<num> <=> NULL|<jsn> = <jsn>|?<flt> = <num>
    """,
    "dat": """
        <dat> + INTERVAL <k> DAY|date_add(<dat>, INTERVAL <int> MONTH)|date_sub(<dat>, INTERVAL 1 YEAR)|last_day(<dat>)|makedate(2024, <k1>)|from_days(739000 + <k>)|date(<ts>)|adddate(<dat>, <k>)|subdate(<dat>, <k>)|ifnull(<dat>, <dat>)
        str_to_date('05,12,2023', '%d,%m,%Y')|greatest(<dat>, <dat>)|if(<boo>, <dat>, <dat>)|<dat> - INTERVAL 2 WEEK|?CAST('2024-02-30' AS DATE)|date_add(<dat>, INTERVAL <k> QUARTER)|DATE '2024-02-29' + INTERVAL 1 YEAR|last_day(<ts>)
    """,
    "ts": """
        <ts> + INTERVAL <k> HOUR|<ts> - INTERVAL 90 MINUTE|timestampadd(MINUTE, <k>, <ts>)|addtime(<ts>, '01:30:00')|timestamp(<dat>)|timestamp(<dat>, '10:20:30')|str_to_date('2024-05-06 07:08:09', '%Y-%m-%d %H:%i:%s')|CAST(<dat> AS DATETIME)
        <dat> + INTERVAL <k> HOUR|from_unixtime(1700000000 + <k>)|?convert_tz(<ts>, '+00:00', '+02:30')|date_add(<ts>, INTERVAL '1 2' DAY_HOUR)|<ts> + INTERVAL '1:30' HOUR_MINUTE|date_sub(<ts>, INTERVAL <k> SECOND)|subtime(<ts>, '0:0:1')
    """,
    "tim": "time(<ts>)|sec_to_time(<k> * 1000)|?timediff(<ts>, <ts>)|addtime(<tim>, '00:10:00')|?maketime(<k>, 5, 6)|?timediff(<tim>, <tim>)|TIME '11:12:13'|subtime(<tim>, '1:1:1')",
    "jsn": """
        json_object('k', <int>, 't', <txt>)|json_array(<int>, <txt>, <num>)|json_set(<jsn>, '$.a', <int>)|json_insert(<jsn>, '$.z', <txt>)|json_replace(<jsn>, '$.a', <txt>)|json_remove(<jsn>, '$.b')|json_merge_patch(<jsn>, '{"a":null,"q":1}')
        ?json_array_append(<jsn>, '$.b', <int>)|json_extract(<jsn>, '$.b')|json_query(<jsn>, '$.c')|json_extract(<jsn>, '$.a', '$.b')|?json_array(<boo>, NULL, <dat>)|!json_object()|json_extract(<jsn>, '$.b[1]')
    """,
    "flt": "<flt> / 2|<flt> + <int>|?pow(<flt>, 2)|?round(<flt>, 1)|sqrt(16)|<flt> * 0.5|ifnull(<flt>, 0)|?truncate(<flt>, 1)|<txt> + 0|<dig> * 2e0|CAST(<int> AS DOUBLE)|if(<boo>, <flt>, <int>)|pi() > <flt>",
    "agg": """
        group_concat(<txt> ORDER BY <txt>)|?group_concat(DISTINCT <int> ORDER BY 1 SEPARATOR '/')|?bit_xor(<int>)|sum(<boo>)|avg(<boo>)|!group_concat(<int>, ':', <txt> ORDER BY <int> DESC, <txt>)|?sum(<txt>)|?max(<jsn>)|?bit_and(<int>)|count(DISTINCT <int>, <txt>)
        sum(<int> / <k1>)|?std(<int>)|?variance(<num>)|?any_value(<k>)|sum(if(<boo>, <int>, 0))|min(<boo>)|avg(<int>) * 100|ifnull(max(<txt>), 'none')|?group_concat(<dat> ORDER BY <dat> LIMIT 2)|max(<flt>)|avg(<flt>)|sum(<num> * <int>)
    """,
    "win": "?bit_or(<int>)|max(<dat>)|sum(<boo>)",
}

WORDS = "apple,Banana,a,A,b,Ab,abc,ab,e,cherry,apple pie,Date,x,zeta,bad,face,alpha,omega,m,Mm,B".split(",")
ODD = ["", " ", "a ", " pad ", "it''s", "50%", "x_y", "Zoë", "ÉCLAIR", "日本語", "😀", "naïve", "ß", "12", "-3.5", "null", "a-b", "(x)", "a,b", "q\"q", "--x", "/*y*/", ";"]
PATTERNS = ["a%", "%a", "%a%", "_", "__", "A%", "%e", "%", "", "a_c", "%!%%", "b%n%", "apple", "%p_e%", "é%", "%\\_%"]
REGEXPS = ["^a", "a$", "[a-c]+", "p+", "b|e", ".", "^$", "[^a]", "(a|b)c?", "an", "[A-Z]", "e.", "a*", "x?y", "^[a-z]+$", "[[:digit:]]", "[[:space:]]"]
RARE_REGEXPS = ["\\d+", "(?i)A", "a{2,3}", "(a)\\1", "\\w", "a.*?e", "[", "b+?"]
QUOTED = ["Order", "select", "a b", "Größe", "x y", "user", "1st", "UPPER", "from", "tab\"le"]
SQLTYPES = {
    "postgresql": {
        "int": ["integer", "bigint", "smallint", "int", "int4", "INT8"], "num": ["numeric(10,2)", "numeric", "decimal(12,4)", "numeric(6)"],
        "txt": ["text", "varchar(20)", "character varying(40)", "char(8)", "varchar", 'text COLLATE "C"'], "boo": ["boolean", "bool"], "dat": ["date"], "ts": ["timestamp", "timestamp(0)", "timestamp without time zone", "timestamp(3)"],
        "tim": ["time"], "ivl": ["interval"], "jsn": ["jsonb"], "uid": ["uuid"], "ia": ["integer[]", "int[]", "bigint[]"], "ta": ["text[]"], "flt": ["double precision", "float8", "real"], "byt": ["bytea"],
    },
    "mariadb": {
        "int": ["INT", "BIGINT", "SMALLINT", "INT(11)", "MEDIUMINT", "TINYINT", "INT UNSIGNED", "INTEGER"], "num": ["DECIMAL(10,2)", "NUMERIC(12,4)", "DECIMAL(6)", "DEC(5,1)"],
        "txt": ["VARCHAR(20)", "VARCHAR(40)", "TEXT", "CHAR(8)", "TINYTEXT", "VARCHAR(30) CHARACTER SET utf8mb4", "LONGTEXT"], "boo": ["BOOLEAN", "TINYINT(1)", "BOOL"],
        "dat": ["DATE"], "ts": ["DATETIME", "DATETIME", "DATETIME(3)"], "tim": ["TIME"], "jsn": ["JSON"], "flt": ["DOUBLE", "FLOAT", "DOUBLE PRECISION"],
    },
}
UNSUPPORTED = {  # Rare on purpose: the audit leaves out what they touch.
    "postgresql": ["bit(4)", "money", "inet", "int4range", "timetz", "xml", "point", "int[][]"],
    "mariadb": ["BLOB", "ENUM('a','b','c')", "SET('x','y')", "YEAR", "BIT(4)", "VARBINARY(8)", "INET6"],
}
RECASED = set(
    "select from where group by having order limit offset union all except intersect distinct insert into values update set delete using returning on conflict do nothing join left right inner outer cross natural and or not in is null "
    "like between exists case when then else end as with recursive over partition rows range asc desc begin commit rollback savepoint create table view index alter add drop column default unique check primary key references foreign cast".split()
)


class Generator:
    def __init__(self, dialect, seed, known=False):
        self.dialect = dialect
        self.known = known
        self.pg = dialect == "postgresql"
        self.r = random.Random(f"{dialect} {seed}")
        self.exotic = self.chance(12)
        own = POSTGRESQL if self.pg else MARIADB
        self.templates = {}
        for kind in set(BOTH) | set(own):
            lines = BOTH.get(kind, "") + "\n" + own.get(kind, "")
            parts = [part.strip() for part in re.split(r"[|\n]", lines)]
            # A "?" marks what the audit does not support: it occurs in some scripts only.
            # A "!" marks what the audit is known to judge wrongly.
            common = [part for part in parts if part and (self.exotic or part[0] != "?") and (known or part[0] != "!")]
            self.templates[kind] = [self.unescape(part.lstrip("?!")) for part in common]
        self.types = list(SQLTYPES[dialect])
        self.tables = []  # each: name, columns [(name, type, sqltype)], key
        self.views = []
        self.counter = 0
        self.level = self.pick(["rc", "rr", "ser"])
        self.aliases = 0
        self.typed = False

    @staticmethod
    def unescape(part):
        return part.replace("\\174", "|").replace("\\n", "\n")

    # Chance, names and values.

    def chance(self, percent):
        return self.r.random() * 100 < percent

    def pick(self, items):
        return self.r.choice(items)

    def quote(self, name):
        mark = '"' if self.pg else "`"
        return mark + name.replace(mark, mark * 2) + mark

    def name(self, stem):
        self.counter += 1
        if self.chance(8):
            return self.quote(f"{self.pick(QUOTED)}{self.counter}")
        return f"{stem}{self.counter}"

    def fresh(self):
        self.aliases += 1
        return f"q{self.aliases}"

    def word(self, typed=False):
        if self.chance(12 if self.pg else 8):
            text = self.pick(ODD)
        else:
            text = self.pick(WORDS)
        return "'" + text + "'" + ("::text" if typed else "")

    def literal(self, kind):
        r = self.r
        if self.chance(3):
            if not self.pg or self.known or kind == "jar":
                return "NULL"
            return "NULL::" + SQLTYPES["postgresql"][kind][0]
        if kind == "int":
            return str(self.pick([0, 1, 2, 3, 4, 5, 7, 10, 42, 100])) if self.chance(90) else str(r.randint(-40, 300))
        if kind == "num":
            return self.pick(["0", "1.5", "2.25", "10.00", "0.1", "99.99", "-3.5", "7", "100.125", "0.05", "-0.5", "3.333"])
        if kind == "txt":
            return self.word(self.pg and self.typed)
        if kind == "boo":
            # MariaDB looks for a column FALSE if a query groups by one that was merged into it.
            return self.pick(["TRUE", "FALSE", "true"]) if self.pg or self.known else self.pick(["(1 = 1)", "(0 = 1)"])
        day = f"20{r.randint(22, 25)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}" if self.chance(80) else self.pick(["2024-02-29", "2023-12-31", "2000-01-01", "1999-12-31", "2024-03-31"])
        clock = f"{r.randint(0, 23):02}:{self.pick([0, 15, 30, 59]):02}:{self.pick([0, 1, 30, 59]):02}"
        if kind == "dat":
            return f"DATE '{day}'" if self.chance(80) or not self.pg else f"'{day}'::date"
        if kind == "ts":
            fraction = self.pick([".5", ".25", ".123456"]) if self.pg and self.chance(15) else ""
            return f"TIMESTAMP '{day} {clock}{fraction}'"
        if kind == "tim":
            return f"TIME '{clock}'"
        if kind == "ivl":
            return "INTERVAL '" + self.pick(["1 day", "2 hours", "1 month", "1 year 2 mons 3 days", "90 minutes", "-1 day", "1 day 02:03:04", "36:00:00", "10 days", "0 days"]) + "'"
        if kind == "jsn":
            text = self.pick(['{"a": 1, "b": [1, 2, 3]}', '{"a": "x", "c": {"d": null}}', '{"b": [], "n": 2.50, "c": {"d": "e"}}', '{}', '{"a": 1}', '{"a": true, "b": [2, "x"], "n": 1e2}', '{"c": {"d": [1, {"f": 0}]}}', '{"b": [3, 1]}'])
            return f"'{text}'" + ("::jsonb" if self.pg else "")
        if kind == "jar":
            return "'" + self.pick(["[1, 2, 3]", "[]", '["a", {"b": 1}]', "[null, true]", "[[1], 2]"]) + "'::jsonb"
        if kind == "ia":
            return self.pick(["ARRAY[1,2,3]", "'{}'::int[]", "ARRAY[4,NULL,2]", "'{5,5,1}'::int[]", "ARRAY[2]"])
        if kind == "ta":
            return self.pick(["ARRAY['a','b']", "'{}'::text[]", "ARRAY['apple',NULL]", "'{x,\"y z\",A}'::text[]"])
        if kind == "uid":
            return "'" + self.pick(["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "00000000-0000-0000-0000-000000000000", "{123e4567-e89b-12d3-a456-426614174000}"]) + "'::uuid"
        if kind == "byt":
            return self.pick(["'\\x00ff'::bytea", "'abc'::bytea", "'\\xDEADBEEF'::bytea", "''::bytea"])
        if kind == "flt":
            return self.pick(["0.5", "1.25", "2e0", "-4.75", "1e3", "0.0625"]) + ("::float8" if self.pg else "")
        raise KeyError(kind)

    # Expressions.

    def expr(self, kind, scope, depth=2):
        """An expression of a type over columns [(text, type)]."""
        columns = [text for text, its in scope if its == kind]
        if depth <= 0 or self.chance(25):
            return self.pick(columns) if columns and self.chance(75) else self.literal(kind)
        choices = self.templates.get(kind)
        if not choices or (columns and self.chance(15)):
            return self.pick(columns) if columns else self.literal(kind)
        template = self.pick(choices)
        if "<q" in template and self.chance(60):
            template = self.pick(choices)
        text = self.fill(template, scope, depth - 1)
        bare = re.fullmatch(r"[A-Za-z_0-9]+\((.*)\)", template)
        return text if bare or self.chance(10) else f"({text})"

    def clause(self, kind, scope):
        """An aggregate or a window function: its type depends on those of its arguments."""
        before, self.typed = self.typed, not self.known
        text = self.fill(self.pick(self.templates[kind]), scope, 1)
        self.typed = before
        return text

    def fill(self, template, scope, depth):
        return re.sub(r"<([a-z]+1?)>", lambda match: self.part(match[1], scope, depth), template)

    def part(self, what, scope, depth):
        if what == "k":
            return str(self.r.randint(0, 4))
        if what == "numc":  # MariaDB rounds a quotient that becomes a text, or is one of DISTINCT values
            return self.expr("num", scope, 1 if self.pg or self.known else 0)
        if what == "k1":
            return str(self.r.randint(1, 4))
        if what == "pat":
            return "'" + self.pick(PATTERNS) + "'"
        if what == "re":
            text = self.pick(RARE_REGEXPS) if self.exotic and self.chance(15) else self.pick(REGEXPS)
            return "'" + (text if self.pg else text.replace("\\", "\\\\")) + "'"
        if what == "dig":
            return "'" + self.pick(["1", "12", " 7 ", "-3", "+4", "007", "2.50", "1e2", "abc", "", "t", "0"][: 6 if self.chance(90) else 12]) + "'"
        if what == "x":
            return self.pick(["[&]", "-", "", "zz"]).replace("&", "\\&")
        if what == "fmt":
            if self.pg:
                return "'" + self.pick(["YYYY-MM-DD", "DD.MM.YY", "Mon YYYY", "Day", "HH24:MI:SS", "YYYYMMDD", "IYYY-IW", "Q", "DDD", "FMDay, FMDD", "HH12:MI AM", "MONTH", "D", "MS", "US"]) + "'"
            return "'" + self.pick(["%Y-%m-%d", "%d.%m.%y", "%W %M %Y", "%H:%i:%s", "%a %b %e", "%j", "%T", "%r", "%u", "%h %p", "%D", "%%", "%c/%k", "%x%v"]) + "'"
        if what == "tab":
            return self.pick(self.tables)["name"]
        if what == "agi":
            return self.fill(self.pick(self.templates["agi"]), scope, 1)
        if what == "qpair":
            return self.subquery(["int", "txt"], scope)
        if what.startswith("q"):
            kind = what[1:4]
            one = what.endswith("1")
            return self.subquery([kind], scope, one)
        return self.expr(what, scope, depth)

    def subquery(self, kinds, outer, one=False):
        source, scope = self.source()
        if self.chance(40):
            inner = scope + outer  # correlated
        else:
            inner = scope
        if one and len(kinds) == 1:
            what = self.expr(kinds[0], scope, 1)
            if self.chance(70):
                return f"SELECT {self.pick(['min', 'max'])}({what}) FROM {source} WHERE {self.expr('boo', inner, 1)}"
            return f"SELECT {what} FROM {source} WHERE {self.expr('boo', inner, 1)} ORDER BY 1 LIMIT 1"
        what = ", ".join(self.expr(kind, scope, 1) for kind in kinds)
        return f"SELECT {what} FROM {source}" + (f" WHERE {self.expr('boo', inner, 1)}" if self.chance(70) else "")

    # Queries.

    def source(self, ctes=()):
        """One thing to select from, with an alias, and its columns."""
        alias = self.fresh()
        shown = alias if self.chance(92) else self.quote(alias + self.pick(["X", " y", "é"]))
        roll = self.r.random()
        if ctes and roll < 0.5:
            name, columns = self.pick(ctes)
        elif self.views and roll < 0.12:
            name, columns = self.pick(self.views)
        elif roll < 0.2:
            query, columns = self.select(depth=1, named=True)
            name = f"({query})"
        elif roll < 0.25 and self.pg:
            name, columns = self.pick([
                ("generate_series(1, 4)", [("n", "int")]), ("unnest(ARRAY['a','b',NULL])", [("n", "txt")]), ("(VALUES (1, 'a'), (2, 'b'), (NULL, 'c'))", [("n", "int"), ("t", "txt")]),
                ("generate_series(date '2024-01-30', date '2024-02-02', interval '1 day')", [("n", "ts")]), ("jsonb_array_elements('[1,2]')", [("n", "jsn")]), ("unnest(ARRAY[1,2], ARRAY['x','y','z'])", [("n", "int"), ("t", "txt")]),
                ("regexp_split_to_table('a,b', ',')", [("n", "txt")]), ("jsonb_each('{\"a\":1,\"b\":[2]}')", [("n", "txt"), ("j", "jsn")]), ("jsonb_to_recordset('[{\"p\":1,\"s\":\"x\"}]')", [("p int", "int"), ("s text", "txt")]),
            ])
            listed = ", ".join(column for column, _ in columns)
            return f"{name} AS {shown}({listed})", [(f"{shown}.{column.split()[0]}", kind) for column, kind in columns]
        elif roll < 0.24:
            name, columns = self.pick([("seq_1_to_4", [("seq", "int")]), ("seq_2_to_9_step_3", [("seq", "int")]), ("(SELECT 1 AS n UNION SELECT 3)", [("n", "int")]), ("(VALUES (1), (2))", [])])
        else:
            table = self.pick(self.tables)
            name, columns = table["name"], [(column, kind) for column, kind, _ in table["columns"]]
            if self.pg and self.exotic and self.chance(4):
                name = f"ONLY {name}"
        return f"{name} {self.pick(['', 'AS '])}{shown}", [(f"{shown}.{column}", kind) for column, kind in columns]

    def sources(self, ctes=()):
        text, scope = self.source(ctes)
        for _ in range(self.pick([0, 0, 0, 1, 1, 2])):
            if not self.known and (", " in text and text.endswith(" ")):
                break
            other, more = self.source(ctes)
            both = scope + more
            kind = self.pick(["JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "CROSS JOIN", ",", "FULL JOIN" if self.pg else "STRAIGHT_JOIN" if self.exotic else "JOIN", "LATERAL" if self.pg else "JOIN"])
            ints = [[t for t, k in part if k == "int"] for part in (scope, more)]
            condition = f"{self.pick(ints[0])} = {self.pick(ints[1])}" if all(ints) else "1 = 1"
            if self.chance(30) and (kind != "FULL JOIN" or self.known):
                condition += f" AND {self.expr('boo', both, 1)}"
            if kind == "LATERAL":
                kinds = [self.pick(["int", "txt"])]
                alias = self.fresh()
                text += f" {self.pick(['CROSS', 'LEFT'])} JOIN LATERAL (SELECT {self.expr(kinds[0], both, 1)} AS l FROM {other} WHERE {condition} LIMIT 3) {alias}"
                if "LEFT JOIN LATERAL" in text[text.rindex("JOIN LATERAL") - 6:]:
                    text += " ON true"
                more = [(f"{alias}.l", kinds[0])]
            elif kind in (",", "CROSS JOIN"):
                text += f"{kind} {other} " if kind == "," else f" {kind} {other}"
            else:
                text += f" {kind} {other} ON {condition}"
            scope = scope + more
        return text, scope

    def window(self, scope):
        function = self.clause("win", scope)
        parts = []
        if self.chance(50):
            parts.append("PARTITION BY " + self.expr(self.pick(["int", "txt", "boo"]), scope, 1))
        if self.chance(85) or re.match(r"(row|rank|dense|lag|lead|ntile|percent|cume)", function):
            keys = [self.expr(self.pick(["int", "dat", "num", "txt"]), scope, 0) for _ in range(self.pick([1, 2]))]
            if not self.exotic:
                keys = [key for key in keys if any(key == column for column, _ in scope)]
            keys += [column for column, kind in scope if column.endswith(".id")]
            keys = keys or [column for column, kind in scope][:1] or ["1"]
            parts.append("ORDER BY " + ", ".join(key + self.pick(["", " DESC", " ASC", ""]) for key in keys))
            if self.chance(30) and not re.match(r"(row_number|rank|dense|lag|lead|ntile|percent|cume)", function):
                frames = ["ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS UNBOUNDED PRECEDING", "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", "ROWS 2 PRECEDING"]
                if self.pg:
                    frames += ["GROUPS 1 PRECEDING", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW", "GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES"]
                parts.append(self.pick(frames))
        return f"{function} OVER ({' '.join(parts)})"

    def outputs(self, texts, kinds, named):
        """A list to select, perhaps with names."""
        shown, columns = [], []
        for index, (text, kind) in enumerate(zip(texts, kinds)):
            name = f"c{index}"
            if named:
                shown.append(f"{text} AS {name}")
            else:
                shown.append(text + (self.pick(["", "", f" AS {name}", f" {name}", " AS " + self.quote("My " + name)])))
            columns.append((name, kind))
        return ", ".join(shown), columns

    def select(self, depth=2, named=False, kinds=None, ctes=(), ordered=False):
        """A query, and its columns [(name, type)]."""
        source, scope = self.sources(ctes) if depth > 1 else self.source(ctes)
        depth_of = lambda: self.pick([0, 1, 1, 1, min(depth, 2)])
        where = f" WHERE {self.expr('boo', scope, depth_of())}" if self.chance(60) else ""
        form = self.r.random()
        plain = ["int", "int", "txt", "txt", "num", "boo", "dat", "ts", "tim"] + [kind for kind in self.types if kind not in ("int", "txt", "num")]
        if kinds is None and form < 0.25:  # groups
            keys = [self.expr(self.pick(["int", "txt", "boo", "dat", "txt"]), scope, self.pick([0, 0, 1])) for _ in range(self.pick([0, 1, 1, 1, 2]))]
            keys = [key for key in keys if any(text in key for text, _ in scope)]
            aggregates = [self.clause("agg", scope) for _ in range(self.pick([1, 1, 2, 3]))]
            columns = [(f"c{i}", "?") for i in range(len(keys) + len(aggregates))]
            listed = ", ".join(f"{text} AS c{i}" if named else text for i, text in enumerate(keys + aggregates))
            text = f"SELECT {listed} FROM {source}{where}"
            if keys:
                grouping = ", ".join(keys) if self.chance(80) else ", ".join(str(i + 1) for i in range(len(keys)))
                if self.chance(12 if self.pg or self.exotic else 3):
                    grouping = f"{self.pick(['ROLLUP', 'CUBE'])} ({', '.join(keys)})" if self.pg else f"{grouping} WITH ROLLUP"
                text += f" GROUP BY {grouping}"
                if self.chance(25):
                    text += f" HAVING {self.fill(self.pick(self.templates['agi']), scope, 1)} {self.pick(['>', '<', '>=', '<>'])} {self.r.randint(0, 3)}"
            if not named and keys and "ROLLUP" not in text and self.chance(60):
                text += " ORDER BY " + ", ".join(str(i + 1) + self.pick(["", " DESC"]) for i in range(len(keys)))
            return text, columns
        if kinds is None and form < 0.37:  # windows
            texts = [self.expr("int", scope, 0), self.window(scope)] + ([self.window(scope)] if (self.pg or self.exotic) and self.chance(20) else [])
            listed, columns = self.outputs(texts, ["int"] + ["?"] * (len(texts) - 1), named)
            return f"SELECT {listed} FROM {source}{where}", columns
        if kinds is None and form < 0.47 and depth > 1:  # sets
            kinds = [self.pick(["int", "txt", "num", "dat"]) for _ in range(self.pick([1, 2]))]
            parts = [self.select(1, True, kinds, ctes)[0] for _ in range(self.pick([2, 2, 3]))]
            text = parts[0]
            for part in parts[1:]:
                text += f" {self.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'UNION DISTINCT', 'EXCEPT ALL', 'INTERSECT ALL'])} {part}"
            if self.chance(60):
                text += " ORDER BY " + ", ".join(str(i + 1) for i in range(len(kinds)))
                text += self.pick(["", "", " LIMIT 3", " LIMIT 2 OFFSET 1"])
            return text, [(f"c{i}", kind) for i, kind in enumerate(kinds)]
        if kinds is None and not named and form < 0.52:
            return f"SELECT {self.pick(['*', '*', scope[0][0].split('.')[0] + '.*' if scope and self.simple(scope[0][0]) else '*'])} FROM {source}{where}" + (" ORDER BY 1" if self.chance(40) else ""), []
        chosen = kinds or [self.pick(plain) for _ in range(self.pick([1, 2, 2, 3, 4]))]
        listed, columns = self.outputs([self.expr(kind, scope, depth_of()) for kind in chosen], chosen, named)
        distinct = "DISTINCT " if self.chance(12) else ""
        text = f"SELECT {distinct}{listed} FROM {source}{where}"
        if self.pg and not distinct and kinds is None and not named and self.chance(4) and scope:
            key = self.pick(scope)[0]
            return f"SELECT DISTINCT ON ({key}) {key}, {listed} FROM {source}{where} ORDER BY {key}", columns
        if kinds is None and self.chance(50):
            order = [str(i + 1) for i, kind in enumerate(chosen) if kind not in ("jsn", "ta")] if distinct or self.chance(60) else [self.expr(self.pick(["int", "txt", "dat"]), scope, 1)]
            order = [key for key in order if key.isdigit() and int(key) <= len(chosen) and key != "0" or not re.fullmatch(r"-?[\d.]+|NULL.*|'.*'", key)]
            if order:
                ends = ["", "", " DESC", " ASC"] + ([" NULLS FIRST", " DESC NULLS LAST"] + [" USING <"] * self.exotic if self.pg else [])
                text += " ORDER BY " + ", ".join(key + self.pick(ends) for key in order)
            if self.chance(40):
                text += self.pick([" LIMIT 3", " LIMIT 5 OFFSET 1", " LIMIT 0", " OFFSET 2 ROWS FETCH FIRST 2 ROWS ONLY", " FETCH FIRST 3 ROWS WITH TIES" if order else " LIMIT 1", " LIMIT 1, 2" if not self.pg else " OFFSET 1", " LIMIT ALL" if self.pg else " LIMIT 100"])
        elif depth > 1 and kinds is None and not named and not distinct and self.chance(6):
            text += self.pick([" FOR UPDATE", " FOR SHARE" if self.pg else " LOCK IN SHARE MODE", " FOR UPDATE"])
        return text, columns

    @staticmethod
    def simple(ref):
        return re.fullmatch(r"\w+\.\S+", ref) is not None

    def query(self):
        roll = self.r.random()
        if roll < 0.1:  # WITH
            ctes = []
            texts = []
            for _ in range(self.pick([1, 1, 2])):
                name = self.fresh()
                text, columns = self.select(1, True, ctes=ctes if ctes and self.chance(50) else ())
                columns = [(column, kind) for column, kind in columns if kind != "?"] or columns
                texts.append(f"{name} AS {self.pick(['', 'MATERIALIZED ', 'NOT MATERIALIZED ']) if self.pg else ''}({text})")
                ctes.append((name, columns))
            return f"WITH {', '.join(texts)} {self.select(2, ctes=ctes)[0]}"
        if roll < 0.14:
            return self.pick([
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6) SELECT sum(i), max(i) FROM n",
                "WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f WHERE b < 40) SELECT a FROM f ORDER BY a DESC",
                "WITH RECURSIVE s AS (SELECT 1 AS i UNION SELECT (i * 2) % 7 FROM s) SELECT i FROM s ORDER BY i",
                "WITH RECURSIVE w(t) AS (SELECT CAST('a' AS char(9)) UNION ALL SELECT CAST(concat(trim(t), 'b') AS char(9)) FROM w WHERE char_length(trim(t)) < 5) SELECT t FROM w",
            ])
        if roll < 0.22:
            kinds = [self.pick(self.types) for _ in range(self.pick([1, 2, 3]))]
            return "SELECT " + ", ".join(self.expr(kind, [], 2) for kind in kinds)
        if roll < 0.25:
            table = self.pick(self.tables)["name"]
            if self.pg:
                return self.pick([f"TABLE {table}", f"TABLE {table} ORDER BY 1 LIMIT 2", "VALUES (1, 'a'), (2, NULL) ORDER BY 1 DESC", f"SELECT count(*) FROM {table}", "SELECT", f"SELECT FROM {table}"])
            return self.pick([f"SELECT COUNT(*) FROM {table}", "VALUES (1, 'a'), (2, NULL)", f"SELECT SQL_NO_CACHE * FROM {table}", "SELECT 1 FROM DUAL WHERE 1 = 0", f"SELECT * FROM {table} USE INDEX () LIMIT 2"])
        if roll < 0.30:
            a, b = self.pick(self.tables), self.pick(self.tables)
            x, y = self.fresh(), self.fresh()
            return self.pick([
                f"SELECT * FROM {a['name']} {x} NATURAL JOIN {b['name']} {y}" if self.chance(20) else f"SELECT id, {x}.*, {y}.id FROM {a['name']} {x} JOIN {b['name']} {y} USING (id) ORDER BY id",
                f"SELECT {x}.id, count({y}.id) FROM {a['name']} {x} LEFT JOIN {b['name']} AS {y} ON {y}.id = {x}.id + 1 GROUP BY {x}.id ORDER BY {x}.id",
                f"(SELECT id FROM {a['name']} ORDER BY id DESC LIMIT 2) UNION ALL (SELECT id FROM {b['name']} ORDER BY id LIMIT 2)",
                f"SELECT {x}.id FROM {a['name']} {x} WHERE NOT EXISTS (SELECT 1 FROM {b['name']} {y} WHERE {y}.id = {x}.id) ORDER BY 1",
                f"SELECT id, (SELECT count(*) FROM {b['name']} {y} WHERE {y}.id < {x}.id) FROM {a['name']} AS {x} ORDER BY id",
            ])
        return self.select(2)[0]

    # Writes.

    def column_list(self, table):
        needed = [column for column in table["columns"] if column[0] == "id" or column[0] in table["needed"]]
        rest = [column for column in table["columns"] if column not in needed and column[0] not in table["generated"] and self.chance(75)]
        columns = needed + rest
        if self.chance(30):
            self.r.shuffle(columns)
        return columns

    def value(self, kind, sqltype):
        """A value that mostly fits a column."""
        if sqltype == "ref":
            return self.pick(["NULL", "NULL", "1", "2"])
        if kind == "txt" and self.chance(93):
            return self.pick(["'" + self.pick(WORDS)[:8] + "'", self.word(), f"lower({self.word()})" if self.chance(30) else self.word()])
        if kind == "int" and self.chance(90):
            return str(self.r.randint(0, 60))
        if self.chance(12):
            return self.expr(kind, [], 1)
        return self.literal(kind)

    def returning(self, table, insert=False):
        if self.chance(75):
            return ""
        scope = [(column, kind) for column, kind, _ in table["columns"]]
        return " RETURNING " + self.pick(["*", "id", f"id, {self.pick(scope)[0]}", f"{self.expr('txt', scope, 1)}, id AS k"])

    def insert(self):
        table = self.pick(self.tables)
        columns = self.column_list(table)
        names = ", ".join(column[0] for column in columns)
        top = self.chance(85)
        if self.chance(25):
            source, scope = self.source()
            values = [f"id + {self.r.randint(20, 900)}" if column == "id" else self.expr(kind, scope, 1) for column, kind, _ in columns]
            ids = [text for text, kind in scope if kind == "int"]
            values = [(self.pick(ids) if ids else "1") + f" + {self.r.randint(20, 900)}" if value.startswith("id +") else value for value in values]
            body = f"SELECT {', '.join(values)} FROM {source}" + (f" WHERE {self.expr('boo', scope, 1)}" if self.chance(70) else "") + (" ORDER BY 1 LIMIT 3" if self.chance(50) and (self.known or not self.pg) else "")
        else:
            rows = []
            for _ in range(self.pick([1, 1, 1, 2, 3])):
                values = []
                for column, kind, sqltype in columns:
                    if column == "id":
                        values.append(str(table["next"]) if top else str(self.r.randint(1, max(2, table["next"]))))
                        table["next"] += 1
                    else:
                        values.append("DEFAULT" if self.chance(4) and column not in table["needed"] else self.value(kind, sqltype))
                rows.append(f"({', '.join(values)})")
            body = "VALUES " + ", ".join(rows)
        text = f"INSERT INTO {table['name']} ({names}) {body}"
        free = [column for column in table["columns"] if column[0] != "id" and column[0] not in table["generated"]]
        if self.chance(35) and free:
            column, kind, _ = self.pick(free)
            if self.pg:
                scope = [(f"excluded.{name}", its) for name, its, _ in table["columns"]] + [(f"{table['name']}.{name}", its) for name, its, _ in table["columns"]]
                text += self.pick([" ON CONFLICT DO NOTHING", " ON CONFLICT (id) DO NOTHING", f" ON CONFLICT (id) DO UPDATE SET {column} = excluded.{column}",
                                   f" ON CONFLICT (id) DO UPDATE SET {column} = {self.expr(kind, scope, 1)} WHERE {self.expr('boo', scope, 1)}", f" ON CONFLICT (id) DO UPDATE SET ({column}) = ROW({self.expr(kind, scope, 1)})"])
            else:
                own = [(name, its) for name, its, _ in table["columns"]] if " SELECT " not in text else []
                text += f" ON DUPLICATE KEY UPDATE {column} = {self.pick([f'VALUES({column})', f'VALUE({column})', self.expr(kind, own, 1)])}"
        elif not self.pg and self.chance(12) and (self.exotic or not any(other["ref"] for other in self.tables)):
            text = text.replace("INSERT INTO", self.pick(["INSERT IGNORE INTO", "REPLACE INTO", "REPLACE"]), 1)
        return text + self.returning(table)

    def update(self):
        table = self.pick(self.tables)
        free = [column for column in table["columns"] if column[0] != "id" and column[0] not in table["generated"]] or table["columns"]
        alias = self.fresh()
        own = [(f"{alias}.{column}", kind) for column, kind, _ in table["columns"]]
        chosen = self.r.sample(free, min(len(free), self.pick([1, 1, 2])))
        scope = own
        extra = ""
        if self.chance(25):
            other, more = self.source()
            scope = own + more
            ids = [text for text, kind in more if kind == "int"] or ["1"]
            extra = (other, f"{alias}.id = {self.pick(ids)}")
        sets = []
        for column, kind, sqltype in chosen:
            left = column if self.pg or extra and self.known else f"{alias}.{column}" if extra else self.pick([column, f"{alias}.{column}"])
            sets.append(f"{left} = {self.pick([self.value(kind, sqltype), self.expr(kind, scope, 1), self.expr(kind, scope, 1), 'DEFAULT' if self.chance(10) else self.value(kind, sqltype)])}")
        where = self.pick([f"{alias}.id = {self.r.randint(1, 12)}", self.expr("boo", scope, 1), f"{alias}.id BETWEEN 2 AND 6", f"{alias}.id IN (1, 3, 5)"])
        if extra:
            if self.pg:
                return f"UPDATE {table['name']} AS {alias} SET {', '.join(sets)} FROM {extra[0]} WHERE {extra[1]} AND {where}" + ("" if self.chance(80) else f" RETURNING {alias}.id")
            return f"UPDATE {table['name']} {alias} {self.pick(['', 'LEFT '])}JOIN {extra[0]} ON {extra[1]} SET {', '.join(sets)} WHERE {where}"
        if self.pg and len(sets) == 2 and self.chance(30):
            left = ", ".join(one.split(" = ", 1)[0] for one in sets)
            sets = [f"({left}) = ({', '.join(one.split(' = ', 1)[1] for one in sets)})"]
        text = f"UPDATE {table['name']} {self.pick(['AS ', ''])}{alias} SET {', '.join(sets)}" + (f" WHERE {where}" if self.chance(90) else "")
        if not self.pg and self.chance(20):
            return text + f" ORDER BY {alias}.id{self.pick([' DESC', ''])} LIMIT {self.r.randint(1, 3)}"
        return text + (self.returning(table) if self.pg else "")

    def delete(self):
        table = self.pick(self.tables)
        alias = self.fresh()
        own = [(f"{alias}.{column}", kind) for column, kind, _ in table["columns"]]
        if self.chance(30):
            other, more = self.source()
            ids = [text for text, kind in more if kind == "int"] or ["1"]
            condition = f"{alias}.id = {self.pick(ids)} AND {self.expr('boo', own + more, 1)} AND {alias}.id > 5"
            if self.pg:
                return f"DELETE FROM {table['name']} {alias} USING {other} WHERE {condition}"
            return self.pick([f"DELETE {alias} FROM {table['name']} {alias} JOIN {other} ON {condition}", f"DELETE FROM {alias} USING {table['name']} AS {alias} INNER JOIN {other} ON {condition}"])
        bare = [(column, kind) for column, kind, _ in table["columns"]]
        where = self.pick([f"id = {self.r.randint(1, 15)}", f"id > 8 AND {self.expr('boo', bare, 1)}", f"id % 5 = 4 AND {self.expr('boo', bare, 1)}"])
        text = f"DELETE FROM {table['name']} WHERE {where}"
        if not self.pg and self.chance(20):
            return text + " ORDER BY id LIMIT 1"
        return text + self.returning(table)

    def write(self):
        roll = self.r.random()
        if self.pg and roll < 0.04:
            a, b = self.pick(self.tables), self.pick(self.tables)
            return self.pick([
                f"WITH gone AS (DELETE FROM {a['name']} WHERE id = {self.r.randint(4, 14)} RETURNING id) SELECT count(*) FROM gone",
                f"WITH moved AS (UPDATE {a['name']} SET id = id + 500 WHERE id = {self.r.randint(4, 14)} RETURNING *) SELECT id FROM moved UNION ALL SELECT count(*) FROM {b['name']}",
            ])
        return self.insert() if roll < 0.5 else self.update() if roll < 0.82 else self.delete()

    # Definitions.

    def create_table(self):
        name = self.name("t")
        columns, parts, needed, generated = [], [], [], []
        key = self.pick(["id integer PRIMARY KEY", "id int NOT NULL", "id bigint PRIMARY KEY", "id INT"])
        parts.append(key)
        columns.append(("id", "int", "int"))
        if "PRIMARY" not in key:
            parts.append("PRIMARY KEY (id)" if self.chance(70) or not self.pg else f"CONSTRAINT pk{self.counter} PRIMARY KEY (id)")
        self.counter += 1
        wanted = ["int", "txt", "num"] + self.r.sample(self.types, self.r.randint(1, 6))
        for kind in wanted:
            column = self.name(self.pick([kind[0], "c", "Val", "x_"]))
            sqltype = self.pick(SQLTYPES[self.dialect][kind])
            if self.known and not self.pg and kind == "txt" and self.chance(20):
                sqltype = "VARCHAR(20) COLLATE utf8mb4_bin"
            text = f"{column} {sqltype}"
            if self.exotic and self.chance(2):
                text = f"{column} {self.pick(UNSUPPORTED[self.dialect])}"
                parts.append(text)
                continue
            plain = "COLLATE" not in sqltype and "TEXT" not in sqltype.upper()
            if self.chance(15) and (self.pg or (kind not in ("jsn",) and plain)):
                text += f" DEFAULT {self.literal(kind)}"
            elif self.chance(12):
                text += " NOT NULL"
                needed.append(column)
            elif self.chance(5):
                text += " NULL"
            if kind in ("int", "num") and self.chance(12):
                text += f" CHECK ({column} {self.pick(['>= 0', '< 1000', '<> 13', 'BETWEEN -5 AND 900', 'IS NULL OR ' + column + ' > -100'])})"
            elif kind == "txt" and self.chance(8):
                text += f" CHECK (char_length({column}) < 12)"
            elif kind in ("int",) and self.chance(6):
                text += " UNIQUE"
            columns.append((column, kind, sqltype))
            parts.append(text)
        ints = [column for column, kind, _ in columns if kind == "int"]
        if len(ints) > 1 and self.chance(12):
            column = self.name("g")
            parts.append(f"{column} {'int' if self.pg else 'INT'} GENERATED ALWAYS AS ({ints[0]} * 2 + {ints[1]}) STORED")
            columns.append((column, "int", "int"))
            generated.append(column)
        if self.chance(12):
            parts.append(f"UNIQUE ({columns[1][0]}, id)")
        if self.chance(10) and len(ints) > 1:
            parts.append(f"CONSTRAINT k{self.counter} CHECK (id <> {ints[1]} OR id < 500)")
        if self.tables and self.chance(35):
            parent = self.pick(self.tables)
            column = self.name("ref")
            columns.append((column, "int", "ref"))
            action = self.pick(["", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON UPDATE CASCADE ON DELETE RESTRICT"])
            if parent["idtype"] == "bigint":
                parts.append(f"{column} bigint")
            else:
                parts.append(f"{column} int")
            parts.append(f"FOREIGN KEY ({column}) REFERENCES {parent['name']} (id){action}")
        if not self.pg and self.chance(15):
            parts.append(f"KEY ix{self.counter} ({ints[-1]})")
        # Columns come before constraints in PostgreSQL and MariaDB alike, but need not.
        table = {"name": name, "columns": columns, "needed": needed, "generated": generated, "next": 1, "idtype": "bigint" if "bigint" in key else "int", "ref": any("FOREIGN" in part for part in parts)}
        end = "" if self.pg else self.pick(["", " ENGINE=InnoDB", " ENGINE = InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"])
        return table, f"CREATE TABLE {self.pick(['', '', 'IF NOT EXISTS '])}{name} ({', '.join(parts)}){end}"

    def create_view(self):
        name = self.name("v")
        query, columns = self.select(1, True)
        if not columns:
            return None, query
        return (name, columns), f"CREATE {self.pick(['', 'OR REPLACE '])}VIEW {name} AS {query}"

    def define(self):
        text = self.definition()
        if "ALTER" in text and not self.exotic:
            self.views.clear()  # a view of an altered table is not supported
        return text

    def definition(self):
        table = self.pick(self.tables)
        name = table["name"]
        roll = self.r.random()
        self.counter += 1
        if roll < 0.25:
            kind = self.pick(self.types)
            column = self.name("n")
            sqltype = self.pick(SQLTYPES[self.dialect][kind])
            table["columns"].append((column, kind, sqltype))
            end = f" DEFAULT {self.literal(kind)}" if self.chance(50) and (self.pg or (kind not in ("jsn",) and "TEXT" not in sqltype and "COLLATE" not in sqltype)) else ""
            return f"ALTER TABLE {name} ADD {self.pick(['COLUMN ', ''])}{column} {sqltype}{end}"
        if roll < 0.45:
            column = self.pick(table["columns"])[0]
            return self.pick([f"CREATE INDEX i{self.counter} ON {name} ({column})", f"CREATE INDEX i{self.counter} ON {name} (id, {column})", f"CREATE UNIQUE INDEX u{self.counter} ON {name} ({column})"])
        if roll < 0.55:
            view, text = self.create_view()
            if view:
                self.views.append(view)
            return text
        if roll < 0.65:
            new, text = self.create_table()
            self.tables.append(new)
            return text
        if roll < 0.72 and self.pg:
            fresh = self.name("a")
            self.tables.append({"name": fresh, "columns": list(table["columns"]), "needed": [], "generated": [], "next": 30, "idtype": "int", "ref": False})
            return f"CREATE TABLE {fresh} AS SELECT * FROM {name}"
        if roll < 0.72:
            fresh = self.name("a")
            self.tables.append(dict(table, name=fresh, columns=list(table["columns"]), next=1))
            return f"CREATE TABLE {fresh} LIKE {name}"
        column = self.pick(table["columns"][1:] or table["columns"])
        if roll < 0.80:
            return f"ALTER TABLE {name} ALTER COLUMN {column[0]} SET DEFAULT {self.literal(column[1])}" if self.chance(60) else f"ALTER TABLE {name} ALTER COLUMN {column[0]} DROP DEFAULT"
        if roll < 0.86 and len(table["columns"]) > 3:
            if self.pg and self.chance(50):
                return f"ALTER TABLE {name} ALTER {column[0]} {self.pick(['SET', 'DROP'])} NOT NULL"
            table["columns"].remove(column)
            return f"ALTER TABLE {name} DROP COLUMN {column[0]}"
        if roll < 0.92:
            fresh = self.name("r")
            table["generated"] = [fresh if one == column[0] else one for one in table["generated"]]
            table["columns"][table["columns"].index(column)] = (fresh, column[1], column[2])
            return f"ALTER TABLE {name} RENAME COLUMN {column[0]} TO {fresh}"
        if roll < 0.96:
            return f"ALTER TABLE {name} ADD CONSTRAINT z{self.counter} {self.pick([f'CHECK (id > -{self.counter})', f'UNIQUE (id, {column[0]})', 'CHECK (id < 5)'])}"
        if len(self.tables) > 3 and self.chance(50):
            return f"DROP TABLE {name}" if not self.chance(20) else f"DROP TABLE IF EXISTS missing_{self.counter}"
        return f"TRUNCATE {self.pick(['TABLE ', ''])}{name}" if self.chance(30) and (self.known or not any(other["ref"] for other in self.tables)) else f"DROP VIEW IF EXISTS missing_{self.counter}"

    def mistake(self):
        table = self.pick(self.tables)["name"]
        number = self.r.randint(1, 9)
        both = [
            f"SELECT 1 / 0 FROM {table}", f"INSERT INTO {table} (id) VALUES (1), (1)", f"SELECT missing FROM {table}", "SELECT * FROM missing_table", f"SELECT id FROM {table} GROUP BY", f"INSERT INTO {table} (id) VALUES (1, 2)",
            f"UPDATE {table} SET missing = 1", f"INSERT INTO {table} (id) VALUES (NULL)", "SELECT (SELECT 1 UNION SELECT 2)", f"UPDATE {table} SET id = 1", f"INSERT INTO {table} (id) VALUES (99999999999999999999)",
            "SELECT CAST('abc' AS date)", f"SELECT count(*) FROM {table} WHERE count(*) > 1", "SELECT 1 WHERE 'x'", f"SELECT id FROM {table} a JOIN {table} b ON a.id = b.id", f"CREATE TABLE {table} (id int)" if self.known or self.pg or not self.in_transaction else f"SELECT {table}", f"UPDATE {table} SET id = id + 1",
            f"SELECT sum(id) OVER () FROM {table} WHERE sum(id) OVER () > 1", "ROLLBACK TO SAVEPOINT nowhere", f"DELETE FROM {table} WHERE id = (SELECT id FROM {table})", f"INSERT INTO {table} SELECT 'x'", "SELECT 9223372036854775807 + 1",
        ]
        if self.exotic:
            both += ["SELEC 1", "SELECT no_such_function(1)", "SELECT ifnull(1)"]
        pg = ["SELECT 'abc'::int", "SELECT '2024-02-30'::date", "SELECT 2147483647 + 1", "SELECT 1 + 'a'", "SELECT '{bad'::jsonb", "SELECT 1::numeric(2,2)", "SELECT 300::smallint * 300::smallint", "SELECT ARRAY[1,2] || 'x'", "SELECT 'a' + 1", "SELECT sqrt(-1)",
              "SELECT 1 = 'one'", "SELECT '10:99'::time", "SELECT chr(0)", "SELECT CASE WHEN 1 THEN 2 END", "SELECT to_date('x', 'YYYY')", f"SELECT {number} % 0", "SELECT 5.0 / 0.0", "SELECT 'maybe'::boolean", "SELECT 1 UNION SELECT 'a'", "SELECT substring('abc', 1, -1)", "SELECT power(0, -1)", "SELECT 'x'::uuid"]
        maria = ["SELECT CAST('x' AS SIGNED)", "SELECT CAST(-1 AS UNSIGNED)", "SELECT 18446744073709551615 + 1", "SELECT CAST(1 AS UNSIGNED) - 2", "SELECT JSON_EXTRACT('{bad', '$.a')", "SELECT 'a' + 1", f"SELECT {number} % 0", f"SELECT {number} DIV 0", "SELECT DATE '2024-02-30'", "SELECT 1 = 'one'",
                 "SELECT POW(10, 400)", "SELECT ~0", "SELECT -9223372036854775808 DIV -1", "SELECT 1 UNION SELECT 'a'", "SELECT SQRT(-1)", f"INSERT INTO {table} SET id = 1 / 0", "SELECT STR_TO_DATE('x', '%Y')"]
        return self.pick(self.pick([both, pg if self.pg else maria]))

    # Spelling.

    def spell(self, sql):
        style = self.pick(["", "", "", "upper", "lower", "mixed"])
        noise = self.pick([0, 0, 0, 2, 5])
        pieces = re.findall(r"U&'(?:[^']|'')*'|E'(?:[^'\\]|\\.|'')*'|\$q\$.*?\$q\$|" + (r"'(?:[^']|'')*'" if self.pg else r"'(?:[^'\\]|\\.|'')*'") + r"|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\w+|\s+|.", sql, re.S)
        out = []
        for piece in pieces:
            if piece.isspace() and self.chance(noise):
                spaces = ["\n", "\t", "   ", " \r\n\t", " /* note */ ", " /* it's; */ ", " -- rest; 'of\n", "/**/ ", " /*é*/ ", "\n-- \n"]
                spaces += [" /* a /* b */ c */ "] if self.pg else [" # hash's; \n", " /*! */ "]
                piece = self.pick(spaces) if "\n" not in piece or not self.pg else piece
            elif style and piece.lower() in RECASED:
                piece = piece.upper() if style == "upper" else piece.lower() if style == "lower" else "".join(self.pick([c.upper(), c.lower()]) for c in piece)
            out.append(piece)
        text = "".join(out)
        if self.chance(3):
            text = self.pick(["/* first */ ", "-- a line\n", "\n\n ", "/* ; */"]) + text
        return text

    # Scripts.

    def statement(self):
        if self.newer.features and self.chance(45):
            return self.newer.statement()
        roll = self.r.random()
        if roll < 0.42:
            return self.query()
        if roll < 0.80:
            return self.write()
        if roll < 0.87 and not (self.pg and self.in_transaction):
            return self.mistake()
        if roll < 0.91 and not self.in_transaction or roll < 0.87:
            return self.define()
        if self.exotic and self.chance(6):
            return self.pick(["EXPLAIN SELECT 1", "SELECT now() IS NOT NULL", "SHOW TABLES" if not self.pg else "SHOW search_path", "SET @x = 5" if not self.pg else "SELECT nextval('nope')", "SELECT version() <> ''", "SELECT current_date > DATE '2020-01-01'"])
        return self.query()

    def script(self, count):
        level = {"rc": "READ COMMITTED", "rr": "REPEATABLE READ", "ser": "SERIALIZABLE"}[self.level]
        lines = []
        if self.pg:
            lines.append(f"SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {level}")
        else:
            lines.append(f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
        self.in_transaction = False
        self.newer = Newer(self)
        lines += self.newer.definitions()
        for _ in range(self.r.randint(2, 4)):
            table, text = self.create_table()
            self.tables.append(table)
            lines.append(self.spell(text))
        for _ in range(len(self.tables) * 2):
            lines.append(self.spell(self.insert()))
        if self.chance(60):
            view, text = self.create_view()
            if view:
                self.views.append(view)
            lines.append(self.spell(text))
        while len(lines) < count:
            if self.chance(45):
                self.transaction(lines)
            else:
                lines.append(self.spell(self.statement()))
        return f"-- level {self.level}\n" + "".join(line + self.pick([";\n", ";\n", " ;\n", "\n;\n"]) for line in lines)

    def transaction(self, lines):
        self.in_transaction = True
        kept = [dict(table, columns=list(table["columns"])) for table in self.tables], list(self.views)
        lines.append(self.spell(self.pick(["BEGIN", "START TRANSACTION", "BEGIN WORK", "begin"])))
        points = []
        for _ in range(self.r.randint(1, 6)):
            roll = self.r.random()
            if roll < 0.12:
                points.append(self.pick(["p", "q", "Sp"]))
                lines.append(f"SAVEPOINT {points[-1]}")
            elif roll < 0.20 and points:
                lines.append(self.pick([f"ROLLBACK TO SAVEPOINT {points[-1]}", f"ROLLBACK TO {points[-1]}", f"RELEASE SAVEPOINT {points.pop()}"]))
            elif roll < 0.23 and self.pg:
                lines.append(self.spell(self.define()))
            elif roll < 0.31 and self.pg:  # an error that does not end the transaction
                lines += ["SAVEPOINT e", self.spell(self.mistake()), "ROLLBACK TO SAVEPOINT e"]
            else:
                lines.append(self.spell(self.statement()))
        end = self.pick(["COMMIT", "COMMIT", "COMMIT WORK", "commit", "END" if self.pg else "COMMIT", "ROLLBACK", "ABORT" if self.pg else "ROLLBACK WORK"])
        if end.startswith(("ROLLBACK", "ABORT")) and self.pg:
            self.tables, self.views = kept
        lines.append(end)
        self.in_transaction = False


def main():
    dialect, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if dialect not in SQLTYPES:
        sys.exit(f"{dialect}: not postgresql or mariadb")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(Generator(dialect, seed, sys.argv[4:] == ["known"]).script(count))


if __name__ == "__main__":
    main()
