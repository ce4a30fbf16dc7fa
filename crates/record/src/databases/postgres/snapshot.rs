//! What a PostgreSQL database holds at one moment.
//!
//! The server itself writes most definitions (`pg_get_constraintdef` and its kin); only schemas, types, sequences
//! and tables are put together here. What belongs to an extension is left out, and so are indexes that are not
//! unique: no result depends on them.

use tokio_postgres::SimpleQueryMessage;

use super::COLLATION;
use super::link::Link;
use crate::DatabaseError;
use crate::snapshot::{Cell, Snapshot, TableRows};

/// One moment for everything, names with their schemas, and values in the forms that any session can read.
const BEGIN: &str = "
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL search_path = '';
    SET LOCAL datestyle = 'ISO, YMD';
    SET LOCAL intervalstyle = postgres;
    SET LOCAL timezone = 'UTC';
    SET LOCAL bytea_output = hex;
    SET LOCAL extra_float_digits = 1";

/// Which schemas are not the server's own.
const OURS: &str = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";

/// What an extension brought along.
fn of_no_extension(catalog: &str, object: &str) -> String {
    format!(
        "NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.deptype = 'e' \
         AND e.classid = 'pg_catalog.{catalog}'::pg_catalog.regclass AND e.objid = {object}.oid)"
    )
}

/// Questions whose answers are statements to be carried out before there are rows.
fn before() -> [String; 8] {
    let of_relation = of_no_extension("pg_class", "c");
    let of_type = of_no_extension("pg_type", "t");
    let of_routine = of_no_extension("pg_proc", "p");
    [
        format!(
            "SELECT format('CREATE SCHEMA %I', n.nspname) FROM pg_catalog.pg_namespace n \
             WHERE {OURS} AND n.nspname <> 'public' ORDER BY n.nspname"
        ),
        format!(
            "SELECT format('CREATE TYPE %I.%I AS ENUM (%s)', n.nspname, t.typname, \
             (SELECT string_agg(quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder) \
              FROM pg_catalog.pg_enum l WHERE l.enumtypid = t.oid)) \
             FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace \
             WHERE t.typtype = 'e' AND {OURS} AND {of_type} ORDER BY t.oid"
        ),
        format!(
            "SELECT format('CREATE DOMAIN %I.%I AS %s%s%s%s', n.nspname, t.typname, \
             format_type(t.typbasetype, t.typtypmod), ' DEFAULT ' || t.typdefault, \
             CASE WHEN t.typnotnull THEN ' NOT NULL' END, \
             (SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '') \
              FROM pg_catalog.pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c')) \
             FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace \
             WHERE t.typtype = 'd' AND {OURS} AND {of_type} ORDER BY t.oid"
        ),
        format!(
            "SELECT format('CREATE SEQUENCE %I.%I AS %s INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s%s', \
             n.nspname, c.relname, format_type(s.seqtypid, NULL), s.seqincrement, s.seqmin, s.seqmax, s.seqstart, \
             CASE WHEN s.seqcycle THEN ' CYCLE' END) \
             FROM pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND {of_relation} AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend i \
             WHERE i.objid = c.oid AND i.deptype = 'i') ORDER BY c.oid"
        ),
        format!(
            "SELECT {TABLE} WHERE {OURS} AND {of_relation} AND c.relkind IN ('r', 'p') ORDER BY c.oid"
        ),
        format!(
            "SELECT format('ALTER TABLE ONLY %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, \
             pg_get_constraintdef(k.oid)) FROM pg_catalog.pg_constraint k \
             JOIN pg_catalog.pg_class c ON c.oid = k.conrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND {of_relation} AND k.contype IN ('p', 'u', 'c', 'x') AND k.conislocal \
             AND k.conparentid = 0 ORDER BY k.contype <> 'p', k.oid"
        ),
        format!(
            "SELECT pg_get_indexdef(i.indexrelid) FROM pg_catalog.pg_index i \
             JOIN pg_catalog.pg_class c ON c.oid = i.indrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND {of_relation} AND i.indisunique AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k \
             WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')) ORDER BY i.indexrelid"
        ),
        format!(
            "SELECT pg_get_functiondef(p.oid) FROM pg_catalog.pg_proc p \
             JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace \
             WHERE {OURS} AND {of_routine} AND p.prokind IN ('f', 'p') ORDER BY p.oid"
        ),
    ]
}

/// CREATE TABLE, without its constraints and without what makes columns refuse values of rows. The columns of a partition are those of its parent.
const TABLE: &str = "
    CASE WHEN c.relispartition THEN format('CREATE TABLE %I.%I PARTITION OF %s %s%s', n.nspname, c.relname,
            (SELECT i.inhparent::pg_catalog.regclass FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid),
            pg_get_expr(c.relpartbound, c.oid), ' PARTITION BY ' || pg_get_partkeydef(c.oid))
        ELSE format('CREATE TABLE %I.%I (%s)%s%s', n.nspname, c.relname,
            (SELECT string_agg(concat(quote_ident(a.attname), ' ', format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || a.attcollation::pg_catalog.regcollation END,
                CASE a.attgenerated WHEN '' THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)
                                    ELSE format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid)) END,
                CASE WHEN a.attnotnull THEN ' NOT NULL' END), ', ' ORDER BY a.attnum)
             FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
             LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attislocal),
            (SELECT format(' INHERITS (%s)', string_agg(i.inhparent::pg_catalog.regclass::text, ', ' ORDER BY i.inhseqno))
             FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid HAVING count(*) > 0),
            ' PARTITION BY ' || pg_get_partkeydef(c.oid)) END
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace";

