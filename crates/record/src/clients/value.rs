//! Values that can be recorded.

use tristan_history::Datum;

/// Something that a column holds and a trace can say.
pub trait Value {
    /// As the trace says it.
    fn datum(&self) -> Datum;
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Value for $integer {
            fn datum(&self) -> Datum {
                Datum::Int(i128::from(*self))
            }
        }
    )*};
}

integers!(i16, i32, i64, u16, u32, u64);

impl Value for String {
    fn datum(&self) -> Datum {
        Datum::from(self.as_str())
    }
}

impl Value for &str {
    fn datum(&self) -> Datum {
        Datum::from(*self)
    }
}

impl Value for Vec<u8> {
    fn datum(&self) -> Datum {
        Datum::from(self.as_slice())
    }
}
