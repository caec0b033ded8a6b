import { z } from 'zod';
import { modelConfiguration } from '../domain/model.ts';
import { rewrite, rewritePlan } from '../domain/rewrite.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
const target = z.strictObject({
  evaluationId: z.string(),
  modelSettingsId: z.string().nullable().default(null),
  toolId: z.string(),
});

export const rewritesContract = {
  /** Newest first, of one evaluation or of all. */
  list: procedure
    .input(z.strictObject({ evaluationId: z.string().nullable() }))
    .output(z.array(rewrite)),
  plan: procedure.input(target).output(rewritePlan),
  add: procedure
    .input(
      target.extend({
        description: z.string().max(100_000),
        source: z.enum(['hand', 'rule', 'model']).default('hand'),
      }),
    )
    .output(rewrite),
  /** Repeats the search half of the cases with the candidate, any number of times. */
  search: procedure.input(byId).output(rewrite),
  /** Repeats the proof half, once only: repeating it would invalidate the test. */
  prove: procedure.input(byId).output(rewrite),
  /**
   * Asks a model for a new description of the tool, given the tool that it is most often confused
   * with.
   */
  propose: procedure
    .input(target.extend({ model: modelConfiguration }))
    .output(z.object({ description: z.string() })),
  /** The change as a JSON Patch, with its results. The server itself is never changed. */
  export: procedure.input(byId).output(z.object({ fileName: z.string(), text: z.string() })),
};
