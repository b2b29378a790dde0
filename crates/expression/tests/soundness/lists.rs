//! Random steps about lists: of texts, and of the lines that a relation to many leads to.

use crate::generator::{ALL, Generator, Wanted};
use crate::model::OPTIONS;

impl Generator<'_, '_> {
    /// A property of the lines.
    fn of_lines(&mut self) -> String {
        let lines = &self.model.lines;
        lines[self.random.below(lines.len())].name.clone()
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        match self.random.below(11) {
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
            7 => self.mixed(depth),
            8 => format!("map(lines, ['{}', '{}'])", self.of_lines(), self.of_lines()),
            9 => format!("toArray({})", self.of_type(Wanted::List, depth)),
            _ => self.leaf(Wanted::List),
        }
    }

    /// A list whose items may be of any kinds.
    fn mixed(&mut self, depth: usize) -> String {
        let (one, other) = (self.anything(depth), self.anything(depth));
        match self.random.below(4) {
            0 => format!("[ {one}, {other}]"),
            1 => format!("arrayPush([ {one}], {other})"),
            2 => format!("arrayPush([ {one}], ...[ {other}])"),
            _ => format!("arrayUnshift([], {one}, {other})"),
        }
    }

    fn anything(&mut self, depth: usize) -> String {
        let wanted = ALL[self.random.below(ALL.len())];
        self.of_type(wanted, depth)
    }

    /// A value that lies in a list or in an object beside another one, or that a function gives back.
    pub(super) fn member(&mut self, wanted: Wanted, depth: usize) -> String {
        let one = self.of_type(wanted, depth);
        let other = if self.random.once_in(3) { self.anything(depth) } else { self.of_type(wanted, depth) };
        let name = self.random.pick(&["a", "a", "b"]);
        match self.random.below(12) {
            0 => format!("{{a: {one}, b: {other}}}.{name}"),
            1 => format!("({} ? {{a: {one}}} : {{{name}: {other}}}).a", self.of_type(Wanted::Bool, depth)),
            2 => format!("[ {one}, {other}][{}]", self.random.pick(&["0", "1", "2"])),
            3 => format!("map(lines, {{a: '{}', b: '{}'}})[0].{name}", self.of_lines(), self.of_lines()),
            4 => format!("get({one})"),
            5 => format!("{}({})", self.random.pick(&["arrayFirstValue", "arrayLastValue"]), self.mixed(depth)),
            6 => format!("merge({{a: {one}}}, {{{name}: {other}}}).a"),
            7 => format!("if(ifFalse: {other}, condition: {}, ifTrue: {one})", self.of_type(Wanted::Bool, depth)),
            8 => format!("arrayPush([], {one}, {other})[1]"),
            9 => format!("({} ?? {{a: {one}}}).a", self.random.pick(&["null", "[][0]", "{}"])),
            10 => {
                let property = self.model.company[self.random.below(self.model.company.len())].name.clone();
                format!("({} ? company : {{{property}: {other}}}).{property}", self.of_type(Wanted::Bool, depth))
            }
            _ => format!("({} ? lines : [])[0].{}", self.of_type(Wanted::Bool, depth), self.of_lines()),
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
