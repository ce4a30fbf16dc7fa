//! Writes flatbuffers from a tree of fields: parents first, so that every offset leads forward.

/// A field of a table.
#[derive(Debug)]
pub(super) enum Node {
    U8(u8),
    I16(i16),
    I32(i32),
    I64(i64),
    Text(String),
    Table(Vec<(usize, Node)>),
    Tables(Vec<Node>),
    /// Records of a known number, which need places that are multiples of eight.
    Records(u32, Vec<u8>),
}

/// A table with these fields.
pub(super) fn table(fields: impl IntoIterator<Item = (usize, Node)>) -> Node {
    Node::Table(fields.into_iter().collect())
}

/// The buffer of a tree; its length is a multiple of eight.
pub(super) fn flatten(root: &Node) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    put(&mut bytes, root, 0);
    pad(&mut bytes, 8, 0);
    bytes
}

impl Node {
    /// How many bytes the field takes within its table; others lie behind it.
    fn width(&self) -> usize {
        match self {
            Self::U8(_) => 1,
            Self::I16(_) => 2,
            Self::I64(_) => 8,
            _ => 4,
        }
    }
}

/// Writes what an offset leads to, and the offset.
fn put(bytes: &mut Vec<u8>, node: &Node, offset: usize) {
    match node {
        Node::U8(number) => bytes[offset] = *number,
        Node::I16(number) => fill(bytes, offset, &number.to_le_bytes()),
        Node::I32(number) => fill(bytes, offset, &number.to_le_bytes()),
        Node::I64(number) => fill(bytes, offset, &number.to_le_bytes()),
        Node::Text(text) => {
            pad(bytes, 4, 0);
            point(bytes, offset);
            count(bytes, text.len());
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(0);
        }
        Node::Table(fields) => put_table(bytes, fields, offset),
        Node::Tables(nodes) => {
            pad(bytes, 4, 0);
            point(bytes, offset);
            count(bytes, nodes.len());
            let first = bytes.len();
            bytes.resize(first + 4 * nodes.len(), 0);
            for (place, node) in nodes.iter().enumerate() {
                put(bytes, node, first + 4 * place);
            }
        }
        Node::Records(number, records) => {
            pad(bytes, 8, 4);
            point(bytes, offset);
            count(bytes, *number as usize);
            bytes.extend_from_slice(records);
        }
    }
}

/// Writes the vtable, the table behind it, and then what its fields lead to. Wide fields come
/// first, so that each lies at a multiple of its width.
fn put_table(bytes: &mut Vec<u8>, fields: &[(usize, Node)], offset: usize) {
    let slots = fields.iter().map(|(slot, _)| slot + 1).max().unwrap_or(0);
    let mut wide_first: Vec<&(usize, Node)> = fields.iter().collect();
    wide_first.sort_by_key(|(_, node)| std::cmp::Reverse(node.width()));
    // The table starts with four bytes, behind which eight must divide the place.
    let vtable_length = 4 + 2 * slots;
    pad(bytes, 2, 0);
    while (bytes.len() + vtable_length) % 8 != 4 {
        bytes.push(0);
    }
    let vtable = bytes.len();
    let start = vtable + vtable_length;
    let mut length = 4;
    let mut places = vec![0u16; slots];
    for (slot, node) in &wide_first {
        places[*slot] = length as u16;
        length += node.width();
    }
    bytes.extend_from_slice(&(vtable_length as u16).to_le_bytes());
    bytes.extend_from_slice(&(length as u16).to_le_bytes());
    places.iter().for_each(|place| bytes.extend_from_slice(&place.to_le_bytes()));
    point(bytes, offset);
    bytes.extend_from_slice(&(vtable_length as i32).to_le_bytes());
    bytes.resize(start + length, 0);
    for (slot, node) in wide_first {
        put(bytes, node, start + usize::from(places[*slot]));
    }
}

/// Lets an offset lead to the end of what is written so far.
fn point(bytes: &mut [u8], offset: usize) {
    let distance = (bytes.len() - offset) as u32;
    fill(bytes, offset, &distance.to_le_bytes());
}

fn count(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&(number as u32).to_le_bytes());
}

fn fill(bytes: &mut [u8], at: usize, with: &[u8]) {
    bytes[at..at + with.len()].copy_from_slice(with);
}

/// Goes on to a place that is so much above a multiple of `unit`.
fn pad(bytes: &mut Vec<u8>, unit: usize, above: usize) {
    while bytes.len() % unit != above {
        bytes.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let inner = |name: &str| table([(0, Node::Text(name.into())), (3, Node::I64(-5))]);
        let tree = table([
            (0, Node::U8(7)),
            (2, Node::I32(-1)),
            (3, Node::Tables(vec![inner("a"), inner("bcdefgh")])),
            (4, Node::Records(2, vec![9; 32])),
            (5, Node::I16(3)),
        ]);
        let bytes = flatten(&tree);
        assert_eq!(bytes.len() % 8, 0);
        let root = Table::root(&bytes).expect("a table");
        assert_eq!((root.u8(0).unwrap(), root.i32(2).unwrap(), root.i16(5).unwrap()), (7, -1, 3));
        assert_eq!((root.i64(1).unwrap(), root.u8(9).unwrap()), (0, 0));
        assert_eq!(root.records(4, 16).unwrap(), [9; 32]);
        let inner = root.tables(3).unwrap();
        let names: Vec<_> = inner.iter().map(|table| table.text(0).unwrap().unwrap()).collect();
        assert_eq!(names, ["a", "bcdefgh"]);
        assert_eq!(inner[1].i64(3).unwrap(), -5);
    }

    #[test]
    fn damaged_tables_are_noticed_or_harmless() {
        let tree = table([(0, Node::Tables(vec![table([(1, Node::Text("x".into()))])]))]);
        let good = flatten(&tree);
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let Ok(root) = Table::root(&bad) else { continue };
                let Ok(tables) = root.tables(0) else { continue };
                tables.iter().for_each(|table| drop(table.text(1)));
            }
        }
    }
}
