
"use strict";
// The page holds URLs with facts and places (data.go). A view is what the filters in the address keep of
// them; every change of the address draws it again. Text of the input becomes text nodes, never HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const number = n => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const clock = at => new Date(at * 1000).toISOString().slice(0, 19) + "Z";

const rows = data.rows.map(([url, host, scheme, count, first, last, sources, facts, places, refused = 0, suspicious = "", wrong = "", readings = "", inner = ""]) => ({
	url, low: url.toLowerCase(), host: data.hosts[host][0], domain: data.domains[data.hosts[host][1]], scheme: data.schemes[scheme], count, first, last, sources, facts, places,
	refused: refused === 1, kinds: refused ? ["refused"] : suspicious.split(" ").filter(k => k), wrong, readings, inner,
}));
// Without a place, the page knows the host by its name alone.
const domainOf = new Map(data.hosts.map(([host, domain]) => [host, data.domains[domain]]));
for (const row of rows) {
	if (row.places.length) continue;
	[, row.scheme = "", , row.host = ""] = row.url.match(/^([a-z][a-z0-9+.-]*):(\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*))?/i)?.map(text => text?.toLowerCase()) || [];
	row.domain = domainOf.get(row.host) || "";
}
const groupsOf = data.groups.map(text => text.split(/[,\s]+/).filter(g => g));
const accepted = rows.filter(r => !r.refused);

// Elements

// make returns a new element. Children that are no elements become text.
function make(name, properties = {}, ...children) {
	const e = Object.assign(document.createElement(name), properties);
	e.append(...children);
	return e;
}

// words returns text for a browser, which may break its lines at dots and what separates parts of a URL.
function words(text) {
	const pieces = text.match(/[^./?&=@_-]*[./?&=@_-]+|[^./?&=@_-]+$/g) || [];
	return make("bdi", {}, ...pieces.flatMap((piece, i) => i ? [make("wbr"), piece] : [piece]));
}

const short = (text, most) => text.length > most ? text.slice(0, most) + "…" : text;

// button returns a button. The key finds it again after the next drawing, for the focus.
function button(key, label, act) {
	const b = make("button", {type: "button"}, typeof label === "string" ? words(label) : label);
	b.dataset.key = key;
	b.addEventListener("click", act);
	return b;
}

function shape(name, attributes, ...children) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.append(...children);
	return e;
}

// exact has the first rows of the tables that came with the page: they are about all references, and not only about
// those to the URLs that the page holds.
const exact = {};
for (const section of document.querySelectorAll("section[data-facet]")) {
	const table = section.querySelector("table");
	exact[section.dataset.facet] = {
		caption: table.caption.textContent, unit: table.tHead.rows[0].cells[0].textContent,
		list: [...table.tBodies[0].rows].map(r => ({name: r.cells[0].textContent, count: Number(r.cells[2].textContent.replaceAll("\u202f", ""))})),
	};
}
for (const s of exact.time.list) s.gap = s.count === 0 && s.name.includes(" to ");
const unknown = rows.reduce((n, r) => r.facts.reduce((n, x, i) => i % 6 === 5 ? n - x : n, n + r.count), 0); // references that are in no fact
const holdsAll = data.distinct === accepted.length && data.distinctRefused === rows.length - accepted.length && !unknown;
const isExact = () => !holdsAll && accepted.length && !Object.keys(facets).some(key => state[key]);

// The address

const facets = {domain: "domain", host: "host", sender: "sender", newsgroup: "newsgroup", source: "source", scheme: "scheme", wrong: "wrong", time: "time", q: "search"};
let state = {}, view;

function readAddress() {
	state = {};
	for (const [key, value] of new URLSearchParams(location.hash.slice(1))) if (value) state[key] = value;
}

