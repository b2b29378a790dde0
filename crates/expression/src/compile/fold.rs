//! Constants: what depends on nothing is computed once, when it is compiled, within what one text may use up.

use super::{Compiler, TypedNode, constant};
use crate::NoProviders;
use crate::error::{Diagnostic, Span, mistake};
use crate::evaluate::EvaluationState;
use crate::template::MAXIMUM_LENGTH;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use values::types::ValueKind;
use values::{Run, RunLimits};

/// The limits for folding one constant: little, for it is done once for each.
const FOLDING: RunLimits = RunLimits { fuel: 10_000, memory: 64 * 1024, items: 1_000, queries: 0 };

/// The most characters of all chains of map(). Those that are written out have fewer, however they lie in one another;
/// those that are computed could multiply.
const MAXIMUM_CHAINS_LENGTH: usize = 4 * MAXIMUM_LENGTH;

/// The supplies that are left for a text while it is compiled.
pub(super) struct FoldingBudget {
    /// For constants; those that are written out take less.
    fuel: u64,
    memory: usize,
    /// Characters of chains.
    chains: usize,
}

impl Default for FoldingBudget {
    fn default() -> Self {
        FoldingBudget { fuel: 200_000, memory: 2 * 1024 * 1024, chains: MAXIMUM_CHAINS_LENGTH }
    }
}
impl Compiler<'_> {
    /// Replaces what depends on nothing by its value. What fails stays: it may stand where it never runs.
    pub(super) fn fold(&mut self, node: TypedNode, known: bool) -> TypedNode {
        if !known {
            return node;
        }
        let FoldingBudget { fuel, memory, .. } = self.room;
        let limits = RunLimits { fuel: FOLDING.fuel.min(fuel), memory: FOLDING.memory.min(memory), ..FOLDING };
        let mut random = |bytes: &mut [u8]| bytes.fill(0);
        let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &NoProviders, &mut random, limits);
        run = run.on_written();
        let frame = EvaluationState::default();
        let value = node.node.evaluate(&frame, &mut run).map(|value| value.into_owned());
        self.room.fuel -= limits.fuel - run.steps_left();
        self.room.memory -= limits.memory - run.memory_left();
        // The rules are known when it runs.
        if run.rests_on_rules() {
            return node;
        }
        let Ok(value) = value else { return node };
        let of = node.of.chosen();
        let mut folded = constant(value);
        // Members are told as they were written.
        match folded.of.kind {
            ValueKind::Array => folded.of.item = of.item.filter(|_| of.kind == ValueKind::Array).or(folded.of.item),
            ValueKind::Object => folded.of.shape = of.shape,
            _ => {}
        }
        folded
    }

    /// Takes room for a chain of map(), before it is read.
    pub(super) fn take_chain(&mut self, chain: &str, span: Span) -> Result<(), Diagnostic> {
        let rest = self.room.chains.checked_sub(chain.chars().count());
        self.room.chains = rest.ok_or_else(|| {
            let message = format!("The chains of map() have more than {MAXIMUM_CHAINS_LENGTH} characters altogether.");
            mistake("too_long", span, message, None)
        })?;
        Ok(())
    }
}
