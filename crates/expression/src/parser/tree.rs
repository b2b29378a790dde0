//! The syntax tree: its height is bounded, chains of one operator are lists.

use crate::error::Span;
use crate::value::Value;

/// A node with its place in the text.
#[derive(Debug)]
pub struct SyntaxNode {
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
    Call(FunctionCall),
    /// `a.b[c].d()`.
    Path(Box<SyntaxNode>, Vec<PathStep>),
    /// `[a, b]`.
    Array(Vec<SyntaxNode>),
    /// `{a: b}`.
    Object(Vec<(String, SyntaxNode)>),
    /// `-a`.
    Minus(Box<SyntaxNode>),
    /// `!a`.
    Not(Box<SyntaxNode>),
    /// Operators of one rank that group from the left: `+ -`, `* / %`, `<< >>`, `~`, `&`, `&&`, `??` and their like.
    Chain(Box<SyntaxNode>, Vec<(BinaryOperator, SyntaxNode)>),
    /// A comparison, or `**`.
    Pair(BinaryOperator, Box<SyntaxNode>, Box<SyntaxNode>),
    /// `a ? b : c`, and `a ?: c`.
    Conditional(Box<SyntaxNode>, Option<Box<SyntaxNode>>, Box<SyntaxNode>),
}

/// A call.
#[derive(Debug)]
pub struct FunctionCall {
    /// The function's name.
    pub name: String,
    /// The place of the name.
    pub name_span: Span,
    /// In order.
    pub arguments: Vec<CallArgument>,
}

/// An argument.
#[derive(Debug)]
pub struct CallArgument {
    /// `name: value`.
    pub name: Option<(String, Span)>,
    /// `...value`.
    pub spread: bool,
    /// The value that is given.
    pub value: SyntaxNode,
}

/// A step of a path.
#[derive(Debug)]
pub enum PathStep {
    /// `.name`.
    Property(String, Span),
    /// `[key]`.
    Index(SyntaxNode),
    /// `.f(a)`: the value so far is the first argument.
    Call(FunctionCall),
}

/// An operator with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
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

impl BinaryOperator {
    /// Returns the rank, which says how tightly it binds: as in PHP, where `xor`, too, is the word that stands between
    /// `or` and `and`.
    pub(crate) fn rank(self) -> u8 {
        match self {
            BinaryOperator::Coalesce => 1,
            BinaryOperator::Or => 2,
            BinaryOperator::Xor => 3,
            BinaryOperator::And => 4,
            BinaryOperator::BitOr => 5,
            BinaryOperator::BitXor => 6,
            BinaryOperator::BitAnd => 7,
            BinaryOperator::Join => 10,
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => 11,
            BinaryOperator::Add | BinaryOperator::Subtract => 12,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => 13,
            BinaryOperator::Power => 14,
            _ => COMPARISON,
        }
    }

    /// Returns true if it compares two values.
    pub(crate) fn is_comparison(self) -> bool {
        use BinaryOperator::{Equal, Greater, GreaterOrEqual, Identical, In, Less, LessOrEqual};
        use BinaryOperator::{NotEqual, NotIdentical, NotIn};
        matches!(
            self,
            Equal | NotEqual | Identical | NotIdentical | Less | LessOrEqual | Greater | GreaterOrEqual | In | NotIn
        )
    }

    /// Returns true if it is of `&`, `^` and `|`, which count with bits and bind looser than comparison.
    pub(crate) fn is_bitwise(self) -> bool {
        matches!(self, BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr)
    }
}

/// The rank of `!`.
pub(crate) const NOT: u8 = 8;
/// The rank of comparisons.
pub(crate) const COMPARISON: u8 = 9;