// go changes the state. The number of a row, and an open URL, are about one view only.
function go(changes, replace) {
	const next = {...state, ...changes};
	if (!("at" in changes) && !("open" in changes)) delete next.at, delete next.open;
	const pairs = Object.entries(next).filter(([, value]) => value);
	const hash = "#" + new URLSearchParams(pairs);
	if (replace) {
		history.replaceState(null, "", hash);
		readAddress();
		draw();
	} else location.hash = hash;
}

// Time

const units = ["hour", "day", "month", "year"], lengths = [13, 10, 7, 4];
const nameOf = (at, unit) => new Date(at * 1000).toISOString().slice(0, lengths[unit]);
function begin(at, unit) {
	if (unit < 2) return at - at % (unit ? 86400 : 3600);
	const d = new Date(at * 1000);
	return Date.UTC(d.getUTCFullYear(), unit === 2 ? d.getUTCMonth() : 0) / 1000;
}
const after = (at, unit) => begin(at + [3600, 86400, 31 * 86400, 366 * 86400][unit], unit);

// spanOf returns the first second of a time such as 1999-05 and that of the next, or nothing.
function spanOf(value) {
	const unit = lengths.indexOf(value.length), at = Date.parse(unit === 0 ? value + ":00Z" : value);
	return unit < 0 || isNaN(at) ? [0, 0, -1] : [at / 1000, after(at / 1000, unit), unit];
}

// spans returns the rows of a time line: a row for each unit, and one for a gap of several. It takes the finest
// unit with at most most rows and few gaps.
function spans(times, most) {
	for (let unit = units.indexOf(data.unit); unit >= 0; unit++) {
		const sums = new Map();
		for (const [at, n] of times) {
			const b = begin(at, unit);
			sums.set(b, (sums.get(b) || 0) + n);
		}
		const list = [];
		let end;
		for (const at of [...sums.keys()].sort((a, b) => a - b)) {
			const empty = [];
			for (; end < at && empty.length < 4; end = after(end, unit)) empty.push({begin: end, end: after(end, unit), count: 0});
			if (empty.length === 4) empty.splice(0, 4, {begin: empty[0].begin, end: at, count: 0, gap: true});
			end = after(at, unit);
			list.push(...empty, {begin: at, end, count: sums.get(at)});
		}
		const gaps = list.filter(s => s.gap).length;
		if (list.length <= most && gaps <= Math.max(3, list.length / 5) || unit === 3) {
			for (const s of list) s.name = s.gap ? nameOf(s.begin, unit) + " to " + nameOf(s.end - 1, unit) : nameOf(s.begin, unit);
			return {unit: units[unit], list};
		}
	}
	return {unit: "", list: []};
}

// The view

