//! The same levels a second time, as conditions on a dependency graph: `ww` and `rw` relate
//! *all* pairs of versions, and each level is a cycle condition. Tests compare the two.

use tristan_generate::Rng;
use tristan_history::History;
use tristan_spec::{Catalog, Level, Strength};

use crate::{
    Judgement,
    axioms::orders,
    judge_all,
    orders::{Chain, Flow, version_orders},
    random::{self, RandomShape},
    reading::{self, Explained, Reading, Scene},
    relations::{Rel, Set, first},
};

struct Graph {
    base: Rel,
    wr: Rel,
    ww: Rel,
    rw: Rel,
    rwi: Rel,
    so: Rel,
    rt: Rel,
    cc: Rel,
    bc: Rel,
    otv_loop: bool,
    cursor_loop: bool,
    readers: Set,
    updaters: Set,
    all: Set,
}

impl Graph {
    fn of(explained: &Explained<'_>, chains: &[Chain], strength: Strength) -> Self {
        let scene = explained.scene;
        let mut ww = Rel::default();
        for chain in chains {
            for (at, &txn) in chain.iter().enumerate() {
                chain[at + 1..].iter().for_each(|&later| ww.add(txn, later));
            }
        }
        let newer = |key: usize, source: Option<usize>| match source {
            None => chains[key].clone(),
            Some(txn) => {
                chains[key].iter().copied().skip_while(|&other| other != txn).skip(1).collect()
            }
        };
        let (mut rw, mut rwi) = (Rel::default(), Rel::default());
        let (mut otv_loop, mut cursor_loop) = (false, false);
        for read in &explained.reads {
            let newer_than_seen: Vec<usize> = newer(read.key, read.source);
            for (at, &writer) in newer_than_seen.iter().enumerate() {
                if writer != read.txn {
                    rw.add(read.txn, writer);
                    if !read.predicate {
                        rwi.add(read.txn, writer);
                        cursor_loop |= newer_than_seen[at + 1..].contains(&read.txn);
                    }
                }
            }
            otv_loop |= explained.reads.iter().any(|earlier| {
                earlier.txn == read.txn
                    && earlier.op < read.op
                    && earlier.key != read.key
                    && earlier.source.is_some_and(|txn| newer_than_seen.contains(&txn))
            });
        }
        Self {
            base: explained.wr.or(orders(scene, strength)),
            wr: explained.wr,
            ww,
            rw,
            rwi,
            so: scene.so,
            rt: scene.rt,
            cc: scene.cc,
            bc: scene.bc,
            otv_loop,
            cursor_loop,
            readers: scene.readers,
            updaters: scene.updaters,
            all: first(scene.count),
        }
    }

    fn maybe(&self, rel: Rel) -> Rel {
        let mut out = rel;
        crate::relations::members(self.all).for_each(|txn| out.add(txn, txn));
        out
    }

    fn holds(&self, family: &str) -> bool {
        let Self { base, wr, ww, rw, so, .. } = *self;
        let (r, w) = (self.readers, self.updaters);
        let dep = base.or(ww);
        let dep_acyclic = dep.acyclic();
        let no_loop = |rel: Rel| rel.then(&rw).irreflexive();
        match family {
            "read-committed" => dep_acyclic,
            "cursor-stability" => dep_acyclic && !self.cursor_loop,
            "monotonic-atomic-view" => dep_acyclic && !self.otv_loop,
            "read-your-writes" => {
                let vis = wr.or(so.between(w, r));
                vis.or(ww).acyclic() && no_loop(vis)
            }
            "monotonic-reads" => {
                let vis = wr.then(&self.maybe(so.between(r, r)));
                vis.or(ww).acyclic() && no_loop(vis)
            }
            "monotonic-writes" => {
                let writes = so.between(w, w);
                writes.or(wr).or(ww).acyclic() && no_loop(self.maybe(writes).then(&wr))
            }
            "writes-follow-reads" => {
                let follow = wr.then(&so.between(r, w));
                follow.or(wr).or(ww).acyclic() && no_loop(self.maybe(follow.closure()).then(&wr))
            }
            "read-atomic" => dep_acyclic && no_loop(base),
            "update-atomic" => dep_acyclic && no_loop(dep),
            "causal" => dep_acyclic && no_loop(base.closure()),
            "consistent-view" | "parallel-si" => dep_acyclic && no_loop(dep.closure()),
            "forward-consistent-view" => dep_acyclic && no_loop(dep.or(self.rt).closure()),
            "prefix" => ww.or(base.then(&self.maybe(rw))).acyclic(),
            "snapshot-isolation" => dep.then(&self.maybe(rw)).acyclic(),
            "generalized-snapshot-isolation" => {
                self.cc.or(dep.then(&self.maybe(rw.or(self.bc)))).acyclic()
            }
            "update-serializable" => {
                let every = dep.or(rw);
                let through_updates = every.between(w, self.all).closure();
                dep_acyclic && every.then(&self.maybe(through_updates)).irreflexive()
            }
            "repeatable-read" => dep.or(self.rwi).acyclic(),
            "serializable" => dep.or(rw).acyclic(),
            other => unreachable!("`Graph::holds` has no normal form for {other}"),
        }
    }
}

fn accepts(history: &History, levels: &[Level]) -> Vec<bool> {
    let mut accepted = vec![false; levels.len()];
    for Reading { history, scripts } in reading::readings(history).expect("small") {
        for effective in reading::effective_sets(&history) {
            if effective.iter().any(|txn| scripts[txn.index()].wrong) {
                continue;
            }
            let Some(scene) = Scene::read(&history, &scripts, &effective, 0) else { continue };
            try_orders(&scene, levels, &mut accepted);
        }
    }
    accepted
}

fn try_orders(scene: &Scene, levels: &[Level], accepted: &mut [bool]) {
    let flow = scene.explanations(&mut |explained| {
        version_orders(&scene.writers, &scene.shown, &mut |chains| {
            for (level, accepted) in levels.iter().zip(&mut *accepted) {
                let strength = level.strength.unwrap_or(Strength::Plain);
                let accept = || Graph::of(explained, chains, strength).holds(&level.family);
                *accepted = *accepted || accept();
            }
            Flow::Continue(())
        })
    });
    assert!(flow.is_continue());
}

#[test]
fn axioms_and_phenomena_agree_with_the_normal_forms() {
    let mut levels = Catalog::default().levels();
    levels.retain(|level| level.family != "read-uncommitted");
    let seed = 20_260;
    let mut rng = Rng::new(seed);
    for round in 0..4_000 {
        let history = random::history(&mut rng, RandomShape::wide());
        let normal = accepts(&history, &levels);
        let judged = judge_all(&history, &levels, 0);
        for ((level, normal), judged) in levels.iter().zip(normal).zip(judged) {
            let judged = judged == Judgement::Accept;
            assert_eq!(judged, normal, "{} seed {seed} round {round}: {history:?}", level.name);
        }
    }
}
