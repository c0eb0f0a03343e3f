package extract

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/uri"
)

// TestPacked puts Results and Errors in batches and takes them out again. They must be unchanged,
// and slices that shared memory must still share it.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	names := [2]string{strings.Repeat("a", 3), strings.Repeat("b", 3)}
	lengths := [...]int{1, 20, 60, 300, batchBytes - 1, batchBytes, batchBytes + 1, 2 * batchBytes}
	b := new(batch)
	b.init(false)
	for range 300 {
		var want []Result
		var sames [][2]bool
		for len(b.results) < batchResults {
			if r.IntN(20) == 0 {
				want, sames = append(want, Result{}), append(sames, [2]bool{})
				b.add(resultOrError{err: &Error{Stage: "a"}})
				continue
			}
			is := some(r, lengths[r.IntN(4+r.IntN(len(lengths)-3))], names)
			if len(b.results) > 0 && len(b.arena)+is.owns() > cap(b.arena) {
				break // there is only one batch
			}
			want, sames = append(want, is.Clone()), append(sames, memory(&is))
			if !is.isPackable() || !b.pack(&is) {
				b.add(resultOrError{res: is})
			}
			for _, s := range [][]byte{is.Candidate.Text, is.Candidate.Tail, is.URL, is.Target} { // if the batch kept these bytes, the results would be wrong
				clear(s)
			}
		}
		i := 0
		c := &consumer{ctx: t.Context(), yield: func(got *Result, err error) bool {
			w := &want[i]
			i++
			if (err != nil) != (w.Candidate.Text == nil) {
				t.Fatalf("%d is an Error: %v", i, err)
			}
			if err != nil {
				return true
			}
			if memory(got) != sames[i-1] {
				t.Errorf("%d: what was the same memory is not", i)
			}
			if c := got.Clone(); !reflect.DeepEqual(&c, w) || !reflect.DeepEqual(got, w) {
				t.Fatalf("%d:\n%+v\ncomes as\n%+v", i, w, got)
			}
			return true
		}}
		if !c.deliver(b, delta{}) || i != len(want) {
			t.Fatalf("%d of %d came", i, len(want))
		}
		if b.empty(); cap(b.arena) != batchBytes || len(b.results)+len(b.origins)+len(b.whole)+len(b.arena) > 0 {
			t.Fatal("a batch is not empty as it was made")
		}
	}
}

// memory reports which slices of r share memory.
func memory(r *Result) [2]bool {
	return [2]bool{same(r.Candidate.Text, r.Candidate.Raw), same(r.URL, r.Candidate.Ref)}
}

// some returns a Result with a text of n bytes; most are plain.
func some(r *rand.Rand, n int, names [2]string) Result {
	var is Result
	f, o := &is.Candidate, &is.Origin
	f.Text = make([]byte, n)
	for i := range f.Text {
		f.Text[i] = byte('a' + r.IntN(26))
	}
	f.Raw, f.Ref, is.URL = f.Text, f.Text, f.Text
	f.Inner = delimit.Span{Start: r.Int64(), End: r.Int64()}
	f.Outer = delimit.Span{Start: r.Int64(), End: r.Int64()}
	f.Line, f.Column = r.Int64(), r.Int64()
	f.Form, f.Prefixed = delimit.Form(r.IntN(5)), r.IntN(2) == 0
	f.By = delimit.Extra(r.Uint32()) | delimit.Defanged // with a repaired text, Clone treats Ref as a separate slice
	is.Parts, is.Accepts, is.Valid = uri.Split("http://a/"[:r.IntN(9)]), uri.Grammar(r.Uint32()), r.IntN(2) == 0
	*o = Origin{Source: names[r.IntN(8)/7], Member: names[0], Message: r.IntN(20) / 19, Field: names[r.IntN(8)/7][:2], Offset: r.Int64(), Length: r.Int64(), Line: r.Int64(), Column: r.Int64(), Exact: r.IntN(2) == 0, messageInMember: r.IntN(10) == 0}
	switch r.IntN(12) {
	case 0:
		is.URL = slices.Concat(f.Text, f.Text)
	case 1:
		is.Target, is.Base, is.BaseSource = slices.Clone(f.Text), names[0], FromHTML
	case 2:
		is.Err = damage.ErrStopped
	case 3:
		f.Breaks = 1
		f.Others = delimit.NoHyphen
		f.Raw = slices.Clone(f.Text)
	case 4, 5:
		f.Tail = []byte(".,;"[:1+r.IntN(3)])
		f.Others = delimit.WithTail
	}
	return is
}

