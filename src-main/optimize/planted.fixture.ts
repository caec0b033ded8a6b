import { createRandom } from '../../src-shared/metrics/random.ts';
import { halfOf } from '../../src-shared/metrics/candidateProof.ts';
import type { ExpectedCall } from '../../src-shared/domain/testCase.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { createBuiltinModel } from '../adapters/llm/builtin/builtinModel.ts';
import { countTool } from '../analysis/tokens/toolTokens.ts';
import { scoreRun } from '../scoring/scoreRun.ts';
import { applyCatalog, idOf, type Catalog } from './catalog.ts';
import type { CaseScore, Effects } from './effects.ts';
import { optimize, type OptimizeInput, type Optimized } from './optimize.ts';
import type { OptimizationStep } from '../../src-shared/domain/optimization.ts';
import { proposeByRules } from './proposers/rules.ts';

/** A case as a suite would hold it. */
export interface PlantedCase {
  id: string;
  query: string;
  expectedCalls: readonly ExpectedCall[];
  system?: string | null;
}

type Topic = readonly [name: string, does: string, words: string];

/** Thirty tools of an office: what each does, and the words by which people ask for it. */
const office: readonly Topic[] = [
  ['ledger', 'Adds an entry to the books', 'expense reimburse purchase spending'],
  ['badge', 'Issues access cards', 'visitor entrance gate guest'],
  ['fleet', 'Assigns company vehicles', 'car van driver mileage'],
  ['roster', 'Plans working hours', 'shift overtime weekend staffing'],
  ['pantry', 'Orders kitchen supplies', 'coffee snack fruit milk'],
  ['helpdesk', 'Opens a request with technical support', 'laptop password crash broken'],
  ['payroll', 'Runs monthly salaries', 'wage bonus payslip deduction'],
  ['travel', 'Books trips', 'flight hotel train itinerary'],
  ['legal', 'Starts a review by counsel', 'contract clause lawsuit compliance'],
  ['press', 'Publishes announcements', 'journalist headline newsroom statement'],
  ['warehouse', 'Tracks stored goods', 'pallet shelf barcode inventory'],
  ['shipping', 'Hands parcels to a carrier', 'package courier tracking label'],
  ['returns', 'Takes goods back', 'refund exchange defective warranty'],
  ['pricing', 'Sets what customers pay', 'discount coupon markup tariff'],
  ['survey', 'Collects opinions', 'questionnaire feedback respondent poll'],
  ['hiring', 'Manages open positions', 'applicant interview resume recruiter'],
  ['training', 'Enrolls people in courses', 'lesson certificate teacher workshop'],
  ['benefits', 'Administers employee perks', 'insurance pension dental gym'],
  ['cleaning', 'Schedules janitors', 'carpet trash dust window'],
  ['garden', 'Maintains outdoor areas', 'lawn hedge flower irrigation'],
  ['printing', 'Queues paper documents', 'brochure poster stapled duplex'],
  ['backup', 'Protects stored data', 'snapshot archive tape restore'],
  ['network', 'Configures connections', 'wifi router firewall bandwidth'],
  ['billing', 'Invoices clients', 'overdue statement reminder dunning'],
  ['audit', 'Checks past records', 'inspector evidence sampling irregularity'],
  ['weather', 'Forecasts conditions', 'rain sunny storm temperature'],
  ['menu', 'Shows canteen meals', 'lunch vegetarian dessert soup'],
  ['library', 'Lends printed works', 'book borrow author shelfmark'],
  ['medical', 'Arranges doctor visits', 'vaccine checkup nurse prescription'],
  ['energy', 'Measures consumption', 'electricity heating meter solar'],
];

