//! The operations of a transaction: `[:r key seen]`, `[:w key value]`, `[:append key element]`.
//!
//! `nil` is what a read returns of a key that is absent, and of a list that is empty. Which of the
//! two it is shows only when the whole history is known, so it is taken for a plain read at first.

use rustc_hash::FxHashMap;

use super::form::{Form, Syntax};
use crate::error::{ContentError, quote};
use tristan_history::{Datum, HistoryBuilder, KeyId, Observed, Op, OpKind, ValueId};

/// The keys and values of a history.
#[derive(Default)]
pub(super) struct Data {
    pub(super) builder: HistoryBuilder,
    uses: Vec<Use>,
    /// Texts that were used as data, and whether they were keywords.
    spelling: FxHashMap<Box<str>, bool>,
}

/// How a key is used.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    list: bool,
    register: bool,
}

impl Data {
    /// Reads the operations of one entry. What they saw counts only if they were seen to succeed.
    pub(super) fn operations(
        &mut self,
        forms: Vec<Form>,
        seen: bool,
        syntax: Syntax,
    ) -> Result<Vec<OpKind>, ContentError> {
        forms.into_iter().map(|form| self.operation(form, seen, syntax)).collect()
    }

    fn operation(
        &mut self,
        form: Form,
        seen: bool,
        syntax: Syntax,
    ) -> Result<OpKind, ContentError> {
        let (function, key, value) = parts(form, syntax)?;
        let key = self.datum(key, "a key", syntax)?;
        let key = self.builder.key(key);
        Ok(match function {
            Function::Read => self.read(key, value, seen, syntax)?,
            Function::Write => {
                self.used(key).register = true;
                OpKind::Put { key, value: self.value(value, "a value", syntax)? }
            }
            Function::Append => {
                self.used(key).list = true;
                OpKind::Append { key, element: self.value(value, "an element", syntax)? }
            }
        })
    }

    fn read(
        &mut self,
        key: KeyId,
        value: Form,
        seen: bool,
        syntax: Syntax,
    ) -> Result<OpKind, ContentError> {
        let observed = match value {
            Form::Nil => Observed::Absent,
            Form::List(elements) => {
                self.used(key).list = true;
                let elements = elements.into_iter();
                let elements: Result<Box<[ValueId]>, ContentError> =
                    elements.map(|form| self.value(form, "an element", syntax)).collect();
                return Ok(OpKind::ReadList { key, elements: Some(elements?).filter(|_| seen) });
            }
            value => {
                self.used(key).register = true;
                Observed::Value(self.value(value, "a value", syntax)?)
            }
        };
        let seen = if seen { observed } else { Observed::Unknown };
        Ok(OpKind::Get { key, seen, locking: false })
    }

    /// Makes list reads of those reads of nothing that were reads of lists.
    pub(super) fn find_lists(&self, ops: &mut [Op]) {
        let any = self.uses.iter().any(|used| used.list);
        for op in ops {
            let (key, seen) = match op.kind {
                OpKind::Get { key, seen: Observed::Absent, .. } => (key, true),
                OpKind::Get { key, seen: Observed::Unknown, .. } => (key, false),
                _ => continue,
            };
            let used = self.uses.get(key.index()).copied().unwrap_or_default();
            if used.list || (any && !used.register) {
                op.kind = OpKind::ReadList { key, elements: seen.then(Box::default) };
            }
        }
    }

    fn used(&mut self, key: KeyId) -> &mut Use {
        if self.uses.len() <= key.index() {
            self.uses.resize(key.index() + 1, Use::default());
        }
        &mut self.uses[key.index()]
    }

    fn value(&mut self, form: Form, what: &str, syntax: Syntax) -> Result<ValueId, ContentError> {
        let datum = self.datum(form, what, syntax)?;
        Ok(self.builder.value(datum))
    }

    fn datum(&mut self, form: Form, what: &str, syntax: Syntax) -> Result<Datum, ContentError> {
        let bytes = hex(&form);
        match form {
            Form::Int(number) => Ok(Datum::Int(number)),
            Form::Text(text) => self.text(text, false),
            Form::Keyword(text) => self.text(text, true),
            other => bytes.ok_or_else(|| {
                let found = format!("{} as {what}", quote(&syntax.show(&other)));
                let words = if syntax == Syntax::Edn { "a keyword or a string" } else { "a text" };
                ContentError::new(found, format!("an integer of 64 bits, {words}"))
            }),
        }
    }

    /// Keywords lose their colon, so they must not be confused with texts.
    fn text(&mut self, text: Box<str>, keyword: bool) -> Result<Datum, ContentError> {
        match self.spelling.get(&text) {
            Some(before) if *before == keyword => {}
            None => {
                self.spelling.insert(text.clone(), keyword);
            }
            Some(_) => {
                let found = format!("{} both as a keyword and as a string", quote(&text));
                return Err(ContentError::new(
                    found,
                    "one of them, because both are read the same way",
                ));
            }
        }
        Ok(Datum::Text(text))
    }
}

/// What an operation does.
enum Function {
    Read,
    Write,
    Append,
}

/// Takes an operation apart.
fn parts(form: Form, syntax: Syntax) -> Result<(Function, Form, Form), ContentError> {
    let form = match form {
        Form::List(items) => match <[Form; 3]>::try_from(items) {
            Ok([name, key, value]) => match name.word() {
                Some("r") => return Ok((Function::Read, key, value)),
                Some("w") => return Ok((Function::Write, key, value)),
                Some("append") => return Ok((Function::Append, key, value)),
                _ => Form::List(vec![name, key, value]),
            },
            Err(items) => Form::List(items),
        },
        other => other,
    };
    let found = format!("operation {}", quote(&syntax.show(&form)));
    Err(ContentError::new(found, one_of_these(syntax)))
}

/// The operations there are.
pub(super) fn one_of_these(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Edn => "[:r key seen], [:w key value] or [:append key element]",
        Syntax::Json => r#"["r",key,seen], ["w",key,value] or ["append",key,element]"#,
    }
}

/// Bytes, which JSON has no other word for: `{"hex":"00ff"}`.
fn hex(form: &Form) -> Option<Datum> {
    let Form::Map(pairs) = form else { return None };
    match pairs.as_slice() {
        [(Form::Text(name), Form::Text(digits))] if **name == *"hex" => Datum::from_hex(digits),
        _ => None,
    }
}
