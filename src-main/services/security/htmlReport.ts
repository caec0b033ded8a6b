import type { DetectorReport, EntryFinding, ScoreReport, ToolFinding } from '../../../src-shared/domain/security.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import { allVisible } from '../../../src-shared/domain/visibleText.ts';
import { subjectOf } from './sarif.ts';

/** Everything foreign goes through here: control and invisible characters by name, markup as text. */
const escape = (text: string) => allVisible(text).replace(/[&<>"'`=]/g, (character) => `&#${character.charCodeAt(0)};`);

const rate = ({ value, low, high, n }: Estimate) => (value === null ? `– <small>n ${n}</small>` : `${value.toFixed(3)} <small>[${(low ?? 0).toFixed(2)}–${(high ?? 0).toFixed(2)}] n ${n}</small>`);

const style = `body{font:14px/1.5 system-ui,sans-serif;margin:32px;max-width:1200px;color:#1c2333;background:#fff}table{border-collapse:collapse;width:100%;margin:16px 0}th,td{border-bottom:1px solid #d5dae3;padding:6px 8px;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}small{color:#5a6478}code{font:12px/1.5 ui-monospace,monospace;unicode-bidi:isolate;white-space:pre-wrap;overflow-wrap:anywhere}.s{white-space:nowrap}
@media(prefers-color-scheme:dark){body{background:#141822;color:#e4e8f0}th,td{border-color:#343c4e}small{color:#a0a9bb}}`;

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${escape(title)}</title><style>${style}</style></head>
<body><h1>${escape(title)}</h1>
${body}
<p><small>Rules see signs, not intentions: what is not flagged was not proved harmless. Attacks in free paraphrase are out of the reach of rules.</small></p>
</body></html>
`;

function findingsTable(findings: readonly (EntryFinding | ToolFinding)[]): string {
  if (findings.length === 0) return '<p>No signals.</p>';
  const rows = findings.map((finding) => {
    const accepted = 'accepted' in finding && finding.accepted ? `<br><small>accepted: ${escape(finding.accepted.reason)}</small>` : '';
    return `<tr><td class="s">${finding.severity}</td><td><code>${escape(subjectOf(finding))}</code><br><small><code>${escape(finding.place)} ${finding.span[0]}–${finding.span[1]}</code></small></td><td>${escape(finding.detector)}<br><small>${escape(finding.rule)} · ${finding.category}</small></td><td><code>${escape(finding.text)}</code></td><td>${escape(finding.why)}${accepted}</td></tr>`;
  });
  return `<table><thead><tr><th>Severity</th><th>Where</th><th>Detector</th><th>Text</th><th>Why</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

/** One file without scripts and without requests. */
export function scanHtml(title: string, findings: readonly ToolFinding[], examined: number): string {
  return page(title, `<p>${examined} tools examined, ${findings.length} signals.</p>\n${findingsTable(findings)}`);
}

export function scoreHtml(title: string, report: ScoreReport): string {
  const row = (each: DetectorReport) =>
    `<tr><td>${escape(each.detector)}</td><td class="n">${each.tp}</td><td class="n">${each.fp}</td><td class="n">${each.tn}</td><td class="n">${each.fn}</td><td>${rate(each.precision)}</td><td>${rate(each.recall)}</td><td>${rate(each.f1)}</td><td>${rate(each.fpr)}</td><td>${rate(each.hardNegatives.fpr)}</td></tr>`;
  const table = `<table><thead><tr><th>Detector</th><th>TP</th><th>FP</th><th>TN</th><th>FN</th><th>Precision</th><th>Recall</th><th>F1</th><th>FPR</th><th>FPR, hard negatives</th></tr></thead><tbody>${[...report.perDetector, report.combined].map(row).join('\n')}</tbody></table>`;
  const list = (ids: readonly string[]) => (ids.length === 0 ? '<p>None.</p>' : `<p>${ids.map((id) => `<code>${escape(id)}</code>`).join(', ')}</p>`);
  return page(title, `<p>Corpus version ${escape(report.corpusVersion)}, ${report.entries} entries (${report.half}). Intervals are 95 % Wilson.</p>\n${table}\n<h2>False alarms</h2>${list(report.falseAlarms)}\n<h2>Missed</h2>${list(report.missed)}\n<h2>Findings</h2>${findingsTable(report.findings)}`);
}
