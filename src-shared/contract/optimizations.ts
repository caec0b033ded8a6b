import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  optimization,
  optimizationPlan,
  optimizationSettings,
  optimizationSummary,
} from '../domain/optimization.ts';
import { patchFormat } from '../domain/candidate.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
/** A finished evaluation: its cases, tools, model and outcomes are what is improved. */
const request = optimizationSettings.extend({
  evaluationId: z.string(),
  modelSettingsId: z.string().nullable().default(null),
});

export const optimizationsContract = {
  /** Newest first. */
  list: procedure.output(z.array(optimizationSummary)),
  get: procedure.input(byId).output(optimization),
  /** What it would use, and what its proof half can show. Nothing is sent. */
  plan: procedure.input(request).output(optimizationPlan),
  start: procedure.input(request).output(optimization),
  /** The whole optimization after each step, until it runs no more. */
  watch: procedure.input(byId).output(eventIterator(optimization)),
  /** Ends after the answers in flight; a resume goes on from there. */
  pause: procedure.input(byId).output(optimization),
  resume: procedure.input(byId).output(optimization),
  /** Ends for good, without a proof. */
  cancel: procedure.input(byId).output(optimization),
  /** The proved edits as a file. The server itself is never changed. */
  export: procedure
    .input(byId.extend({ format: patchFormat }))
    .output(z.object({ fileName: z.string(), text: z.string() })),
};