// look returns what the filters keep: the rows with their sums, and the sums of each facet.
function look() {
	const find = (state.q || "").toLowerCase().split(/\s+/).filter(w => w), at = name => data[name].indexOf(state[name.slice(0, -1)]);
	const source = at("sources"), sender = at("senders"), inGroup = groupsOf.map(list => list.includes(state.newsgroup));
	const [since, until] = state.time ? spanOf(state.time) : [];
	const byFacts = state.source || state.sender || state.newsgroup || state.time;
	const v = {rows: [], count: 0, first: Infinity, last: -Infinity, times: new Map(), undated: 0, sums: {domain: new Map(), host: new Map(), sender: new Map(), newsgroup: new Map(), source: new Map(), scheme: new Map(), wrong: new Map()}};
	const add = (facet, value, n) => { if (value) v.sums[facet].set(value, (v.sums[facet].get(value) || 0) + n); };
	for (const row of rows) {
		if (state.domain && row.domain !== state.domain || state.host && row.host !== state.host || state.scheme && row.scheme !== state.scheme) continue;
		if (state.wrong && !row.kinds.includes(state.wrong) || !find.every(w => row.low.includes(w))) continue;
		const counts = state.wrong || !row.refused || !accepted.length;
		const sum = {row, count: 0, first: null, last: null, sources: 0};
		const seen = new Set(), f = row.facts;
		for (let i = 0; i < f.length; i += 6) {
			const from = f[i + 3] < 0 ? null : row.first + f[i + 3];
			if (state.source && f[i] !== source || state.sender && f[i + 1] !== sender || state.newsgroup && !inGroup[f[i + 2]]) continue;
			if (state.time && (from === null || from < since || from >= until)) continue;
			const n = f[i + 5];
			sum.count += n;
			seen.add(f[i]);
			if (from !== null) {
				sum.first = Math.min(sum.first ?? from, from);
				sum.last = Math.max(sum.last ?? from, from + f[i + 4]);
			}
			if (!counts) continue;
			add("source", data.sources[f[i]], n);
			add("sender", data.senders[f[i + 1]], n);
			for (const g of groupsOf[f[i + 2]]) add("newsgroup", g, n);
			if (from === null) v.undated += n;
			else v.times.set(from, (v.times.get(from) || 0) + n);
		}
		if (!byFacts) Object.assign(sum, {count: row.count, first: row.first, last: row.last, sources: row.sources});
		else if (sum.count) sum.sources = seen.size;
		else continue;
		for (const kind of row.kinds) add("wrong", kind, sum.count);
		if (!counts) continue;
		v.rows.push(sum);
		v.count += sum.count;
		if (sum.first !== null) v.first = Math.min(v.first, sum.first), v.last = Math.max(v.last, sum.last);
		add("domain", row.domain, sum.count);
		add("host", row.host, sum.count);
		add("scheme", row.scheme, sum.count);
	}
	const text = (a, b) => a < b ? -1 : a > b ? 1 : 0, late = x => x === null ? Infinity : x;
	const orders = {
		count: (a, b) => b.count - a.count, url: (a, b) => text(a.row.url, b.row.url), first: (a, b) => text(late(a.first), late(b.first)),
		last: (a, b) => text(late(a.last), late(b.last)), sources: (a, b) => b.sources - a.sources,
	};
	const [by, back] = (state.sort || "count").split("-"), order = orders[by] || orders.count;
	v.rows.sort((a, b) => (back ? -1 : 1) * order(a, b) || text(a.row.url, b.row.url));
	return v;
}

// Drawing

const shown = {}; // how many values of a facet
const isNarrow = () => matchMedia("(max-width: 46rem)").matches; // as in page.css

// bars fills the table of a facet with the sums of list: [name, count, can be chosen].
function bars(section, facet, list, all, most, caption) {
	const table = section.querySelector("table"), top = Math.max(1, ...list.map(x => x[1]));
	table.caption.textContent = caption;
	table.tBodies[0].replaceChildren(...list.slice(0, most).map(([name, n, filters]) => {
		const chosen = state[facet] === name;
		const head = make("th", {scope: "row", className: "mono"}, filters && !chosen ? button(facet + " " + name, short(name, 100), () => go({[facet]: name})) : words(short(name, 100)));
		const bar = shape("svg", {class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true"}, shape("rect", {width: n ? Math.max(0.5, 100 * n / top) : 0, height: 10}));
		return make("tr", {}, head, make("td", {}, bar), make("td", {className: "n"}, number(n)), make("td", {className: "n dim"}, all ? (100 * n / all).toFixed(1) + " %" : ""));
	}));
}

function drawFacets() {
	const can = name => data.alone === 0 || !["source", "sender", "newsgroup"].includes(name);
	for (const section of document.querySelectorAll("section[data-facet]")) {
		const facet = section.dataset.facet;
		if (facet === "time") continue;
		const first = isExact() && exact[facet];
		const list = first ? first.list.map(({name, count}) => [name, count, can(facet) && view.sums[facet].has(name)]) : [...view.sums[facet]].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name, n]) => [name, n, can(facet) && name !== "(others)"]);
		section.hidden = !list.length || !can(facet);
		const few = isNarrow() ? 5 : 10, most = shown[facet] || few, left = list.length - most;
		bars(section, facet, list, first ? data.accepted : view.count, most, first && left <= 0 ? first.caption : left > 0 ? `The ${most} most frequent` + (first ? "" : ` of ${number(list.length)}`) : "All");
		section.querySelector(".pager")?.remove();
		if (left > 0 || most > few) section.append(make("div", {className: "pager"}, ...[["more", left > 0, most + 20], ["fewer", most > few, few]].filter(x => x[1]).map(([label, , to]) =>
			button(label + facet, label, () => { shown[facet] = to; draw(); }))));
	}
}

