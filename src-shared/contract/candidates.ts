import { z } from 'zod';
import { modelConfiguration } from '../domain/model.ts';
import {
  editCheck,
  patchFormat,
  candidate,
  candidateSubject,
  sourceChoice,
  sourcePlace,
  toolProblem,
  unreadSource,
} from '../domain/candidate.ts';
import { textEdit } from '../domain/textEdit.ts';
import { agreement } from '../domain/taskEvaluation.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
/** What a person agreed to. Test cases execute nothing. */
const started = byId.extend(agreement);
const target = z.strictObject({
  evaluationId: z.string(),
  modelSettingsId: z.string().nullable().default(null),
  toolId: z.string(),
});
/** `places`: the chosen ones of `choices`, as `file:line`. */
const withPlaces = byId.extend({ places: z.array(z.string().max(5000)).max(1000).optional() });
/** Without a result, a draft is written against what the server offers now. */
const optionalTarget = target.extend({ evaluationId: z.string().nullable() });
const edits = z.array(textEdit).max(1000);

export const candidatesContract = {
  /** Newest first, of one tool or one evaluation, or all. `putAway`: those that were removed. */
  list: procedure
    .input(
      z.strictObject({
        evaluationId: z.string().nullish(),
        toolId: z.string().nullish(),
        putAway: z.boolean().optional(),
      }),
    )
    .output(z.array(candidate)),
  /** Proven candidates of all tools that their servers don't offer yet, newest first. */
  proven: procedure.output(z.array(candidate)),
  /** What a tool is edited from. A result or model that is gone is replaced by the default. */
  subject: procedure
    .input(
      z.strictObject({
        toolId: z.string(),
        evaluationId: z.string().nullable().default(null),
        modelSettingsId: z.string().nullable().default(null),
      }),
    )
    .output(candidateSubject),
  /** What a tool fails at, with advice, and what the cases can prove. `candidateId`: with its estimate. */
  problem: procedure
    .input(target.extend({ candidateId: z.string().nullable().default(null) }))
    .output(toolProblem),
  /** What can be said about edits without a run. */
  check: procedure.input(optionalTarget.extend({ edits })).output(editCheck),
  /**
   * Refused if the edits change nothing, or if a candidate has the same ones. A draft with the same
   * ones that was never tried is tried on this result instead.
   */
  add: procedure
    .input(
      optionalTarget.extend({ edits, source: z.enum(['hand', 'rule', 'model']).default('hand') }),
    )
    .output(candidate),
  rename: procedure
    .input(z.strictObject({ id: z.string(), name: z.string().trim().min(1).max(200) }))
    .output(candidate),
  /** Puts a candidate away. A proof that was spent on it stays spent. */
  remove: procedure.input(byId).output(byId),
  restore: procedure.input(byId).output(candidate),
  /** Estimates a candidate on the search half of the cases or tasks, any number of times. */
  search: procedure
    .input(started.extend({ spendLimitUsd: z.number().positive().nullable().optional() }))
    .output(candidate),
  /** Repeats the proof half, once only: repeating it would invalidate the test. */
  prove: procedure.input(started).output(candidate),
  /**
   * Asks a model for a new description of the tool, given the tool that it is most often confused
   * with.
   */
  propose: procedure
    .input(optionalTarget.extend({ model: modelConfiguration }))
    .output(z.object({ description: z.string() })),
  /** The change with its evidence. The server itself is never changed. */
  export: procedure
    .input(withPlaces.extend({ format: patchFormat.default('json_patch') }))
    .output(z.object({ fileName: z.string(), text: z.string() })),
  /** Where the changed texts stand in the source folder of a stdio server. Nothing is written. */
  sources: procedure.input(withPlaces).output(
    z.object({
      folder: z.string().nullable(),
      places: z.array(sourcePlace),
      /** All places of the texts that stand at several, of which none is likelier than the others. */
      choices: z.array(sourceChoice),
      /** Files in which a text stands, and whose encoding doesn't allow a diff. */
      unread: z.array(unreadSource),
    }),
  ),
};
