//! Which connection takes which table. Pure.
//!
//! A connection whose table is not known gets every record, and the service decides.

use super::route::Route;

/// The connections of a push: those that were given, in their order, then those that were known or made.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    routes: Vec<Route>,
    /// How many were given by name.
    given: usize,
}

/// Why a record has no connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoRoute {
    /// It names no table, and more than one connection might be meant.
    Untold,
    /// No connection takes its table.
    Missing,
    /// The connection that takes its table cannot be used.
    Closed(String),
}

impl Routes {
    /// `given` is how many of them, the first, were given by name.
    pub(crate) fn new(routes: Vec<Route>, given: usize) -> Self {
        Self { routes, given }
    }

    /// The id of a connection by its index, as [`Self::find`] and [`Self::add`] return it.
    pub(crate) fn id(&self, connection: usize) -> Option<&str> {
        let route = self.routes.get(connection);
        route.map(|route| route.id.as_str())
    }

    pub(crate) fn len(&self) -> usize {
        self.routes.len()
    }

    /// Adds connections that were there already.
    pub(crate) fn extend(&mut self, routes: impl IntoIterator<Item = Route>) {
        self.routes.extend(routes);
    }

    /// Adds a connection that has just been made for a table.
    pub(crate) fn add(&mut self, id: String, table: &str) -> usize {
        self.routes.push(Route {
            id,
            table: Some(table.to_owned()),
            closed: None,
        });
        self.routes.len() - 1
    }

    /// The connection for a record; a record without a target belongs to the only one there is.
    pub(crate) fn find(&self, target: Option<&str>) -> Result<usize, NoRoute> {
        let found = match target {
            None if self.given == 1 || self.routes.len() == 1 => Some(0),
            None => return Err(NoRoute::Untold),
            Some(target) => self.best(target),
        };
        let index = found.ok_or(NoRoute::Missing)?;
        match self
            .routes
            .get(index)
            .and_then(|route| route.closed.clone())
        {
            Some(reason) => Err(NoRoute::Closed(reason)),
            None => Ok(index),
        }
    }

    /// The first that takes a table; one that is closed only if there is no other.
    fn best(&self, target: &str) -> Option<usize> {
        let takes = |route: &Route| route.table.as_deref().is_none_or(|table| table == target);
        let open = |route: &Route| takes(route) && route.closed.is_none();
        let routes = &self.routes;
        let found = routes.iter().position(open);
        found.or_else(|| routes.iter().position(takes))
    }
}
