"""The looks of the summary page: the colours of the Studio, light and dark by the reader's choice."""

__all__ = ["STYLE"]

STYLE = """
:root { color-scheme: light dark; --surface: #fff; --raised: #f7f7f8; --track: #efeff2; --line: #e2e3e8;
  --ink: #16181d; --ink-2: #4a4e59; --ink-3: #5c616e; --accent: #3451e0;
  --ok: #0a7a55; --suspicious: #b87400; --failed: #b3261e; --quarantined: #7a3fa0;
  --suspicious-text: #8f5a00; --bar: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --surface: #17181c; --raised: #1d1f24; --track: #272a31; --line: #2c2f37;
  --ink: #eceef2; --ink-2: #b6bac6; --ink-3: #9297a5; --accent: #8a9cff;
  --ok: #4fc795; --suspicious: #f0b94f; --failed: #ff8b80; --quarantined: #c79bea;
  --suspicious-text: #f0b94f; --bar: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--surface); color: var(--ink);
  font: 14px/1.5 "Inter Variable", Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 924px; margin: 0 auto; padding: 40px 32px 64px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 4px; font-weight: 650; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 40px 0 12px; font-weight: 650; }
p { margin: 0 0 8px; color: var(--ink-2); }
.note { border-left: 3px solid var(--failed); padding: 2px 0 2px 12px; margin: 16px 0; color: var(--ink); }
.note p { color: var(--ink); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 12px; margin: 24px 0 20px; }
.tile { background: var(--raised); border-radius: 8px; padding: 14px 16px; }
.tile b { display: block; font-size: 22px; line-height: 1.25; font-weight: 600; }
.tile span { color: var(--ink-3); font-size: 12.5px; }
.stack { display: flex; gap: 2px; height: 18px; border-radius: 5px; overflow: hidden; background: var(--track); }
.stack i { min-width: 3px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 24px; list-style: none; margin: 10px 0 0; padding: 0; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
.legend span { color: var(--ink-3); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; color: var(--ink-3); font-size: 12.5px; padding: 0 12px 6px 0; }
td { border-top: 1px solid var(--line); padding: 7px 12px 7px 0; vertical-align: top; overflow-wrap: anywhere; }
td:last-child, th:last-child { padding-right: 0; }
th { white-space: nowrap; } td:has(> .status) { width: 1%; padding-right: 24px; }
.number { text-align: right; white-space: nowrap; overflow-wrap: normal; width: 1%; padding-right: 24px; }
.name { min-width: 160px; }
.track { background: var(--track); border-radius: 3px; height: 8px; margin-top: 6px; width: 100%; }
.track i { display: block; background: var(--bar); border-radius: 3px; height: 8px; }
.status { white-space: nowrap; font-weight: 550; }
.status.ok { color: var(--ok); } .status.suspicious { color: var(--suspicious-text); }
.status.failed { color: var(--failed); } .status.quarantined { color: var(--quarantined); }
.quiet { color: var(--ink-3); font-size: 12.5px; }
ul.examples { list-style: none; margin: 3px 0 0; padding: 0; color: var(--ink-3); font-size: 12.5px; }
ul.examples li { margin-top: 2px; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink-3); }
svg .grid line { stroke: var(--line); stroke-width: 1; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 20px 24px; margin-top: 20px; }
figure { margin: 0; } figcaption { margin-bottom: 4px; overflow-wrap: anywhere; }
figcaption span { color: var(--ink-3); }
@media (max-width: 560px) { main { padding: 24px 16px 40px; } .wide { display: none; }
  svg.large text { font-size: 20px; } }
@media print { main { padding: 0; } }
"""
