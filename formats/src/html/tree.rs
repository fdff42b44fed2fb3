//! The tree of an HTML text: nodes by their index, of which the first is the document.

/// The index of the document.
pub(super) const ROOT: usize = 0;

/// The nodes of a document by their index.
pub(super) struct HtmlTree {
    pub(super) nodes: Vec<HtmlNode>,
    /// It is shown as the first browsers did.
    pub(super) is_quirky: bool,
    /// The text was longer.
    pub(super) is_cut: bool,
}

/// A node, and the indices of its parent and children.
#[derive(Debug, Default)]
pub(super) struct HtmlNode {
    pub(super) content: Content,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
}

/// What a node is.
#[derive(Debug, Default)]
pub(super) enum Content {
    Element(HtmlElement),
    Text(String),
    /// The document, a comment, or what else is not shown.
    #[default]
    Nothing,
}

/// An element, its name and the names of its attributes in lower case as the parser gives them.
#[derive(Debug)]
pub(super) struct HtmlElement {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
}

impl HtmlElement {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut found = self.attributes.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }
}

impl HtmlTree {
    /// What the node is; nothing if there is none of this index.
    pub(super) fn content(&self, index: usize) -> &Content {
        self.nodes
            .get(index)
            .map_or(&Content::Nothing, |node| &node.content)
    }

    /// The indices of its children in their order.
    pub(super) fn children(&self, index: usize) -> &[usize] {
        self.nodes.get(index).map_or(&[], |node| &node.children)
    }

    /// The name of an element; of anything else none.
    pub(super) fn name(&self, index: usize) -> &str {
        match self.content(index) {
            Content::Element(element) => &element.name,
            _ => "",
        }
    }
}
