import { z } from 'zod';
import { planSentence } from '../../../src-shared/display/candidateTexts.ts';
import type { ComparedCase } from '../../../src-shared/domain/comparison.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import { essentialEdits, textsOf, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { builtin, costOf, costsMoney, runJob, type RunningOptions } from './agentRuns.ts';
import { addsEvaluation, agentTool, toolName, type AgentTool, type Client } from './agentTool.ts';
import { evaluationNumber, findEvaluation } from './findEvaluation.ts';

const maxListed = 50;

const cases = z.array(z.object({ case_id: z.string(), request: z.string() }));
const shortCases = (list: readonly ComparedCase[]) =>
  list
    .filter(({ caseKey }) => halfOf(caseKey) === 'search')
    .slice(0, maxListed)
    .map(({ caseKey, query }) => ({ case_id: caseKey, request: query }));

const sameModel = (a: ModelConfiguration, b: ModelConfiguration) =>
  a.provider === b.provider &&
  a.model === b.model &&
  a.baseUrl === b.baseUrl &&
  a.command?.join('\0') === b.command?.join('\0');

/** Throws for an evaluation with several models, or with one that may not be asked. */
function modelOf({ number, models, settings }: Evaluation, allowed: readonly ModelConfiguration[]) {
  const [model, ...more] = models;
  if (model === undefined || more.length > 0)
    throw new Error(
      `Evaluation #${number}: It has ${models.length} models. Choose one with a single model.`,
    );
  const own = settings.models[0];
  if (own === undefined || !allowed.some((each) => sameModel(each, own)))
    throw new Error(
      `Evaluation #${number}: This session may not ask ${modelLabel(model)}. Choose an ` +
        `evaluation of ${allowed.map(modelLabel).join(' or ')}.`,
    );
  return own;
}

const newText = z.string().min(1).max(100_000);

const toolChange = z.object({
  tool: toolName.describe('ID of the tool, server:tool, for example todo:add_task'),
  name: z.string().min(1).max(128).optional().describe('New name, without the server'),
  title: newText.optional().describe('New title'),
  description: newText.optional().describe('New wording of the description'),
  parameters: z
    .record(z.string(), newText)
    .optional()
    .describe('New descriptions by parameter; nested ones with dots, such as address.city'),
});

/** The changed texts of one tool. Throws for a parameter that it doesn't have. */
async function editsOf(
  client: Client,
  evaluationId: string,
  { tool: toolId, name, title, description, parameters = {} }: z.output<typeof toolChange>,
): Promise<TextEdit[]> {
  const { tool } = await client.candidates.problem({ evaluationId, toolId });
  const texts = textsOf(tool);
  const edit = (path: string, text: string, oldText: string): TextEdit => ({
    ...{ toolId, path, oldText, newText: text },
  });
  const own = Object.entries({ name, title, description }).flatMap(([key, text]) =>
    text === undefined
      ? []
      : [edit(`/${key}`, text, texts.find(({ path }) => path === `/${key}`)?.text ?? '')],
  );
  const described = Object.entries(parameters).map(([parameter, text]) => {
    const found = texts.find((each) => each.parameter === parameter);
    if (found !== undefined) return edit(found.path, text, found.text);
    const known = texts.flatMap((each) => each.parameter ?? []);
    throw new Error(
      `${toolId}: It has no parameter ${parameter}. Its parameters are: ${known.join(', ') || 'none'}.`,
    );
  });
  if (own.length + described.length === 0)
    throw new Error(`${toolId}: Nothing is changed. Give name, title, description or parameters.`);
  return [...own, ...described];
}

/** The candidate with these texts: the one that there is, or a new one. */
async function candidateOf(
  client: Client,
  evaluationId: string,
  toolId: string,
  edits: readonly TextEdit[],
): Promise<Candidate> {
  const wanted = JSON.stringify(essentialEdits(edits));
  const known = (await client.candidates.list({ evaluationId })).find(
    (each) => JSON.stringify(essentialEdits(each.edits)) === wanted,
  );
  return (
    known ?? client.candidates.add({ evaluationId, toolId, edits: [...edits], source: 'model' })
  );
}

async function estimate(
  client: Client,
  { id }: Candidate,
  spendLimitUsd: number | null,
): Promise<Evaluation> {
  const { searchEvaluationId } = await client.candidates.search({ id, spendLimitUsd });
  return client.evaluations.get({ id: searchEvaluationId ?? '' });
}

