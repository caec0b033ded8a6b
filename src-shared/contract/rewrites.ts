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
  /** The newest first; of one evaluation, or of all. */
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
  /** Repeats the search half of the cases with the candidate: as often as one likes. */
  search: procedure.input(byId).output(rewrite),
  /** Repeats the proof half: once. */
  prove: procedure.input(byId).output(rewrite),
  /** Another description of the tool by a model, beside the tool that it is taken for most. */
  propose: procedure
    .input(target.extend({ model: modelConfiguration }))
    .output(z.object({ description: z.string() })),
  /**
   * The change as a JSON Patch, with what was found out about it. The server itself is never
   * changed.
   */
  export: procedure.input(byId).output(z.object({ fileName: z.string(), text: z.string() })),
};
