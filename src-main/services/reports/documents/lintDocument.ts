import { z } from 'zod';
import {
  lintSeverity,
  type LintDeduction,
  type LintFinding,
  type LintReport,
  type LintToolScore,
} from '../../../../src-shared/domain/lint.ts';
import { documentHead } from './documentHead.ts';
import { published } from './published.ts';

export const lintDocument = published<LintReport>()({
  ...documentHead('lint'),
  findings: z.array(
    published<LintFinding>()({
      tool_id: z.string(),
      rule: z.string(),
      severity: lintSeverity,
      message: z.string(),
      fix: z.string(),
      span: [
        z
          .tuple([z.int(), z.int()])
          .optional()
          .describe('In the description, as offsets [start, end).'),
        ({ span }) => span ?? undefined,
      ],
      place: z
        .string()
        .optional()
        .describe('JSON pointer within the tool; #name after it means the key itself.'),
      refused_by: z
        .array(z.strictObject({ client: z.string(), source: z.string() }))
        .optional()
        .describe('Programs and providers that refuse it, each with how that is known.'),
    }),
  ),
  tools: z
    .array(
      published<LintToolScore>()({
        tool_id: z.string(),
        score: z.number().min(1).max(10),
        deductions: z.array(
          published<LintDeduction>()({
            rule: z.string(),
            severity: lintSeverity,
            points: z.int(),
            fix: z.string(),
          }),
        ),
      }),
    )
    .describe('The lowest score first.'),
  servers: z.array(
    published<LintReport['servers'][number]>()({
      server: z.string(),
      score: z.number().min(1).max(10),
      tools: z.int(),
    }),
  ),
});
