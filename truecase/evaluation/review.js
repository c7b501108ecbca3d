// A list of words, the least certain first, drawn as it scrolls; what people choose is kept in the
// browser until they save it.
(function () {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const nPlaces = data.start.length, SURE = 1e6;
  const locale = data.language || undefined;
  const narrow = window.matchMedia("(max-width: 760px)");

  // --- words -----------------------------------------------------------------------------------

  const placesOf = data.groups.map(() => []);
  for (let place = 0; place < nPlaces; place++) { placesOf[data.group[place]].push(place); }
  const byCertainty = (a, b) => data.certainty[a] - data.certainty[b] || a - b;
  placesOf.forEach((places) => places.sort(byCertainty));
  const groups = data.groups.map((_, group) => group);
  // Of words of one certainty, those that stand in more places first: one decision mends more.
  groups.sort((a, b) => data.certainty[placesOf[a][0]] - data.certainty[placesOf[b][0]] ||
    placesOf[b].length - placesOf[a].length || a - b);
  const ranked = Array.from({ length: nPlaces }, (_, place) => place).sort(byCertainty);
  const rank = new Int32Array(nPlaces);
  ranked.forEach((place, i) => { rank[place] = i; });
  const placesIn = data.texts.map(() => []);
  for (let place = 0; place < nPlaces; place++) { placesIn[data.text[place]].push(place); }

  const model = (place) => data.forms[data.form[place]];
  const written = (place) => chosen.get(place) ?? model(place);
  const length = (text) => Array.from(text).length;

  // The same letters in another case; the command checks it once more when it puts them in.
  function isSame(one, other) {
    return length(one) === length(other) && (
      one.toLocaleLowerCase(locale) === other.toLocaleLowerCase(locale) ||
      one.toLocaleUpperCase(locale) === other.toLocaleUpperCase(locale) ||
      one.toLowerCase() === other.toLowerCase() || one.toUpperCase() === other.toUpperCase());
  }

  // Forms to choose from, with how probable each is, or null for those that were not considered.
  function formsOf(place) {
    const found = new Map([[model(place), data.certainty[place] / SURE]]);
    const others = data.others[place] || [];
    for (let i = 0; i < others.length; i += 2) { found.set(data.forms[others[i]], others[i + 1] / SURE); }
    const word = model(place), letters = Array.from(word.toLocaleLowerCase(locale));
    const first = letters.findIndex((letter) => letter.toLocaleUpperCase(locale) !== letter);
    const capital = first < 0 ? word : letters.slice(0, first).join("") +
      letters[first].toLocaleUpperCase(locale) + letters.slice(first + 1).join("");
    for (const form of [written(place), ...usedIn(data.group[place]), letters.join(""), capital,
      word.toLocaleUpperCase(locale)]) {
      if (!found.has(form) && isSame(form, word)) { found.set(form, null); }
    }
    return Array.from(found).slice(0, 9);
  }
  const usedIn = (group) => new Set(placesOf[group].filter((p) => chosen.has(p)).map(written));

  // --- what was chosen ---------------------------------------------------------------------------

  // By place: its form, if it is not the model's. What was looked at. By form: whether it is a name.
  const chosen = new Map(), seen = new Set(), asName = new Map();
  const undone = [];
  const storeKey = `truecase review ${data.letters} ${data.cased}`;
  let saving = 0;

  function keep() {
    clearTimeout(saving);
    saving = setTimeout(store, 300);
  }
  function store() {
    clearTimeout(saving);
    const state = JSON.stringify({ chosen: [...chosen], seen: [...seen], asName: [...asName] });
    try { localStorage.setItem(storeKey, state); } catch (error) { notKept(); }
  }
  function notKept() {
    $("notice").textContent = "This browser does not keep what you choose: save the corrections before you close the page.";
    $("notice").hidden = false;
  }
  function restore() {
    let state = null;
    try { state = JSON.parse(localStorage.getItem(storeKey)); } catch (error) { notKept(); }
    if (!state || !Array.isArray(state.chosen) || !Array.isArray(state.seen)) { return; }
    const isPlace = (place) => Number.isInteger(place) && place >= 0 && place < nPlaces;
    state.chosen.forEach(([place, form]) => {
      if (isPlace(place) && typeof form === "string" && isSame(form, model(place))) { chosen.set(place, form); }
    });
    state.seen.filter(isPlace).forEach((place) => seen.add(place));
    (state.asName || []).forEach(([form, isName]) => asName.set(form, isName === true));
  }
  // One step, which can be undone: places get a form, or none, and count as looked at.
  function decide(places, form) {
    undone.push(places.map((place) => [place, chosen.get(place), seen.has(place)]));
    for (const place of places) {
      if (form === undefined || form === model(place)) { chosen.delete(place); } else { chosen.set(place, form); }
      seen.add(place);
    }
    changed();
  }
  function undo() {
    const step = undone.pop();
    if (!step) { return; }
    for (const [place, form, wasSeen] of step) {
      if (form === undefined) { chosen.delete(place); } else { chosen.set(place, form); }
      if (!wasSeen) { seen.delete(place); }
    }
    changed();
    reveal(step[0][0]);
    say("Undone");
  }
  function changed() { keep(); status(); draw(); detail(); }
  function say(text) { $("said").textContent = plain(text); }

  // --- foreign text ----------------------------------------------------------------------------------

  // What reorders the text around it, and what does not show: as in other pages, one sign for one.
  const UNSHOWN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u202a-\u202e\u2066-\u2069]/g;
  const LONGEST = 200, LONGEST_BETWEEN = 2000;
  const plain = (text) => text.replace(UNSHOWN, "\ufffd");
  // Both cut between characters: a "word" may have a million of them, and so may what is between two.
  const cut = (text, from, to) => text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  function brief(word) {
    return word.length <= LONGEST ? word : `${cut(word, 0, LONGEST - 1)}…`;
  }
  function between(text) {
    if (text.length <= LONGEST_BETWEEN) { return text; }
    return `${cut(text, 0, LONGEST_BETWEEN / 2)} … ${cut(text, -LONGEST_BETWEEN / 2)}`;
  }
  // A word of a command that may be copied into a shell.
  function quoted(word) {
    const file = word.startsWith("-") ? `./${word}` : word;
    return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  }

  // --- rows ----------------------------------------------------------------------------------------

  const HEADING = 0, PLACE = 1, MORE = 2;
  // Of each row: what it is, its group, its place, where it begins.
  let rows = { kind: [], group: [], place: [], top: [0] }, selected = 0;
  const unfolded = new Set();
  let nShown = 0, sought = "";

  function isListed(place) { return rank[place] < nShown; }

  function build() {
    nShown = Math.max(1, Math.ceil(nPlaces * Number($("share").value)));
    const heights = narrow.matches ? [48, 44, 44] : [42, 36, 36];
    const made = { kind: [], group: [], place: [], top: [0] };
    let top = 0;
    const add = (kind, group, place) => {
      made.kind.push(kind); made.group.push(group); made.place.push(place);
      top += heights[kind];
      made.top.push(top);
    };
    for (const group of groups) {
      const places = placesOf[group];
      if (sought ? !data.groups[group].includes(sought) : !isListed(places[0])) { continue; }
      if (places.length === 1) { add(PLACE, group, places[0]); continue; }
      add(HEADING, group, -1);
      const isAll = unfolded.has(group);
      let n = 0;
      for (const place of places) {
        if (isAll || (sought ? n < 3 : isListed(place))) { add(PLACE, group, place); n++; }
      }
      if (n < places.length || isAll) { add(MORE, group, -1); }
    }
    rows = made;
    $("rows").style.height = `${top}px`;
    selected = Math.min(selected, Math.max(0, rows.kind.length - 1));
    const empty = $("empty");
    if (empty) { empty.remove(); }
    if (rows.kind.length === 0) {
      const note = document.createElement("p");
      note.id = "empty";
      note.textContent = sought ? `No word on this page has “${plain(brief(sought))}” in it.` : "No word.";
      $("list").append(note);
    }
  }
  function rowAt(y) {
    let low = 0, high = rows.kind.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows.top[middle + 1] <= y) { low = middle + 1; } else { high = middle; }
    }
    return low;
  }
  const node = (name, content, className) => {
    const made = document.createElement(name);
    if (className) { made.className = className; }
    const parts = content === undefined ? [] : [].concat(content);
    made.append(...parts.map((part) => typeof part === "string" ? plain(part) : part));
    return made;
  };
  function percent(share) {
    if (share === null) { return "–"; }
    const shown = 100 * share;
    return `${shown < 10 ? shown.toFixed(1) : shown > 99.94 && shown < 100 ? "99.9" : shown.toFixed(shown > 99 ? 1 : 0)} %`;
  }
  function counted(group) {
    const counts = new Map();
    placesOf[group].forEach((place) => counts.set(written(place), (counts.get(written(place)) || 0) + 1));
    return Array.from(counts).sort((a, b) => b[1] - a[1]);
  }
  function drawn(index) {
    const kind = rows.kind[index], group = rows.group[index], place = rows.place[index];
    const row = node("div", undefined, "row");
    row.id = `row${index}`;
    row.style.top = `${rows.top[index]}px`;
    row.style.height = `${rows.top[index + 1] - rows.top[index]}px`;
    row.dataset.index = index;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", index === selected);
    row.setAttribute("aria-setsize", rows.kind.length);
    row.setAttribute("aria-posinset", index + 1);
    if (kind === HEADING) {
      row.classList.add("heading");
      const isDone = placesOf[group].every((p) => seen.has(p) || !isListed(p));
      if (isDone) { row.classList.add("seen"); }
      const forms = counted(group).map(([form, n]) => `${brief(form)} ${n}`).join(" · ");
      row.append(node("span", isDone ? "✓" : "", "mark"), node("span", brief(counted(group)[0][0])),
        node("span", `${placesOf[group].length} places: ${forms}`, "muted"));
    } else if (kind === MORE) {
      row.classList.add("more");
      row.append(unfolded.has(group) ? "show fewer" : `show all ${placesOf[group].length} places`);
    } else {
      if (placesOf[group].length > 1) { row.classList.add("inside"); }
      if (seen.has(place)) { row.classList.add("seen"); }
      const text = data.texts[data.text[place]], start = data.start[place], form = written(place);
      const end = start + model(place).length;
      const word = node("b", brief(form), chosen.has(place) ? "changed" : "");
      const mark = chosen.has(place) ? "✎" : seen.has(place) ? "✓" : "";
      row.append(node("span", mark, "mark"), node("span", percent(data.certainty[place] / SURE), "sure"),
        node("span", [node("span", node("span", lined(text.slice(Math.max(0, start - 90), start))), "before"),
          word, node("span", lined(text.slice(end, end + 120)), "after")], "around"));
      if (chosen.has(place)) { row.setAttribute("aria-label", plain(`${brief(form)}, corrected, was ${brief(model(place))}`)); }
    }
    return row;
  }
  const lined = (text) => text.replace(/\s+/g, " ");
  function draw() {
    const list = $("list"), from = rowAt(list.scrollTop - 200);
    const to = Math.min(rows.kind.length, rowAt(list.scrollTop + list.clientHeight + 200) + 1);
    const nodes = [];
    for (let index = from; index < to; index++) { nodes.push(drawn(index)); }
    $("rows").replaceChildren(...nodes);
    if (selected >= from && selected < to) { list.setAttribute("aria-activedescendant", `row${selected}`); }
    else { list.removeAttribute("aria-activedescendant"); }
  }
  function status() {
    let nDone = 0;
    for (let i = 0; i < nShown; i++) { if (seen.has(ranked[i])) { nDone++; } }
    const n = chosen.size;
    $("state").textContent = `looked at ${nDone.toLocaleString("en")} of ${nShown.toLocaleString("en")} · ` +
      `${n.toLocaleString("en")} ${n === 1 ? "correction" : "corrections"}`;
    $("bar").value = nDone / nShown;
    $("undo").disabled = undone.length === 0;
  }

  // --- moving ----------------------------------------------------------------------------------------

  function select(index) {
    if (rows.kind.length === 0) { return; }
    selected = Math.min(Math.max(index, 0), rows.kind.length - 1);
    const list = $("list"), top = rows.top[selected], bottom = rows.top[selected + 1];
    if (top < list.scrollTop) { list.scrollTop = Math.max(0, top - (selected > 0 ? 46 : 0)); }
    else if (bottom > list.scrollTop + list.clientHeight) { list.scrollTop = bottom - list.clientHeight + 46; }
    draw();
    detail();
  }
  // The row of a place; groups are unfolded, and more words shown, if it has none yet.
  function rowOf(place) {
    return rows.place.indexOf(place);
  }
  function reveal(place) {
    let index = rowOf(place);
    if (index < 0) {
      unfolded.add(data.group[place]);
      if (sought && !data.groups[data.group[place]].includes(sought)) { sought = $("find").value = ""; }
      if (!sought && !isListed(placesOf[data.group[place]][0])) { $("share").value = "1"; }
      build();
      status();
      index = rowOf(place);
    }
    select(index);
  }
  // To the next single word: a key is an offer for that place alone. At the end, where it is.
  function goOn(index) {
    let next = index + 1;
    while (next < rows.kind.length && rows.kind[next] !== PLACE) { next++; }
    select(next < rows.kind.length ? next : index);
  }
  function goOnAfterGroup() {
    const group = rows.group[selected];
    let next = selected;
    while (next < rows.kind.length && rows.group[next] === group) { next++; }
    goOn(next - 1);
  }
  function toggleGroup(group) {
    const place = rows.place[selected];
    if (placesOf[group].length === 1) { return; }
    if (unfolded.has(group)) { unfolded.delete(group); } else { unfolded.add(group); }
    build();
    const index = place >= 0 ? rowOf(place) : -1;
    select(index >= 0 ? index : rows.group.indexOf(group));
  }

  // --- the selected word -------------------------------------------------------------------------------

  function choose(form, everywhere) {
    const group = rows.group[selected], place = rows.place[selected];
    if (everywhere || place < 0) {
      const places = placesOf[group].filter((p) => isSame(form, model(p)));
      decide(places, form);
      say(`${brief(form)} in ${places.length} ${places.length === 1 ? "place" : "places"}`);
      goOnAfterGroup();
    } else {
      decide([place], form);
      say(`${brief(form)} in this place`);
      goOn(selected);
    }
  }
  function accept(everywhere) {
    const group = rows.group[selected], place = rows.place[selected];
    if (rows.kind[selected] === MORE) { toggleGroup(group); return; }
    const places = everywhere || place < 0 ? placesOf[group] : [place];
    undone.push(places.map((p) => [p, chosen.get(p), seen.has(p)]));
    places.forEach((p) => seen.add(p));
    changed();
    say("Right as it is");
    if (everywhere || place < 0) { goOnAfterGroup(); } else { goOn(selected); }
  }
  function reset() {
    const group = rows.group[selected], place = rows.place[selected];
    decide(place < 0 ? placesOf[group] : [place], undefined);
    say("As the model wrote it");
  }
  const subject = () => rows.place[selected] >= 0 ? rows.place[selected] : placesOf[rows.group[selected]][0];

  function detail() {
    const panel = $("detail");
    if (rows.kind.length === 0) { panel.replaceChildren(); return; }
    const group = rows.group[selected], place = subject(), isOne = rows.place[selected] >= 0;
    const n = placesOf[group].length, parts = [];
    const hadFocus = panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    if (isOne) {
      parts.push(node("p", `${data.line_name} ${data.line[place].toLocaleString("en")}`, "muted"), context(place));
    } else {
      parts.push(node("p", `${n} places. Shift and a number, or a click here, writes all of them.`, "muted"));
    }
    const list = node("ul", undefined, "forms");
    formsOf(place).forEach(([form, share], i) => {
      const isWritten = isOne ? written(place) === form : placesOf[group].every((p) => written(p) === form);
      const here = node("button", [node("kbd", String(i + 1)), node("span", brief(form)),
        node("span", isOne ? share === null ? "" : percent(share) : `all ${n}`, "share")]);
      here.type = "button";
      here.dataset.key = `form${i}`;
      here.setAttribute("aria-pressed", isWritten);
      here.addEventListener("click", () => choose(form, false));
      const item = node("li", [here]);
      if (isOne && n > 1) {
        const all = node("button", `all ${n}`, "all");
        all.type = "button";
        all.dataset.key = `all${i}`;
        all.setAttribute("aria-label", plain(`${brief(form)} in all ${n} places`));
        all.addEventListener("click", () => choose(form, true));
        item.append(all);
      }
      list.append(item);
    });
    parts.push(list, otherForm(place, isOne, n));
    panel.replaceChildren(...parts);
    if (hadFocus) {
      const again = panel.querySelector(`[data-key=${hadFocus}]`);
      (again || $("list")).focus();
    }
  }
  function otherForm(place, isOne, n) {
    const form = node("form"), input = node("input"), button = node("button", "Write so");
    form.id = "other";
    input.value = written(place);
    input.setAttribute("aria-label", "Another case");
    input.dataset.key = "typed";
    for (const [name, value] of [["autocomplete", "off"], ["autocapitalize", "off"], ["spellcheck", "false"]]) {
      input.setAttribute(name, value);
    }
    const right = node("button", isOne ? "Right, next" : "All right, next");
    right.type = "button";
    right.dataset.key = "right";
    right.addEventListener("click", () => accept(false));
    form.append(right, input, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!isSame(input.value, model(place))) {
        input.setCustomValidity(plain(`Only the case may change: ${brief(model(place))}`));
        input.reportValidity();
        return;
      }
      $("list").focus();
      choose(input.value, !isOne);
    });
    input.addEventListener("input", () => input.setCustomValidity(""));
    return form;
  }
  // The text around a word, each word of which can be gone to.
  function context(place) {
    const at = data.text[place], text = data.texts[at], parts = [];
    let done = 0;
    for (const other of placesIn[at]) {
      const start = data.start[other], end = start + model(other).length;
      parts.push(between(text.slice(done, start)));
      if (other === place) {
        parts.push(node("mark", brief(written(other))));
      } else {
        const word = node("button", brief(written(other)), chosen.has(other) ? "word changed" : "word");
        word.type = "button";
        word.tabIndex = -1;
        word.addEventListener("click", () => { reveal(other); $("list").focus(); });
        parts.push(word);
      }
      done = end;
    }
    parts.push(between(text.slice(done)));
    return node("p", parts, "context");
  }

  // --- corrections ---------------------------------------------------------------------------------------

  // A form goes into the list of names unless told otherwise, if it has a capital and stands so
  // in all places of the word.
  function isName(form, group) {
    if (asName.has(form)) { return asName.get(form); }
    return form !== form.toLocaleLowerCase(locale) && placesOf[group].every((p) => written(p) === form);
  }
  function correctedForms() {
    const forms = new Map();
    for (const [place, form] of chosen) {
      if (!forms.has(form)) { forms.set(form, { group: data.group[place], n: 0 }); }
      forms.get(form).n++;
    }
    return Array.from(forms).sort((a, b) => b[1].n - a[1].n || (a[0] < b[0] ? -1 : 1));
  }
  function names() {
    return correctedForms().filter(([form, { group }]) => isName(form, group)).map(([form]) => form);
  }
  const characters = (text, units) => length(text.slice(0, units));
  function where(place) {
    const at = data.text[place], start = data.base[at] + characters(data.texts[at], data.start[place]);
    return { segment: data.segment[at], line: data.line[place], start: start, end: start + length(model(place)) };
  }
  function corrections() {
    return JSON.stringify({
      truecase: "corrections", version: 1, of: data.of, settings: data.settings,
      letters: data.letters, cased: data.cased, names: names(),
      corrections: [...chosen.keys()].sort((a, b) => a - b).map((place) => (
        { ...where(place), from: model(place), to: chosen.get(place) })),
    }, null, 1) + "\n";
  }
  const stem = data.of.replace(/^.*[\\/]/, "") || "text";
  function save(name, text, type) {
    const link = document.createElement("a"), url = URL.createObjectURL(new Blob([text], { type: type }));
    link.setAttribute("href", url);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }
  function showCorrections() {
    const n = chosen.size, forms = correctedForms();
    $("summary").textContent = n === 0 ? "None so far." :
      `${n.toLocaleString("en")} ${n === 1 ? "word" : "words"} corrected, ${forms.length} different.`;
    const files = [`${stem}.corrections.json`, data.of].map(quoted).join(" ");
    $("command").textContent = plain(`truecase review --apply ${files} -o OUTPUT`);
    $("changes").replaceChildren(...forms.map(([form, { group, n: times }]) => {
      const box = node("input"), label = node("label", [box, node("b", brief(form)), node("span", `${times} ×`, "muted")]);
      box.type = "checkbox";
      box.checked = isName(form, group);
      box.addEventListener("change", () => { asName.set(form, box.checked); keep(); fill(); });
      return node("li", label);
    }));
    const fill = () => { $("as-text").value = corrections(); $("save-names").disabled = names().length === 0; };
    fill();
    $("save").disabled = n === 0;
    if (!$("corrections").open) { $("corrections").showModal(); }
  }
  function open(text) {
    let given = null;
    try { given = JSON.parse(text); } catch (error) { given = null; }
    if (!given || given.truecase !== "corrections" || !Array.isArray(given.corrections)) {
      $("summary").textContent = "This file has no corrections.";
      return;
    }
    if (given.letters !== data.letters || given.cased !== data.cased) {
      $("summary").textContent = `This file has corrections of another text, or of another model: ${plain(brief(String(given.of)))}.`;
      return;
    }
    const found = new Map();
    for (let place = 0; place < nPlaces; place++) {
      const { segment, start } = where(place);
      found.set(`${segment} ${start}`, place);
    }
    const step = [];
    for (const one of given.corrections) {
      const place = found.get(`${one.segment} ${one.start}`);
      if (place === undefined || typeof one.to !== "string" || !isSame(one.to, model(place))) { continue; }
      step.push([place, chosen.get(place), seen.has(place)]);
      chosen.set(place, one.to);
      seen.add(place);
    }
    if (step.length) { undone.push(step); }
    changed();
    showCorrections();
    $("summary").textContent = `${step.length} of ${given.corrections.length} corrections taken from the file.`;
  }

  // --- events ----------------------------------------------------------------------------------------------

  function key(event) {
    const inField = event.target.closest("input, textarea, select");
    if (document.querySelector("dialog[open]")) { return; }
    if (event.key === "Escape") {
      if (event.target === $("find") && sought) { $("find").value = sought = ""; build(); status(); goOn(-1); }
      $("list").focus();
      event.preventDefault();
      return;
    }
    if (event.target === $("find") && (event.key === "Enter" || event.key === "ArrowDown")) {
      $("list").focus();
      event.preventDefault();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !inField) {
      event.preventDefault();
      undo();
      return;
    }
    if (inField || event.ctrlKey || event.metaKey || event.altKey || rows.kind.length === 0 && event.key !== "/") { return; }
    const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
    const onButton = event.target.closest("button, summary") !== null;
    const page = Math.max(1, Math.floor($("list").clientHeight / 40) - 1);
    const actions = {
      ArrowDown: () => select(selected + 1), j: () => select(selected + 1),
      ArrowUp: () => select(selected - 1), k: () => select(selected - 1),
      PageDown: () => select(selected + page), PageUp: () => select(selected - page),
      Home: () => select(0), End: () => select(rows.kind.length - 1),
      Backspace: reset, u: undo, x: () => toggleGroup(rows.group[selected]),
      e: () => { const typed = $("other").querySelector("input"); typed.focus(); typed.select(); },
      "/": () => { $("find").focus(); $("find").select(); },
      c: showCorrections, "?": () => $("keys").showModal(),
    };
    let action = actions[event.key];
    if (digit) {
      const form = digit[1] === "0" ? null : formsOf(subject())[Number(digit[1]) - 1];
      action = digit[1] === "0" ? reset : form && (() => choose(form[0], event.shiftKey));
    } else if ((event.key === "Enter" || event.key === " ") && !onButton) {
      action = () => accept(event.shiftKey);
    }
    // One key alone never changes all places of a word.
    if (rows.kind[selected] === HEADING && !event.shiftKey && (digit || event.key === "Enter" || event.key === " ") && !onButton) {
      action = () => {
        say(`With Shift this is for all ${placesOf[rows.group[selected]].length} places`);
        if (!digit) { goOn(selected); }
      };
    }
    if (action) { event.preventDefault(); action(); }
  }
  document.addEventListener("keydown", key);
  let frame = 0;
  $("list").addEventListener("scroll", () => {
    if (!frame) { frame = requestAnimationFrame(() => { frame = 0; draw(); }); }
  }, { passive: true });
  $("rows").addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) { return; }
    select(Number(row.dataset.index));
    if (rows.kind[selected] === MORE) { toggleGroup(rows.group[selected]); }
    $("list").focus();
  });
  $("share").addEventListener("change", () => { build(); status(); goOn(-1); });
  $("find").addEventListener("input", () => {
    sought = $("find").value.trim().toLocaleLowerCase(locale);
    build(); status(); $("list").scrollTop = 0; goOn(-1);
  });
  $("undo").addEventListener("click", undo);
  $("open-corrections").addEventListener("click", showCorrections);
  $("open-keys").addEventListener("click", () => $("keys").showModal());
  $("save").addEventListener("click", () => save(`${stem}.corrections.json`, corrections(), "application/json"));
  $("save-names").addEventListener("click", () => save(`${stem}.names.txt`, names().join("\n") + "\n", "text/plain"));
  $("open-file").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => {
    const file = $("file").files[0];
    if (file) { file.text().then(open); }
    $("file").value = "";
  });
  for (const id of ["corrections", "keys"]) { $(id).addEventListener("close", () => $("list").focus()); }
  window.addEventListener("pagehide", store);
  const resized = () => { build(); select(selected); };
  narrow.addEventListener("change", resized);
  new ResizeObserver(draw).observe($("list"));

  restore();
  build();
  status();
  goOn(-1);
  $("list").focus({ preventScroll: true });
}());
