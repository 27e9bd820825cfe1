package flowsql

import "fmt"

// Pos is a place in a flow file. Line and Column count from 1, columns in
// characters.
type Pos struct {
	File   string
	Line   int
	Column int
}

// String returns file:line:column.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Ident is an identifier after folding, with its place.
type Ident struct {
	Pos  Pos
	Name string
}

// Name is a dotted name of one to three parts.
type Name struct {
	Pos   Pos
	Parts []Ident
}

// Text is a piece of Postgres SQL, an expression or a query, taken verbatim from
// the file (in a spark file: after translation), with the place of its first
// character.
type Text struct {
	Pos    Pos
	SQL    string
	Tokens []Token // of SQL, without white space and comments
}

// File is one parsed flow file.
type File struct {
	Name       string
	Dialect    Dialect
	Statements []Statement
}

// Statement is *CreateTable, *CreateFlow or *CreateView. SET dialect changes the
// file instead.
type Statement interface{ Position() Pos }

// CreateTable is CREATE STREAMING TABLE. Flow is nil unless the inline form is
// used.
type CreateTable struct {
	Pos          Pos
	Target       Name
	OrRefresh    bool
	IfNotExists  bool
	Columns      []ColumnDef
	Expectations []Expectation
	Comment      *string
	Flow         *AutoCDC
}

// ColumnDef is one column of a CREATE STREAMING TABLE.
type ColumnDef struct {
	Name Ident
	Type Text
}

// Expectation is CONSTRAINT name EXPECT (condition).
type Expectation struct {
	Name        Ident
	Condition   Text
	OnViolation Violation
}

// Violation is what happens to a row that an expectation does not hold for.
type Violation int

// The actions of ON VIOLATION; warn is the default.
const (
	Warn Violation = iota
	DropRow
	FailUpdate
)

// CreateFlow is CREATE FLOW. Exactly one of CDC and Insert is set.
type CreateFlow struct {
	Pos     Pos
	Name    Ident
	Comment *string
	CDC     *AutoCDC
	Insert  *Insert
}

// CreateView is CREATE TEMPORARY VIEW.
type CreateView struct {
	Pos   Pos
	Name  Ident
	Query Text
}

// Insert is an append flow: INSERT INTO [ONCE] target BY NAME query.
type Insert struct {
	Pos    Pos
	Once   bool
	Target Name
	Query  Text
}

// AutoCDC is the body of a flow. Absent clauses are nil. In the inline form
// Target is the table's.
type AutoCDC struct {
	Pos              Pos
	Once             bool
	Target           Name
	From             Source
	Keys             []Ident
	IgnoreNull       *ColumnList // All and no columns: every column
	DeleteWhen       *Text
	TruncateWhen     *Text
	SequenceBy       *Sequence
	SystemSequenceBy *Sequence
	Columns          *ColumnList
	ColumnsToUpdate  *Ident
	StoredAs         Kind
	StoredAsPos      Pos // zero if the clause is absent
	TrackHistory     *ColumnList
	Options          []Option
}

// SourceKind is how a flow reads its source.
type SourceKind int

// The sources of a flow.
const (
	Changes  SourceKind = iota // CHANGES(name)
	Stream                     // STREAM(name)
	Snapshot                   // SNAPSHOT (query) [WITH VERSION (query)]
	Relation                   // FROM name without a function: a view of this pipeline
)

// Source is the FROM of a flow. Name is set but for Snapshot, Query and Version
// only for Snapshot.
type Source struct {
	Pos     Pos
	Kind    SourceKind
	Name    Name
	Query   *Text
	Version *Text
}

// Sequence is an expression, or the fields of a STRUCT(…).
type Sequence struct {
	Pos    Pos
	Struct bool
	Fields []Text
}

// ColumnList is (a, b) or * [EXCEPT (a, b)].
type ColumnList struct {
	Pos     Pos
	All     bool // * or * EXCEPT; Columns are then the exceptions
	Columns []Ident
}

// Kind is how a target stores its history.
type Kind int

// The kinds of target.
const (
	SCD1 Kind = iota
	SCD2
	Bitemporal
)

// Option is one entry of WITH (…). Value is the text of the literal or word,
// unquoted.
type Option struct {
	Name  Ident
	Value string
	At    Pos // of the value
}

// Position implements Statement.
func (s *CreateTable) Position() Pos { return s.Pos }

// Position implements Statement.
func (s *CreateFlow) Position() Pos { return s.Pos }

// Position implements Statement.
func (s *CreateView) Position() Pos { return s.Pos }

// Dialect is the SQL in which a file is written.
type Dialect string

// The dialects of SET dialect.
const (
	Postgres Dialect = "postgres"
	Spark    Dialect = "spark"
)

// TokenKind classifies a Token.
type TokenKind int

// The kinds of token.
const (
	Word     TokenKind = iota // identifier or keyword; Text is folded, Quoted tells "x" from x
	String                    // literal; Text is its value
	Number                    //
	Operator                  // operators and punctuation
	Param                     // $1
)

// Token is one lexical element.
type Token struct {
	Kind   TokenKind
	Pos    Pos
	Offset int // in bytes from the start of the text it belongs to
	End    int // offset just past it
	Text   string
	Quoted bool
}
