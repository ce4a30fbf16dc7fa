//! What a transaction may have done to one key so far, if some of its operations may or may not have
//! taken effect.

use tristan_history::{KeyId, Op};

use crate::resolution::{is_indeterminate, settle};

/// So many operations are considered both ways; of more, the earliest are taken to have taken
/// effect.
const MOST_UNSURE: usize = 8;

/// The operations on a key, savepoints and rollbacks, resolved in every possible way.
pub(super) fn programs(so_far: &[Op], key: KeyId) -> Vec<Vec<Op>> {
    let concerns = |op: &&Op| op.kind.key().is_none_or(|other| other == key);
    let ops: Vec<&Op> = so_far.iter().filter(concerns).collect();
    let unsure = ops.iter().filter(|op| is_indeterminate(op)).count();
    let mut taken = unsure.saturating_sub(MOST_UNSURE);
    let mut programs = vec![Vec::with_capacity(ops.len())];
    for op in ops {
        if !is_indeterminate(op) {
            programs.iter_mut().for_each(|program| program.push(op.clone()));
            continue;
        }
        let mut without = if taken > 0 { Vec::new() } else { programs.clone() };
        taken = taken.saturating_sub(1);
        extend(&mut programs, op, true);
        extend(&mut without, op, false);
        programs.append(&mut without);
    }
    programs
}

fn extend(programs: &mut [Vec<Op>], op: &Op, effect: bool) {
    let mut op = op.clone();
    settle(&mut op, effect);
    programs.iter_mut().for_each(|program| program.push(op.clone()));
}
