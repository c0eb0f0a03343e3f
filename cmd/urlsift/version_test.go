package main

import (
	"runtime/debug"
	"testing"
)

// TestVersion checks the version, revision and time that are printed for different builds.
func TestVersion(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	date := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T20:47:37Z"}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"", nil, "(devel)"},
		{"v1.2.3", nil, "v1.2.3"},
		{"v1.2.3", []debug.BuildSetting{commit, date, {Key: "vcs.modified", Value: "false"}}, "v1.2.3 (commit 0123456789ab, 2026-11-22)"},
		{"(devel)", []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, date, commit}, "(devel) (commit 0123456789ab, 2026-11-22, modified)"},
	} {
		b := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := versionOf(b); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestRelease checks that what the linker sets is printed.
func TestRelease(t *testing.T) {
	release, revision, committed = "v1.2.3", "0123456789abcdef0123456789abcdef01234567", "2026-11-22T20:47:37Z"
	defer func() { release, revision, committed = "", "", "" }()
	if got, want := version(), "v1.2.3 (commit 0123456789ab, 2026-11-22)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := dateOf(buildInfo()), "2026-11-22"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
