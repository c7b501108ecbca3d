// A table that is wider than the page is a stop of Tab, so that the arrow keys can scroll it.
(function () {
  "use strict";
  var observer = new ResizeObserver(function (entries) {
    entries.forEach(function (entry) {
      var region = entry.target;
      if (region.scrollWidth > region.clientWidth) { region.tabIndex = 0; } else { region.removeAttribute("tabindex"); }
    });
  });
  document.querySelectorAll(".scroll[role=region]").forEach(function (region) { observer.observe(region); });
}());