// drawTime draws a time line to the width of the page: columns, or rows if it is narrow.
function drawTime() {
	const section = document.querySelector("section[data-facet=time]");
	if (!data.unit) { // then there are only the rows that came with the page
		section.hidden = !exact.time.list.length || Object.keys(facets).some(key => state[key]);
		return;
	}
	section.querySelectorAll(".chart, .gaps").forEach(e => e.remove());
	section.hidden = false;
	const table = section.querySelector("table"), narrow = isNarrow();
	const width = section.clientWidth - 2 * parseFloat(getComputedStyle(section).paddingLeft);
	const {unit, list} = isExact() ? exact.time : spans(view.times, narrow ? 24 : Math.min(120, Math.floor((width - 70) / 13)));
	section.hidden = !list.length;
	section.querySelector("h2").textContent = "References by " + unit;
	table.tHead.rows[0].cells[0].textContent = unit;
	const gaps = list.filter(s => s.gap), notes = [];
	if (gaps.length) notes.push("Nothing from " + gaps.slice(0, 4).map(s => s.name).join(", ") + (gaps.length > 4 ? ` and in ${gaps.length - 4} more gaps` : ""));
	if (isExact()) notes.push(...[exact.time.caption].filter(c => c !== "All"));
	else if (view.undated) notes.push(number(view.undated) + " without a date");
	bars(section, "time", list.map(s => [s.name, s.count, s.count > 0]), isExact() ? data.accepted : view.count, list.length, notes.join(". "));
	table.hidden = !narrow;
	if (narrow || !list.length) return;
	section.querySelector("h2").after(chart(list, unit, width));
	if (notes.length) section.append(make("p", {className: "gaps dim"}, notes.join(". ") + "."));
}

// chart returns columns with their numbers, as wide as the page. Arrow keys go from one column to the next.
function chart(list, unit, width) {
	const height = 220, bottom = 24, top = 10, plot = height - bottom - top, most = Math.max(...list.map(s => s.count));
	let step = 1;
	for (let i = 0; most / step > 5; i++) step = step / [1, 2, 5][i % 3] * [2, 5, 10][i % 3];
	const left = number(most).length * 8 + 12, each = (width - left) / list.length, thick = Math.min(90, each * 0.8);
	const svg = shape("svg", {class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `Number of references for each ${unit}; arrow keys go from one to the next`});
	const y = n => top + plot - plot * n / most;
	for (let n = 0; n <= most; n += step) {
		svg.append(shape("line", {x1: left - 4, x2: width, y1: y(n), y2: y(n)}), shape("text", {x: left - 8, y: y(n) + 4, "text-anchor": "end"}, number(n)));
	}
	const label = list[0].name.length * 7 + 10;
	let free = 0; // where the next label may begin
	list.forEach((s, i) => {
		const x = left + i * each, choose = () => go({time: s.name});
		const g = shape("g", {class: s.gap ? "column gap" : "column"}, shape("title", {}, `${s.name}: ${s.gap ? "none" : number(s.count)}`), shape("rect", {class: "area", x, y: top, width: each, height: plot}));
		if (s.count) {
			g.append(shape("rect", {x: x + (each - thick) / 2, y: Math.min(y(s.count), y(0) - 1), width: thick, height: Math.max(1, y(0) - y(s.count))}));
			for (const [key, value] of Object.entries({role: "button", tabindex: i === list.findIndex(t => t.count) ? 0 : -1, "aria-label": `${s.name}: ${s.count}`, "data-key": "time " + s.name})) g.setAttribute(key, value);
			g.addEventListener("click", choose);
			g.addEventListener("keydown", e => {
				const to = {ArrowRight: 1, ArrowLeft: -1}[e.key];
				if (e.key === "Enter" || e.key === " ") choose();
				else if (!to) return;
				e.preventDefault();
				let next = g;
				while (to && (next = to > 0 ? next.nextElementSibling : next.previousElementSibling)) if (next.getAttribute("role")) { next.focus(); break; }
			});
		}
		svg.append(g);
		if (s.gap) svg.append(shape("text", {x: x + each / 2, y: y(0) - 4, "text-anchor": "middle"}, "…"));
		const at = Math.min(width - label / 2, Math.max(left - 4 + label / 2, x + each / 2)); // labels are inside
		if (!s.gap && at - label / 2 >= free) {
			svg.append(shape("text", {x: at, y: height - 6, "text-anchor": "middle"}, s.name));
			free = at + label / 2;
		}
	});
	return svg;
}

