//! One element and what is in it.

/// An element without its namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CamtNode {
    pub name: String,
    /// `Ccy`, the one attribute that says something.
    pub currency: Option<String>,
    text: String,
    children: Vec<Self>,
}

impl CamtNode {
    pub(super) fn new(name: &str, currency: Option<String>) -> Self {
        Self {
            name: name.to_owned(),
            currency,
            ..Self::default()
        }
    }

    pub(super) fn add_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn add_child(&mut self, child: Self) {
        self.children.push(child);
    }

    /// The first element that the path leads to: names with `/` between.
    pub(super) fn child(&self, path: &str) -> Option<&Self> {
        let mut node = self;
        for name in path.split('/') {
            node = node.children.iter().find(|child| child.name == name)?;
        }
        Some(node)
    }

    /// All that have this name and stand in it directly.
    pub(super) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the element itself, unless it is blank.
    pub(super) fn own_text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }

    /// The text of the first element that the path leads to.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.child(path)?.own_text()
    }

    /// The same for the first of several paths that has one.
    pub(super) fn text_of(&self, paths: &[&str]) -> Option<&str> {
        paths.iter().find_map(|path| self.text(path))
    }
}
