//! Ctrl-C and SIGTERM. A command that runs until it is told to stop ends its work first and says what
//! came of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use crate::exit::{CommandError, Exit, OrExit};

/// What a signal sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct StopSignal {
    /// Whether the work is to stop. Other reasons may set it too.
    pub(crate) now: Arc<AtomicBool>,
    asked: Arc<AtomicBool>,
}

impl StopSignal {
    /// Listens to signals from now on. The second one ends the program at once.
    pub(crate) fn on_signals() -> Result<Self, CommandError> {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM] {
            let code = 128 + signal;
            let registered = register_conditional_shutdown(signal, code, Arc::clone(&stop.asked))
                .and_then(|_| register(signal, Arc::clone(&stop.asked)))
                .and_then(|_| register(signal, Arc::clone(&stop.now)));
            registered.context("signals").or_exit(Exit::Bug)?;
        }
        Ok(stop)
    }

    /// The same for the next run: that the last one is over does not stop it, a signal does.
    pub(crate) fn again(&self) -> Self {
        self.now.store(false, Ordering::Relaxed);
        if self.was_asked() {
            self.now.store(true, Ordering::Relaxed);
        }
        self.clone()
    }

    /// Whether a signal came.
    pub(crate) fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
