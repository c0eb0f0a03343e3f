package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	options := map[string]any{"args": []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + t.TempDir()}}
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

// TestBrowser opens the page in Chromium, light and dark, wide and narrow.
func TestBrowser(t *testing.T) {
	b := openBrowser(t)
	text := hostile() + "From a Thu Jan  1 00:00:00 1998\nDate: Fri, 2 Jan 1999 00:00:00 +0000\n\n" + strings.Repeat("http://often.example/ ", 50) + "https://b.example/?q=needle\n"
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(made(t, text, 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	b.call("POST", "/url", map[string]string{"url": "file://" + name}, nil)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1200, 400} {
			b.media(scheme, width)
			if got := b.run("return document.documentElement.scrollWidth"); got != float64(width) && got.(float64) > float64(width) {
				t.Errorf("%s, %d wide: the page has a width of %v", scheme, width, got)
			}
			if got := b.run(contrast).([]any); len(got) > 0 {
				t.Errorf("%s: contrast %v", scheme, got)
			}
		}
	}
	if light, dark := b.run("return matchMedia('(prefers-color-scheme: dark)').matches"), b.run("return getComputedStyle(document.body).backgroundColor"); light != true || dark != "rgb(20, 21, 24)" {
		t.Errorf("dark: %v, background %v", light, dark)
	}
	const first = "return document.querySelector('#urls tbody tr:not([hidden]) th').textContent"
	if got := b.run(first); got != "http://often.example/" {
		t.Errorf("the first row is %v", got)
	}
	b.run("document.querySelectorAll('#urls thead button')[1].click()") // sort by URL, descending
	if got := b.run(first).(string); !strings.HasPrefix(got, "https://") {
		t.Errorf("sorted by URL, the first row is %v", got)
	}
	b.run("const i = document.getElementById('filter'); i.value = 'NEEDLE https'; i.dispatchEvent(new Event('input'))")
	if got := b.run("return document.querySelectorAll('#urls tbody tr:not([hidden])').length + ' ' + document.getElementById('shown').textContent").(string); !strings.HasPrefix(got, "1 1 of ") {
		t.Errorf("filtered: %v", got)
	}
	if got := b.run("return performance.getEntriesByType('resource').length + document.links.length"); got != float64(0) {
		t.Errorf("%v requests and links", got)
	}
	var log []struct{ Level, Message string }
	b.call("POST", "/se/log", map[string]string{"type": "browser"}, &log)
	for _, l := range log {
		t.Errorf("console: %s %s", l.Level, l.Message)
	}
}
