//! What a transaction looks at and writes, whether it is explained or not.

use crate::explain::Context;
use crate::statement::{Path, Script, Step, Task, Traits, UnsupportedError};
use crate::store::View;
use crate::world::{At, Footprint, Hidden, World};

/// Carries a transaction out in the newest state of a world, whatever was observed.
pub(super) fn survey(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Traits, UnsupportedError> {
    let newest = context.store.position_of(world);
    let at = At::State(newest);
    let mut footprint = Footprint::default();
    let mut path = Path::new(task.serial);
    for (place, step) in task.steps.iter().enumerate() {
        match step {
            Step::Savepoint(name) => path.save(name),
            Step::RollbackTo(name) => path.roll_back(name),
            Step::Run(statement) => {
                let mut script = Script::default();
                let mut view = View {
                    store: context.store,
                    world,
                    at: &at,
                    own: &path.own,
                    hidden: &Hidden::default(),
                    footprint: &mut footprint,
                    wanted: None,
                    newest,
                };
                let ran = context.sql.run(statement, &mut view, &mut script, &path)?;
                context.notes.wanted.borrow_mut().extend(view.wanted);
                path.add(ran, &at, &script, task.end_of(place));
            }
        }
    }
    Ok(Traits { footprint, writes: path.own.into_writes() })
}
