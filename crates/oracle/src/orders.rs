//! Enumeration: total orders that contain a given relation, version orders, source choices.

use std::ops::ControlFlow;

use crate::relations::{MAX_TXNS, Rel, Set, members};

/// What a visitor says: go on, or stop since everything is settled.
pub(crate) type Flow = ControlFlow<()>;

/// Calls `visit` with every total order of `all` that contains `required`; with none if
/// `required` has a cycle.
pub(crate) fn total_orders(
    all: Set,
    required: &Rel,
    visit: &mut dyn FnMut(&[usize]) -> Flow,
) -> Flow {
    let before = required.between(all, all).turned();
    let mut order = [0; MAX_TXNS];
    extend_order(all, &before, &mut order, 0, visit)
}

fn extend_order(
    left: Set,
    before: &Rel,
    order: &mut [usize; MAX_TXNS],
    length: usize,
    visit: &mut dyn FnMut(&[usize]) -> Flow,
) -> Flow {
    if left == 0 {
        return visit(&order[..length]);
    }
    for next in members(left) {
        if before.row(next) & left == 0 {
            order[length] = next;
            extend_order(left & !(1 << next), before, order, length + 1, visit)?;
        }
    }
    Flow::Continue(())
}

/// One key's versions: who writes it, in the order assumed.
pub(crate) type Chain = Vec<usize>;

/// Calls `visit` with every choice of one total order per key (given by its writers) whose
/// union, together with `required`, has no cycle.
///
/// A cycle of `ww` is G0, which every level proscribes, so nothing is lost by keeping to
/// choices whose union can be laid out on one line.
pub(crate) fn version_orders(
    writers: &[Set],
    required: &Rel,
    visit: &mut dyn FnMut(&[Chain]) -> Flow,
) -> Flow {
    let closed = required.closure();
    if !closed.irreflexive() {
        return Flow::Continue(());
    }
    let mut chains = Vec::with_capacity(writers.len());
    choose_chain(writers, &closed, &mut chains, visit)
}

fn choose_chain(
    writers: &[Set],
    known: &Rel,
    chains: &mut Vec<Chain>,
    visit: &mut dyn FnMut(&[Chain]) -> Flow,
) -> Flow {
    let Some(&all) = writers.get(chains.len()) else {
        return visit(chains);
    };
    total_orders(all, known, &mut |order| {
        let mut more = *known;
        for pair in order.windows(2) {
            more.add(pair[0], pair[1]);
        }
        chains.push(order.to_vec());
        let flow = choose_chain(writers, &more.closure(), chains, visit);
        chains.pop();
        flow
    })
}

/// Calls `visit` with every way to pick one alternative per place: indexes into each place's
/// alternatives, of which there are `counts[place]`. `fits` can cut off a partial choice.
pub(crate) fn choices(
    counts: &[usize],
    fits: &dyn Fn(&[usize]) -> bool,
    visit: &mut dyn FnMut(&[usize]) -> Flow,
) -> Flow {
    let mut picked = Vec::with_capacity(counts.len());
    pick(counts, &mut picked, fits, visit)
}

fn pick(
    counts: &[usize],
    picked: &mut Vec<usize>,
    fits: &dyn Fn(&[usize]) -> bool,
    visit: &mut dyn FnMut(&[usize]) -> Flow,
) -> Flow {
    let Some(&count) = counts.get(picked.len()) else {
        return visit(picked);
    };
    for alternative in 0..count {
        picked.push(alternative);
        if fits(picked) {
            pick(counts, picked, fits, visit)?;
        }
        picked.pop();
    }
    Flow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_orders(all: Set, required: &Rel) -> usize {
        let mut count = 0;
        let flow = total_orders(all, required, &mut |_| {
            count += 1;
            Flow::Continue(())
        });
        assert!(flow.is_continue());
        count
    }

    #[test]
    fn orders_are_permutations_that_contain_what_is_required() {
        let mut required = Rel::default();
        assert_eq!(count_orders(0b1111, &required), 24);
        required.add(0, 1);
        assert_eq!(count_orders(0b1111, &required), 12);
        required.add(1, 0);
        assert_eq!(count_orders(0b1111, &required), 0);
    }

    #[test]
    fn version_orders_of_two_keys_never_disagree() {
        let mut count = 0;
        let flow = version_orders(&[0b11, 0b11], &Rel::default(), &mut |chains| {
            assert_eq!(chains[0], chains[1]);
            count += 1;
            Flow::Continue(())
        });
        assert!(flow.is_continue());
        assert_eq!(count, 2);
    }
}
