//! Position of a run: the step in each block that it is within, and the way that it went into the next one.

use model::automation::{AutomationStep, StepAction};
use xxhash_rust::xxh3::xxh3_64;

/// A place among steps, from the outermost block inwards. It is written `2.then.0.item.17.1`: the third step's branch
/// `then`, of that the first step's 18th member, of that the second step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepPosition(Vec<StepPlace>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StepPlace {
    index: usize,
    /// The way into the block behind the step; none of the last place.
    way: Option<BlockWay>,
}

/// The way from a step into a block of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockWay {
    Then,
    Otherwise,
    /// With the list's member at this place.
    Item(usize),
}

/// Step, or end, at a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum StepHere<'s> {
    /// A step.
    Step(&'s AutomationStep),
    /// The end of a block: the run goes on behind the step that it belongs to, or with the next member.
    BlockEnd,
    /// The end of all.
    End,
    /// Nothing: the steps are others than those that the position is about.
    Nowhere,
}

impl StepPosition {
    /// Before the first step.
    pub(crate) fn start() -> Self {
        StepPosition(vec![StepPlace { index: 0, way: None }])
    }

    /// Returns true if no step was gone past.
    pub(super) fn is_start(&self) -> bool {
        *self == StepPosition::start()
    }

    /// Reads what was written.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(StepPosition::start());
        }
        let mut places = Vec::new();
        let mut parts = text.split('.');
        loop {
            let index = parts.next()?.parse().ok()?;
            let way = match parts.next() {
                None => None,
                Some("then") => Some(BlockWay::Then),
                Some("else") => Some(BlockWay::Otherwise),
                Some("item") => Some(BlockWay::Item(parts.next()?.parse().ok()?)),
                Some(_) => return None,
            };
            places.push(StepPlace { index, way });
            if way.is_none() {
                return Some(StepPosition(places));
            }
        }
    }

    /// Returns the step, or the end, at the position.
    pub(super) fn here<'s>(&self, steps: &'s [AutomationStep]) -> StepHere<'s> {
        let mut block = steps;
        for (depth, place) in self.0.iter().enumerate() {
            let Some(way) = place.way else {
                return match block.get(place.index) {
                    Some(step) => StepHere::Step(step),
                    None if place.index > block.len() => StepHere::Nowhere,
                    None if depth == 0 => StepHere::End,
                    None => StepHere::BlockEnd,
                };
            };
            let Some(inner) = block.get(place.index).and_then(|step| block_of(step, way)) else {
                return StepHere::Nowhere;
            };
            block = inner;
        }
        StepHere::Nowhere
    }

    /// A digest of all that was gone past on the way here: the steps before, and what led into the blocks. None where
    /// the steps are others than those that the position is about.
    pub(super) fn passed(&self, steps: &[AutomationStep]) -> Option<u64> {
        let mut digests = Vec::new();
        let mut block = steps;
        for place in &self.0 {
            digests.extend(block.get(..place.index)?.iter().map(|step| step.digest));
            let Some(way) = place.way else { break };
            let step = block.get(place.index)?;
            digests.push(step.head);
            block = block_of(step, way)?;
        }
        let bytes: Vec<u8> = digests.into_iter().flat_map(u64::to_le_bytes).collect();
        Some(xxh3_64(&bytes))
    }

    /// Goes behind the step.
    pub(crate) fn next(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.index += 1;
        }
    }

    /// Goes into a block of the step.
    pub(super) fn enter(&mut self, way: BlockWay) {
        if let Some(last) = self.0.last_mut() {
            last.way = Some(way);
        }
        self.0.push(StepPlace { index: 0, way: None });
    }

    /// Goes back to the step that the block belongs to; gives the way that led into it.
    pub(crate) fn leave(&mut self) -> Option<BlockWay> {
        if self.0.len() < 2 {
            return None;
        }
        self.0.pop();
        self.0.last_mut()?.way.take()
    }

    /// Returns the number of lists that the run goes through right here, within one another.
    pub(crate) fn lists(&self) -> usize {
        self.0.iter().filter(|place| matches!(place.way, Some(BlockWay::Item(_)))).count()
    }
}

/// Returns the steps within a step that a way leads to.
fn block_of(step: &AutomationStep, way: BlockWay) -> Option<&[AutomationStep]> {
    match (&step.action, way) {
        (StepAction::If { then, .. }, BlockWay::Then) => Some(then),
        (StepAction::If { otherwise, .. }, BlockWay::Otherwise) => Some(otherwise),
        (StepAction::Each(each), BlockWay::Item(_)) => Some(&each.steps),
        _ => None,
    }
}

impl std::fmt::Display for StepPosition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for place in &self.0 {
            write!(formatter, "{}", place.index)?;
            match place.way {
                None => {}
                Some(BlockWay::Then) => formatter.write_str(".then.")?,
                Some(BlockWay::Otherwise) => formatter.write_str(".else.")?,
                Some(BlockWay::Item(item)) => write!(formatter, ".item.{item}.")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockWay, StepPosition};

    #[test]
    fn a_position_is_read_as_it_is_written() {
        let mut position = StepPosition::start();
        position.next();
        position.enter(BlockWay::Then);
        position.enter(BlockWay::Item(17));
        position.next();
        assert_eq!((position.to_string().as_str(), position.lists()), ("1.then.0.item.17.1", 1));
        assert_eq!(StepPosition::parse("1.then.0.item.17.1"), Some(position.clone()));
        assert_eq!(position.leave(), Some(BlockWay::Item(17)));
        assert_eq!(position.leave(), Some(BlockWay::Then));
        assert_eq!((position.leave(), position.to_string().as_str()), (None, "1"));
        for text in ["x", "1.", "1.then", "1.item.x.0", "1.else.0.if.1"] {
            assert_eq!(StepPosition::parse(text), None, "{text}");
        }
        assert!(StepPosition::parse("").is_some_and(|start| start.is_start()));
    }
}
