import { z } from 'zod';
import { evaluationUnits } from './gate.ts';
import { taskOutcomes } from './task.ts';
import { executionPlan } from './taskEvaluation.ts';
import { advice } from './advice.ts';
import { textEdit } from './textEdit.ts';
import { snapshotTool } from './tool.ts';
import { outcome } from './outcomeSchema.ts';

/** What is kept of a candidate. */
const storedStates = [
  'draft',
  'searching',
  'searched',
  'proving',
  'accepted',
  'rejected',
  'cannot_tell',
] as const;
const storedState = z.enum(storedStates);
/** With what the server says now; see `candidateState` in the metrics. */
export const candidateState = z.enum([...storedStates, 'applied', 'out_of_date']);
export type CandidateState = z.infer<typeof candidateState>;

const unit = z.enum(evaluationUnits);
const flips = { won: z.number().int(), lost: z.number().int() };

/** Results of a candidate on the search half of the cases. */
export const searchResult = z.object({
  ...flips,
  cases: z.number().int(),
  notScored: z.number().int(),
  /** Compared cases that passed before; `passedBefore + won − lost` pass with the candidate. */
  passedBefore: z.number().int(),
});
export type SearchResult = z.infer<typeof searchResult>;

export const proofResult = searchResult.extend({
  others: z.array(z.object({ ...flips, toolId: z.string() })),
  otherCalls: z.object({
    expected: z.number().int(),
    before: z.number().int(),
    after: z.number().int(),
    /** Absent in older results: as many as before. */
    expectedAfter: z.number().int().optional(),
  }),
  pValue: z.number(),
  level: z.number(),
  recallBefore: z.number().nullable(),
  recallAfter: z.number().nullable(),
  losing: z.array(z.string()),
  reasons: z.array(z.string()),
  /** Approximate number of additional cases for a decision; null if it is decided. */
  moreCases: z.number().int().nullable(),
});
export type ProofResult = z.infer<typeof proofResult>;

export const candidate = z.object({
  id: z.string(),
  /** What its evaluations run. The numbers of `search` and `proof` count them. */
  unit,
  /** The result that it is tried on; null for a draft that was made without one. */
  baseEvaluationId: z.string().nullable(),
  baseNumber: z.number().int().nullable(),
  modelSettingsId: z.string().nullable(),
  modelName: z.string().nullable(),
  toolId: z.string(),
  source: z.enum(['hand', 'rule', 'model']),
  /** What a person calls it. */
  name: z.string(),
  /** The changed texts, of `toolId` and, where needed, of other tools. */
  edits: z.array(textEdit),
  state: storedState,
  /** `state`, or what became of the candidate on its server since. */
  now: candidateState,
  searchEvaluationId: z.string().nullable(),
  proofEvaluationId: z.string().nullable(),
  /** Its number among the candidates proved on the cases of its suite; null before its proof. */
  proofRank: z.number().int().nullable(),
  search: searchResult.nullable(),
  proof: proofResult.nullable(),
  /** Why its runs were stopped, if they were. */
  stopped: z.string().nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
});
export type Candidate = z.infer<typeof candidate>;

/** What the cases of an evaluation can prove, shown before anything runs. */
const proofPlan = z.object({
  searchCases: z.number().int(),
  /** Cases of the search half that passed, and so can break. */
  searchPassed: z.number().int(),
  proofCases: z.number().int(),
  /** Candidates already proved on the cases of this suite; each one raises the bar for the next. */
  proved: z.number().int(),
  /** The level that the next candidate has to reach. */
  level: z.number(),
  flipsNeeded: z.number().int(),
  /** Cases of the proof half that fail now and involve the tool: the most that can flip. */
  canFlip: z.number().int(),
  /** The level and the flips that a further candidate would need after this one. */
  nextLevel: z.number(),
  /** What the runs of a proof cost in the evaluation; null where that isn't known. */
  proofCostUsd: z.number().nullable(),
  proofRuns: z.number().int(),
  /** How long the runs of a proof took in the evaluation, one after the other. */
  proofMs: z.number().int(),
  /** Cases to add before a proof is possible; 0 if it is possible now. */
  moreCases: z.number().int(),
});
export type ProofPlan = z.infer<typeof proofPlan>;

/** A request of the search half that fails because of a tool. */
const failingRequest = z.object({
  runId: z.string(),
  position: z.number().int(),
  query: z.string(),
  /** Of a case or of a task, by the unit of the problem. */
  outcome: z.union([outcome, z.enum(taskOutcomes)]),
  /** Tool ids; null where no tool was called. */
  called: z.string().nullable(),
  /** How it comes out with the candidate; null before its estimate. */
  after: z.enum(['passed', 'failed', 'not_scored']).nullable(),
});
export type FailingRequest = z.infer<typeof failingRequest>;

