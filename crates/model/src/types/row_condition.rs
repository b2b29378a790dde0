//! Condition on rows of a type, checked: an expression that becomes SQL.

use expression::Program;
use expression::syntax::SyntaxNode;
use std::collections::HashMap;
use std::sync::Arc;

/// A condition on rows of a type, checked. The query crate makes and translates it.
#[derive(Debug)]
pub struct RowCondition {
    /// The text as it was configured.
    pub text: String,
    /// The id of the type of the rows.
    pub type_id: i64,
    /// The parts of the text; spans count in the whole text.
    pub syntax: SyntaxNode,
    /// The parts that do not look at the row, by their place in the text: from, and to (exclusive).
    pub constants: HashMap<(usize, usize), Arc<Program>>,
}
