//! Writes a file frame by frame, and at its end where each frame is.

use std::io::{self, Write};

use super::columns::Columns;
use super::schema::Schema;
use super::tree::{Node, flatten, table};
use super::{MAGIC, VERSION, header};

/// A file being written.
pub(crate) struct Output<'a, W> {
    out: &'a mut W,
    schema: &'a Schema,
    offset: u64,
    dictionaries: Vec<Block>,
    batches: Vec<Block>,
}

/// Where a frame is.
struct Block {
    offset: u64,
    metadata: u64,
    body: u64,
}

impl<'a, W: Write> Output<'a, W> {
    /// Starts a file.
    pub(crate) fn open(out: &'a mut W, schema: &'a Schema) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        out.write_all(&[0; 2])?;
        let (dictionaries, batches) = (Vec::new(), Vec::new());
        let mut output = Self { out, schema, offset: 8, dictionaries, batches };
        output.frame(header::SCHEMA, schema.tree(), &[])?;
        Ok(output)
    }

    /// Writes a dictionary, which has one column.
    pub(crate) fn dictionary(&mut self, id: i64, values: &Columns) -> io::Result<()> {
        let node = table([(0, Node::I64(id)), (1, batch(values))]);
        let block = self.frame(header::DICTIONARY, node, &values.body)?;
        self.dictionaries.push(block);
        Ok(())
    }

    /// Writes some rows.
    pub(crate) fn batch(&mut self, rows: &Columns) -> io::Result<()> {
        let block = self.frame(header::BATCH, batch(rows), &rows.body)?;
        self.batches.push(block);
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write(&[0xff; 4])?;
        self.write(&[0; 4])?;
        let footer = table([
            (0, Node::I16(VERSION)),
            (1, self.schema.tree()),
            (2, blocks(&self.dictionaries)),
            (3, blocks(&self.batches)),
        ]);
        let footer = flatten(&footer);
        self.write(&footer)?;
        self.write(&(footer.len() as u32).to_le_bytes())?;
        self.write(MAGIC)
    }

    fn frame(&mut self, kind: u8, inner: Node, body: &[u8]) -> io::Result<Block> {
        let message = table([
            (0, Node::I16(VERSION)),
            (1, Node::U8(kind)),
            (2, inner),
            (3, Node::I64(body.len() as i64)),
        ]);
        let metadata = flatten(&message);
        let offset = self.offset;
        self.write(&[0xff; 4])?;
        self.write(&(metadata.len() as u32).to_le_bytes())?;
        self.write(&metadata)?;
        self.write(body)?;
        Ok(Block { offset, metadata: metadata.len() as u64 + 8, body: body.len() as u64 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn batch(columns: &Columns) -> Node {
    let records = |bytes: &[u8]| Node::Records((bytes.len() / 16) as u32, bytes.to_vec());
    table([
        (0, Node::I64(columns.length as i64)),
        (1, records(&columns.nodes)),
        (2, records(&columns.buffers)),
    ])
}

fn blocks(blocks: &[Block]) -> Node {
    let bytes = blocks.iter().flat_map(|block| {
        [block.offset, block.metadata, block.body].into_iter().flat_map(u64::to_le_bytes)
    });
    Node::Records(blocks.len() as u32, bytes.collect())
}
