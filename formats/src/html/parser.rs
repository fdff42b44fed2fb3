//! An HTML text to its tree, of bounded size, as browsers make it (html5ever builds it, through a `TreeSink`).

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink as _};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{
    Attribute, ExpandedName, LocalName, Namespace, ParseOpts, QualName, parse_document,
};

use super::tree::{Content, HtmlElement, HtmlNode, HtmlTree, ROOT};

/// Nodes of one tree. Some input makes the work of the parser grow with the square of their number.
const NODES_MAX: usize = 30_000;
/// Bytes that are read before the nodes are counted again: few bytes can make many nodes.
const CHUNK_BYTES: usize = 64;

/// The tree of `html`, as far as it is not too large.
pub(super) fn parse(html: &str) -> HtmlTree {
    let sink = TreeBuilder::default();
    let count = sink.count.clone();
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(sink, options);
    let mut rest = html;
    while !rest.is_empty() && count.get() < NODES_MAX {
        let end = rest.ceil_char_boundary(CHUNK_BYTES);
        let (chunk, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        parser.process(StrTendril::from_slice(chunk));
        rest = behind;
    }
    let mut tree = parser.finish();
    tree.is_cut = !rest.is_empty();
    tree
}

/// Receives the nodes from the parser (its `TreeSink`).
struct TreeBuilder {
    nodes: RefCell<Vec<HtmlNode>>,
    count: Rc<Cell<usize>>,
    is_quirky: Cell<bool>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self {
            nodes: RefCell::new(vec![HtmlNode::default()]),
            count: Rc::new(Cell::new(1)),
            is_quirky: Cell::new(false),
        }
    }
}

/// A node as the parser refers to it.
#[derive(Clone)]
struct NodeHandle {
    index: usize,
    name: Rc<QualName>,
    is_integration_point: bool,
}

impl TreeBuilder {
    fn add(&self, content: Content) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(HtmlNode {
            content,
            ..HtmlNode::default()
        });
        self.count.set(nodes.len());
        nodes.len() - 1
    }

    fn nameless(index: usize) -> NodeHandle {
        let name = QualName::new(None, Namespace::default(), LocalName::default());
        NodeHandle {
            index,
            name: Rc::new(name),
            is_integration_point: false,
        }
    }

    /// Puts a child before the one at `before`, or last; text next to text becomes one.
    fn insert(&self, parent: usize, child: NodeOrText<NodeHandle>, before: Option<usize>) {
        let position = before.unwrap_or_else(|| self.with(parent, |node| node.children.len()));
        let index = match child {
            NodeOrText::AppendNode(handle) => {
                self.detach(handle.index);
                handle.index
            }
            NodeOrText::AppendText(text) => {
                let last = position.checked_sub(1);
                let last = last
                    .and_then(|last| self.with(parent, |node| node.children.get(last).copied()));
                if last.is_some_and(|last| self.extend(last, &text)) {
                    return;
                }
                self.add(Content::Text(text.to_string()))
            }
        };
        self.with(index, |node| node.parent = Some(parent));
        self.with(parent, |node| {
            let position = position.min(node.children.len());
            node.children.insert(position, index);
        });
    }

    fn extend(&self, index: usize, text: &str) -> bool {
        self.with(index, |node| match &mut node.content {
            Content::Text(written) => {
                written.push_str(text);
                true
            }
            _ => false,
        })
    }

    fn detach(&self, index: usize) {
        if let Some(parent) = self.with(index, |node| node.parent.take()) {
            self.with(parent, |node| node.children.retain(|child| *child != index));
        }
    }

    /// Every index comes from `add`, so there is a node.
    fn with<T: Default>(&self, index: usize, work: impl FnOnce(&mut HtmlNode) -> T) -> T {
        let mut nodes = self.nodes.borrow_mut();
        nodes.get_mut(index).map(work).unwrap_or_default()
    }
}

impl TreeSink for TreeBuilder {
    type Handle = NodeHandle;
    type Output = HtmlTree;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> HtmlTree {
        HtmlTree {
            nodes: self.nodes.into_inner(),
            is_quirky: self.is_quirky.get(),
            is_cut: false,
        }
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeHandle {
        Self::nameless(ROOT)
    }

    fn elem_name<'a>(&'a self, target: &'a NodeHandle) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeHandle {
        let attributes = attributes.into_iter();
        let element = HtmlElement {
            name: name.local.to_string(),
            attributes: attributes
                .map(|attribute| {
                    (
                        attribute.name.local.to_string(),
                        attribute.value.to_string(),
                    )
                })
                .collect(),
        };
        NodeHandle {
            index: self.add(Content::Element(element)),
            name: Rc::new(name),
            is_integration_point: flags.mathml_annotation_xml_integration_point,
        }
    }

    fn create_comment(&self, _: StrTendril) -> NodeHandle {
        Self::nameless(self.add(Content::Nothing))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeHandle {
        Self::nameless(self.add(Content::Nothing))
    }

    fn append(&self, parent: &NodeHandle, child: NodeOrText<NodeHandle>) {
        self.insert(parent.index, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeHandle,
        previous: &NodeHandle,
        child: NodeOrText<NodeHandle>,
    ) {
        if self.with(element.index, |node| node.parent).is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// A template's content has no parent, so it is never visited.
    fn get_template_contents(&self, _: &NodeHandle) -> NodeHandle {
        Self::nameless(self.add(Content::Nothing))
    }

    fn same_node(&self, one: &NodeHandle, other: &NodeHandle) -> bool {
        one.index == other.index
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.is_quirky.set(mode == QuirksMode::Quirks);
    }

    fn append_before_sibling(&self, sibling: &NodeHandle, child: NodeOrText<NodeHandle>) {
        let Some(parent) = self.with(sibling.index, |node| node.parent) else {
            return;
        };
        if let NodeOrText::AppendNode(handle) = &child {
            self.detach(handle.index);
        }
        let position = self.with(parent, |node| {
            node.children
                .iter()
                .position(|child| *child == sibling.index)
        });
        self.insert(parent, child, position);
    }

    fn add_attrs_if_missing(&self, target: &NodeHandle, attributes: Vec<Attribute>) {
        self.with(target.index, |node| {
            let Content::Element(element) = &mut node.content else {
                return;
            };
            for attribute in attributes {
                let name = attribute.name.local.to_string();
                if element.attribute(&name).is_none() {
                    element.attributes.push((name, attribute.value.to_string()));
                }
            }
        });
    }

    fn remove_from_parent(&self, target: &NodeHandle) {
        self.detach(target.index);
    }

    fn reparent_children(&self, node: &NodeHandle, new_parent: &NodeHandle) {
        let children = self.with(node.index, |node| std::mem::take(&mut node.children));
        for child in &children {
            self.with(*child, |node| node.parent = Some(new_parent.index));
        }
        self.with(new_parent.index, |node| node.children.extend(children));
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &NodeHandle) -> bool {
        target.is_integration_point
    }
}
