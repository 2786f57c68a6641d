//! What nodes may be, and which cells they may have, by their types.

use static_typer::points_to::{CodeId, Global, Site, Slot};
use static_typer::program::{MethodId, Name, Type};

use super::Solver;
use crate::library;
use crate::node::{Cell, Node, NodeId};

impl<'p> Solver<'_, 'p> {
    /// Whether a node may be of a type.
    pub fn may_be(&self, node: NodeId, of: Type) -> bool {
        match self.nodes.get(node) {
            Node::Object(_, Site::Returned(_), ty) => self.may_share(*ty, of),
            Node::Object(_, _, ty) => *ty == Type::NULL || self.program().is_subtype(*ty, of),
            _ => self.declared(node).is_none_or(|declared| self.may_share(declared, of)),
        }
    }

    /// What the code says of what callers decide.
    fn declared(&self, node: NodeId) -> Option<Type> {
        match self.nodes.get(node) {
            Node::Required(_, cell) | Node::Beyond(cell) => match cell {
                Cell::Slot(Slot::Field(field)) | Cell::Global(Global::Static(field)) => {
                    Some(self.program().field(*field).ty)
                }
                Cell::Pooled(ty) => Some(*ty),
                Cell::Argument(code, n) => self.declared_parameter(*code, *n),
                Cell::Result(code) => Some(self.program().signature(self.method(*code)?).result),
                _ => None,
            },
            Node::Parameter(code, n) => self.declared_parameter(*code, *n),
            _ => None,
        }
    }

    fn declared_parameter(&self, code: CodeId, n: u16) -> Option<Type> {
        let method = self.method(code)?;
        let of_receiver = usize::from(!self.program().method(method).is_static());
        match usize::from(n).checked_sub(of_receiver) {
            Some(n) => self.program().signature(method).parameters.get(n).copied(),
            None => Some(Type::class(self.program().class(self.program().method(method).class).name)),
        }
    }

    /// The method whose code it is.
    fn method(&self, code: CodeId) -> Option<MethodId> {
        let data = self.graph.code(code);
        data.method.filter(|_| data.lambda.is_none())
    }

    /// Whether something may be of two types: one is the other, or one is an interface.
    fn may_share(&self, a: Type, b: Type) -> bool {
        let program = self.program();
        let is_open = |ty: Type| {
            let class = ty.as_class().and_then(|name| program.find(name));
            ty == Type::OBJECT || ty.dimensions == 0 && class.is_none_or(|class| program.class(class).is_interface())
        };
        is_open(a) || is_open(b) || program.is_subtype(a, b) || program.is_subtype(b, a)
    }

    /// Whether a node may have such a cell.
    pub fn may_have(&self, node: NodeId, cell: Cell) -> bool {
        match (cell, self.nodes.get(node)) {
            (Cell::Slot(Slot::Field(field)), _) => {
                let class = self.program().field(field).class;
                self.may_be(node, Type::class(self.program().class(class).name))
            }
            (Cell::Slot(Slot::Element), Node::Object(_, made, ty)) => {
                ty.dimensions > 0 || *ty == Type::NULL || matches!(made, Site::Returned(_)) && *ty == Type::OBJECT
            }
            (Cell::Slot(Slot::Element), _) => self.declared(node).is_none_or(|ty| {
                ty.dimensions > 0
                    || ty == Type::OBJECT
                    || ty.as_class().is_some_and(|name| self.program().find(name).is_none())
            }),
            (Cell::Slot(Slot::Captured(_)), Node::Object(_, made, _)) => matches!(made, Site::Lambda(..)),
            _ => true,
        }
    }

    /// Whether what callers decide may have parts that are a library's.
    pub(super) fn may_hold(&self, node: NodeId) -> bool {
        let Some(declared) = self.declared(node) else { return true };
        let class = declared.as_class().and_then(|name| self.program().find(name)).filter(|_| declared.dimensions == 0);
        // What is below a class of the application may be anything only if it is an interface.
        let is_interface = class.is_some_and(|class| self.program().class(class).is_interface());
        is_interface || declared == Type::OBJECT || declared.dimensions == 0 && self.holds(declared)
    }

    /// Whether objects have parts that are a library's.
    pub(super) fn holds(&self, ty: Type) -> bool {
        let Some(class) = ty.as_class().and_then(|name| self.program().find(name)) else { return true };
        let program = self.program();
        library::is_open(program, ty)
            && (program.class(class).is_incomplete
                || program.superclasses(class).any(|above| {
                    let above = program.class(above);
                    !above.is_application && above.name != Name::OBJECT
                }))
    }

    pub(super) fn parameter_type(&self, code: CodeId, n: usize) -> Option<Type> {
        self.program().signature(self.method(code)?).parameters.get(n.checked_sub(1)?).copied()
    }
}
