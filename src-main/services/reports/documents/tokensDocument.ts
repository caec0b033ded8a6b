import { z } from 'zod';
import type { TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { encodingName } from '../../../../src-shared/domain/tokens.ts';
import { costPerThousand } from '../../../../src-shared/metrics/tokenCuts.ts';
import { documentHead } from './documentHead.ts';
import { published } from './published.ts';

const count = z.int().min(0);

type Tool = TokenReport['tools'][number];
type CountedModel = NonNullable<TokenReport['model']> & Pick<TokenReport, 'total'>;

/** The JSON report of a token count, with the budget that it was held against. */
export const tokensDocument = published<TokenReport & { limit: number | null }>()({
  ...documentHead('tokens'),
  encoding: encodingName,
  model: [
    published<CountedModel>()({
      provider: z.string(),
      model: z.string(),
      format: z.string(),
      usd_per_1000_requests: [
        z.number().nullable().describe('Null if no price is known.'),
        ({ total, price }) => costPerThousand(total, price),
      ],
    })
      .nullable()
      .describe('The model whose format was counted; null for tools as listed.'),
    ({ model, total }) => model && { ...model, total },
  ],
  tools: z.array(
    published<Tool>()({
      tool_id: z.string(),
      token_count: count,
      parts: published<Tool['parts']>()({
        name: count,
        description: count,
        input_schema: count,
        output_schema: count,
        structure: count,
      }).describe('They sum to the whole exactly.'),
      body_tokens: count
        .describe('Only for a skill: tokens of its body, loaded when it is used. In no sum.')
        .optional(),
    }),
  ),
  servers: z.array(
    published<TokenReport['servers'][number]>()({ server: z.string(), token_count: count }),
  ),
  total: count,
  formats: z.array(
    published<TokenReport['formats'][number]>()({
      format: z.string(),
      token_count: z.number(),
      basis: z.enum(['estimated', 'measured']),
      requests: z.int().nullable(),
      note: z.string(),
    }),
  ),
  budget: [
    z.strictObject({ limit: count, passed: z.boolean() }).nullable(),
    ({ limit, total }) => (limit === null ? null : { limit, passed: total <= limit }),
  ],
});
