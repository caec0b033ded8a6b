import { z } from 'zod';
import { modelConfiguration } from '../domain/model.ts';
import {
  editCheck,
  patchFormat,
  candidate,
  sourcePlace,
  toolProblem,
  unreadSource,
} from '../domain/candidate.ts';
import { textEdit } from '../domain/textEdit.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
/** Servers of which a person agreed that every tool may be executed. Test cases execute none. */
const started = byId.extend({ agreedServers: z.array(z.string()).default([]) });
const target = z.strictObject({
  evaluationId: z.string(),
  modelSettingsId: z.string().nullable().default(null),
  toolId: z.string(),
});
const edits = z.array(textEdit).max(1000);

export const candidatesContract = {
  /** Newest first, of one evaluation or of all. */
  list: procedure
    .input(z.strictObject({ evaluationId: z.string().nullable() }))
    .output(z.array(candidate)),
  /** The latest finished evaluation that offered a tool; null if there is none. */
  latestEvaluation: procedure
    .input(z.strictObject({ toolId: z.string() }))
    .output(z.object({ evaluationId: z.string().nullable() })),
  /** What a tool fails at, with advice, and what the cases can prove. `candidateId`: with its estimate. */
  problem: procedure
    .input(target.extend({ candidateId: z.string().nullable().default(null) }))
    .output(toolProblem),
  /** What can be said about edits without a run. */
  check: procedure.input(target.extend({ edits })).output(editCheck),
  /** Refused if the edits change nothing, or if a candidate has the same ones. */
  add: procedure
    .input(target.extend({ edits, source: z.enum(['hand', 'rule', 'model']).default('hand') }))
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
    .input(target.extend({ model: modelConfiguration }))
    .output(z.object({ description: z.string() })),
  /** The change with its evidence. The server itself is never changed. */
  export: procedure
    .input(z.strictObject({ id: z.string(), format: patchFormat.default('json_patch') }))
    .output(z.object({ fileName: z.string(), text: z.string() })),
  /** Where the changed texts stand in the source folder of a stdio server. Nothing is written. */
  sources: procedure.input(byId).output(
    z.object({
      folder: z.string().nullable(),
      places: z.array(sourcePlace),
      /** Files in which a text stands, and whose encoding doesn't allow a diff. */
      unread: z.array(unreadSource),
    }),
  ),
};