// paged fills a table with a window of list that begins at row number at, and adds buttons for the others.
function paged(section, table, list, at, size, row, turn) {
	const last = Math.max(0, Math.ceil(list.length / size) - 1) * size;
	at = Math.min(Math.max(0, at), last);
	table.tBodies[0].replaceChildren(...list.slice(at, at + size).flatMap(row));
	section.querySelector(":scope > .pager")?.remove();
	if (list.length <= size) return;
	section.append(make("div", {className: "pager"}, ...[["first", 0], ["previous", at - size], ["next", at + size], ["last", last]].map(([label, to]) => {
		const b = button(label + section.className, label, () => turn(Math.max(0, to)));
		b.disabled = at === (to < at ? 0 : last);
		return b;
	}), make("span", {}, `${number(at + 1)} to ${number(Math.min(list.length, at + size))} of ${number(list.length)}`)));
}

function drawURLs() {
	const table = byId("urls");
	if (!table) return;
	const size = isNarrow() ? 20 : 50;
	table.hidden = false;
	table.caption.textContent = `${number(view.rows.length)} URLs, ${size} at a time. A URL opens its places.`;
	Array.from(table.tHead.rows[0].cells).forEach((head, i) => {
		const by = ["count", "url", "first", "last", "sources"][i], [now, back] = (state.sort || "count").split("-");
		head.replaceChildren(button("sort " + by, ["count", "URL", "first", "last", "sources"][i], () => go({sort: now === by && !back ? by + "-back" : by})));
		if (now === by) head.setAttribute("aria-sort", (by === "count" || by === "sources") === !back ? "descending" : "ascending");
		else head.removeAttribute("aria-sort");
	});
	const open = view.rows.findIndex(s => s.row.url === state.open);
	const at = state.at ? state.at - 1 || 0 : open < 0 ? 0 : open - open % size;
	paged(table.parentElement, table, view.rows, at, size, sum => {
		const {row} = sum, isOpen = row.url === state.open, date = at => at === null ? "" : clock(at).slice(0, 10);
		const b = button("open " + row.url, short(row.url, 300), () => go({open: isOpen ? "" : row.url}));
		b.setAttribute("aria-expanded", isOpen);
		const head = make("th", {scope: "row", className: "mono"}, b);
		if (row.wrong) head.append(make("div", {className: "dim"}, (row.refused ? "refused: " : "suspicious: ") + row.wrong));
		const days = sum.first === null ? [] : [...new Set([date(sum.first), date(sum.last)])].flatMap((d, i) => [i ? " to " : "", make("span", {className: "day"}, d)]).concat(" · ");
		head.append(make("div", {className: "meta"}, ...days, `${number(sum.sources)} ${sum.sources === 1 ? "source" : "sources"}`));
		const tr = make("tr", {}, make("td", {className: "n"}, number(sum.count)), head, make("td", {className: "when"}, date(sum.first)), make("td", {className: "when"}, date(sum.last)), make("td", {className: "n few"}, number(sum.sources)));
		return isOpen ? [tr, detail(sum)] : [tr];
	}, to => go({at: to ? String(to + 1) : ""}));
}

