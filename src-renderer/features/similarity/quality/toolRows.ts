import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { deductionTitle } from '../../../../src-shared/display/qualityTexts.ts';
import type {
  LintDeduction,
  LintFinding,
  LintReport,
  LintSeverity,
  LintToolScore,
} from '../../../../src-shared/domain/lint.ts';

/** A tool with its score and, for each deduction, what the rule found. */
export interface ToolRow extends LintToolScore {
  server: string;
  name: string;
  deductions: (LintDeduction & { title: string; findings: LintFinding[] })[];
}

export interface QualityFilter {
  server: string | null;
  rule: string | null;
  severity: LintSeverity | null;
  search: string;
}

/** The tools with their findings, in the order of the report: the lowest score first. */
export function toolRows({ tools, findings }: Pick<LintReport, 'tools' | 'findings'>): ToolRow[] {
  const byTool = Map.groupBy(findings, ({ toolId }) => toolId);
  return tools.map((scored) => {
    const { server, tool } = splitToolId(scored.toolId);
    const own = byTool.get(scored.toolId) ?? [];
    return {
      ...scored,
      server,
      name: tool,
      deductions: scored.deductions.map((deduction) => ({
        ...deduction,
        title: deductionTitle(deduction.rule),
        findings: own.filter(({ rule }) => rule === deduction.rule),
      })),
    };
  });
}

/** Whether a tool has a deduction of the chosen rule and severity, and the text searched for. */
export function matchesFilter(row: ToolRow, filter: QualityFilter): boolean {
  const { server, rule, severity } = filter;
  const search = filter.search.trim().toLowerCase();
  const texts = [
    row.toolId,
    ...row.deductions.flatMap(({ rule: id, title, fix, findings }) => [
      id,
      title,
      fix,
      ...findings.map(({ message }) => message),
    ]),
  ];
  return (
    (server === null || row.server === server) &&
    ((rule === null && severity === null) ||
      row.deductions.some(
        (deduction) =>
          (rule === null || deduction.rule === rule) &&
          (severity === null || deduction.severity === severity),
      )) &&
    (search === '' || texts.some((text) => text.toLowerCase().includes(search)))
  );
}