/**
 * An estimate on the search half: an agent may try as many texts as it wants, so that none of them
 * may be tried on, or be written for, the held-out cases that prove one.
 */
export function tryCandidate(options: RunningOptions): AgentTool {
  const { backend, models } = options;
  return agentTool({
    name: 'try_candidate',
    title: 'Try candidate',
    description:
      'Estimates whether new texts help: repeats the search half of a finished evaluation with new ' +
      'names, titles, descriptions or parameter descriptions of one or several tools, and keeps ' +
      "them as a candidate. An estimate isn't a proof. People prove a candidate in Touchstone, " +
      'once, on held-out cases that this server does not return. The edited server itself is never ' +
      'changed.',
    inputSchema: z.object({
      evaluation: evaluationNumber
        .optional()
        .describe('Baseline to repeat, by its number; omit it for the latest'),
      changes: z
        .array(toolChange)
        .min(1)
        .max(20)
        .describe('New texts, one entry per tool; the first tool is what the estimate is about'),
    }),
    outputSchema: z.object({
      evaluation: z.number().int().describe('Number of the evaluation that this estimate is'),
      baseline: z.number().int(),
      candidate: z.string().describe('Name under which the text is kept'),
      status: z.string(),
      summary: z.string(),
      search_cases: z.number().int().describe('Cases that were compared'),
      not_scored: z.number().int(),
      passed_before: z.number().int().nullable(),
      passed_after: z.number().int().nullable(),
      fixed: cases,
      broken: cases,
      fixed_count: z.number().int(),
      broken_count: z.number().int(),
      proof: z.string().describe('What a proof of this tool needs on held-out cases'),
      cost_usd: z.number().nullable(),
      budget_left_usd: z.number(),
    }),
    annotations: addsEvaluation,
    call: async ({ evaluation, changes }, context) => {
      const base = await findEvaluation(backend.reader, evaluation);
      const toolId = changes[0]?.tool ?? '';
      const model = modelOf(base, [builtin, ...models]);
      const { plan } = await backend.reader.candidates.problem({ evaluationId: base.id, toolId });
      const twice = changes.find(
        ({ tool }, at) => changes.findIndex((each) => each.tool === tool) < at,
      );
      if (twice !== undefined)
        throw new Error(`${twice.tool}: It is listed twice. Put its changes into one entry.`);
      const edits: TextEdit[] = [];
      for (const change of changes) edits.push(...(await editsOf(backend.reader, base.id, change)));
      let candidate: Candidate | null = null;
      const job = {
        paid: costsMoney(model),
        expectedUsd: async (client: Client) => {
          const whole = await costOf(client, base.id);
          const share = plan.searchCases / Math.max(1, plan.searchCases + plan.proofCases);
          return whole === null ? null : whole * share;
        },
        start: async (client: Client, spendLimitUsd: number | null) => {
          candidate = await candidateOf(client, base.id, toolId, edits);
          return estimate(client, candidate, spendLimitUsd);
        },
        read: async (client: Client, ended: Evaluation) => {
          const list = await client.candidates.list({ evaluationId: base.id });
          const kept = list.find(({ id }) => id === candidate?.id);
          if (!kept?.search || kept.state !== 'searched')
            throw new Error(
              `Evaluation #${ended.number}: It ended as ${ended.state}, so the estimate has no result. ` +
                `${ended.reason ?? ''} Try again.`,
            );
          const { won, lost, cases: compared, notScored, passedBefore } = kept.search;
          const {
            candidates: [found],
          } = await client.results.compare({
            baseline: { id: base.id },
            candidates: [{ id: ended.id }],
          });
          return {
            evaluation: ended.number,
            baseline: base.number,
            candidate: kept.name,
            status: ended.state,
            summary:
              `Estimate on ${compared} search cases: ${won} fixed, ${lost} broken. ` +
              'Nothing is proven: a person can prove the candidate on held-out cases, once.',
            search_cases: compared,
            not_scored: notScored,
            passed_before: passedBefore,
            passed_after: passedBefore + won - lost,
            fixed: shortCases(found?.fixed ?? []),
            broken: shortCases(found?.regressed ?? []),
            fixed_count: won,
            broken_count: lost,
            proof: planSentence(plan, 'case'),
          };
        },
      };
      return runJob(options, job, context);
    },
  });
}
