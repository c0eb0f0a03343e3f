package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/extract"
)

// A browser is a headless Chromium, driven by the protocol of WebDriver.
type browser struct {
	t       *testing.T
	session string // its address
}

// openBrowser starts Chromium and its driver. If they are not installed, the test is skipped with a
// message.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("SKIPPED: the report is not tried in a browser, since there is no chromedriver (Debian: chromium-driver)")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command(driver, fmt.Sprintf("--port=%d", port))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b := &browser{t: t, session: fmt.Sprintf("http://127.0.0.1:%d", port)}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		r, err := http.Get(b.session + "/status")
		if err == nil {
			r.Body.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	options := map[string]any{"args": []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir()}}
	var made struct{ SessionID string }
	b.call("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": map[string]string{"browser": "ALL"}}}}, &made)
	b.session += "/session/" + made.SessionID
	t.Cleanup(func() { b.call("DELETE", "", nil, nil) })
	return b
}

// call calls the driver.
func (b *browser) call(method, path string, in, out any) {
	b.t.Helper()
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			b.t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, b.session+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %v %.2000s", path, err, text)
	}
	if out != nil {
		if err := json.Unmarshal(text, &struct{ Value any }{out}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// run runs the body of a function in the page and returns what it returns.
func (b *browser) run(script string) (value any) {
	b.t.Helper()
	b.call("POST", "/execute/sync", map[string]any{"script": script, "args": []any{}}, &value)
	return value
}

// devtools calls a command of Chromium's own protocol.
func (b *browser) devtools(command string, params map[string]any) {
	b.t.Helper()
	b.call("POST", "/goog/cdp/execute", map[string]any{"cmd": command, "params": params}, nil)
}

// media emulates a preferred colour scheme, and a width.
func (b *browser) media(scheme string, width int) {
	b.t.Helper()
	b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": scheme}}})
	b.devtools("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
}

// contrast is a script that returns the texts whose contrast with the background, as WCAG 2 defines
// it, is below 4.5.
const contrast = `
const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
const color = text => text.match(/[\d.]+/g).map(Number);
const bad = [];
let seen = 0;
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walk.nextNode());) {
	const e = node.parentElement;
	if (!node.data.trim() || e.closest("script,title") || !e.getClientRects().length) continue;
	let back = e;
	while (back && (color(getComputedStyle(back).backgroundColor)[3] === 0)) back = back.parentElement;
	const s = getComputedStyle(e), a = light(color(e instanceof SVGElement ? s.fill : s.color));
	const b = back ? light(color(getComputedStyle(back).backgroundColor)) : 1;
	const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	seen++;
	if (ratio < 4.5) bad.push(node.data.trim().slice(0, 40) + " " + ratio.toFixed(2));
}
return seen < 100 ? ["only " + seen + " texts"] : bad.slice(0, 10);`

// broken is a script that returns words of names and URLs that are on more than one line.
const broken = `
const bad = [];
for (const e of document.querySelectorAll("[data-facet] tbody bdi, #urls tbody bdi, #wrong tbody bdi")) for (const node of e.childNodes) if (node.data) {
	for (const word of node.textContent.matchAll(/\S+/g)) {
		const range = document.createRange();
		range.setStart(node, word.index);
		range.setEnd(node, word.index + word[0].length);
		if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) bad.push(word[0]);
	}
}
return bad;`

// open opens the page in a file, with the fragment of an address.
func (b *browser) open(name, fragment string) {
	b.t.Helper()
	b.call("POST", "/url", map[string]string{"url": "about:blank"}, nil)
	b.call("POST", "/url", map[string]string{"url": "file://" + name + fragment}, nil)
}

// text returns the text of the first element that a selector finds.
func (b *browser) text(selector string) string {
	b.t.Helper()
	text, _ := b.run(fmt.Sprintf("return document.querySelector(%q)?.textContent", selector)).(string)
	return strings.ReplaceAll(text, "\u202f", "")
}

// press presses keys. Those beyond the letters have the code points of WebDriver.
func (b *browser) press(keys string) {
	b.t.Helper()
	var actions []any
	for _, key := range keys {
		actions = append(actions, map[string]string{"type": "keyDown", "value": string(key)}, map[string]string{"type": "keyUp", "value": string(key)})
	}
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

const tabKey, enterKey, rightKey = "\ue004", "\ue007", "\ue014"

// wait waits until a script returns true.
func (b *browser) wait(script string) {
	b.t.Helper()
	for end := time.Now().Add(10 * time.Second); b.run("return "+script) != true; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("%s is never true; the address is %v", script, b.run("return location.href"))
		}
	}
}

// silent checks that the page has written nothing to the console, and has asked for nothing.
func (b *browser) silent() {
	b.t.Helper()
	if got := b.run("return performance.getEntriesByType('resource').length + document.links.length"); got != float64(0) {
		b.t.Errorf("%v requests and links", got)
	}
	var log []struct{ Level, Message string }
	b.call("POST", "/se/log", map[string]string{"type": "browser"}, &log)
	for _, l := range log {
		b.t.Errorf("console: %s %s", l.Level, l.Message)
	}
}

// archive returns a mailbox of three years and five authors, with 80 URLs on 12 hosts.
func archive() string {
	var b strings.Builder
	for i := range 360 {
		fmt.Fprintf(&b, "From a Thu Jan  1 00:00:00 1998\nFrom: \"P %d\" <P%d@example.org>\nSubject: about <b>%d</b>\nDate: %s\n", i%5, i%5, i, time.Date(1998, time.Month(1+i/10), 5, i%24, 0, 0, 0, time.UTC).Format(time.RFC1123Z))
		if i%3 == 0 {
			fmt.Fprintf(&b, "Newsgroups: comp.group%d,alt.a\nMessage-ID: <%d@example.org>\n", i%2, i)
		}
		fmt.Fprintf(&b, "\nhttp://www.h%d.somewhat-long-name.example.org/path/%d and http://often.example/ \"http://q.example/?=a,%d\"\n\n", i%11, i%73, i%4)
	}
	b.WriteString("From a Thu Jan  1 00:00:00 1998\n\nhttp://undated.example:25/ <http://[x]/> \"/=formula,with/comma\"\n")
	return b.String()
}

// counted returns what "urlsift count --format csv --csv-guard" prints for text, of the results that keep accepts.
func counted(t *testing.T, text string, keep func(*extract.Result) bool) string {
	t.Helper()
	x, err := extract.New(extract.Options{LogTimes: true, Subjects: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	by, err := tally.AddKeys(nil, "url")
	if err != nil {
		t.Fatal(err)
	}
	c := tally.New(tally.Options{By: by}, false, 1)
	defer c.Close()
	for r, err := range x.Read(t.Context(), "a \u202e<b>", strings.NewReader(text)) {
		if err != nil || !keep(r) {
			continue
		}
		if err := c.Take(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := c.Print(tally.Printing{Format: output.CSV, Guard: true}, func(p []byte) error { b.Write(p); return nil }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// written writes the page of text to a file.
func written(t *testing.T, text string, o Options) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(madeWith(t, text, o)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestBrowserWidths opens pages in Chromium, light and dark, wide and narrow, and prints them.
func TestBrowserWidths(t *testing.T) {
	b := openBrowser(t)
	log := ""
	for i := range 200 {
		log += fmt.Sprintf("10.0.0.1 - - [05/Mar/2015:%02d:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"http://a%d.example/\" \"-\"\n", i%24, i%9)
	}
	for what, text := range map[string]string{"hostile": hostile(), "archive": archive(), "log": log, "refused": "<http://[x]/>", "nothing": ""} {
		name := written(t, text, Options{})
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int{320, 400, 768, 1280, 1920} {
				large := what == "hostile" || what == "archive"
				if !long && (!large || width != 320 && (width != 1920 || scheme == "dark")) {
					continue
				}
				b.media(scheme, width)
				b.open(name, "#"+url.Values{"open": {"http://often.example/"}}.Encode())
				if got := b.run("return document.documentElement.scrollWidth"); got.(float64) > float64(width) {
					t.Errorf("%s, %s, %d wide: the page has a width of %v", what, scheme, width, got)
				}
				if got := b.run(broken).([]any); len(got) > 0 && what != "hostile" {
					t.Errorf("%s, %d wide: broken: %v", what, width, got)
				}
				if got := b.run("return document.documentElement.scrollHeight").(float64); got > 14_000 {
					t.Errorf("%s, %d wide: the page has a height of %v", what, width, got)
				}
				if got := b.run(contrast).([]any); len(got) > 0 && (what == "hostile" || what == "archive") {
					t.Errorf("%s: contrast %v", scheme, got)
				}
			}
		}
		b.silent()
	}
	if dark, back := b.run("return matchMedia('(prefers-color-scheme: dark)').matches"), b.run("return getComputedStyle(document.body).backgroundColor"); dark != true || back != "rgb(20, 21, 24)" {
		t.Errorf("dark: %v, background %v", dark, back)
	}
	var pdf string
	b.call("POST", "/print", map[string]any{}, &pdf)
	if len(pdf) < 1000 {
		t.Errorf("printed: %d bytes", len(pdf))
	}
}

// TestBrowserViews drills down by mouse, keyboard and address, and compares what is shown and saved with counts.
func TestBrowserViews(t *testing.T) {
	b := openBrowser(t)
	text := archive()
	name, dir := written(t, text, Options{Flags: []string{"--grammar=uri-2002", "--host=*.example*"}}), t.TempDir()
	b.devtools("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": dir})
	b.media("light", 1280)
	b.open(name, "")

	saved := func(button string) string {
		t.Helper()
		b.run("document.getElementById('" + button + "').click()")
		path := filepath.Join(dir, "urls."+button)
		for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			got, err := os.ReadFile(path)
			if err == nil && len(got) > 0 { // the browser makes an empty file first
				_ = os.Remove(path)
				return string(got)
			}
			if time.Now().After(end) {
				t.Fatal("nothing was saved")
			}
		}
	}
	all := func(*extract.Result) bool { return true }
	if got, want := saved("csv"), counted(t, text, all); got != want {
		t.Errorf("all: saved\n%.3000s\nwant\n%.3000s", got, want)
	}
	if got := b.run("return document.querySelectorAll('#urls tbody tr').length"); got != float64(50) {
		t.Errorf("a window of %v rows", got)
	}
	b.run("document.querySelector('[data-key=nexturls]').click()")
	b.wait("location.hash === '#at=51'")
	if got := b.text(".urls .pager span"); !strings.HasPrefix(got, "51 to ") {
		t.Errorf("the second window: %s", got)
	}

	// A domain, then a sender, then a year: each narrows the others.
	b.run("document.querySelector('[data-facet=host] [data-key=\"host often.example\"]').click()")
	b.wait("location.hash === '#host=often.example'")
	if got := b.text("#status"); got != "360 references to 1 URLs" {
		t.Error(got)
	}
	b.run("document.querySelector('#chips button').click()")
	b.wait("location.hash === '#'||location.hash === ''")
	b.run("document.querySelector('[data-facet=sender] button').click()")
	b.wait("location.hash === '#sender=p0%40example.org'")
	b.run("document.querySelector('[data-facet=newsgroup] button').click()")
	b.wait("location.hash.endsWith('&newsgroup=alt.a')")
	b.open(name, "#sender=p3%40example.org&time=1999&newsgroup=comp.group1")
	keep := func(r *extract.Result) bool {
		at, _ := r.Origin.Time()
		return r.Origin.FromAddress == "P3@example.org" && at.Year() == 1999 && strings.HasPrefix(r.Origin.Newsgroups, "comp.group1")
	}
	want := counted(t, text, keep)
	if got := saved("csv"); got != want || strings.Count(want, "\n") < 3 {
		t.Errorf("filtered: saved\n%s\nwant\n%s", got, want)
	}
	var list []struct {
		Count  int
		URL    string
		Places []struct {
			Source, Subject, Sender, Date string
			Message, Line                 int
		}
	}
	if err := json.Unmarshal([]byte(saved("json")), &list); err != nil || len(list) != strings.Count(want, "\n")-1 {
		t.Fatalf("%v %v", err, list)
	}
	for _, u := range list {
		for _, p := range u.Places {
			if p.Sender != "p3@example.org" || !strings.HasPrefix(p.Date, "1999-") || !strings.HasPrefix(p.Subject, "about <b>") || p.Message == 0 || p.Line == 0 || p.Source != `a \xe2\x80\xae<b>` {
				t.Errorf("%s: %v", u.URL, p)
			}
		}
	}
	if got := b.text("#command"); got != `urlsift --grammar=uri-2002 --host='*.example*' --from=p3@example.org --newsgroup=comp.group1 --since=1999 --until=1999 'a \xe2\x80\xae<b>'` {
		t.Error(got)
	}

	// By keyboard alone: to the chart, to the second column, and what it filters.
	b.open(name, "")
	for range 30 {
		if b.press(tabKey); b.run("return document.activeElement.classList.contains('column')") == true {
			break
		}
	}
	b.press(rightKey + enterKey)
	b.wait("location.hash === '#time=1998-02'")
	if got := b.run("return document.activeElement.dataset.key || document.activeElement.id"); got != "time 1998-02" && got != "view" {
		t.Errorf("the focus is at %v", got)
	}
	if got := b.text("#status"); got != "30 references to 15 URLs" {
		t.Error(got)
	}

	// A URL opens its places.
	b.open(name, "")
	b.run("document.querySelector('[data-key=\"open http://often.example/\"]').click()")
	b.wait("document.querySelector('.detail') !== null")
	if got := b.run("return document.querySelectorAll('.detail tbody tr').length"); got != float64(20) {
		t.Errorf("%v places", got)
	}
	if got := b.text(".detail"); !strings.Contains(got, "The first 20 places that the page holds, of 360") || !strings.Contains(got, "about <b>0</b>") || !strings.Contains(got, "#1") {
		t.Errorf("places: %s", got)
	}

	// Sorting, and search in all rows.
	b.run("document.querySelector('[data-key=\"sort url\"]').click()")
	b.wait("location.hash.includes('sort=url')")
	if got := b.text("#urls tbody th bdi"); got != "/=formula,with/comma" && !strings.HasPrefix(got, "http://often") {
		t.Errorf("sorted by URL, the first row is %v", got)
	}
	b.run("const i = document.getElementById('search'); i.value = 'PATH/72 H6'; i.dispatchEvent(new Event('input'))")
	b.wait("location.hash.includes('q=')")
	for i := range strings.Split(b.text("#urls tbody"), "http://")[1:] {
		if got := b.run(fmt.Sprintf("return document.querySelectorAll('#urls tbody th bdi')[%d].textContent", i)); got != "http://www.h6.somewhat-long-name.example.org/path/72" {
			t.Errorf("searched: %v", got)
		}
	}

	// A page that does not hold all URLs begins with the numbers of all, and says what it does not hold.
	b.open(name, "")
	facts := func() string {
		return b.text("#status") + b.text("[data-facet=host] tbody tr") + b.text("[data-facet=sender] tbody tr")
	}
	complete, few := facts(), written(t, text, Options{Rows: 5})
	b.open(few, "")
	if got := facts(); got != complete || !strings.Contains(b.text("#held"), "The page does not hold ") {
		t.Errorf("with few rows: %s, want %s; %s", got, complete, b.text("#held"))
	}
	if got := b.run("return view.rows.length"); got != float64(6) { // and a suspicious one
		t.Errorf("%v rows", got)
	}

	// What is wrong.
	b.open(name, "#wrong=refused")
	if got := b.text("#urls tbody"); !strings.Contains(got, "http://[x]/refused: ") || !strings.Contains(b.text("#command"), " --refused=only ") {
		t.Errorf("refused: %s", got)
	}
	b.open(name, "#wrong=port")
	if got := b.text("#urls tbody"); !strings.Contains(got, "http://undated.example:25/suspicious: port") {
		t.Errorf("suspicious: %s", got)
	}
	b.silent()
}
