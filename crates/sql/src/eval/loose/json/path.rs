//! Paths: `$.name[2]."two words"`. Those with wildcards are refused.
//!
//! Layer `eval`; knows JSON only.

use super::node::{Node, Step};

/// Reads a path; `None` if it has another form.
pub(super) fn read(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let step;
        (step, rest) = match rest.strip_prefix('[') {
            Some(index) => {
                let (digits, behind) = index.split_once(']')?;
                let plain = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
                (Step::Index(digits.parse().ok().filter(|_| plain)?), behind)
            }
            None => name(rest.strip_prefix('.')?)?,
        };
        steps.push(step);
    }
    Some(steps)
}

fn name(text: &str) -> Option<(Step, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (name, behind) = quoted.split_once('"')?;
        return (!name.contains('\\')).then(|| (Step::Name(name.to_owned()), behind));
    }
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let end = text.find(|letter| !plain(letter)).unwrap_or(text.len());
    (end > 0).then(|| (Step::Name(text[..end].to_owned()), &text[end..]))
}

/// What is at a path. A value that is not an array counts as an array of itself.
pub(super) fn find<'n>(node: &'n Node, path: &[Step]) -> Option<&'n Node> {
    let Some((step, rest)) = path.split_first() else { return Some(node) };
    match (node, step) {
        (Node::Object(members), Step::Name(wanted)) => {
            let member = members.iter().find(|(name, _)| name == wanted)?;
            find(&member.1, rest)
        }
        (Node::Array(elements), Step::Index(index)) => find(elements.get(*index)?, rest),
        (Node::Array(_), Step::Name(_)) => None,
        (other, Step::Index(0)) => find(other, rest),
        _ => None,
    }
}

/// Whether a path goes through an index of something that is not an array.
pub(super) fn wraps(node: &Node, path: &[Step]) -> bool {
    let Some((step, rest)) = path.split_first() else { return false };
    match (node, step) {
        (Node::Object(members), Step::Name(wanted)) => {
            members.iter().any(|(name, member)| name == wanted && wraps(member, rest))
        }
        (Node::Array(elements), Step::Index(index)) => {
            elements.get(*index).is_some_and(|element| wraps(element, rest))
        }
        (Node::Object(_) | Node::Plain(_) | Node::Quoted(_), Step::Index(_)) => true,
        _ => false,
    }
}
