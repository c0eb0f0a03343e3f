package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// build compiles urlsift, the helpers and xurls, and finds the other programs.
func (b *bench) build() error {
	b.sift = tool{name: "urlsift", path: filepath.Join(b.tmp, "urlsift")}
	b.alone = tool{name: "alone", path: filepath.Join(b.tmp, "alone")}
	b.haystacks = tool{name: "haystacks", path: filepath.Join(b.tmp, "haystacks")}
	for _, p := range []struct{ dir, out, pkg string }{
		{b.parent, b.sift.path, "./cmd/urlsift"},
		{".", b.alone.path, "./alone"},
		{".", b.haystacks.path, "./haystacks"},
	} {
		if err := goBuild(p.dir, p.out, p.pkg); err != nil {
			return err
		}
	}
	b.sift.version = b.sift.ask()
	for _, p := range known {
		if !b.wanted(p.name) {
			continue
		}
		path, err := exec.LookPath(p.name)
		if err != nil {
			b.missing = append(b.missing, p.name)
			continue
		}
		p.path = path
		b.peers = append(b.peers, p)
	}
	if b.wanted("xurls") {
		x := tool{name: "xurls", path: filepath.Join(b.tmp, "xurls"), plain: []string{"FILE"}, counts: true, slow: true}
		if err := goBuild(".", x.path, "mvdan.cc/xurls/v2/cmd/xurls"); err != nil {
			fmt.Fprintln(os.Stderr, "compare: without xurls:", err)
		} else {
			b.peers = append(b.peers, x)
		}
	}
	for i := range b.peers {
		b.peers[i].version = b.peers[i].ask()
	}
	return nil
}

func (b *bench) wanted(name string) bool {
	return b.tools == "" || slices.Contains(strings.Split(b.tools, ","), name)
}

// goBuild compiles a package of the module in dir to the file out.
func goBuild(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-o", out, pkg)
	cmd.Dir = dir
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, b)
	}
	return nil
}

// urlsift returns a run of urlsift on an input, with these flags.
func (b *bench) urlsift(in input, flags ...string) job {
	return job{
		name:    "urlsift " + strings.Join(flags, " "),
		stages:  []stage{b.sift.on(in.file, append(flags, "FILE"))},
		size:    in.size,
		counts:  true,
		damaged: slices.Contains(flags, "auto"),
	}
}