/** The same for a village, in words of its own. */
const village: readonly Topic[] = [
  ['ploughing', 'Works the fields', 'furrow tractor tillage soil'],
  ['seeding', 'Brings out seeds', 'sowing germination cereal maize'],
  ['harvest', 'Brings in crops', 'combine wheat barley yield'],
  ['dairy', 'Runs the milking parlor', 'cow udder cheese curd'],
  ['poultry', 'Keeps birds', 'chicken egg coop hatchery'],
  ['orchard', 'Tends fruit trees', 'apple pruning blossom cider'],
  ['vineyard', 'Grows grapes', 'wine cellar vintage barrel'],
  ['beekeeping', 'Looks after hives', 'honey swarm queen nectar'],
  ['fishery', 'Raises fish', 'trout pond salmon hatchling'],
  ['forestry', 'Manages woodland', 'timber felling sapling logging'],
  ['stable', 'Boards horses', 'saddle bridle hay farrier'],
  ['shearing', 'Crops fleece', 'sheep wool flock yarn'],
  ['greenhouse', 'Grows under glass', 'tomato cucumber trellis humidity'],
  ['compost', 'Recycles organic matter', 'manure worm rotting mulch'],
  ['pest', 'Fights harmful insects', 'aphid beetle spray trap'],
  ['drainage', 'Moves surplus water', 'ditch pump flood culvert'],
  ['fencing', 'Marks off pasture', 'gate wire hedge post'],
  ['silo', 'Keeps dry goods', 'grain moisture fumigation bulk'],
  ['market', 'Sells at stalls', 'customer basket cashbox bargain'],
  ['bakery', 'Makes loaves', 'bread dough oven sourdough'],
  ['butchery', 'Prepares meat', 'sausage ham knife carcass'],
  ['dispatch', 'Sends out loads', 'lorry trailer haulage cargo'],
  ['kennel', 'Cares for dogs', 'puppy leash barking collar'],
  ['quarry', 'Extracts stone', 'gravel granite blasting rubble'],
  ['sawmill', 'Cuts planks', 'lumber blade plank sawdust'],
  ['observatory', 'Watches the sky', 'telescope comet eclipse planet'],
  ['museum', 'Exhibits old things', 'sculpture curator painting gallery'],
  ['theater', 'Stages plays', 'actor curtain rehearsal audience'],
  ['orchestra', 'Performs music', 'violin concert conductor symphony'],
  ['stadium', 'Hosts games', 'referee goal league tournament'],
];

export const vocabularies = { office, village };

const templates = [
  (a: string, b: string, c: string) => `There is something about the ${a}, the ${b} and the ${c}`,
  (a: string, b: string, c: string) => `Please handle ${a}, ${b} and ${c}`,
  (a: string, b: string, c: string) => `What about ${a}, ${b} or ${c}?`,
  (a: string, b: string, c: string) => `Take care of ${a} and ${b}, but also ${c}`,
];

const makeTool = (name: string, description: string): Tool => ({
  server: 'office',
  name,
  title: null,
  description,
  inputSchema: { type: 'object', properties: {} },
  outputSchema: null,
  annotations: null,
});

const usage = (words: string): string => {
  const [a = '', b = '', c = '', d = ''] = words.split(' ');
  return `Use it for ${a}, ${b}, ${c}, and ${d}.`;
};

/**
 * Thirty tools, of which twenty have the sentence of their neighbor besides their own; and eight
 * cases for each tool.
 */
export function plantDamage(topics = office): {
  whole: Tool[];
  damaged: Tool[];
  cases: PlantedCase[];
} {
  const whole = topics.map(([name, does, words]) => makeTool(name, `${does}. ${usage(words)}`));
  const damaged = whole.map((tool, at) => {
    const neighbor = topics[at % 2 === 0 ? at + 1 : at - 1];
    return at < 20 && neighbor
      ? { ...tool, description: `${tool.description} ${usage(neighbor[2])}` }
      : tool;
  });
  const cases = topics.flatMap(([name, , words]) => {
    const list = words.split(' ');
    return Array.from({ length: 8 }, (_, at): PlantedCase => {
      // Every request says three of the four words, in another order.
      const [a = '', b = '', c = ''] = [0, 1, 2].map((place) => list[(at + place) % 4]);
      return {
        id: `${name}-${at}`,
        query:
          templates[at % templates.length]?.(
            ...(at < 4 ? ([a, b, c] as const) : ([c, a, b] as const)),
          ) ?? '',
        expectedCalls: [{ server: 'office', tool: name }],
      };
    });
  });
  return { whole, damaged, cases };
}

const judge = {
  validate: () => ({ outcome: 'conforms' as const }),
  cannotDecide: () => null,
  matchesRegex: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text),
};

