//! The kinds of output that each command can write, under the names that `-o` knows.

/// What a command can write.
pub(crate) trait Kind: Copy + Eq + Send + Sync + 'static {
    /// The kinds with their names; the first one goes to standard output by default.
    const ALL: &'static [(&'static str, Self)];
}

/// What `check`, `levels` and `explain` write: verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VerdictKind {
    /// Written as soon as there is a verdict.
    Text,
    /// Also written as soon as there is a verdict.
    Json,
    /// One document about all verdicts, written at the end.
    Document(Document),
}

/// A document about all verdicts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    Html,
    Junit,
    Github,
    Markdown,
    Dot,
    Svg,
}

impl Kind for VerdictKind {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("json", Self::Json),
        ("html", Self::Document(Document::Html)),
        ("junit", Self::Document(Document::Junit)),
        ("github", Self::Document(Document::Github)),
        ("markdown", Self::Document(Document::Markdown)),
        ("dot", Self::Document(Document::Dot)),
        ("svg", Self::Document(Document::Svg)),
    ];
}

/// What `audit` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditKind {
    /// Written as soon as there is a verdict.
    Text,
    /// Also written as soon as there is a verdict.
    Json,
    /// One document about all verdicts, written at the end.
    Html,
    Junit,
    Github,
    Markdown,
}

impl Kind for AuditKind {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("json", Self::Json),
        ("html", Self::Html),
        ("junit", Self::Junit),
        ("github", Self::Github),
        ("markdown", Self::Markdown),
    ];
}

/// What `compare` and `find` write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenKind {
    Text,
    Json,
    Html,
}

impl Kind for WrittenKind {
    const ALL: &'static [(&'static str, Self)] =
        &[("text", Self::Text), ("json", Self::Json), ("html", Self::Html)];
}

/// What `lattice` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LatticeKind {
    Text,
    Json,
    Dot,
    Svg,
    Html,
}

impl Kind for LatticeKind {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("json", Self::Json),
        ("dot", Self::Dot),
        ("svg", Self::Svg),
        ("html", Self::Html),
    ];
}

/// What `bench` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BenchKind {
    Text,
    Json,
    Svg,
}

impl Kind for BenchKind {
    const ALL: &'static [(&'static str, Self)] =
        &[("text", Self::Text), ("json", Self::Json), ("svg", Self::Svg)];
}
