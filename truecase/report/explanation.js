// Shows a candidate's numbers beside it, and lets arrow keys walk the lattice.
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
