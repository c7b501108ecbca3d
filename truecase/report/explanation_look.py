"""Style and script of the explanation's page."""

STYLE = """
.kicker { margin: 0; } .lattice { padding: 10px; }
.drawing { display: block; max-width: none; margin: 0 auto; }
.scroll:has(> .drawing) { padding: 4px; }
.drawing .given { font-size: 13px; fill: var(--muted); font-style: italic; }
.edge { fill: none; stroke: var(--muted); }
.edge.path { stroke: var(--s0); stroke-width: 3.5; }
.node { cursor: pointer; outline: none; }
.node rect { fill: var(--card); stroke: var(--rule); stroke-width: 1.5; }
.node text.form { font: 500 14px ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; fill: var(--text); opacity: calc(.62 + .38 * var(--p, 1)); }
.node text.percent { font-size: 11px; }
.node text.more { font-size: 10px; }
.node.chosen rect { stroke: var(--s0); stroke-width: 2.5; }
.node.chosen text.form { font-weight: 700; }
.node:hover rect { fill: var(--faint); }
.node:focus-visible rect, .node.shown rect { fill: var(--faint); stroke: var(--s1); stroke-width: 3; }
.column .node text.form { font-size: 13px; }
.word { padding: 12px 16px 6px; } .word h3 { margin: 0 0 4px; }
.candidates { display: grid; gap: 0 24px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); }
.candidate { border-left: 3px solid var(--rule); padding: 2px 0 4px 12px; margin: 0 0 12px; }
.candidate.chosen { border-color: var(--s0); }
.candidate .head { margin: 0; } .candidate .form { font-size: 1.02rem; font-weight: 600; }
.badge { margin-left: 8px; padding: 1px 8px; border-radius: 9px; background: var(--s0); color: var(--card); font-size: .78rem; font-weight: 600; }
.note { margin: 2px 0; font-size: .88rem; color: var(--muted); }
.features { font-size: .86rem; } .features th, .features td { padding: 2px 12px 2px 0; }
.features tbody th { white-space: normal; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .82rem; }
.features .bars { width: 110px; min-width: 60px; padding-top: 7px; }
.bar { height: 9px; border-radius: 2px; min-width: 1px; } .bar.down { background: var(--bad); } .bar.up { background: var(--good); }
.total > * { font-weight: 700; border-top: 1px solid var(--rule) !important; }
#numbers {
  position: fixed; z-index: 2; left: 0; top: 0; margin: 0; padding: 12px 14px; max-width: min(440px, calc(100vw - 16px));
  max-height: 62vh; overflow: auto; box-shadow: 0 6px 26px rgb(0 0 0 / .28);
}
#numbers[hidden] { display: none; }
#numbers .candidate { margin: 0; border: 0; padding: 0; }
@media (max-width: 640px) {
  #numbers { left: 0 !important; right: 0; top: auto !important; bottom: 0; max-width: none; border-radius: 12px 12px 0 0; max-height: 46vh; }
  .features .bars { display: none; }
  .has-numbers main { padding-bottom: 48vh; }
}
"""

#: Shows a candidate's numbers beside it, and lets arrow keys walk the lattice.
SCRIPT = """
(function () {
  "use strict";
  var panel = document.getElementById("numbers"), shown = null;
  function hide() {
    if (shown) { shown.classList.remove("shown"); }
    shown = null; panel.hidden = true; document.body.classList.remove("has-numbers");
  }
  function show(node) {
    if (shown === node) { return; }
    var source = document.getElementById(node.dataset.numbers);
    if (!source) { return; }
    hide();
    var copy = source.cloneNode(true);
    copy.removeAttribute("id");
    panel.replaceChildren(copy);
    panel.hidden = false; shown = node; node.classList.add("shown");
    document.body.classList.add("has-numbers");
    var at = node.getBoundingClientRect(), size = panel.getBoundingClientRect();
    var left = Math.min(Math.max(8, at.left), window.innerWidth - size.width - 8);
    var top = at.bottom + 8;
    if (top + size.height > window.innerHeight - 8) { top = Math.max(8, at.top - size.height - 8); }
    panel.style.left = left + "px"; panel.style.top = top + "px";
  }
  function neighbour(node, columns, rows) {
    var drawing = node.closest("svg"), column = Number(node.dataset.column) + columns;
    var row = Number(node.dataset.row) + rows, best = null;
    drawing.querySelectorAll('.node[data-column="' + column + '"]').forEach(function (other) {
      var far = Math.abs(Number(other.dataset.row) - row);
      if (best === null || far < best.far) { best = { node: other, far: far }; }
    });
    return best && best.node;
  }
  document.querySelectorAll(".node").forEach(function (node) {
    node.addEventListener("focus", function () { show(node); });
    node.addEventListener("blur", hide);
    node.addEventListener("mouseenter", function () { show(node); });
    node.addEventListener("mouseleave", function () { if (document.activeElement !== node) { hide(); } });
    node.addEventListener("click", function () { node.focus(); show(node); });
    node.addEventListener("keydown", function (event) {
      var along = { ArrowRight: 1, ArrowLeft: -1 }, across = { ArrowDown: 1, ArrowUp: -1 };
      if (node.closest("svg").classList.contains("column")) {
        var swapped = along;
        along = { ArrowDown: 1, ArrowUp: -1 }; across = { ArrowRight: swapped.ArrowRight, ArrowLeft: swapped.ArrowLeft };
      }
      if (event.key === "Escape") { hide(); return; }
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(node); return; }
      var next = neighbour(node, along[event.key] || 0, across[event.key] || 0);
      if (next && (along[event.key] || across[event.key])) { event.preventDefault(); next.focus(); }
    });
  });
  window.addEventListener("scroll", function () { if (shown && document.activeElement !== shown) { hide(); } }, { passive: true });
}());
"""
