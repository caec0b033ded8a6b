import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Recount, type Difference } from './recount.ts';

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('It is no JSON.');
    return z.NEVER;
  }
});
const sharedRun = z.looseObject({
  run_id: z.string(),
  position: z.number(),
  is_current: z.boolean(),
  model_id: z.string(),
  repetition: z.number(),
  attempt: z.number(),
  status: z.string(),
  failure: z.string().nullable(),
  error: z.string().nullable(),
});
const entries = z.array(
  z.looseObject({
    position: z.number(),
    key: z.string(),
    content: z
      .string()
      // Its hash can't be made again from a number that no double holds.
      .transform((text) => ({ value: text, isExact: !/\d{16}|\d[eE]/.test(text) }))
      .pipe(
        z.object({ value: json.pipe(z.record(z.string(), z.unknown())), isExact: z.boolean() }),
      ),
  }),
);
const shared = z.looseObject({
  models: z.array(
    z.looseObject({
      settings: json.pipe(
        z.looseObject({ id: z.string(), provider: z.string(), model: z.string() }),
      ),
      price: json
        .pipe(z.looseObject({ inputUsd: z.number(), outputUsd: z.number(), date: z.string() }))
        .nullable(),
    }),
  ),
  tools: z.array(
    z.looseObject({
      raw: z.string(),
      tool: json.pipe(
        z.looseObject({
          ...{ server: z.string(), name: z.string(), description: z.string() },
          inputSchema: z.unknown(),
        }),
      ),
    }),
  ),
});

const tokens = z.looseObject({ input: z.number(), output: z.number(), source: z.string() });
const observed = z.looseObject({
  confidence: z.looseObject({ score: z.number(), method: z.string() }).nullable(),
  usage: tokens.nullable(),
  details: z.looseObject({ cached: z.boolean().default(false) }).optional(),
});
const scored = z.looseObject({
  classification: z.string(),
  units: z.array(z.object({ expected: z.string(), selected: z.string() })),
  matchedParameters: z.number(),
  expectedParameters: z.number(),
  parameterCompleteness: z.number(),
  parameterTypeConformance: z.boolean().nullable(),
  hallucinatedParameters: z.array(z.string()),
});
const caseShard = shared.extend({
  cases: entries,
  runs: z.array(
    sharedRun.extend({
      execution_time_ms: z.number().nullable(),
      observation: json.pipe(observed).nullable(),
      score: json.pipe(scored).nullable(),
    }),
  ),
});

const verdict = z.looseObject({
  checks: z.array(z.looseObject({ id: z.string(), passed: z.boolean().nullable() })),
});
const facts = z.looseObject({
  ...{ steps: z.number(), calls: z.number(), toolErrors: z.number() },
  ...{ tokens: z.number().nullable(), cost: z.number().nullable() },
  ...{ repeatedCalls: z.number(), unusedCalls: z.number(), unwantedEffects: z.number() },
  spend: z.looseObject({ usd: z.number().nullable(), unanswered: z.number() }).optional(),
});
const taskShard = shared.extend({
  tasks: entries,
  runs: z.array(
    sharedRun.extend({
      outcome: z.string().nullable(),
      verdict: json.pipe(verdict).nullable(),
      facts: json.pipe(facts).nullable(),
    }),
  ),
});

const report = <Shard extends z.ZodType>(shard: Shard) =>
  z.looseObject({
    runs: z.array(z.looseObject({ run_id: z.string() })),
    tools: z.array(z.looseObject({ tool_id: z.string() })).optional(),
    shard,
  });