/** Runs cases with `builtin` in this process and scores them as an evaluation does. */
async function runBuiltin(
  tools: readonly Tool[],
  cases: readonly (PlantedCase & { position: number })[],
  choiceOnly: boolean,
): Promise<CaseScore[]> {
  const model = createBuiltinModel();
  const offered = tools.map((tool, at) => ({
    ...tool,
    // Requests that name no ids pass by the choice of the tool alone.
    ...(choiceOnly && { inputSchema: { ...tool.inputSchema, required: [] } }),
    snapshotToolId: at + 1,
    hash: idOf(tool),
    toolId: idOf(tool),
  }));
  const never = new AbortController().signal;
  const scores: CaseScore[] = [];
  for (const { position, query, expectedCalls, system = null } of cases) {
    const { observation } = await model.choose(
      { query, system, messages: [], tools: offered, repetition: 1 },
      never,
    );
    const score = scoreRun(
      {
        expectation: { expectedCalls: [...expectedCalls], orderDependent: false, allowedCalls: [] },
        query,
        calls: observation.calls,
        tools: offered,
        confidence: null,
        highConfidence: 0.7,
        modelReasoning: null,
      },
      judge,
    );
    const called = observation.calls.map((call) => `${call.server}:${call.tool}`)[0] ?? null;
    const expected = expectedOf(expectedCalls)[0] ?? null;
    scores.push({
      position,
      share: score.passed ? 1 : 0,
      failures: score.passed
        ? []
        : [
            {
              query,
              values: JSON.stringify(expectedCalls.map(({ parameters }) => parameters ?? {})),
              expected,
              called,
              wrongArguments: [],
            },
          ],
    });
  }
  return scores;
}

const expectedOf = (calls: readonly ExpectedCall[]): string[] =>
  calls.flatMap((call) =>
    ('anyOf' in call ? call.anyOf : [call]).map(({ server, tool }) => `${server}:${tool}`),
  );

export const passRateOf = (scores: readonly CaseScore[]): number =>
  scores.reduce((total, { share }) => total + (share ?? 0), 0) / Math.max(1, scores.length);

export interface BuiltinRun {
  optimized: Optimized;
  steps: OptimizationStep[];
  /** How the cases of the search half come out with the tools as they are. */
  baseline: readonly CaseScore[];
  /** How the cases of the proof half come out with a catalog. */
  prove(catalog: Catalog): Promise<CaseScore[]>;
}

/** A whole search with `builtin` as the model and the rules as the proposer, in this process. */
export async function optimizeBuiltin(
  tools: readonly Tool[],
  cases: readonly PlantedCase[],
  {
    choiceOnly = false,
    ...options
  }: Partial<OptimizeInput> & { propose?: Effects['propose']; choiceOnly?: boolean } = {},
): Promise<BuiltinRun> {
  const placed = cases.map((one, position) => ({ ...one, position }));
  const search = placed.filter(({ id }) => halfOf(id) === 'search');
  const proof = placed.filter(({ id }) => halfOf(id) === 'proof');
  const byPosition = new Map(search.map((one) => [one.position, one]));
  const steps: OptimizationStep[] = [];
  const input: OptimizeInput = {
    tools,
    cases: search.map(({ position, query, expectedCalls }) => ({
      position,
      query,
      expected: expectedOf(expectedCalls),
    })),
    baseline: await runBuiltin(tools, search, choiceOnly),
    objective: 'accuracy',
    seed: 42,
    maxSteps: 200,
    patience: 40,
    toolIds: null,
    maxAddedTokens: 60,
    allowNames: false,
    countTokens: (tool) =>
      countTool(
        JSON.stringify({
          name: tool.name,
          title: tool.title,
          description: tool.description,
          inputSchema: tool.inputSchema,
        }),
      ).tokenCount,
    ...options,
  };
  const optimized = await optimize(input, {
    evaluate: (catalog, positions) =>
      runBuiltin(
        applyCatalog(tools, catalog),
        positions.flatMap((position) => byPosition.get(position) ?? []),
        choiceOnly,
      ),
    propose: options.propose ?? (async (request) => proposeByRules(request)),
    done: (step) => void steps.push(step),
  });
  return {
    optimized,
    steps,
    baseline: input.baseline,
    prove: (catalog) => runBuiltin(applyCatalog(tools, catalog), proof, choiceOnly),
  };
}

/** Reorders the words of a description after its first one: a rewording without information. */
export function shuffledWords(text: string, seed: number): string {
  const random = createRandom(seed);
  return text
    .split(' ')
    .map((word) => ({ word, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ word }) => word)
    .join(' ');
}
