package damage

// A Stage names the step that found what is wrong: usually the format that was decoded. It is
// printed in messages, after the position. The stages of package decode, which are readers, are
// something else. To add a format, add its stage here; TestEveryStage in package extract then
// requires a case for it.
type Stage string

const (
	// No format: see the constants of these names in package extract. StageSize is a limit
	// of the size of a stream.
	StageWalk Stage = "walk"
	StageOpen Stage = "open"
	StageRead Stage = "read"
	StageSize Stage = "size"

	// Compressions. A batch of news is a line that names the compression of what follows.
	StageGzip     Stage = "gzip"
	StageZlib     Stage = "zlib"
	StageZstd     Stage = "zstd"
	StageS2       Stage = "s2"
	StageSnappy   Stage = "snappy"
	StageBzip2    Stage = "bzip2"
	StageXz       Stage = "xz"
	StageLz4      Stage = "lz4"
	StageCompress Stage = "compress"
	StageBatch    Stage = "batch"

	// Archives.
	StageTar Stage = "tar"
	StageZip Stage = "zip"

	// Messages: their parts, their header fields, and batches of articles.
	StageMIME   Stage = "mime"
	StageHeader Stage = "header"
	StageRnews  Stage = "rnews"

	// Transfer encodings, charsets, tables.
	StageBase64  Stage = "base64"
	StageQuoted  Stage = "quoted-printable"
	StageUTF16LE Stage = "utf-16le"
	StageUTF16BE Stage = "utf-16be"
	StageUTF32LE Stage = "utf-32le"
	StageUTF32BE Stage = "utf-32be"
	StageTable   Stage = "table"

	// Formats that are recognised and not read.
	Stage7z     Stage = "7z"
	StageRar    Stage = "rar"
	StageCab    Stage = "cab"
	StageWim    Stage = "wim"
	StageXar    Stage = "xar"
	StageRpm    Stage = "rpm"
	StageZoo    Stage = "zoo"
	StageLzip   Stage = "lzip"
	StageLzop   Stage = "lzop"
	StageLrzip  Stage = "lrzip"
	StageLzma   Stage = "lzma"
	StagePst    Stage = "pst"
	StagePDF    Stage = "pdf"
	StageOffice Stage = "office"
)
