/** The look of the window's light and dark theme; print is always light. */
const light = `
color-scheme:light;--surface:#f8fafc;--raised:#fff;--sunken:#eff3f8;--line:#d8dfe9;--line-strong:#7d8ba1;--ink:#0f172a;--soft:#4f5d74;--accent:#4338ca;--accent-soft:#ecebff;
--good:#006448;--warning:#785200;--bad:#a33d00;--heat:79,70,229;--edge:rgb(15 23 42/38%);--hatch:rgb(15 23 42/24%);--cell:#eef2f7;--cell-ink:#4f5d74;
--pass-bar:#a5dccb;--pass-on:#063d2e;--pass-ink:#006448;--wrong-soft:#fde3d3;--wrong-ink:#97390a;--none-soft:#fdedc6;--none-ink:#704c00;--args-soft:#dcedf9;--args-ink:#005b8f;--extra-soft:#f8e3ef;--extra-ink:#84305f;--made-soft:#def1fb;--made-ink:#0b5a82;--rest-soft:#e4eaf2;`;
const dark = `
color-scheme:dark;--surface:#0f1522;--raised:#161e2e;--sunken:#0b101a;--line:#2b374b;--line-strong:#6b7a94;--ink:#e6ebf4;--soft:#9fadc3;--accent:#b3bbff;--accent-soft:#252a55;
--good:#45d3a5;--warning:#f2b945;--bad:#ff9d5e;--heat:129,124,240;--edge:rgb(255 255 255/22%);--hatch:rgb(255 255 255/24%);--cell:#1f293b;--cell-ink:#9fadc3;
--pass-bar:#0f5646;--pass-on:#c9f2e3;--pass-ink:#45d3a5;--wrong-soft:#43240f;--wrong-ink:#ffab78;--none-soft:#3a2d0b;--none-ink:#f5c45c;--args-soft:#0d2f48;--args-ink:#7cc4f0;--extra-soft:#3c2233;--extra-ink:#ecb3d3;--made-soft:#12334a;--made-ink:#8fd3fb;--rest-soft:#263145;`;

/** One color per outcome: fill, text on the fill, tint, text on the tint. */
const outcomeColors = `
.c-passed{--c:#009e73;--on:#06121f;--tint:var(--raised);--tint-ink:var(--pass-ink)}
.c-wrong_tool{--c:#d55e00;--on:#06121f;--tint:var(--wrong-soft);--tint-ink:var(--wrong-ink)}
.c-no_tool_called,.c-missing_call{--c:#e69f00;--on:#06121f;--tint:var(--none-soft);--tint-ink:var(--none-ink)}
.c-wrong_arguments{--c:#0072b2;--on:#fff;--tint:var(--args-soft);--tint-ink:var(--args-ink)}
.c-unneeded_call{--c:#cc79a7;--on:#06121f;--tint:var(--extra-soft);--tint-ink:var(--extra-ink)}
.c-made_up_tool{--c:#56b4e9;--on:#06121f;--tint:var(--made-soft);--tint-ink:var(--made-ink)}
.c-not_scored{--c:#64748b;--on:#fff;--tint:var(--rest-soft);--tint-ink:var(--soft)}
.c-not_run{--c:var(--raised);--on:var(--soft);--tint:var(--raised);--tint-ink:var(--soft)}
`;

const text = `
*{box-sizing:border-box}
body{margin:0;padding:24px;background:var(--sunken);color:var(--ink);font:400 13.5px/1.5 "Inter Variable",system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-ligatures:none}
.sheet{max-width:8.5in;margin:0 auto 24px;padding:.5in .6in;border:1px solid var(--line);background:var(--raised)}.sheet.wide{max-width:1280px}
h1,h2,p,ul,dl,dd{margin:0;padding:0}ul{list-style:none}
h1{font-size:22px;line-height:1.25;letter-spacing:-.015em;margin-top:16px}h2{font-size:14px;margin:20px 0 6px}.appendix{margin:0;font-size:19px}h2 small{font-weight:400}p{margin:4px 0 10px}
small,.soft{color:var(--soft)}small{font-size:12px}a{color:var(--accent)}a:focus-visible,th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,.f code{font:12px/1.5 "JetBrains Mono Variable",ui-monospace,"Cascadia Mono",Menlo,monospace}
.f{unicode-bidi:isolate;overflow-wrap:anywhere;white-space:pre-wrap}.num,.n{font-variant-numeric:tabular-nums}
.top{display:flex;align-items:center;gap:10px;padding-bottom:10px;border-bottom:1px solid var(--line);font-size:12.5px;color:var(--soft)}.top b{color:var(--ink);font-weight:600}.top .when{margin-left:auto;text-align:right}
.stone{width:18px;height:18px;flex:none;border-radius:5px;background:linear-gradient(135deg,transparent 42%,#e6b422 42% 56%,transparent 56%),#33405a}
.sub{margin:0 0 12px;color:var(--soft);font-size:13px}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:3px 16px;margin:12px 0;font-size:13px}.facts dt{color:var(--soft)}.facts dd{overflow-wrap:anywhere}
.symbols{position:absolute;width:0;height:0}.g{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
.m{display:inline-grid;place-items:center;width:18px;height:18px;flex:none;border-radius:4px;background:var(--c);box-shadow:inset 0 0 0 1px var(--edge);color:var(--on);font-size:13px;vertical-align:-4px}
.o{white-space:nowrap}.o .m{margin-right:7px}.o .c-passed.m,.good,.o.c-passed{color:var(--good)}.o .c-passed.m{background:none;box-shadow:none}.bad{color:var(--bad)}.warning{color:var(--warning)}.o:not(.soft){font-weight:500}
.sign{display:inline-block;min-width:14px;font-weight:700}
`;

