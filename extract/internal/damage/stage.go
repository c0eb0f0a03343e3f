package damage

// A Stage names the step that found what is wrong: usually the format that was decoded. It is
// printed in messages, after the position. The stages of package decode, which are readers, are
// something else. The stages of compressions, and of data that is not text, are their names, in
// compress/kind.go and document/dataformat.go; tar and zip have theirs here, other archives that are
// read in their packages. TestEveryStage in package extract requires a case for each.
type Stage string

const (
	// No format: see the constants of these names in package extract. StageSize is a limit
	// of the size of a stream.
	StageWalk Stage = "walk"
	StageOpen Stage = "open"
	StageRead Stage = "read"
	StageSize Stage = "size"

	// References that are resolved against a base in the input.
	StageBase Stage = "base"

	// Archives.
	StageTar Stage = "tar"
	StageZip Stage = "zip"

	// Messages: their parts, their header fields, and batches of articles.
	StageMIME   Stage = "mime"
	StageHeader Stage = "header"
	StageRnews  Stage = "rnews"
	StageEmlx   Stage = "emlx"
	StageWARC   Stage = "warc"

	// Transfer encodings, charsets, tables.
	StageCMS     Stage = "cms" // S/MIME
	StageBase64  Stage = "base64"
	StageQuoted  Stage = "quoted-printable"
	StageUTF16LE Stage = "utf-16le"
	StageUTF16BE Stage = "utf-16be"
	StageUTF32LE Stage = "utf-32le"
	StageUTF32BE Stage = "utf-32be"
	StageTable   Stage = "table"

	// Data that is not text, in which nothing was found.
	StageBinary Stage = "binary"
)
