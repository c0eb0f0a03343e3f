package damage

// A Stage names the step that found what is wrong: usually the format that was decoded. It is
// printed in messages, after the position. The stages of package decode, which are readers, are
// something else. To add a format, add its stage here; TestEveryStage in package extract then
// requires a case for it. The stages of compressions are their names, in compress/kind.go.
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

	// Formats that are recognised and not read.
	Stage7z     Stage = "7z"
	StageRar    Stage = "rar"
	StageCab    Stage = "cab"
	StageLha    Stage = "lha"
	StageArj    Stage = "arj"
	StageWim    Stage = "wim"
	StageXar    Stage = "xar"
	StageRpm    Stage = "rpm"
	StageZoo    Stage = "zoo"
	StageAr     Stage = "ar"
	StageDeb    Stage = "deb"
	StageCpio   Stage = "cpio"
	StageSquash Stage = "squashfs"
	StageISO    Stage = "iso9660"
	StageLzip   Stage = "lzip"
	StageWARC   Stage = "warc"
	StageLzop   Stage = "lzop"
	StageLrzip  Stage = "lrzip"
	StageLzma   Stage = "lzma"
	StagePst    Stage = "pst"
	StageMbx    Stage = "mbx"
	StagePDF    Stage = "pdf"
	StageOffice Stage = "office"
)
