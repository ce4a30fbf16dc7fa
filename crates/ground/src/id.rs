//! Typed dense identifiers.

/// Defines an identifier: a `u32` that is an index into one kind of vector, and that cannot be
/// mistaken for an index into another.
///
/// ```
/// tristan_ground::id!(
///     /// A planet: its position in the list of planets.
///     pub struct Planet
/// );
///
/// let names = ["Mercury", "Venus", "Earth"];
/// assert_eq!(names[Planet::new(2).index()], "Earth");
/// let long = Planet::enumerate(&names).filter(|(_, name)| name.len() > 5);
/// assert!(long.map(|(planet, _)| planet).eq([Planet(0)]));
/// ```
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $vis:vis struct $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name($vis u32);

        #[allow(dead_code, reason = "not every kind of id needs all of them")]
        impl $name {
            /// The id of the `index`-th element. Panics if that does not fit into 32 bits.
            $vis fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 4 billion elements"))
            }

            /// The position in the vector this id points into.
            $vis fn index(self) -> usize {
                self.0 as usize
            }

            /// The ids of the first `count` elements.
            $vis fn all(
                count: usize,
            ) -> impl ::std::iter::DoubleEndedIterator<Item = Self> + ::std::clone::Clone {
                (0..count).map(Self::new)
            }

            /// Pairs every element with its id, in order.
            $vis fn enumerate<I: ::std::iter::IntoIterator<IntoIter: ::std::clone::Clone>>(
                elements: I,
            ) -> impl ::std::iter::Iterator<Item = (Self, I::Item)> + ::std::clone::Clone {
                elements.into_iter().enumerate().map(|(index, element)| (Self::new(index), element))
            }
        }

        impl ::std::convert::From<$name> for usize {
            fn from(id: $name) -> Self {
                id.index()
            }
        }
    };
}
