import { z } from 'zod';
import { encodingName } from '../../../../src-shared/domain/tokens.ts';
import { documentHead } from './documentHead.ts';

/** A number of tokens. */
const count = z.int().min(0);

/** The JSON report of a token count. */
export const tokensDocument = z.strictObject({
  ...documentHead('tokens'),
  encoding: encodingName,
  model: z
    .strictObject({
      provider: z.string(),
      model: z.string(),
      format: z.string(),
      usd_per_1000_requests: z.number().nullable().describe('Null if no price is known.'),
    })
    .nullable()
    .describe('The model whose format was counted; null for tools as listed.'),
  tools: z.array(
    z.strictObject({
      tool_id: z.string(),
      token_count: count,
      parts: z
        .strictObject({
          name: count,
          description: count,
          input_schema: count,
          output_schema: count,
          structure: count,
        })
        .describe('They sum to the whole exactly.'),
      body_tokens: count
        .describe('Only for a skill: tokens of its body, loaded when it is used. In no sum.')
        .optional(),
    }),
  ),
  servers: z.array(z.strictObject({ server: z.string(), token_count: count })),
  total: count,
  formats: z.array(
    z.strictObject({
      format: z.string(),
      token_count: z.number(),
      basis: z.enum(['estimated', 'measured']),
      requests: z.int().nullable(),
      note: z.string(),
    }),
  ),
  budget: z.strictObject({ limit: count, passed: z.boolean() }).nullable(),
});
