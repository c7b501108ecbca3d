"""The look of all pages: light and dark, from 320 pixels up."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #ffffff; --text: #1f2328; --muted: #5f6771; --rule: #dedbd5;
  --faint: #eceae5; --link: #0b57a4; --good: #1a7f4b; --bad: #b3261e;
  --s0: #0b62b8; --s1: #c2500a; --s2: #14805e; --s3: #8a3fa0; --s4: #8a6d00; --s5: #b0305c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2025; --text: #e7e9ec; --muted: #a0a8b2; --rule: #363c44;
    --faint: #282d34; --link: #86bbf7; --good: #5fcf97; --bad: #ff8f85;
    --s0: #6cb1ff; --s1: #ff9f5c; --s2: #55cfa3; --s3: #d39af0; --s4: #e2c04c; --s5: #ff8fb3;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 1120px; margin: 0 auto; padding: 28px 28px 64px; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 4px; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 44px 0 4px; }
h3 { font-size: 1rem; margin: 20px 0 6px; }
p { margin: 4px 0 12px; max-width: 82ch; text-wrap: pretty; }
.muted, figcaption, small { color: var(--muted); }
.break { overflow-wrap: anywhere; }
code, .form { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
.card > h3:first-child { margin-top: 0; }
.card {
  background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 16px 18px; margin: 12px 0;
}
.tiles { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
.tile { margin: 0; padding: 14px 16px; }
.tile b { display: block; font-size: 1.65rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile span { color: var(--muted); font-size: .86rem; }
.pair { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 430px), 1fr)); }
.pair > * { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, summary:focus-visible, a:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px;
}
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .93rem; }
th, td { padding: 5px 12px 5px 0; text-align: right; white-space: nowrap; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
th { font-weight: 600; color: var(--muted); border-bottom: 1px solid var(--rule); }
tbody tr + tr > * { border-top: 1px solid var(--faint); }
tbody th { color: var(--text); font-weight: 500; border-bottom: 0; }
.left { text-align: left; }
.best { font-weight: 700; }
.heat td.cell { padding: 6px 10px; border-radius: 4px; min-width: 62px; }
.heat td.right { color: var(--muted); }
.heat td.wrong { background: color-mix(in srgb, var(--bad) calc(var(--share) * 1%), transparent); }
details > summary { cursor: pointer; color: var(--link); font-size: .93rem; margin-top: 8px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: .9rem; margin: 4px 0 6px; padding: 0; list-style: none; }
.legend svg { vertical-align: -2px; margin-right: 6px; }
figure { margin: 0; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { font-size: .88rem; margin-top: 4px; }
.narrow { display: none; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--muted); }
svg .value { fill: var(--text); font-variant-numeric: tabular-nums; }
svg .strong { fill: var(--text); font-weight: 600; }
svg .grid { stroke: var(--faint); }
svg .axis { stroke: var(--rule); }
svg .words { fill: var(--faint); }
.fill0 { fill: var(--s0); } .fill1 { fill: var(--s1); } .fill2 { fill: var(--s2); }
.fill3 { fill: var(--s3); } .fill4 { fill: var(--s4); } .fill5 { fill: var(--s5); }
.line0 { stroke: var(--s0); } .line1 { stroke: var(--s1); } .line2 { stroke: var(--s2); }
.line3 { stroke: var(--s3); } .line4 { stroke: var(--s4); } .line5 { stroke: var(--s5); }
.series { fill: none; stroke-width: 2; stroke-linejoin: round; }
.dot { stroke: var(--card); stroke-width: 1.5; }
.few { opacity: .45; }
.errors { width: 100%; table-layout: auto; }
.errors td.context { text-align: left; white-space: normal; min-width: 300px; color: var(--muted); font-size: .88rem; overflow-wrap: anywhere; }
.errors .context div + div { margin-top: 3px; }
.errors td:first-child, .errors td:nth-child(2) { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 132px; max-width: 220px; }
ins { color: var(--good); text-decoration: none; font-weight: 600; }
del { color: var(--bad); text-decoration: line-through; text-decoration-thickness: 1px; }
footer { margin-top: 48px; color: var(--muted); font-size: .85rem; }
@media (max-width: 640px) {
  main { padding: 18px 14px 40px; }
  h1 { font-size: 1.35rem; } h2 { margin-top: 34px; }
  .card { padding: 12px; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 8px; } .tile b { font-size: 1.35rem; } .tile { padding: 10px 12px; }
  table { font-size: .86rem; } th, td { padding-right: 9px; }
  .scroll tbody th { white-space: normal; min-width: 84px; position: sticky; left: 0; background: var(--card); }
  .heat td.cell { padding: 4px 4px; min-width: 0; font-size: .8rem; } .heat th { padding-right: 4px; font-size: .8rem; }
  .wide { display: none; } .narrow { display: block; }
  .errors, .errors tbody, .errors tr { display: block; }
  .errors thead { display: none; }
  .errors tr { padding: 8px 0; }
  .errors td { display: inline-block; padding: 0 12px 0 0; border: 0 !important; }
  .errors td.context { display: block; min-width: 0; margin-top: 2px; }
  .errors td[data-of]::before { content: attr(data-of) " "; color: var(--muted); font-size: .85rem; }
}
@media print { body { background: #fff; } .card { break-inside: avoid; } }
"""