// TestPackedFields puts a Result through a batch for each of its fields, with another value in
// that field. A field that pack, own or unpack leaves out would be lost, but only with several
// workers.
func TestPackedFields(t *testing.T) {
	plain := func() Result {
		text := []byte("http://a.example/")
		r := Result{URL: text, Parts: uri.Split(text), Valid: true}
		r.Candidate.Text, r.Candidate.Raw, r.Candidate.Ref = text, text, text
		return r
	}
	changed := func(index []int) Result {
		r := plain()
		change(reflect.ValueOf(&r).Elem().FieldByIndex(index))
		return r
	}
	fields := 0
	for _, field := range leaves(reflect.TypeFor[Result](), nil) {
		b := new(batch)
		b.init(false)
		for _, is := range []Result{plain(), changed(field.Index), plain()} {
			if !is.isPackable() || !b.pack(&is) {
				b.add(resultOrError{res: is})
			}
			for _, f := range leaves(reflect.TypeFor[Result](), nil) { // the scanner overwrites its bytes
				if bytes, ok := reflect.ValueOf(is).FieldByIndex(f.Index).Interface().([]byte); ok {
					clear(bytes)
				}
			}
		}
		want := []Result{plain(), changed(field.Index), plain()}
		c := &consumer{ctx: t.Context(), yield: func(got *Result, _ error) bool {
			if !reflect.DeepEqual(got, &want[0]) {
				t.Errorf("%s is not as it was before the batch: see packed.go\n%+v\nwant\n%+v", field.Name, got, want[0])
			}
			want = want[1:]
			return true
		}}
		if c.deliver(b, delta{}); len(want) > 0 {
			t.Errorf("%s: %d results are missing", field.Name, len(want))
		}
		fields++
	}
	if fields < 35 {
		t.Errorf("%d fields were tried", fields)
	}
}

// leaves returns the exported fields of the struct kind, and those of the structs in it, with their
// index from the outermost struct. A struct without exported fields is left out.
func leaves(kind reflect.Type, index []int) (fields []reflect.StructField) {
	for i := range kind.NumField() {
		f := kind.Field(i)
		switch f.Index = append(slices.Clip(index), i); {
		case !f.IsExported():
		case f.Type.Kind() == reflect.Struct:
			fields = append(fields, leaves(f.Type, f.Index)...)
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

// change sets v to a value that is not its zero value.
func change(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(damage.ErrStopped))
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes([]byte("changed"))
	case v.Kind() == reflect.String:
		v.SetString("changed")
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	}
}

// TestSameText checks that SameText compares every field of an Origin except the
// position. Otherwise a result could have a field of another message.
func TestSameText(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Origin]()) {
		var a, b Origin
		if !field.IsExported() || field.Anonymous {
			continue
		}
		switch v := reflect.ValueOf(&b).Elem().FieldByIndex(field.Index); v.Kind() {
		case reflect.String:
			v.SetString("another")
		case reflect.Bool:
			v.SetBool(true)
		default:
			v.SetInt(1)
		}
		position := slices.Contains([]string{"Offset", "Length", "Line", "Column", "Exact"}, field.Name)
		if b.SameText(&a) != position || a.SameText(&b) != position {
			t.Errorf("Origin.%s: SameText does not compare it, or it is part of the position", field.Name)
		}
	}
}
