//! Operators with two sides and more: comparisons, and chains of one rank, whose operands may lend each other facts.

use super::{Compiler, TypedNode, built, constant};
use crate::analysis::Operand;
use crate::check;
use crate::error::Span;
use crate::evaluate::{AnyNode, ChainNode, CoalesceNode, LogicNode, OperandNode, PairNode, ProgramNode};
use crate::narrowing::TestFacts;
use crate::parser::{BinaryOperator, SyntaxNode};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

impl Compiler<'_> {
    pub(super) fn pair(
        &mut self,
        operator: BinaryOperator,
        left: &SyntaxNode,
        right: &SyntaxNode,
        span: Span,
    ) -> TypedNode {
        let syntax = (left, right);
        let (left, right) = (self.build(left), self.build(right));
        let known = left.node.constant().is_some() && right.node.constant().is_some();
        let (tests, of) = if operator == BinaryOperator::Power {
            (None, self.check_power([Operand::of(&left, syntax.0), Operand::of(&right, syntax.1)]))
        } else {
            self.check_comparison(operator, Operand::of(&left, syntax.0), Operand::of(&right, syntax.1), span);
            let tests = self.compared(operator, (syntax.0, &left), (syntax.1, &right));
            (tests, ValueType::of(ValueKind::Bool))
        };
        if let Some(sides) = several(operator, &left.of, &right.of) {
            return built(AnyNode::of(operator, sides, left.node, right.node, span), ValueKind::Bool);
        }
        let compares_empty = left.of.may_be_null() || right.of.may_be_null();
        let (left, right) = (OperandNode::of(left.node), OperandNode::of(right.node));
        let node = Box::new(PairNode { operator, left, right, span });
        self.fold(TypedNode { node, of, tests, compares_empty }, known)
    }

    pub(super) fn chain(&mut self, first: &SyntaxNode, rest: &[(BinaryOperator, SyntaxNode)], span: Span) -> TypedNode {
        let operator = rest.first().map_or(BinaryOperator::Add, |(operator, _)| *operator);
        // The facts of an operand of `and` hold for those behind it, those of its other side in `or`.
        let carries = match operator {
            BinaryOperator::And => Some(true),
            BinaryOperator::Or => Some(false),
            _ => None,
        };
        let before = self.facts.len();
        let mut built_operands: Vec<(&SyntaxNode, TypedNode)> = Vec::with_capacity(rest.len() + 1);
        for syntax in std::iter::once(first).chain(rest.iter().map(|(_, syntax)| syntax)) {
            if let (Some(truth), Some((tested, node))) = (carries, built_operands.last_mut()) {
                self.assume(tested, node, truth);
            }
            let node = self.build(syntax);
            built_operands.push((syntax, node));
        }
        let tests = carries.and_then(|truth| self.chain_facts(before, &mut built_operands, truth));
        let operands: Vec<_> = built_operands.iter().map(|(syntax, node)| Operand::of(node, syntax)).collect();
        let count = self.mistakes.len();
        self.mistakes.extend(check::operands(operator, &operands));
        self.suggest_joining(count, &operands, rest, span);
        if operator == BinaryOperator::BitOr {
            check::piped(rest, &mut self.mistakes);
        }
        let known = operands.iter().all(|operand| operand.constant.is_some());
        let of = match self.mistakes.len() == count {
            true => self.check_chain(&operands, rest, span),
            false => ValueType::default(),
        };
        let mut nodes = built_operands.into_iter().map(|(_, operand)| operand.node);
        match operator {
            BinaryOperator::Coalesce => {
                self.fold(TypedNode::new(Box::new(CoalesceNode(nodes.collect(), span)), of), known)
            }
            BinaryOperator::And | BinaryOperator::Or => {
                let until = operator == BinaryOperator::Or;
                let node = Box::new(LogicNode { until, operands: nodes.collect(), span });
                self.fold(TypedNode { tests, ..TypedNode::new(node, of) }, known)
            }
            _ => {
                let Some(left) = nodes.next().map(OperandNode::of) else { return constant(Value::Null) };
                let mut rest: Vec<_> = nodes
                    .zip(rest)
                    .map(|(node, (operator, syntax))| {
                        let place = match operator {
                            BinaryOperator::Join => syntax.span,
                            _ => first.span.joined(syntax.span),
                        };
                        (*operator, OperandNode::of(node), place)
                    })
                    .collect();
                let lone = if rest.len() == 1 && operator != BinaryOperator::Join { rest.pop() } else { None };
                let node: Box<dyn ProgramNode> = match lone {
                    Some((operator, right, _)) => Box::new(PairNode { operator, left, right, span }),
                    None => Box::new(ChainNode { first: left, first_span: first.span, rest }),
                };
                self.fold(TypedNode::new(node, of), known)
            }
        }
    }

    /// Takes back the facts that operands of `and` or `or` lent to those behind them, as facts of the whole.
    fn chain_facts(
        &mut self,
        before: usize,
        operands: &mut [(&SyntaxNode, TypedNode)],
        truth: bool,
    ) -> Option<Box<TestFacts>> {
        let mut carried = self.facts.split_off(before.min(self.facts.len()));
        if let Some((syntax, last)) = operands.last_mut() {
            carried.extend(self.told(syntax, last, truth));
        }
        self.combined(carried, operands, truth)
    }
}

/// Returns the sides of a comparison that a to-many relation leads to, where there is one: it is then about one of the
/// members. Two arrays are compared as such.
fn several(operator: BinaryOperator, left: &ValueType, right: &ValueType) -> Option<[bool; 2]> {
    let is_array = |of: &ValueType| of.kind == ValueKind::Array && !of.several;
    match operator {
        BinaryOperator::In | BinaryOperator::NotIn => left.several.then_some([true, false]),
        BinaryOperator::Power => None,
        _ if is_array(left) || is_array(right) => None,
        _ => (left.several || right.several).then_some([left.several, right.several]),
    }
}
