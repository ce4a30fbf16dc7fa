//! What a transaction looks at and writes, whether it is explained or not.

use crate::explain::{Context, Path};
use crate::machine::{Moment, Script, Unsupported};
use crate::store::{At, Footprint, View, World};
use crate::task::{Step, Task, Traits};

/// Carries a transaction out in the newest state of a world, whatever was observed.
pub(crate) fn survey(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Traits, Unsupported> {
    let newest = world.position(context.store);
    let at = At::State(newest);
    let mut footprint = Footprint::default();
    let mut path = Path::new(task.serial);
    for (place, step) in task.steps.iter().enumerate() {
        match step {
            Step::Savepoint(name) => path.save(name),
            Step::RollbackTo(name) => path.roll_back(name),
            Step::Run { .. } => {
                let mut script = Script::default();
                let mut view = View {
                    store: context.store,
                    world,
                    at: &at,
                    own: &path.own,
                    footprint: &mut footprint,
                    wanted: None,
                    newest,
                };
                let mut session = path.session.clone();
                let moment = Moment { fresh: path.fresh, session: &mut session };
                let ran = context.machine.run(task, place, &mut view, &mut script, moment)?;
                context.notes.wanted.borrow_mut().extend(view.wanted);
                path.add(ran, session, &at, &script, task.end_of(place));
            }
        }
    }
    Ok(Traits { footprint, writes: path.own.into_writes() })
}
