package stats

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestNames checks that each field of extract.Stats is the key of the JSON object with its name, and the
// other way round: StoredNotRead is stored.not_read.
func TestNames(t *testing.T) {
	var s extract.Stats
	want := map[string]float64{}
	for i, v := 0, reflect.ValueOf(&s).Elem(); i < v.NumField(); i++ {
		v.Field(i).SetInt(int64(i + 1))
		want[strings.ToLower(v.Type().Field(i).Name)] = float64(i + 1)
	}
	want["printed"] = 100
	var object map[string]any
	if err := json.Unmarshal([]byte(New(s, 100, false).As(JSON)), &object); err != nil {
		t.Fatal(err)
	}
	delete(object, "interrupted")
	got := map[string]float64{}
	var collect func(front string, object map[string]any)
	collect = func(front string, object map[string]any) {
		for key, value := range object {
			name := front + strings.ReplaceAll(key, "_", "")
			if inner, ok := value.(map[string]any); ok {
				collect(name, inner)
			} else {
				got[name] = value.(float64)
			}
		}
	}
	collect("", object)
	if !maps.Equal(got, want) {
		t.Errorf("JSON has %v, Stats %v\nkeys %v", got, want, slices.Sorted(maps.Keys(got)))
	}
}
