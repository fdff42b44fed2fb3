use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink as _};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{
    Attribute, ExpandedName, LocalName, Namespace, ParseOpts, QualName, parse_document,
};

/// Nodes of one tree. A parser that makes what browsers make can be led to work in the square of this.
const NODES_MAX: usize = 30_000;
/// Bytes that are read before the nodes are counted again: few bytes can make many nodes.
const PIECE_BYTES: usize = 64;
/// The place of the document.
pub(super) const ROOT: usize = 0;

/// The nodes of a document by their place.
pub(super) struct HtmlTree {
    nodes: Vec<HtmlNode>,
    /// It is shown as the first browsers did.
    pub(super) is_quirky: bool,
    /// The text was longer.
    pub(super) is_cut: bool,
}

#[derive(Debug, Default)]
struct HtmlNode {
    content: Content,
    parent: Option<usize>,
    children: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) enum Content {
    Element(HtmlElement),
    Text(String),
    /// The document, a comment, or what else is not shown.
    #[default]
    Nothing,
}

#[derive(Debug)]
pub(super) struct HtmlElement {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl HtmlElement {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut found = self.attributes.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }
}

impl HtmlTree {
    /// The tree of `html`, as far as it is not too large.
    pub(super) fn of(html: &str) -> Self {
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
            let end = rest.ceil_char_boundary(PIECE_BYTES);
            let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            parser.process(StrTendril::from_slice(piece));
            rest = behind;
        }
        let mut tree = parser.finish();
        tree.is_cut = !rest.is_empty();
        tree
    }

    pub(super) fn content(&self, place: usize) -> &Content {
        self.nodes
            .get(place)
            .map_or(&Content::Nothing, |node| &node.content)
    }

    pub(super) fn children(&self, place: usize) -> &[usize] {
        self.nodes.get(place).map_or(&[], |node| &node.children)
    }

    /// The name of an element; of anything else none.
    pub(super) fn name(&self, place: usize) -> &str {
        match self.content(place) {
            Content::Element(element) => &element.name,
            _ => "",
        }
    }
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
    place: usize,
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

    fn nameless(place: usize) -> NodeHandle {
        let name = QualName::new(None, Namespace::default(), LocalName::default());
        NodeHandle {
            place,
            name: Rc::new(name),
            is_integration_point: false,
        }
    }

    /// Puts a child before the one at `before`, or last; text next to text becomes one.
    fn insert(&self, parent: usize, child: NodeOrText<NodeHandle>, before: Option<usize>) {
        let position = before.unwrap_or_else(|| self.with(parent, |node| node.children.len()));
        let place = match child {
            NodeOrText::AppendNode(handle) => {
                self.detach(handle.place);
                handle.place
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
        self.with(place, |node| node.parent = Some(parent));
        self.with(parent, |node| {
            let position = position.min(node.children.len());
            node.children.insert(position, place);
        });
    }

    fn extend(&self, place: usize, text: &str) -> bool {
        self.with(place, |node| match &mut node.content {
            Content::Text(written) => {
                written.push_str(text);
                true
            }
            _ => false,
        })
    }

    fn detach(&self, place: usize) {
        if let Some(parent) = self.with(place, |node| node.parent.take()) {
            self.with(parent, |node| node.children.retain(|child| *child != place));
        }
    }

    /// Every place was given out by `add`, so there is a node.
    fn with<T: Default>(&self, place: usize, work: impl FnOnce(&mut HtmlNode) -> T) -> T {
        let mut nodes = self.nodes.borrow_mut();
        nodes.get_mut(place).map(work).unwrap_or_default()
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
            place: self.add(Content::Element(element)),
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
        self.insert(parent.place, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeHandle,
        previous: &NodeHandle,
        child: NodeOrText<NodeHandle>,
    ) {
        if self.with(element.place, |node| node.parent).is_some() {
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
        one.place == other.place
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.is_quirky.set(mode == QuirksMode::Quirks);
    }

    fn append_before_sibling(&self, sibling: &NodeHandle, child: NodeOrText<NodeHandle>) {
        let Some(parent) = self.with(sibling.place, |node| node.parent) else {
            return;
        };
        if let NodeOrText::AppendNode(handle) = &child {
            self.detach(handle.place);
        }
        let position = self.with(parent, |node| {
            node.children
                .iter()
                .position(|child| *child == sibling.place)
        });
        self.insert(parent, child, position);
    }

    fn add_attrs_if_missing(&self, target: &NodeHandle, attributes: Vec<Attribute>) {
        self.with(target.place, |node| {
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
        self.detach(target.place);
    }

    fn reparent_children(&self, node: &NodeHandle, new_parent: &NodeHandle) {
        let children = self.with(node.place, |node| std::mem::take(&mut node.children));
        for child in &children {
            self.with(*child, |node| node.parent = Some(new_parent.place));
        }
        self.with(new_parent.place, |node| node.children.extend(children));
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &NodeHandle) -> bool {
        target.is_integration_point
    }
}