// placesOf returns the places of a row that the filters keep.
function placesOf(row) {
	const list = [], [since, until] = state.time ? spanOf(state.time) : [];
	for (let i = 0; i < row.places.length; i += 5) {
		const [source, member, message, sender, from, subject, group] = data.messages[row.places[i]];
		const at = row.places[i + 4] < 0 ? null : row.first + row.places[i + 4];
		const p = {source: data.sources[source], member, message, sender: data.senders[sender], from, subject, line: row.places[i + 1], column: row.places[i + 2], part: row.places[i + 3].trim(), date: at === null ? "" : clock(at), newsgroups: data.groups[group]};
		if (state.newsgroup && !groupsOf[group].includes(state.newsgroup) || state.source && p.source !== state.source || state.sender && p.sender !== state.sender || state.time && (at === null || at < since || at >= until)) continue;
		list.push(p);
	}
	return list;
}

const whereOf = p => p.source + (p.member && "!" + p.member) + (p.message ? " #" + p.message : "") + (p.part && " [" + p.part + "]");

// detail returns the row with all that the page holds about a URL.
function detail({row, count}) {
	const cell = make("td", {colSpan: isNarrow() ? 2 : 5}), places = placesOf(row);
	if (row.url.length > 300) cell.append(make("h3", {}, "The URL"), make("p", {className: "mono"}, words(row.url)));
	cell.append(make("h3", {}, "Its host"), make("ul", {className: "values"}, ...[["domain", row.domain], ["host", row.host]].filter(([, value]) => value).map(([facet, value]) =>
		make("li", {}, button(`all ${facet} ${value}`, `all of ${facet} ${short(value, 100)}`, () => go({...nothing, [facet]: value}))))));
	for (const [title, text] of [["Inside it", row.inner], ["Other readings", row.readings]]) {
		if (text) cell.append(make("h3", {}, title), make("ul", {}, ...text.split(" ").map(part => make("li", {}, part.replace(/=.*/s, "") + ": ", make("span", {className: "mono"}, words(part.replace(/^[^=]*=/, "")))))));
	}
	const mail = places.some(p => p.sender || p.subject), dated = places.some(p => p.date);
	const heads = [["place", ""], ["line", "line"], ...(mail ? [["sender", "from"], ["subject", "subject"]] : []), ...(dated ? [["date", "when"]] : [])];
	const table = make("table", {}, make("caption", {}, places.length < count ? `The first ${number(places.length)} places that the page holds, of ${number(count)}` : "All places"),
		make("thead", {}, make("tr", {}, ...heads.map(([name, className]) => make("th", {scope: "col", className}, name)))),
		make("tbody", {}, ...places.map((p, i) => {
			const tr = make("tr", {}, make("td", {className: "mono"}, words(whereOf(p))), make("td", {}, p.line ? `${p.line}:${p.column}` : ""));
			if (mail) tr.append(make("td", {}, p.sender && p.sender !== state.sender && !data.alone ? button(`from ${i} ${p.sender}`, p.from || p.sender, () => go({sender: p.sender})) : p.from || p.sender), make("td", {}, p.subject, p.newsgroups && make("div", {className: "dim"}, words(p.newsgroups))));
			if (dated) tr.append(make("td", {}, p.date.replace("T", " ").replace("Z", "")));
			return tr;
		})));
	cell.append(make("h3", {}, "Where"), table);
	return make("tr", {className: "detail"}, cell);
}