const whole = z.looseObject({ shard: z.null().optional() });
const sealedReport = z.looseObject({
  ...{ evaluation_id: z.string(), suite: z.string(), reason: z.string().nullable() },
  shard: z.looseObject({ seal: z.string().optional() }),
});
/** A tool as its server sent it. */
const listed = json.pipe(
  z.looseObject({
    name: z.string().optional(),
    description: z.string().optional().catch(undefined),
    inputSchema: z.unknown(),
  }),
);
const none: z.infer<typeof entries>[number] = {
  position: -1,
  key: '',
  content: { value: {}, isExact: false },
};
const byPosition = (all: z.infer<typeof entries>) =>
  new Map(all.map((entry) => [entry.position, entry]));
const caseReport = report(caseShard);
const taskReport = report(taskShard);
type Part = z.infer<typeof caseReport> | z.infer<typeof taskReport>;

/**
 * Compares what a part of an evaluation of cases hands to `merge` with the rows of its report: each
 * run with its row, and models, cases and tools with what the report says of them.
 */
export function compareCaseShard(document: unknown, recount: Recount): void {
  if (!isPart(document, recount)) return;
  compareSeal(document, recount);
  compareCaseRows(document, recount);
}

function compareCaseRows(document: unknown, recount: Recount): void {
  const part = caseReport.parse(document);
  const cases = byPosition(part.shard.cases);
  compareRuns(part, recount, (run) => {
    const { observation: seen, score } = run;
    const { key, content } = cases.get(run.position) ?? none;
    const { name, tags, query, expectedCalls, orderDependent, allowedCalls, argumentsMode } =
      content.value;
    const asked = [query, expectedCalls, orderDependent, allowedCalls];
    const mode = argumentsMode === undefined ? [] : [argumentsMode];
    const { system, messages } = content.value;
    const told = {
      ...(system !== undefined && { system }),
      ...(messages !== undefined && { messages }),
    };
    const prompt = Object.keys(told).length === 0 ? [] : [told];
    return {
      ...{ case_id: key, name, query, tags },
      ...(content.isExact && { case_hash: sha256(canonical([...asked, ...mode, ...prompt])) }),
      execution_time_ms: run.execution_time_ms,
      // Where there is none, the row of an answer says why it has no score.
      ...((run.status === 'failed' || run.error !== null) && { error: run.error }),
      answered: seen !== null,
      confidence: seen?.confidence ?? null,
      input_tokens: seen?.usage?.input ?? null,
      output_tokens: seen?.usage?.output ?? null,
      token_source: seen?.usage?.source ?? null,
      cached: seen?.details?.cached ?? false,
      classification: score?.classification ?? null,
      units: score?.units.map(({ expected, selected }) => ({ expected, called: selected })) ?? [],
      matched_parameters: score?.matchedParameters ?? null,
      expected_parameters: score?.expectedParameters ?? null,
      parameter_completeness: score?.parameterCompleteness ?? null,
      conforming: score?.parameterTypeConformance ?? null,
      hallucinated_parameters: score?.hallucinatedParameters ?? [],
    };
  });
}

/** The same for a part of an evaluation of tasks. */
export function compareTaskShard(document: unknown, recount: Recount): void {
  if (!isPart(document, recount)) return;
  compareSeal(document, recount);
  compareTaskRows(document, recount);
}

/**
 * Compares some runs of a part, of either unit, with their rows: the document has these alone. Returns
 * what differs; throws ZodError for what is no part.
 */
export function comparePartRows(document: unknown): Difference[] {
  const recount = new Recount(document);
  if (unitOf.parse(document).format === 'touchstone-tasks') compareTaskRows(document, recount);
  else compareCaseRows(document, recount);
  return recount.differences;
}
const unitOf = z.looseObject({ format: z.string() });

