
"use strict";
const table = document.getElementById("urls"), body = table && table.tBodies[0];
if (body) {
	const rows = Array.from(body.rows), filter = document.getElementById("filter"), shown = document.getElementById("shown");
	filter.parentElement.hidden = false;
	filter.addEventListener("input", () => {
		const words = filter.value.toLowerCase().split(/\s+/);
		let n = 0;
		for (const row of rows) {
			const text = row.textContent.toLowerCase();
			row.hidden = !words.every(w => text.includes(w));
			n += !row.hidden;
		}
		shown.textContent = n + " of " + rows.length + " rows";
	});
	const value = (row, i) => { const v = row.cells[i].dataset.v; return v ? Number(v) : row.cells[i].textContent.trim(); };
	Array.from(table.tHead.rows[0].cells).forEach((head, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = head.textContent;
		head.replaceChildren(button);
		button.addEventListener("click", () => {
			const down = head.getAttribute("aria-sort") !== "descending";
			for (const h of table.tHead.rows[0].cells) h.removeAttribute("aria-sort");
			head.setAttribute("aria-sort", down ? "descending" : "ascending");
			rows.sort((a, b) => { const x = value(a, i), y = value(b, i); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
			body.append(...rows);
		});
	});
}
