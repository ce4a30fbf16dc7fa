//! Functions that change no table.
//!
//! A query that calls a function changes nothing only if the function is known: a user-defined one may do anything.
//! What counts is the name, so a name is listed only for the servers that have the function themselves.

use crate::dialect::Dialect;

/// Whether a word in front of a parenthesis is no call, or calls a function that changes no table.
pub(crate) fn is_harmless(word: &str, dialect: Dialect) -> bool {
    let further = match dialect {
        Dialect::PostgreSql => is_listed(&[PURE_OF_POSTGRES], word),
        _ => dialect.is_mysql() && is_listed(&[PURE_OF_MYSQL], word),
    };
    further || is_listed(&HARMLESS, word) && !is_listed(foreign(dialect), word)
}

fn is_listed(lists: &[&str], word: &str) -> bool {
    lists.iter().any(|list| list.split(' ').any(|known| known == word))
}

/// Functions that only another server has: a function with such a name is user-defined here.
fn foreign(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::PostgreSql => &[OF_MYSQL],
        Dialect::MariaDb => &[OF_POSTGRES],
        Dialect::MySql => &[OF_POSTGRES, "currval lastval nextval setval"],
        _ => &[OF_MYSQL, OF_POSTGRES],
    }
}

/// Words that may stand in front of a parenthesis: grammar, types, and functions of the servers that change no
/// table. A name with a schema other than `pg_catalog` is a user-defined function.
const HARMLESS: [&str; 9] = [
    "all and any array as between by case cast coalesce conflict cross default distinct else end escape except exists \
     filter for from full group grouping having ilike in inner intersect is join key lateral left like limit \
     materialized natural not null nullif of offset on only or order ordinality outer over partition recursive returning \
     right row rows select set sets similar some symmetric table then union unique using values when where window with \
     within xor",
    "bigint bit char character date datetime decimal double float int integer interval numeric real smallint text time \
     timestamp timestamptz timetz tinyint varchar varying",
    "abs ceil ceiling exp floor greatest if least ln mod pi power rand random round sign sqrt trunc truncate",
    "ascii btrim lcase mid ucase char_length character_length chr concat concat_ws convert convert_tz group_concat hex initcap instr left \
     length locate lower lpad ltrim md5 octet_length overlay quote_ident quote_literal regexp_match \
     regexp_matches regexp_replace repeat replace reverse right rpad rtrim split_part strpos substr substring to_char \
     to_hex to_tsquery to_tsvector translate trim unhex upper",
    "age clock_timestamp current_date current_time current_timestamp curdate date_add date_format date_part date_sub \
     date_trunc datediff day dayofmonth extract from_unixtime hour justify_interval localtime localtimestamp make_date \
     make_interval minute month now second statement_timestamp str_to_date timeofday timestampdiff to_date to_timestamp \
     transaction_timestamp unix_timestamp year",
    "array_agg array_append array_cat array_length array_position array_prepend array_remove array_to_string array_upper \
     avg bit_and bit_or bool_and bool_or cardinality corr count cume_dist dense_rank every first_value json_agg \
     json_object_agg jsonb_agg jsonb_object_agg lag last_value lead max min nth_value ntile percent_rank percentile_cont \
     percentile_disc rank regr_slope row_number stddev string_agg string_to_array sum unnest var_pop variance",
    "json_array json_build_array json_build_object json_extract json_object json_typeof json_unquote json_valid jsonb_array_elements \
     jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_extract_path jsonb_insert \
     jsonb_object_keys jsonb_set jsonb_typeof row_to_json to_json to_jsonb generate_series ifnull isnull",
    "col_description current_database current_schema current_schemas current_setting current_user database format_type \
     has_schema_privilege has_table_privilege inet_server_addr inet_server_port obj_description pg_backend_pid \
     pg_get_constraintdef pg_get_expr pg_get_indexdef pg_get_serial_sequence pg_get_userbyid pg_get_viewdef \
     pg_is_in_recovery pg_relation_size pg_table_is_visible pg_total_relation_size pg_type_is_visible session_user \
     txid_current user version",
    "connection_id currval found_rows gen_random_uuid get_lock last_insert_id lastval nextval pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock \
     pg_advisory_unlock_all pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_notify pg_sleep pg_try_advisory_lock \
     pg_try_advisory_xact_lock release_lock row_count setval sleep uuid uuid_generate_v4",
];

