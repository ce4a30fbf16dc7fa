//! The schema: names and types of columns, and texts about the whole table.

use super::table::{FlatbufferError, Table};
use super::tree::{Node, table};
use super::{OLDEST, VERSION};

/// Names and types of columns, and what else is said.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    pub(crate) fields: Vec<Field>,
    pub(crate) metadata: Metadata,
}

/// A column, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The type of its values; of those in the dictionary, if there is one.
    pub(crate) kind: Type,
    pub(crate) dictionary: Option<Encoding>,
    pub(crate) metadata: Metadata,
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Int(IntType),
    Bool,
    Text(Width),
    Bytes(Width),
    List(Width, Box<Field>),
    Struct(Vec<Field>),
}

/// How offsets are stored: in four bytes or in eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Small,
    Large,
}

/// An integer of 8, 16, 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntType {
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

/// Places in a dictionary stand for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    pub(crate) id: i64,
    pub(crate) index: IntType,
}

/// What is wrong with a schema.
#[derive(Debug)]
pub(crate) enum SchemaError {
    Broken,
    /// Something that is fine in this format, and that traces do not use.
    Unsupported(String),
}

impl From<FlatbufferError> for SchemaError {
    fn from(_: FlatbufferError) -> Self {
        Self::Broken
    }
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.kind == other.kind && self.dictionary == other.dictionary
    }
}

impl Field {
    pub(crate) fn new(name: &str, kind: Type) -> Self {
        Self { name: name.to_owned(), kind, dictionary: None, metadata: Vec::new() }
    }

    /// The text under a name in what is said about the column.
    pub(crate) fn says(&self, name: &str) -> Option<&str> {
        find(&self.metadata, name)
    }
}

impl Schema {
    /// The text under a name in what is said about the table.
    pub(crate) fn says(&self, name: &str) -> Option<&str> {
        find(&self.metadata, name)
    }
}

fn find<'a>(metadata: &'a [(String, String)], name: &str) -> Option<&'a str> {
    metadata.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
}

/// Numbers of types in the format.
mod code {
    pub(super) const INT: u8 = 2;
    pub(super) const BINARY: u8 = 4;
    pub(super) const UTF8: u8 = 5;
    pub(super) const BOOL: u8 = 6;
    pub(super) const LIST: u8 = 12;
    pub(super) const STRUCT: u8 = 13;
    pub(super) const LARGE_BINARY: u8 = 19;
    pub(super) const LARGE_UTF8: u8 = 20;
    pub(super) const LARGE_LIST: u8 = 21;
    /// Names of the others, for people.
    pub(super) const OTHERS: [(u8, &str); 9] = [
        (1, "null"),
        (3, "float"),
        (7, "decimal"),
        (8, "date"),
        (10, "timestamp"),
        (14, "union"),
        (17, "map"),
        (23, "binary view"),
        (24, "text view"),
    ];
}

/// Deeper than any trace is.
const DEEPEST: usize = 10;

/// How much a schema may still say. Parts of a damaged one can be shared, so that a small file
/// claims millions of columns.
struct Budget {
    fields: usize,
    /// Bytes of text.
    text: usize,
}

impl Budget {
    /// More than any trace needs whose schema has this length.
    fn of(length: usize) -> Self {
        Self { fields: 1000, text: 8 * length }
    }

    fn field(&mut self, depth: usize) -> Result<(), SchemaError> {
        let too_much = || SchemaError::Unsupported("a schema with very many columns".into());
        self.fields = self.fields.checked_sub(1).filter(|_| depth > 0).ok_or_else(too_much)?;
        Ok(())
    }

    fn text(&mut self, owner: &Table<'_>, field: usize) -> Result<String, FlatbufferError> {
        let text = owner.text(field)?.unwrap_or_default();
        self.text = self.text.checked_sub(text.len()).ok_or(FlatbufferError)?;
        Ok(text.to_owned())
    }

    fn metadata(&mut self, owner: Table<'_>, field: usize) -> Result<Metadata, FlatbufferError> {
        let pairs = owner.tables(field)?;
        pairs.iter().map(|pair| Ok((self.text(pair, 0)?, self.text(pair, 1)?))).collect()
    }
}

/// Texts under names.
type Metadata = Vec<(String, String)>;

impl Schema {
    /// Reads a schema.
    pub(super) fn read(schema: Table<'_>) -> Result<Self, SchemaError> {
        if schema.i16(0)? != 0 {
            return Err(SchemaError::Unsupported("big-endian numbers".into()));
        }
        let mut budget = Budget::of(schema.length());
        let fields = schema.tables(1)?.into_iter();
        let fields = fields.map(|field| read_field(field, DEEPEST, &mut budget));
        let fields = fields.collect::<Result<_, _>>()?;
        Ok(Self { fields, metadata: budget.metadata(schema, 2)? })
    }

