//! Triggers that come and go: what CREATE, DROP and ALTER do to the catalog.
//!
//! Layer `routine`; knows the catalog. A table with a trigger is another table, also to those who ask what a
//! statement may touch.

use std::sync::Arc;

use crate::catalog::{
    Catalog, DefaultValue, Event, Table, Timing, TriggerAction, View, add_in_order,
};
use crate::error::{ErrorClass, Result, fail, unsupported};

use super::read_trigger::{DroppedTrigger, TriggerDefinition};

/// Carries out CREATE TRIGGER.
pub(crate) fn create_trigger(catalog: &mut Catalog, definition: &TriggerDefinition) -> Result<()> {
    let trigger = &definition.trigger;
    if let TriggerAction::Function(name) = &trigger.action {
        match catalog.routine(name) {
            Some(routine) if routine.is_trigger => {}
            _ => return unsupported(format!("the trigger function {name}")),
        }
    }
    let by_name = catalog.dialect().is_strictly_typed();
    if trigger.timing == Timing::Instead {
        let Some(before) = catalog.view(&definition.table).cloned() else {
            return unsupported("INSTEAD OF on something that is not a view");
        };
        if !trigger.per_row || trigger.when.is_some() || !trigger.columns.is_empty() {
            return unsupported("this INSTEAD OF trigger");
        }
        let mut view = View::clone(&before);
        make_room(&mut view.triggers, definition)?;
        add_in_order(&mut view.triggers, trigger.clone(), by_name);
        catalog.add_view(view);
        return Ok(());
    }
    let Some(before) = catalog.named(&definition.table)?.cloned() else {
        return unsupported(format!("a trigger on {}", definition.table));
    };
    let known = |table: &Arc<Table>| table.triggers.iter().any(|one| one.name == trigger.name);
    if !by_name && definition.if_missing && catalog.tables().any(known) {
        return Ok(());
    }
    refuse_computed(&before, definition)?;
    let mut table = Table::clone(&before);
    make_room(&mut table.triggers, definition)?;
    add_in_order(&mut table.triggers, trigger.clone(), by_name);
    catalog.change(&before, table);
    Ok(())
}

/// Only one trigger of a table has a name.
fn make_room(
    triggers: &mut Vec<crate::catalog::Trigger>,
    definition: &TriggerDefinition,
) -> Result<()> {
    let name = &definition.trigger.name;
    let there = triggers.iter().any(|one| one.name == *name);
    if there && !definition.replaces {
        return unsupported(format!("another trigger {name}"));
    }
    triggers.retain(|one| one.name != *name);
    Ok(())
}

/// Columns that the server fills later than a trigger looks at them.
fn refuse_computed(table: &Table, definition: &TriggerDefinition) -> Result<()> {
    let trigger = &definition.trigger;
    if trigger.timing != Timing::Before || !trigger.per_row {
        return Ok(());
    }
    if table.generated().next().is_some() {
        return unsupported("a BEFORE trigger on a table with generated columns");
    }
    let counted = table.columns.iter().find(|column| {
        let mentioned = |name: &String| name.eq_ignore_ascii_case(&column.name);
        matches!(column.default, DefaultValue::Sequence { .. })
            && definition.mentions.iter().any(mentioned)
    });
    match counted {
        Some(column) if trigger.events.contains(&Event::Insert) => {
            unsupported(format!("a BEFORE trigger that uses {}, which is counted", column.name))
        }
        _ => Ok(()),
    }
}

/// Carries out DROP TRIGGER.
pub(crate) fn drop_trigger(catalog: &mut Catalog, dropped: &DroppedTrigger) -> Result<()> {
    let name = &dropped.name;
    if let Some(view) = dropped.table.as_ref().and_then(|table| catalog.view(table)).cloned() {
        let mut view = View::clone(&view);
        view.triggers.retain(|one| one.name != *name);
        catalog.add_view(view);
        return Ok(());
    }
    let owner = match &dropped.table {
        Some(table) => catalog.named(table)?.cloned(),
        None => {
            let has = |table: &&Arc<Table>| table.triggers.iter().any(|one| one.name == *name);
            catalog.tables().find(has).cloned()
        }
    };
    let known = owner.filter(|table| table.triggers.iter().any(|one| one.name == *name));
    let Some(before) = known else {
        return match dropped.if_exists {
            true => Ok(()),
            false => fail(ErrorClass::UndefinedObject, format!("trigger {name} does not exist")),
        };
    };
    let mut table = Table::clone(&before);
    table.triggers.retain(|one| one.name != *name);
    catalog.change(&before, table);
    Ok(())
}