let wrongAt = 0;

function drawWrong() {
	const table = byId("wrong");
	if (!table) return;
	const list = rows.filter(r => r.kinds.length && (!state.wrong || r.kinds.includes(state.wrong)) && (!state.domain || r.domain === state.domain) && (!state.host || r.host === state.host)
		&& (!(state.source || state.sender || state.newsgroup || state.time) || placesOf(r).length));
	table.parentElement.hidden = !list.length || Boolean(state.wrong); // then the URLs are these
	table.caption.textContent = `${number(list.length)} URLs that are refused or suspicious, each with its first place`;
	paged(table.parentElement, table, list, wrongAt, 10, r => {
		const p = placesOf(r)[0];
		return [make("tr", {}, make("td", {}, (r.refused ? "refused: " : "suspicious: ") + r.wrong),
			make("th", {scope: "row", className: "mono"}, button("wrong " + r.url, short(r.url, 300), () => go({...nothing, wrong: r.kinds[0], open: r.url}))),
			make("td", {className: "mono"}, p ? words(whereOf(p) + (p.line ? `:${p.line}:${p.column}` : "")) : ""))];
	}, to => { wrongAt = to; draw(); });
}

const nothing = Object.fromEntries(Object.keys(facets).map(key => [key, ""]));

function drawState() {
	const chips = Object.keys(facets).filter(key => state[key]);
	byId("chips").replaceChildren(...chips.map(key => make("li", {}, button("chip " + key, `${facets[key]}: ${short(state[key], 100)} ✕`, () => go({[key]: ""})))),
		...(chips.length > 1 ? [make("li", {}, button("chip all", "remove all filters", () => go(nothing)))] : []));
	byId("chips").querySelectorAll("button").forEach(b => b.setAttribute("aria-label", "Remove the filter " + b.textContent.replace(" ✕", "")));
	const kind = state.wrong === "refused" || !accepted.length ? " refused" : state.wrong ? " suspicious" : "";
	const [count, urls] = isExact() ? [data.accepted, data.distinct] : [view.count, view.rows.length];
	byId("status").textContent = `${number(count)}${kind} references to ${number(urls)} URLs` + (chips.length ? "" : ", without a filter");
	byId("command").textContent = command();
	if (document.activeElement !== byId("search")) byId("search").value = state.q || "";
	const missing = [];
	if (data.distinct > accepted.length) missing.push(`${number(data.distinct - accepted.length)} of ${number(data.distinct)} URLs, the least frequent ones`);
	if (data.distinctRefused > rows.length - accepted.length) missing.push(`${number(data.distinctRefused - rows.length + accepted.length)} refused ones`);
	if (data.alone) missing.push("sources, senders and newsgroups of references");
	else if (!data.unit) missing.push("times of references");
	if (unknown) missing.push(`sources, senders and times of ${number(unknown)} references`);
	const cut = rows.filter(r => r.url.endsWith("…")).length;
	byId("held").replaceChildren(cut ? `Long URLs that are cut: ${number(cut)}. ` : "", ...(missing.length ? ["The page does not hold " + missing.join("; nor ") + ". Views with a filter are about the others (", make("code", {className: "day"}, "--rows N"), " sets how many)."] : ["The page holds all URLs: numbers of views are exact."]));
}

