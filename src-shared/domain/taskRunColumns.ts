import { z } from 'zod';
import { jsonShape, windowIds, type RunColumn } from './runColumns.ts';
import type { TaskFacts } from './taskEvaluation.ts';
import { faultKinds } from './taskFaults.ts';

/** What was paid, as JSON has it. */
export const paid = z.strictObject({
  cost_usd: z.number().nullable().describe('Null if a price or a count of tokens is missing.'),
  unanswered_requests: z.int().describe('Without a count of tokens: they may have been billed.'),
});

/** A simulated user, as JSON has it. */
export const simulatedUser = z.strictObject({
  model: z.string(),
  turns: z.int().describe('Replies of the user after the scripted turns.'),
  tokens: z.int().nullable(),
  cost_usd: z.number().nullable(),
});

const attack = z.strictObject({
  technique: z.string(),
  followed: z.boolean(),
  exposed: z
    .boolean()
    .optional()
    .describe('The model replied to a result that has the instruction.'),
});

// Each field has a schema of its own: JSON Schema names those that are shared.
const count = () => z.int().optional();
const maybeCount = () => z.int().nullable().optional();

/**
 * The measured values of a run of a task, in the order of their fields in JSON, which a run without
 * facts lacks.
 */
const described = [
  {
    name: 'steps',
    value: ({ steps }) => steps,
    json: { schema: count() },
    report: { title: 'Steps' },
    window: { id: 'steps', header: 'Steps', width: 76, shownAs: 'count' },
    total: { title: 'Steps', shownAs: 'count' },
  },
  {
    name: 'tool_calls',
    value: ({ calls }) => calls,
    json: { schema: count() },
    report: { title: 'Tool calls' },
    window: { id: 'calls', header: 'Calls', width: 76, shownAs: 'count' },
    total: { title: 'Tool calls', shownAs: 'count' },
  },
  { name: 'needed_calls', value: ({ neededCalls }) => neededCalls, json: { schema: maybeCount() } },
  {
    name: 'tokens',
    value: ({ tokens }) => tokens,
    json: { schema: maybeCount() },
    total: { title: 'Tokens', shownAs: 'count' },
  },
  {
    name: 'cache_read_tokens',
    value: ({ tokens, cacheRead = 0 }) => (tokens === null ? null : cacheRead),
    json: { schema: maybeCount() },
    total: { title: 'Cached input', shownAs: 'count' },
  },
  {
    name: 'cache_write_tokens',
    value: ({ tokens, cacheWrite = 0 }) => (tokens === null ? null : cacheWrite),
    json: { schema: maybeCount() },
  },
  {
    name: 'cost_usd',
    value: ({ cost }) => cost,
    json: { schema: z.number().nullable().optional() },
    total: { title: 'Cost', shownAs: 'usd' },
  },
  {
    name: 'spend',
    value: ({ spend }) => spend?.usd ?? null,
    json: {
      schema: paid.optional().describe('Everything that the run was paid for.'),
      read: ({ spend }) => spend && { cost_usd: spend.usd, unanswered_requests: spend.unanswered },
    },
  },
  {
    name: 'judge_cost_usd',
    value: ({ judgeCost = null }) => judgeCost,
    json: {
      schema: z.number().nullable().optional().describe('For the judge; not part of cost_usd.'),
      read: ({ judgeCost }) => judgeCost,
    },
    total: {
      title: 'Judge cost',
      shownAs: 'usd',
      isIn: ({ judgeCost }) => judgeCost !== undefined,
    },
  },
  {
    name: 'simulated_user',
    value: ({ user }) => user?.tokens ?? null,
    json: {
      schema: simulatedUser
        .optional()
        .describe('The user of the run; not part of tokens and cost_usd.'),
      read: ({ user }) =>
        user && {
          model: user.model,
          turns: user.turns,
          tokens: user.tokens,
          cost_usd: user.cost,
        },
    },
    total: { title: 'User tokens', shownAs: 'count', isIn: ({ user }) => user !== undefined },
  },
  {
    name: 'user_cost_usd',
    value: ({ user }) => user?.cost ?? null,
    total: { title: 'User cost', shownAs: 'usd', isIn: ({ user }) => user !== undefined },
  },
  {
    name: 'time_ms',
    value: ({ elapsedMs }) => elapsedMs,
    json: { schema: z.number().optional() },
    window: { id: 'time', header: 'Time', width: 84, shownAs: 'duration' },
    total: { title: 'Time', shownAs: 'duration' },
  },
  {
    name: 'tool_errors',
    value: ({ toolErrors }) => toolErrors,
    json: { schema: count() },
    total: { title: 'Tool errors', shownAs: 'count' },
  },
  {
    name: 'repeated_calls',
    value: ({ repeatedCalls }) => repeatedCalls,
    json: { schema: count() },
    total: { title: 'Repeated calls', shownAs: 'count' },
  },
  { name: 'unused_calls', value: ({ unusedCalls }) => unusedCalls, json: { schema: count() } },
  {
    name: 'unwanted_effects',
    value: ({ unwantedEffects }) => unwantedEffects,
    json: { schema: count() },
    total: { title: 'Destructive calls that no check expects', shownAs: 'count' },
  },
  {
    name: 'call_notes',
    value: ({ callNotes }) => callNotes?.join(' ') ?? null,
    json: {
      schema: z
        .array(z.string())
        .optional()
        .describe('What of its calls was read otherwise than the endpoint wrote it.'),
      read: ({ callNotes }) => callNotes,
    },
  },
  {
    name: 'attack',
    value: (facts) => facts.attack?.technique ?? null,
    json: { schema: attack.nullable().optional(), read: (facts) => facts.attack },
  },
  {
    name: 'faults',
    value: ({ faults }) => faults?.reduce((sum, { calls }) => sum + calls, 0) ?? null,
    json: {
      schema: z
        .array(z.strictObject({ fault: z.enum(faultKinds), calls: z.int() }))
        .optional()
        .describe('Faults on purpose: how many calls each kind hit. Absent: the task has none.'),
      read: ({ faults }) => faults,
    },
    total: {
      title: 'Faults on purpose',
      shownAs: 'count',
      isIn: ({ faults }) => faults !== undefined,
    },
  },
] as const satisfies readonly RunColumn<TaskFacts>[];
export const taskRunColumns: readonly RunColumn<TaskFacts>[] = described;
export const taskRunShape = jsonShape(described);
export const measuredTaskSorts = windowIds(described);
