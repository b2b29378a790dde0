//! The syntax tree: its height is bounded, chains of one operator are lists.

use crate::error::Span;
use crate::value::Value;

/// A node with its place in the text.
#[derive(Debug)]
pub(crate) struct Syntax {
    pub(crate) kind: SyntaxKind,
    pub(crate) span: Span,
    /// How many nodes lie above one another here.
    pub(crate) height: usize,
    /// Whether parentheses stand around it.
    pub(crate) parenthesised: bool,
}

/// What a node is.
#[derive(Debug)]
pub(crate) enum SyntaxKind {
    /// A number, string, true, false, null.
    Literal(Value),
    /// A property of the context's resource.
    Name(String),
    /// `$name`.
    Variable(String),
    /// `f(a)`.
    Call(Call),
    /// `a.b[c].d()`.
    Path(Box<Syntax>, Vec<Step>),
    /// `[a, b]`.
    Array(Vec<Syntax>),
    /// `{a: b}`.
    Object(Vec<(String, Syntax)>),
    /// `-a`.
    Minus(Box<Syntax>),
    /// `!a`.
    Not(Box<Syntax>),
    /// Operators of one rank that group from the left: `+ -`, `* / %`, `~`, `&&`, `||`, `??`.
    Chain(Box<Syntax>, Vec<(Operator, Syntax)>),
    /// A comparison, or `**`.
    Pair(Operator, Box<Syntax>, Box<Syntax>),
    /// `a ? b : c`, and `a ?: c`.
    Conditional(Box<Syntax>, Option<Box<Syntax>>, Box<Syntax>),
}

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument.
#[derive(Debug)]
pub(crate) struct Argument {
    /// `name: value`.
    pub(crate) name: Option<(String, Span)>,
    /// `...value`.
    pub(crate) spread: bool,
    pub(crate) value: Syntax,
}

/// A step of a path.
#[derive(Debug)]
pub(crate) enum Step {
    /// `.name`.
    Property(String, Span),
    /// `[key]`.
    Index(Syntax),
    /// `.f(a)`: the value so far is the first argument.
    Call(Call),
}

/// An operator with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Coalesce,
    Or,
    And,
    Equal,
    NotEqual,
    Identical,
    NotIdentical,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    Join,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

impl Operator {
    /// How tightly it binds; `!` lies between 3 and 5.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Operator::Coalesce => 1,
            Operator::Or => 2,
            Operator::And => 3,
            Operator::Join => 6,
            Operator::Add | Operator::Subtract => 7,
            Operator::Multiply | Operator::Divide | Operator::Remainder => 8,
            Operator::Power => 9,
            _ => COMPARISON,
        }
    }
}

/// The rank of `!`.
pub(crate) const NOT: u8 = 4;
/// The rank of comparisons.
pub(crate) const COMPARISON: u8 = 5;