// command returns the command whose output is the view. Flags that narrow the same thing take the place of those
// of the report: given together, they would widen it.
function command() {
	const quote = s => /^[\w%+=:,./][\w@%+=:,./-]*$/.test(s) ? s : "'" + s.replaceAll("'", "'\\''") + "'";
	const flags = [];
	const set = (name, value) => flags.push(`--${name}=${value}`);
	if (state.host) set("host", state.host);
	if (state.domain) set("domain", state.domain);
	if (state.scheme) set("scheme", state.scheme);
	if (state.sender) set("from", state.sender);
	if (state.newsgroup) set("newsgroup", state.newsgroup);
	if (state.wrong === "refused") set("refused", "only");
	else if (state.wrong) set("suspicious", state.wrong);
	const given = data.flags.filter(f => !/^--(since|until)=/.test(f));
	if (state.time && given.length < data.flags.length && view.rows.length) set("since", clock(view.first)), set("until", clock(view.last));
	else if (state.time) set("since", state.time), set("until", state.time);
	const named = f => f.replace(/=.*/s, "");
	const kept = (state.time ? given : data.flags).filter(f => !flags.some(g => named(g) === named(f)) && (named(f) !== "--refused" || f === "--refused=only") && (!state.source || !/^--files0?-from=/.test(f)));
	const paths = state.source ? state.source === "-" ? [] : [state.source] : data.paths;
	const dash = paths.some(p => p.startsWith("-") && p !== "-") ? ["--"] : [];
	const grep = (state.q || "").split(/\s+/).filter(w => w).map(w => " | grep -iF -e " + quote(w)).join("");
	return ["urlsift", ...kept.concat(flags).map(f => f.replace(/^(--[\w-]+=)?(.*)$/s, (_, name = "", value) => name ? name + quote(value) : quote(value))), ...dash, ...paths.map(quote)].join(" ") + grep;
}

// Files

function save(name, type, text) {
	const link = make("a", {href: URL.createObjectURL(new Blob([text], {type})), download: name});
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// csv returns the view as "urlsift count --format csv --csv-guard" prints it: no cell is a formula.
function csv() {
	const cell = text => {
		const guarded = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? "'" + text : text;
		return /["\r\n,]|^ | $/.test(guarded) ? '"' + guarded.replaceAll('"', '""') + '"' : guarded;
	};
	const time = at => at === null ? "" : clock(at);
	return ["count,url,first,last,sources", ...view.rows.map(s => [s.count, cell(s.row.url), time(s.first), time(s.last), s.sources].join(","))].join("\n") + "\n";
}

function json() {
	return JSON.stringify(view.rows.map(({row, count, first, last, sources}) => {
		const o = {count, url: row.url};
		if (first !== null) Object.assign(o, {first: clock(first), last: clock(last)});
		o.sources = sources;
		const some = {host: row.host, domain: row.domain, refused: row.refused && row.wrong, suspicious: !row.refused && row.kinds.length && row.kinds, inner: row.inner, readings: row.readings};
		for (const [key, value] of Object.entries(some)) if (value) o[key] = value;
		o.places = placesOf(row).map(p => Object.fromEntries(Object.entries(p).filter(([, value]) => value)));
		return o;
	}), null, 1) + "\n";
}

// draw draws all, and gives the focus back to the button that had it.
function draw() {
	const focused = document.activeElement?.dataset?.key;
	view = look();
	drawState();
	drawTime();
	drawFacets();
	drawURLs();
	drawWrong();
	if (!focused || document.activeElement?.dataset?.key === focused) return;
	for (const e of document.querySelectorAll("[data-key]")) if (e.dataset.key === focused && !e.disabled) { e.focus({preventScroll: true}); return; }
	byId("view").focus({preventScroll: true});
}

byId("view").hidden = !rows.length;
byId("view").tabIndex = -1;
if (rows.length) {
	let typing;
	byId("search").addEventListener("input", () => {
		clearTimeout(typing);
		typing = setTimeout(() => go({q: byId("search").value.trim()}, true), 150);
	});
	byId("csv").addEventListener("click", () => save("urls.csv", "text/csv", csv()));
	byId("json").addEventListener("click", () => save("urls.json", "application/json", json()));
	addEventListener("hashchange", () => { readAddress(); draw(); });
	let drawn = innerWidth;
	addEventListener("resize", () => { if (innerWidth !== drawn) drawn = innerWidth, draw(); });
	readAddress();
	draw();
}