    /// The schema as it is written.
    pub(super) fn tree(&self) -> Node {
        table([
            (0, Node::I16(0)),
            (1, Node::Tables(self.fields.iter().map(Field::tree).collect())),
            (2, metadata_tree(&self.metadata)),
        ])
    }
}

/// Refuses metadata of another age.
pub(super) fn check_version(message: Table<'_>) -> Result<(), SchemaError> {
    match message.i16(0)? {
        OLDEST..=VERSION => Ok(()),
        other => Err(SchemaError::Unsupported(format!("version {other} of the metadata"))),
    }
}

fn read_field(field: Table<'_>, depth: usize, budget: &mut Budget) -> Result<Field, SchemaError> {
    budget.field(depth)?;
    let kind = field.table(3)?.ok_or(SchemaError::Broken)?;
    let mut children = || -> Result<Vec<Field>, SchemaError> {
        let children = field.tables(5)?;
        children.into_iter().map(|child| read_field(child, depth - 1, budget)).collect()
    };
    let kind = match field.u8(2)? {
        code::INT => Type::Int(read_int(kind)?),
        code::BINARY => Type::Bytes(Width::Small),
        code::UTF8 => Type::Text(Width::Small),
        code::BOOL => Type::Bool,
        code::LIST => Type::List(Width::Small, only(children()?)?),
        code::STRUCT => Type::Struct(children()?),
        code::LARGE_BINARY => Type::Bytes(Width::Large),
        code::LARGE_UTF8 => Type::Text(Width::Large),
        code::LARGE_LIST => Type::List(Width::Large, only(children()?)?),
        other => return Err(SchemaError::Unsupported(type_name(other))),
    };
    let dictionary = field.table(4)?.map(read_encoding).transpose()?;
    let name = budget.text(&field, 0)?;
    Ok(Field { name, kind, dictionary, metadata: budget.metadata(field, 6)? })
}

fn type_name(other: u8) -> String {
    match code::OTHERS.iter().find(|(number, _)| *number == other) {
        Some((_, name)) => format!("a column of type {name}"),
        None => format!("a column of type number {other}"),
    }
}

fn only(children: Vec<Field>) -> Result<Box<Field>, SchemaError> {
    let [child] = <[Field; 1]>::try_from(children).map_err(|_| SchemaError::Broken)?;
    Ok(Box::new(child))
}

fn read_int(kind: Table<'_>) -> Result<IntType, SchemaError> {
    let bits = kind.i32(0)?;
    let bits = u8::try_from(bits).ok().filter(|bits| [8, 16, 32, 64].contains(bits));
    Ok(IntType { bits: bits.ok_or(SchemaError::Broken)?, signed: kind.u8(1)? != 0 })
}

fn read_encoding(encoding: Table<'_>) -> Result<Encoding, SchemaError> {
    let usual = IntType { bits: 32, signed: true };
    let index = encoding.table(1)?.map_or(Ok(usual), read_int)?;
    Ok(Encoding { id: encoding.i64(0)?, index })
}

fn metadata_tree(metadata: &[(String, String)]) -> Node {
    let text = |text: &String| Node::Text(text.clone());
    let pair = |(name, said): &(String, String)| table([(0, text(name)), (1, text(said))]);
    Node::Tables(metadata.iter().map(pair).collect())
}

impl Field {
    fn tree(&self) -> Node {
        let (code, kind, children) = self.kind.parts();
        let mut fields = vec![
            (0, Node::Text(self.name.clone())),
            (1, Node::U8(1)),
            (2, Node::U8(code)),
            (3, kind),
            (5, Node::Tables(children.iter().map(Self::tree).collect())),
            (6, metadata_tree(&self.metadata)),
        ];
        if let Some(Encoding { id, index }) = self.dictionary {
            fields.push((4, table([(0, Node::I64(id)), (1, index.tree())])));
        }
        Node::Table(fields)
    }
}

impl IntType {
    fn tree(self) -> Node {
        table([(0, Node::I32(self.bits.into())), (1, Node::U8(self.signed.into()))])
    }
}

impl Type {
    /// Its number, what is said about it, and the types inside.
    fn parts(&self) -> (u8, Node, &[Field]) {
        let plain = || table([]);
        match self {
            Self::Int(int) => (code::INT, int.tree(), &[]),
            Self::Bool => (code::BOOL, plain(), &[]),
            Self::Text(Width::Small) => (code::UTF8, plain(), &[]),
            Self::Text(Width::Large) => (code::LARGE_UTF8, plain(), &[]),
            Self::Bytes(Width::Small) => (code::BINARY, plain(), &[]),
            Self::Bytes(Width::Large) => (code::LARGE_BINARY, plain(), &[]),
            Self::List(Width::Small, item) => (code::LIST, plain(), std::slice::from_ref(item)),
            Self::List(Width::Large, item) => {
                (code::LARGE_LIST, plain(), std::slice::from_ref(item))
            }
            Self::Struct(fields) => (code::STRUCT, plain(), fields),
        }
    }
}