const opening = `
.verdict{border:1px solid var(--line);border-radius:6px;margin:12px 0;break-inside:avoid}.verdict p,.verdict ul{margin:0}
.verdict .body{padding:14px 18px 12px}.verdict .body>*+*{margin-top:8px}.verdict .next{padding:8px 18px 9px;border-top:1px solid var(--line);font-size:13.5px}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px;font-size:17px;font-weight:600}.head strong{font-weight:600;font-size:26px;line-height:1.2;letter-spacing:-.02em}.head .soft{font-size:13px;font-weight:400}
.opening .head strong{font-size:20px}
.bar{display:block;width:100%;height:20px;overflow:visible}.bar rect{fill:var(--c);stroke:var(--raised);stroke-width:2}.bar .c-passed rect{fill:var(--pass-bar)}.bar .c-not_run rect{fill:var(--rest-soft)}
.bar svg{overflow:visible}.bar text{font-size:12px;font-weight:600;fill:var(--on);font-variant-numeric:tabular-nums}.bar .c-passed{--on:var(--pass-on)}.bar .g{stroke:var(--on);overflow:visible}
.models{display:grid;grid-template-columns:fit-content(190px) minmax(160px,1fr) repeat(3,max-content);gap:5px 10px;align-items:center;font-size:12.5px}.models li{display:contents}.models .f{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.models .bar{height:18px}.models span,.models b{text-align:right}
.whisker{display:block;width:100%;height:8px;margin-top:3px!important;overflow:visible}.whisker line{stroke:var(--line-strong)}.whisker circle{fill:var(--soft)}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;align-items:center}.legend li{display:inline-flex;align-items:center;gap:7px}
`;

const cover = `
.cols{display:grid;grid-template-columns:286px minmax(0,1fr);gap:0 26px;align-items:start}.cols.even{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}.cols h2{margin-top:16px}.pair{display:flex;gap:.4em;min-width:0;white-space:nowrap}.pair .f{flex:0 1 auto;min-width:3em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.ranks{display:grid;grid-template-columns:18px minmax(0,max-content) max-content minmax(24px,1fr);align-items:center;gap:6px 8px;font-size:13px}.ranks li{display:contents}.ranks b{text-align:right;font-variant-numeric:tabular-nums}.ranks svg.track{width:100%;height:10px}.ranks rect{fill:var(--c);stroke:var(--edge)}.ranks+.note{padding-left:26px}
.reasons li{display:flex;gap:10px;padding:4px 0;font-size:13px}
.note{margin:6px 0 0;color:var(--soft);font-size:12px}
.requests{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 26px;font-size:12.5px}.requests.one{display:block}.requests>li{margin-bottom:7px;break-inside:avoid}.requests .title{display:flex;align-items:center;gap:7px}.requests .pair,.requests .pair code{font-weight:600}.requests .q{display:block;padding-left:25px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft)}
.broken{font-size:12.5px}.broken>li{padding:4px 0 5px;border-top:1px solid var(--line);break-inside:avoid}.broken .title{display:flex;gap:8px;align-items:baseline}.broken .title code{font-weight:600;flex:none;max-width:40%}.broken .q{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft)}.broken .differs{display:block;font-weight:600}.broken>.line{padding:1px 0;border:0}.broken>li:not(.line)+.line{padding-top:5px;border-top:1px solid var(--line)}.broken .line .differs{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:400}.broken .call{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft);font-size:12px}
.numbers{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));border:1px solid var(--line);border-radius:6px;break-inside:avoid}.numbers>div{padding:8px 12px}.numbers>div+div{border-left:1px solid var(--line)}.numbers dt{color:var(--soft);font-size:11.5px;font-weight:500}.numbers b{font-size:16px;font-weight:600}.numbers dd span{margin-left:6px;color:var(--soft);font-size:11.5px;white-space:nowrap}.numbers .note{margin:0;font-size:11.5px;line-height:1.4}
.foot{margin:12px 0 0;color:var(--soft);font-size:11.5px}
`;

