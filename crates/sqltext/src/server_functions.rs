//! Functions with which a statement asks the server about itself: its schema, its sessions and their locks.
//!
//! None of them changes a table, and none reads the rows of one.

use crate::dialect::Dialect;

/// Whether a name, in lower case, is that of a function about the schema or the session.
pub(crate) fn is_about_server(name: &str, dialect: Dialect) -> bool {
    let listed = |lists: &[&str]| lists.iter().any(|list| list.split(' ').any(|one| one == name));
    match dialect {
        Dialect::PostgreSql => listed(&OF_POSTGRES),
        _ if dialect.is_mysql() => listed(&[OF_MYSQL]),
        _ => false,
    }
}

/// Whether a name, in lower case, is that of a function of PostgreSQL without effects that queries on its catalog use.
pub(crate) fn helps_with_catalog(name: &str, dialect: Dialect) -> bool {
    dialect == Dialect::PostgreSql && HELPERS.split(' ').any(|one| one == name)
}

/// Functions of PostgreSQL. Those that send signals, write files or set sequences are not among them.
const OF_POSTGRES: [&str; 7] = [
    // The session.
    "current_catalog current_database current_query current_role current_schema current_schemas current_setting \
     current_user inet_client_addr inet_client_port inet_server_addr inet_server_port pg_backend_pid pg_blocking_pids \
     pg_conf_load_time pg_current_logfile pg_is_other_temp_schema pg_jit_available pg_listening_channels \
     pg_my_temp_schema pg_notification_queue_usage pg_postmaster_start_time pg_safe_snapshot_blocking_pids \
     pg_trigger_depth session_user system_user user version",
    // Privileges.
    "acldefault aclexplode has_any_column_privilege has_column_privilege has_database_privilege \
     has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege has_parameter_privilege \
     has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege has_tablespace_privilege \
     has_type_privilege makeaclitem pg_has_role row_security_active",
    // Names and definitions.
    "_pg_expandarray _pg_char_max_length _pg_numeric_precision _pg_numeric_scale _pg_truetypid _pg_truetypmod \
     format_type pg_char_to_encoding pg_collation_actual_version pg_collation_for pg_collation_is_visible \
     pg_conversion_is_visible pg_database_collation_actual_version pg_describe_object pg_encoding_to_char \
     pg_function_is_visible pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_expr pg_get_function_arguments \
     pg_get_function_arg_default pg_get_function_identity_arguments pg_get_function_result pg_get_function_sqlbody \
     pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_object_address pg_get_partition_constraintdef \
     pg_get_partkeydef pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef \
     pg_get_statisticsobjdef_columns pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_identify_object \
     pg_identify_object_as_address pg_index_column_has_property pg_index_has_property \
     pg_indexam_has_property pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_options_to_table \
     pg_relation_is_publishable pg_relation_is_updatable pg_column_is_updatable pg_sequence_parameters \
     pg_settings_get_flags pg_statistics_obj_is_visible pg_table_is_visible pg_tablespace_databases \
     pg_tablespace_location pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible \
     pg_ts_template_is_visible pg_type_is_visible to_regclass to_regcollation to_regnamespace to_regoper \
     to_regoperator to_regproc to_regprocedure to_regrole to_regtype to_regtypemod",
    // Comments, sizes, partitions.
    "col_description obj_description pg_database_size pg_filenode_relation pg_indexes_size pg_partition_ancestors \
     pg_partition_root pg_partition_tree pg_relation_filenode pg_relation_filepath pg_relation_size pg_table_size \
     pg_tablespace_size pg_total_relation_size shobj_description",
    // The state of the server.
    "pg_control_checkpoint pg_control_init pg_control_recovery pg_control_system pg_current_snapshot \
     pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_current_xact_id \
     pg_current_xact_id_if_assigned pg_is_in_recovery pg_is_wal_replay_paused pg_last_committed_xact \
     pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_lock_status pg_show_all_settings \
     pg_stat_get_activity pg_stat_get_live_tuples pg_stat_get_dead_tuples pg_stat_get_numscans pg_wal_lsn_diff \
     pg_xact_commit_timestamp pg_xact_status txid_current txid_current_if_assigned txid_current_snapshot txid_status",
    // Locks of the application.
    "pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared \
     pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_lock pg_try_advisory_lock_shared \
     pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared",
    // Messages.
    "pg_notify",
];

/// Functions of MySQL and MariaDB.
const OF_MYSQL: &str = "connection_id current_role current_user database get_lock is_free_lock is_used_lock \
     release_all_locks release_lock schema session_user system_user user version";

/// Grammar and functions of PostgreSQL that stand in front of a parenthesis in queries on the catalog.
const HELPERS: &str = "array_lower array_ndims array_positions format generate_subscripts nameconcatoid operator \
     parse_ident pg_size_bytes pg_size_pretty pg_typeof position quote_nullable regexp_split_to_array \
     regexp_split_to_table similarity starts_with string_to_table unaccent";
