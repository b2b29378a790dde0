//! The syntax tree: its height is bounded, chains of one operator are lists.

use crate::error::Span;
use crate::value::Value;

/// A node with its place in the text.
#[derive(Debug)]
pub struct Syntax {
    /// The kind of the node.
    pub kind: SyntaxKind,
    /// The place in the text.
    pub span: Span,
    /// The number of nodes that lie above one another here.
    pub height: usize,
    /// True if parentheses stand around it.
    pub parenthesised: bool,
}

/// The kind of a node.
#[derive(Debug)]
pub enum SyntaxKind {
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
    /// Operators of one rank that group from the left: `+ -`, `* / %`, `<< >>`, `~`, `&`, `&&`, `??` and their like.
    Chain(Box<Syntax>, Vec<(Operator, Syntax)>),
    /// A comparison, or `**`.
    Pair(Operator, Box<Syntax>, Box<Syntax>),
    /// `a ? b : c`, and `a ?: c`.
    Conditional(Box<Syntax>, Option<Box<Syntax>>, Box<Syntax>),
}

/// A call.
#[derive(Debug)]
pub struct Call {
    /// The function's name.
    pub name: String,
    /// The place of the name.
    pub name_span: Span,
    /// In order.
    pub arguments: Vec<Argument>,
}

/// An argument.
#[derive(Debug)]
pub struct Argument {
    /// `name: value`.
    pub name: Option<(String, Span)>,
    /// `...value`.
    pub spread: bool,
    /// The value that is given.
    pub value: Syntax,
}

/// A step of a path.
#[derive(Debug)]
pub enum Step {
    /// `.name`.
    Property(String, Span),
    /// `[key]`.
    Index(Syntax),
    /// `.f(a)`: the value so far is the first argument.
    Call(Call),
}

/// An operator with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `??`.
    Coalesce,
    /// `||`.
    Or,
    /// `xor`.
    Xor,
    /// `&&`.
    And,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `&`.
    BitAnd,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `===`.
    Identical,
    /// `!==`.
    NotIdentical,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `~`.
    Join,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
    /// `**`.
    Power,
}

impl Operator {
    /// Returns the rank, which says how tightly it binds: as in PHP, where `xor`, too, is the word that stands between
    /// `or` and `and`.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Operator::Coalesce => 1,
            Operator::Or => 2,
            Operator::Xor => 3,
            Operator::And => 4,
            Operator::BitOr => 5,
            Operator::BitXor => 6,
            Operator::BitAnd => 7,
            Operator::Join => 10,
            Operator::ShiftLeft | Operator::ShiftRight => 11,
            Operator::Add | Operator::Subtract => 12,
            Operator::Multiply | Operator::Divide | Operator::Remainder => 13,
            Operator::Power => 14,
            _ => COMPARISON,
        }
    }

    /// Returns true if it is of `&`, `^` and `|`, which count with bits and bind looser than comparison.
    pub(crate) fn is_bitwise(self) -> bool {
        matches!(self, Operator::BitAnd | Operator::BitXor | Operator::BitOr)
    }
}

/// The rank of `!`.
pub(crate) const NOT: u8 = 8;
/// The rank of comparisons.
pub(crate) const COMPARISON: u8 = 9;