/** How a parameter was filled in the calls of a tool. */
const parameterRecord = z.object({
  name: z.string(),
  matched: z.number().int(),
  judged: z.number().int(),
});

/** What a description lacks, by the texts of the tool and of the tools around it. */
const lacks = {
  /** Where it says nothing and no rule can write it. */
  missingText: z.string().nullable(),
  /** What an author has to write, where it is empty or only the name. */
  toWrite: z.string().nullable(),
};

/**
 * What a person may see of a tool's failures while changing it. Failures of the proof half are only
 * counted, so that no edit can be written for them.
 */
export const toolProblem = z.object({
  unit,
  /** What each run of an estimate or a proof may execute; null for test cases. */
  execution: executionPlan.nullable(),
  tool: snapshotTool,
  modelName: z.string(),
  evaluationNumber: z.number().int(),
  suiteName: z.string(),
  /** Null if the suite came from a file. */
  suiteId: z.string().nullable(),
  failing: z.array(failingRequest),
  /** Failures beyond those that are listed. */
  moreFailing: z.number().int(),
  /** Cases of the search half that expect the tool. */
  expecting: z.number().int(),
  hiddenFailing: z.number().int(),
  /**
   * Where none is listed: the tools with the most failing cases of the search half, and how many
   * each has.
   */
  elsewhere: z.array(z.object({ toolId: z.string(), failing: z.number().int() })),
  advice: z.array(advice),
  ...lacks,
  parameters: z.array(parameterRecord),
  plan: proofPlan,
});
export type ParameterRecord = z.infer<typeof parameterRecord>;
export type ToolProblem = z.infer<typeof toolProblem>;

/** What can be said about edits before anything runs. */
export const editCheck = z.object({
  tokensBefore: z.number().int(),
  tokensAfter: z.number().int(),
  /** One for each rule; `problem` is null where the edits keep it. */
  rules: z.array(
    z.object({
      rule: z.enum([
        'has_description',
        'copies_no_request',
        'makes_no_claim',
        'no_security_signal',
        'no_overlap',
        'name_is_free',
      ]),
      problem: z.string().nullable(),
    }),
  ),
  /** The advice for the tool that the edits don't follow yet. */
  advice: z.array(advice),
  ...lacks,
  /** The most similar tools, before and after. */
  neighbors: z.array(z.object({ toolId: z.string(), before: z.number(), after: z.number() })),
});
export type EditCheck = z.infer<typeof editCheck>;

export const patchFormats = ['markdown', 'diff', 'json_patch', 'tools_file'] as const;
export const patchFormat = z.enum(patchFormats);
export type PatchFormat = z.infer<typeof patchFormat>;

/** Where the old text of an edit stands in the source of its server. */
export const sourcePlace = z.object({
  toolId: z.string(),
  path: z.string(),
  /** Relative to `folder`. */
  file: z.string(),
  line: z.number().int(),
  /** Unified diff of the file. */
  diff: z.string(),
});
export type SourcePlace = z.infer<typeof sourcePlace>;

/** One of several places of a text, of which a person says which one makes the tool. */
export const sourceChoice = sourcePlace.omit({ diff: true });
export type SourceChoice = z.infer<typeof sourceChoice>;

/** A file that holds a text of an edit, and can't be changed as text. */
export const unreadSource = z.object({
  /** Relative to `folder`. */
  file: z.string(),
  cause: z.string(),
});
export type UnreadSource = z.infer<typeof unreadSource>;

/** What a tool is edited from: its text, the cases there are, and the result that it is tried on. */
export const candidateSubject = z.object({
  /** As its server offers it now; null if no registered server does. */
  offered: snapshotTool.nullable(),
  /** Stored cases that expect it, by suite. */
  suites: z.array(z.object({ id: z.string(), name: z.string(), cases: z.number().int() })),
  /** The result that was asked for, else the latest one that offered the tool; null without one. */
  result: z
    .object({
      evaluationId: z.string(),
      unit,
      number: z.number().int(),
      suiteName: z.string(),
      /** The model that was asked for, else the one with the lowest pass rate. */
      modelSettingsId: z.string(),
      /** Of cases, the scored runs that expected the tool; of tasks, all. */
      models: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          scored: z.number().int(),
          passed: z.number().int(),
        }),
      ),
    })
    .nullable(),
  /** A later result that offered the tool; null if there is none. */
  newer: z.object({ evaluationId: z.string(), unit, number: z.number().int() }).nullable(),
});
export type CandidateSubject = z.infer<typeof candidateSubject>;
