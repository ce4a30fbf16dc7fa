//! Functions that change JSON: `JSON_SET`, `JSON_REMOVE`, `JSON_MERGE_PATCH`, …
//!
//! Layer `eval`; knows JSON only.

use super::node::{Node, Step};

/// Which changes a function makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Puts {
    /// Where there is a value already.
    pub(super) over: bool,
    /// Where there is none.
    pub(super) anew: bool,
}

/// Puts a value at a path. What the path goes through must be there.
pub(super) fn put(node: &mut Node, path: &[Step], value: &Node, puts: Puts) {
    let Some((step, rest)) = path.split_first() else {
        if puts.over {
            *node = value.clone();
        }
        return;
    };
    match (node, step) {
        (Node::Object(members), Step::Name(wanted)) => {
            match members.iter_mut().find(|(name, _)| name == wanted) {
                Some((_, member)) => put(member, rest, value, puts),
                None if rest.is_empty() && puts.anew => {
                    members.push((wanted.clone(), value.clone()));
                }
                None => {}
            }
        }
        (Node::Array(elements), Step::Index(index)) => match elements.get_mut(*index) {
            Some(element) => put(element, rest, value, puts),
            None if rest.is_empty() && puts.anew => elements.push(value.clone()),
            None => {}
        },
        _ => {}
    }
}

/// Removes what is at a path, if it is there.
pub(super) fn remove(node: &mut Node, path: &[Step]) {
    match (node, path) {
        (Node::Object(members), [Step::Name(wanted)]) => {
            members.retain(|(name, _)| name != wanted);
        }
        (Node::Array(elements), [Step::Index(index)]) if *index < elements.len() => {
            elements.remove(*index);
        }
        (Node::Object(members), [Step::Name(wanted), rest @ ..]) => {
            if let Some((_, member)) = members.iter_mut().find(|(name, _)| name == wanted) {
                remove(member, rest);
            }
        }
        (Node::Array(elements), [Step::Index(index), rest @ ..]) => {
            if let Some(element) = elements.get_mut(*index) {
                remove(element, rest);
            }
        }
        _ => {}
    }
}

/// Appends to what is at a path, which becomes an array; `false` if there is nothing.
pub(super) fn append(node: &mut Node, path: &[Step], value: &Node) -> bool {
    match (node, path) {
        (Node::Array(elements), []) => elements.push(value.clone()),
        (other, []) => {
            let old = std::mem::replace(other, Node::Array(Vec::new()));
            *other = Node::Array(vec![old, value.clone()]);
        }
        (Node::Object(members), [Step::Name(wanted), rest @ ..]) => {
            let member = members.iter_mut().find(|(name, _)| name == wanted);
            return member.is_some_and(|(_, member)| append(member, rest, value));
        }
        (Node::Array(elements), [Step::Index(index), rest @ ..]) => {
            return elements.get_mut(*index).is_some_and(|one| append(one, rest, value));
        }
        _ => return false,
    }
    true
}

/// As RFC 7396 says: `null` removes.
pub(super) fn merge_patch(node: Node, patch: Node) -> Node {
    let Node::Object(changes) = patch else { return patch };
    let mut members = match node {
        Node::Object(members) => members,
        _ => Vec::new(),
    };
    for (name, change) in changes {
        let place = members.iter().position(|(known, _)| *known == name);
        match (place, change) {
            (Some(place), Node::Plain(word)) if word == "null" => {
                members.remove(place);
            }
            (None, Node::Plain(word)) if word == "null" => {}
            (Some(place), change) => {
                let old = std::mem::replace(&mut members[place].1, Node::Array(Vec::new()));
                members[place].1 = merge_patch(old, change);
            }
            (None, change) => {
                let empty = Node::Plain("null".to_owned());
                members.push((name, merge_patch(empty, change)));
            }
        }
    }
    Node::Object(members)
}