const tables = `
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:12.5px}th,td{border-bottom:1px solid var(--line);padding:5px 10px 5px 0;text-align:left;vertical-align:top;line-height:1.45}
th{font-weight:500;color:var(--soft);font-size:11.5px;white-space:nowrap}thead th{position:sticky;top:0;background:var(--raised)}td.n,th.n{text-align:right;white-space:nowrap;padding-right:16px}
th button{all:unset;cursor:pointer}th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}
table.matrix{width:auto;border-collapse:separate;border-spacing:2px;font-size:12px}.matrix th,.matrix td{border:0;padding:0}.matrix thead td,.matrix thead th{position:static;vertical-align:bottom;padding-bottom:3px;color:var(--soft);font-size:10px;letter-spacing:-.02em;font-weight:500;line-height:1.25;text-align:center;white-space:normal;background:none}.matrix thead td{padding-right:8px;text-align:left;white-space:nowrap}
.matrix .f{overflow-wrap:normal}.matrix tbody .f{white-space:nowrap}.matrix thead th.band{max-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding:1px 3px;border-radius:4px;background:var(--cell);font-size:10.5px}.matrix thead .band .f{display:inline!important;writing-mode:horizontal-tb!important;transform:none!important;white-space:nowrap}.matrix tbody th{vertical-align:middle;white-space:nowrap;padding-right:8px;max-width:220px;overflow:hidden;text-overflow:ellipsis;text-align:right;font-size:11.5px;font-weight:500;color:var(--ink)}
.matrix tbody td{width:46px;min-width:34px;height:27px;border-radius:4px;background:color-mix(in srgb,var(--cell) 45%,transparent);text-align:center;vertical-align:middle;font-weight:600;font-variant-numeric:tabular-nums}.matrix td a{display:block;color:inherit;text-decoration:none;line-height:27px}
.matrix td.ok{background:var(--cell);color:var(--cell-ink);font-weight:500}.matrix td.e1{background:var(--tint);color:var(--tint-ink);box-shadow:inset 0 0 0 1.5px var(--c)}.matrix td.e2{background:var(--c);color:var(--on);box-shadow:inset 0 0 0 1px var(--edge)}
.matrix.upright td{width:26px;min-width:22px;height:21px}.matrix.upright td a{line-height:21px}.matrix.upright thead th span{display:block;max-height:92px;margin:0 auto;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;writing-mode:vertical-rl;transform:rotate(180deg)}
.h1{background:rgba(var(--heat),.10)!important}.h2{background:rgba(var(--heat),.22)!important}.h3{background:rgba(var(--heat),.36)!important}.h4{background:rgba(var(--heat),.52)!important}
#filter{display:flex;gap:12px;align-items:center;background:var(--accent-soft);border-radius:6px;padding:6px 12px;margin:8px 0}#filter[hidden]{display:none}#filter button{font:inherit}
`;

const media = `
@media screen and (max-width:760px){body{padding:0}.sheet{padding:16px;border-width:0 0 1px}.cols,.requests,.numbers{display:block}.facts{grid-template-columns:1fr}.numbers>div+div{border-left:0;border-top:1px solid var(--line)}}
@media print{td.n,th.n{padding-right:8px}@page{margin:11mm 13mm 12mm;@bottom-right{content:"Page " counter(page) " of " counter(pages);font:8pt "Inter Variable",sans-serif;color:#4f5d74}}
:root{${light}--sunken:#fff}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{padding:0;font-size:12.5px}.sheet,.sheet.wide{max-width:none;margin:0;padding:0;border:0}.sheet+.sheet{break-before:page}
.scroll{overflow:visible}thead{display:table-header-group}thead th{position:static}tr,.facts{break-inside:avoid}h1{margin-top:10px}.top{padding-bottom:6px}.requests>li{margin-bottom:4px}.sub{margin-bottom:8px}.cols:not(.even){grid-template-columns:270px minmax(0,1fr);column-gap:22px}.verdict{margin:8px 0}.verdict .body{padding:11px 18px 9px}.appendix{margin-top:0!important}h2,.cols h2{margin-top:9px;break-after:avoid}.numbers>div{padding:6px 12px}.foot{margin-top:7px}.next{padding-block:6px!important}th,td.n,th.n{white-space:normal}td.n small{white-space:nowrap}table{font-size:11px}.matrix{break-inside:avoid}.matrix th,.matrix td{font-size:11px}a{color:inherit;text-decoration:none}#filter{display:none}.matrix.upright thead th span{max-height:80px}.matrix.upright{table-layout:fixed;width:100%}.matrix.upright thead tr:first-child td:first-child{width:170px}.matrix.upright thead td{width:auto}.matrix.upright tbody td,.matrix.upright thead th{width:auto;min-width:0;max-width:26px}.matrix.upright tbody th{max-width:170px}.f{overflow-wrap:anywhere}}
`;

export const style =
  `:root{${light}}\n@media(prefers-color-scheme:dark){:root{${dark}}}` +
  [outcomeColors, text, opening, cover, tables, media].join('');