/// Questions whose answers are statements to be carried out when the rows are there.
fn after() -> [String; 5] {
    let of_relation = of_no_extension("pg_class", "c");
    [
        format!(
            "SELECT format('ALTER TABLE %I.%I ALTER COLUMN %I ADD GENERATED %s AS IDENTITY', n.nspname, c.relname, \
             a.attname, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END) \
             FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND {of_relation} AND a.attidentity <> '' AND NOT a.attisdropped \
             AND NOT c.relispartition ORDER BY c.oid, a.attnum"
        ),
        format!(
            "SELECT format('SELECT pg_catalog.setval(%L, %s, true)', format('%I.%I', s.schemaname, s.sequencename), \
             s.last_value) FROM pg_catalog.pg_sequences s JOIN pg_catalog.pg_namespace n ON n.nspname = s.schemaname \
             WHERE {OURS} AND s.last_value IS NOT NULL ORDER BY s.schemaname, s.sequencename"
        ),
        format!(
            "SELECT format('ALTER TABLE ONLY %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, \
             pg_get_constraintdef(k.oid)) FROM pg_catalog.pg_constraint k \
             JOIN pg_catalog.pg_class c ON c.oid = k.conrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND {of_relation} AND k.contype = 'f' AND k.conparentid = 0 ORDER BY k.oid"
        ),
        format!(
            "SELECT format('CREATE %sVIEW %I.%I AS %s', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' END, \
             n.nspname, c.relname, rtrim(pg_get_viewdef(c.oid), ';')) FROM pg_catalog.pg_class c \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND {of_relation} AND c.relkind IN ('v', 'm') ORDER BY c.oid"
        ),
        format!(
            "SELECT pg_get_triggerdef(g.oid) FROM pg_catalog.pg_trigger g \
             JOIN pg_catalog.pg_class c ON c.oid = g.tgrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE {OURS} AND NOT g.tgisinternal ORDER BY g.oid"
        ),
    ]
}

/// The tables that have rows of their own, and their columns that are not computed.
fn columns() -> String {
    let of_relation = of_no_extension("pg_class", "c");
    format!(
        "SELECT format('%I.%I', n.nspname, c.relname), quote_ident(a.attname) \
         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \
         WHERE {OURS} AND {of_relation} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped \
         AND a.attgenerated = '' ORDER BY c.oid, a.attnum"
    )
}

/// How many rows are fetched at once.
const BATCH: usize = 5_000;

/// Reads everything.
pub(super) fn snapshot(link: &Link) -> Result<Snapshot, DatabaseError> {
    link.script(BEGIN)?;
    let collation = texts(link, COLLATION)?.into_iter().next().flatten();
    let statements = |questions: &[String]| -> Result<Vec<String>, DatabaseError> {
        let answers = questions.iter().map(|question| texts(link, question));
        Ok(answers.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().flatten().collect())
    };
    let snapshot = Snapshot {
        collation,
        // A client may choose another one when it connects.
        timezone: None,
        before: statements(&before())?,
        tables: tables(link)?,
        after: statements(&after())?,
    };
    link.script("COMMIT")?;
    Ok(snapshot)
}

fn tables(link: &Link) -> Result<Vec<TableRows>, DatabaseError> {
    let mut tables: Vec<TableRows> = Vec::new();
    for row in rows(link, &columns())? {
        let [Cell::Text(name), Cell::Text(column)] = row.as_slice() else { continue };
        match tables.last_mut().filter(|table| table.name == *name) {
            Some(table) => table.columns.push(column.clone()),
            None => {
                let columns = vec![column.clone()];
                tables.push(TableRows { name: name.clone(), columns, rows: Vec::new() });
            }
        }
    }
    for table in &mut tables {
        let all = format!("SELECT {} FROM ONLY {}", table.columns.join(", "), table.name);
        link.script(&format!("DECLARE snapshot_rows NO SCROLL CURSOR FOR {all}"))?;
        loop {
            let some = rows(link, &format!("FETCH {BATCH} FROM snapshot_rows"))?;
            if some.is_empty() {
                break;
            }
            table.rows.extend(some);
        }
        link.script("CLOSE snapshot_rows")?;
    }
    Ok(tables)
}

/// The first column of an answer.
fn texts(link: &Link, question: &str) -> Result<Vec<Option<String>>, DatabaseError> {
    let first = |row: Vec<Cell>| match row.into_iter().next() {
        Some(Cell::Text(text)) => Some(text),
        _ => None,
    };
    Ok(rows(link, question)?.into_iter().map(first).collect())
}

/// An answer, with all values as texts.
fn rows(link: &Link, question: &str) -> Result<Vec<Vec<Cell>>, DatabaseError> {
    let mut rows = Vec::new();
    for message in link.answers(question)? {
        if let SimpleQueryMessage::Row(row) = message {
            rows.push((0..row.len()).map(|place| Cell::text(row.get(place))).collect());
        }
    }
    Ok(rows)
}
