import { z } from 'zod';
import { lintSeverity } from '../../../../src-shared/domain/lint.ts';
import { documentHead } from './documentHead.ts';

/** The JSON report of a lint. */
export const lintDocument = z.strictObject({
  ...documentHead('lint'),
  findings: z.array(
    z.strictObject({
      tool_id: z.string(),
      rule: z.string(),
      severity: lintSeverity,
      message: z.string(),
      fix: z.string(),
      span: z
        .tuple([z.int(), z.int()])
        .optional()
        .describe('In the description, as offsets [start, end).'),
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
      z.strictObject({
        tool_id: z.string(),
        score: z.number().min(1).max(10),
        deductions: z.array(
          z.strictObject({
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
    z.strictObject({ server: z.string(), score: z.number().min(1).max(10), tools: z.int() }),
  ),
});