function compareTaskRows(document: unknown, recount: Recount): void {
  const part = taskReport.parse(document);
  const tasks = byPosition(part.shard.tasks);
  compareRuns(part, recount, (run) => {
    const { key, content } = tasks.get(run.position) ?? none;
    const { name, tags: _, ...asked } = content.value;
    const counted = run.facts;
    return {
      ...{ task: key, name, outcome: run.outcome },
      ...(content.isExact && { task_hash: sha256(canonical(asked)) }),
      ...(run.verdict && {
        checks: run.verdict.checks.map(({ id, passed }) => ({ id, passed })),
      }),
      ...(counted && {
        ...{ steps: counted.steps, tool_calls: counted.calls, tool_errors: counted.toolErrors },
        ...{ tokens: counted.tokens, cost_usd: counted.cost },
        ...{ repeated_calls: counted.repeatedCalls, unused_calls: counted.unusedCalls },
        unwanted_effects: counted.unwantedEffects,
        ...(counted.spend && {
          spend: { cost_usd: counted.spend.usd, unanswered_requests: counted.spend.unanswered },
        }),
      }),
    };
  });
}

function compareRuns<Run extends z.infer<typeof sharedRun>>(
  part: Part & { shard: { runs: Run[] } },
  recount: Recount,
  rowOf: (run: Run) => Record<string, unknown>,
): void {
  const current = new Map(
    part.shard.runs.flatMap((run) => (run.is_current ? [[run.run_id, run] as const] : [])),
  );
  for (const [at, { run_id: id }] of part.runs.entries()) {
    const run = current.get(id);
    current.delete(id);
    if (run === undefined) {
      recount.compare(['runs', at], null);
      continue;
    }
    const { model_id: model, repetition, attempt, failure, status } = run;
    recount.compare(['runs', at], {
      ...{ model_id: model, repetition, attempt, failure },
      ...('status' in (part.runs[at] ?? {}) && { status }),
      ...rowOf(run),
    });
  }
  if (current.size > 0) recount.compare(['runs', 'length'], part.runs.length + current.size);
  compareShared(part, recount);
}

function compareShared(part: Part, recount: Recount): void {
  const { models, tools } = part.shard;
  for (const [at, { settings, price }] of models.entries()) {
    const { id, provider, model } = settings;
    recount.compare(['models', at], { id, provider, model });
    const paid = price && {
      ...{ input_usd: price.inputUsd, output_usd: price.outputUsd, date: price.date },
    };
    if ('cases' in part.shard) recount.compare(['models', at, 'price'], paid);
  }
  const hashes = new Map(
    tools.map(({ raw, tool: { server, name } }) => [`${server}:${name}`, sha256(raw)]),
  );
  for (const [at, { tool_id: id }] of (part.tools ?? []).entries())
    recount.compare(['tools', at, 'hash'], hashes.get(id) ?? null);
  if (hashes.size < tools.length) recount.compare(['shard', 'tools', 'length'], hashes.size);
  for (const [at, { raw, tool }] of tools.entries()) {
    const { data: sent } = listed.safeParse(raw);
    const isAsSent =
      sent === undefined ||
      ((sent.name ?? tool.name) === tool.name &&
        (sent.description ?? tool.description) === tool.description &&
        canonical(sent.inputSchema ?? tool.inputSchema) === canonical(tool.inputSchema));
    if (!isAsSent) recount.compare(['shard', 'tools', at, 'tool'], raw);
  }
}

function isPart(document: unknown, recount: Recount): boolean {
  const { data } = whole.safeParse(document);
  if (data?.shard === null) recount.compare(['shard'], null);
  return data === undefined;
}

/** A seal without a key is the SHA-256 of all that is merged. */
function compareSeal(document: unknown, recount: Recount): void {
  const { evaluation_id: id, suite, reason, shard } = sealedReport.parse(document);
  const { seal, ...content } = shard;
  if (seal === undefined) {
    recount.notChecked('shard', 'it has no seal');
  } else if (/^[0-9a-f]{64}$/.test(seal)) {
    recount.rows('shard');
    recount.compare(['shard', 'seal'], sha256(canonical([id, suite, reason, content])));
  } else {
    recount.notChecked('shard', 'it is signed with a key, which merge checks');
  }
}

/** JSON with the names of every object in the order of their code units. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
