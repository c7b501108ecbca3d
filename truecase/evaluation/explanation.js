// Shows a candidate's numbers beside it, and lets arrow keys walk the lattice.
(function () {
  "use strict";
  var panel = document.getElementById("numbers"), shown = null, touching = false;
  var narrow = window.matchMedia("(max-width: 640px)");
  panel.tabIndex = -1;
  function hide() {
    if (shown) { shown.classList.remove("shown"); }
    shown = null; panel.hidden = true; document.body.classList.remove("has-numbers");
  }
  function closeButton() {
    var button = document.createElement("button");
    button.type = "button"; button.className = "close"; button.textContent = "×";
    button.setAttribute("aria-label", "Close");
    button.addEventListener("click", hide);
    return button;
  }
  function show(node) {
    var source = document.getElementById(node.dataset.numbers);
    if (shown === node || !source) { return; }
    hide();
    var copy = source.cloneNode(true);
    copy.removeAttribute("id");
    panel.replaceChildren(closeButton(), copy);
    panel.hidden = false; shown = node; node.classList.add("shown");
    document.body.classList.add("has-numbers");
    var at = node.getBoundingClientRect(), size = panel.getBoundingClientRect();
    if (narrow.matches) {
      // The sheet at the bottom must not hide the node that it is about.
      if (at.bottom > size.top - 16) { window.scrollBy(0, at.bottom - size.top + 16); }
      return;
    }
    var left = Math.min(Math.max(8, at.left), window.innerWidth - size.width - 8);
    var top = at.bottom + 8;
    if (top + size.height > window.innerHeight - 8) { top = Math.max(8, at.top - size.height - 8); }
    panel.style.left = left + "px"; panel.style.top = top + "px";
  }
  function neighbour(node, columns, rows) {
    var drawing = node.closest(".drawing"), column = Number(node.dataset.column) + columns;
    var row = Number(node.dataset.row) + rows, best = null;
    drawing.querySelectorAll('.node[data-column="' + column + '"]').forEach(function (other) {
      var far = Math.abs(Number(other.dataset.row) - row);
      if (best === null || far < best.far) { best = { node: other, far: far }; }
    });
    return best && best.node;
  }
  function sideways(x, y, endX, endY) {
    var middle = (x + endX) / 2;
    return "M" + x + "," + y + " C" + middle + "," + y + " " + middle + "," + endY + " " + endX + "," + endY;
  }
  function downward(x, y, endX, endY) {
    var middle = (y + endY) / 2;
    return "M" + x + "," + y + " C" + x + "," + middle + " " + endX + "," + middle + " " + endX + "," + endY;
  }
  // Edges lead from box to box, wherever the style has laid them out.
  function drawEdges(drawing) {
    var whole = drawing.getBoundingClientRect(), boxes = {};
    drawing.querySelectorAll(".node").forEach(function (node) {
      var box = node.getBoundingClientRect();
      boxes[node.dataset.numbers] = {
        left: box.left - whole.left, right: box.right - whole.left, x: (box.left + box.right) / 2 - whole.left,
        top: box.top - whole.top, bottom: box.bottom - whole.top, y: (box.top + box.bottom) / 2 - whole.top
      };
    });
    drawing.querySelectorAll(".edge").forEach(function (edge) {
      var from = boxes[edge.dataset.from], to = boxes[edge.dataset.to], curve;
      if (narrow.matches) {
        curve = downward(from.x, from.bottom, to.x, to.top);
      } else if (to.left > from.right) {
        curve = sideways(from.right, from.y, to.left, to.y);
      } else {
        // Out at the right of one row, in again at the left of the next.
        curve = sideways(from.right, from.y, whole.width, from.y) + " " + sideways(0, to.y, to.left, to.y);
      }
      edge.setAttribute("d", curve);
    });
  }
  var sizes = new ResizeObserver(function (entries) { entries.forEach(function (entry) { drawEdges(entry.target); }); });
  // Tab stops once at each drawing: at the form that had the focus last, at first the first word's.
  function stopAt(stop) {
    stop.closest(".drawing").querySelectorAll(".node").forEach(function (node) {
      node.setAttribute("tabindex", node === stop ? "0" : "-1");
    });
  }
  document.querySelectorAll(".drawing").forEach(function (drawing) {
    stopAt(drawing.querySelector(".node.chosen"));
    sizes.observe(drawing);
  });
  document.querySelectorAll(".node").forEach(function (node) {
    // A tap shows the numbers when it ends: a sheet that opened before would be what is tapped.
    node.addEventListener("pointerdown", function (event) { touching = event.pointerType !== "mouse"; });
    node.addEventListener("pointercancel", function () { touching = false; });
    node.addEventListener("click", function () { touching = false; node.focus({ preventScroll: true }); show(node); });
    node.addEventListener("focus", function () { stopAt(node); if (!touching) { show(node); } });
    node.addEventListener("blur", function (event) {
      var next = event.relatedTarget;
      // Without the sheet the page is shorter: its end would move away from under a finger.
      if (!panel.contains(next) && !(next && next.classList.contains("node"))) { hide(); }
    });
    node.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse" && !narrow.matches) { show(node); }
    });
    node.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse" && !narrow.matches && document.activeElement !== node) { hide(); }
    });
    node.addEventListener("keydown", function (event) {
      var along = { ArrowRight: 1, ArrowLeft: -1 }, across = { ArrowDown: 1, ArrowUp: -1 };
      if (narrow.matches) {
        var swapped = along;
        along = across; across = swapped;
      }
      if (event.key === "Escape") { hide(); return; }
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(node); return; }
      var next = neighbour(node, along[event.key] || 0, across[event.key] || 0);
      if (next && (along[event.key] || across[event.key])) { event.preventDefault(); next.focus(); }
    });
  });
  panel.addEventListener("focusout", function (event) { if (!panel.contains(event.relatedTarget)) { hide(); } });
  panel.addEventListener("keydown", function (event) { if (event.key === "Escape") { hide(); } });
  window.addEventListener("scroll", function () {
    var focused = document.activeElement;
    if (shown && focused !== shown && !panel.contains(focused)) { hide(); }
  }, { passive: true });
}());
