//! Random steps about lists: of texts, and of the lines that a relation to many leads to.

use crate::generator::{Generator, Wanted};
use crate::model::OPTIONS;

impl Generator<'_, '_> {
    /// A property of the lines.
    fn of_lines(&mut self) -> String {
        let lines = &self.model.lines;
        lines[self.random.below(lines.len())].name.clone()
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0 => format!("map(lines, '{}')", self.of_lines()),
            1 => {
                let step = self.random.pick(&["upper()", "trim()", "firstNChars(2)", "webalize()", "length()", ""]);
                format!("map({}, '{step}')", self.of_type(Wanted::List, depth))
            }
            2 => format!("map(lines, '{}.toString()')", self.of_lines()),
            3 => format!("[ {}, {}]", self.of_type(Wanted::Text, depth), self.of_type(Wanted::Text, 0)),
            4 => format!("explode(',', {})", self.of_type(Wanted::Text, depth)),
            5 => {
                let function = self.random.pick(&["arrayValues", "arrayPop", "arrayShift"]);
                format!("{function}({})", self.of_type(Wanted::List, depth))
            }
            6 => format!("arrayPush({}, {})", self.of_type(Wanted::List, depth), self.of_type(Wanted::Text, 0)),
            _ => self.leaf(Wanted::List),
        }
    }

    pub(super) fn text_of_list(&mut self, depth: usize) -> String {
        let list = self.of_type(Wanted::List, depth);
        match self.random.below(5) {
            0 => format!("arrayFirstValue({list})"),
            1 => format!("arrayLastValue({list})"),
            2 => format!("{list}[{}]", self.random.pick(&["0", "1", "7"])),
            3 => format!("concat({list})"),
            _ => format!("join(', ', {list})"),
        }
    }

    /// A condition about a list, or about one of the lines.
    pub(super) fn of_list(&mut self, depth: usize) -> String {
        let (list, text) = (self.of_type(Wanted::List, depth), self.of_type(Wanted::Text, 0));
        match self.random.below(6) {
            0 => format!("({text} {} {list})", self.random.pick(&["in", "not in"])),
            1 => format!("in_array({text}, {list})"),
            2 => format!("contains({list}, {text})"),
            3 => format!("({list} == {})", self.leaf(Wanted::List)),
            4 => {
                let order = self.random.pick(&["==", "!=", "<", ">="]);
                let wanted = [Wanted::Int, Wanted::Number, Wanted::Text, Wanted::Date][self.random.below(4)];
                format!("(lines.{} {order} {})", self.of_lines(), self.leaf(wanted))
            }
            _ => format!("(lines.{} in ['{}', 'a'])", self.of_lines(), self.random.pick(&OPTIONS)),
        }
    }
}