/// Further functions of PostgreSQL that compute a value from their arguments alone.
const PURE_OF_POSTGRES: &str = "acos acosd array_dims array_fill array_replace asin asind atan atan2 atan2d atand bit_count \
     bit_length cbrt cos cosd cosh cot cotd date_bin decode degrees div encode factorial format gcd get_bit get_byte \
     isfinite json_array_elements json_array_elements_text json_array_length json_each json_each_text \
     json_extract_path json_extract_path_text json_object_keys json_strip_nulls jsonb_array_elements_text \
     jsonb_each_text jsonb_extract_path_text jsonb_object jsonb_path_exists jsonb_path_match jsonb_path_query \
     jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set_lax jsonb_strip_nulls justify_days \
     justify_hours lcm log log10 make_time make_timestamp make_timestamptz min_scale mode normalize num_nonnulls \
     num_nulls pg_typeof position quote_nullable radians regexp_count \
     regexp_instr regexp_like regexp_split_to_array regexp_split_to_table regexp_substr regr_count \
     scale set_bit set_byte sha224 sha256 sha384 sha512 sin sind sinh starts_with stddev_pop stddev_samp \
     string_to_table tan tand tanh to_ascii to_number trim_array trim_scale var_samp width_bucket";

/// Further functions of MySQL and MariaDB that compute a value from their arguments alone.
const PURE_OF_MYSQL: &str = "acos adddate addtime asin atan atan2 bin bit_count bit_length bit_xor conv cos cot crc32 \
     dayname dayofweek dayofyear degrees elt export_set field find_in_set format from_base64 from_days json_contains \
     json_contains_path json_depth json_insert json_keys json_length json_merge_patch json_merge_preserve json_quote \
     json_remove json_replace json_search json_set json_type json_value last_day log json_exists json_query log10 log2 makedate maketime \
     microsecond monthname oct ord period_add period_diff position pow quarter quote radians regexp_instr \
     regexp_replace regexp_substr sec_to_time sha sha1 sha2 sin soundex space std stddev_pop stddev_samp strcmp \
     subdate substring_index subtime tan time_format time_to_sec timediff timestampadd to_base64 to_days to_seconds \
     utc_date utc_time utc_timestamp var_samp week weekday weekofyear yearweek";

/// Functions of MySQL and MariaDB that PostgreSQL does not have.
const OF_MYSQL: &str = "connection_id convert convert_tz curdate database date_add date_format date_sub datediff day dayofmonth \
     found_rows from_unixtime get_lock group_concat hex hour if ifnull lcase mid ucase instr isnull json_extract json_unquote json_valid \
     last_insert_id locate minute month rand release_lock row_count second sleep str_to_date timestampdiff truncate \
     unhex unix_timestamp uuid year";

/// Functions of PostgreSQL that MySQL and MariaDB do not have.
const OF_POSTGRES: &str = "age array_agg array_append array_cat array_length array_position array_prepend array_remove \
     array_to_string array_upper btrim cardinality clock_timestamp date_part date_trunc every gen_random_uuid \
     generate_series initcap jsonb_agg jsonb_insert jsonb_set lastval make_date make_interval pg_advisory_lock pg_notify \
     pg_sleep quote_ident quote_literal random regexp_match regexp_matches split_part statement_timestamp string_agg \
     string_to_array strpos timeofday to_char to_date to_hex to_json to_jsonb to_timestamp to_tsquery to_tsvector \
     transaction_timestamp translate unnest uuid_generate_v4";
