package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// maxPieces is how many pieces a unit has at most.
const maxPieces = 24

// pieces are what units are made of. A piece that is listed twice is chosen
// more often.
var pieces = []string{
	"<", ">", `"`, "'", "`", "(", ")", "[", "]", "{", "}", "|", "(", "[", "{", "(", "[", "{",
	":", ":", ":", "/", "//", "://", "://", "://", `:\/\/`, `\/`, `\`, `\u0026`,
	"?", "#", "&", "=", "%", "@", "+", "-", ".", ",", ";", "!", "*", "_", "~", "$", "^", "&", "&&",
	" ", "\n", "\n> ", "> ", "\t", "\r", "\x00", "\x1b[", "\x7f",
	"a", "x", "1", "D", "ab", "a.b", "x-", "x-a:", "%2", "=3D", "&amp;", "&lt;", "&#", "&l",
	"http", "http:", "http://", "https://", "ftp:", "ftp://", "file:", "file:/", "file://", "foo:", "foo://", "hxxp://", "hxxp:", "git+http://",
	"mailto:", "news:", "mid:", "cid:", "urn:", "tag:", "data:", "tel:", "sip:", "doi:", "geo:", "did:", "stun:", "magnet:", "URL:", "URI:", "<URL:",
	"http://a", "http://a/", "foo://a", "www.", "www.a.b", "(at)", "(.)", "[.]", "[:]", "[dot]", "[://]", "a@b.de",
	"“", "”", "‘", "’", "«", "»", "「", "é", "中", "。", "\u00ad", "\u200d", "\u00a0", "\xff", "\xe4\xb8", "🐼",
}

// search tries units until the time is up, and returns the slowest of them, slowest first,
// each measured again. It keeps no more units than most, and makes half of the new units from
// these.
func search(g *gauge, seed uint64, long time.Duration, most int) []shape {
	r := rand.New(rand.NewPCG(seed, 1))
	var slowest []shape
	tried := map[string]bool{}
	for start := time.Now(); time.Since(start) < long; {
		unit := randomUnit(r)
		if len(slowest) > 0 && r.IntN(2) == 0 {
			unit = variant(r, slowest[r.IntN(len(slowest))].unit)
		}
		if unit == "" || tried[unit] {
			continue
		}
		tried[unit] = true
		s := g.best(unit, "", 1)
		if lines := g.best(unit, "\n", 1); lines.speed < s.speed {
			s = lines
		}
		if len(slowest) == most && s.speed >= slowest[most-1].speed {
			continue
		}
		s = g.best(s.unit, s.line, 3) // a busy machine may make one run slow
		slowest = kept(append(slowest, s), most)
	}
	for i, s := range slowest {
		slowest[i] = g.best(s.unit, s.line, 9)
	}
	return kept(slowest, most)
}

// kept returns at most the given number of shapes, the slowest first.
func kept(shapes []shape, most int) []shape {
	slices.SortFunc(shapes, func(a, b shape) int { return cmp.Compare(a.speed, b.speed) })
	return shapes[:min(len(shapes), most)]
}

// randomUnit returns a unit of random pieces; short ones are as frequent as long ones.
func randomUnit(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(1+r.IntN(maxPieces)) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// variant returns unit with a piece inserted, or with some bytes removed or doubled.
func variant(r *rand.Rand, unit string) string {
	i := r.IntN(len(unit) + 1)
	j := min(len(unit), i+1+r.IntN(4))
	switch r.IntN(4) {
	case 0:
		return unit[:i] + unit[j:]
	case 1:
		if 2*len(unit) > 8*maxPieces {
			return unit[:i]
		}
		return unit[:j] + unit[i:]
	case 2:
		return unit[:i] + pieces[r.IntN(len(pieces))] + unit[j:]
	default:
		if len(unit) > 8*maxPieces {
			return unit[i:]
		}
		return unit[:i] + pieces[r.IntN(len(pieces))] + unit[i:]
	}
}
