import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { advice } from '../domain/advice.ts';
import { lintReport, lintRuleInfo } from '../domain/lint.ts';
import {
  differentiation,
  similarityEvent,
  similarityInput,
  similarityPair,
  similarityRequest,
} from '../domain/similarity.ts';
import { textModel } from '../domain/textModel.ts';
import { ratingEvent } from '../domain/toolQuality.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
const toolIndex = z.number().int().min(0);
const threshold = z.number().min(0).max(1);

/** A heat map of more tools would have cells smaller than a pixel. */
export const maxHeatMapTools = 4_000;

/** Of all servers, across servers, within one, or those that were confused in results. */
const pairScopes = ['all', 'across', 'within', 'confused'] as const;
export type PairScope = (typeof pairScopes)[number];

/** The most pairs that get a rank. */
export const maxRankedPairs = 1_000;

const listedPair = similarityPair.extend({
  /** Its place among all pairs, from 1; null beyond `maxRankedPairs`. It is also its number in the map. */
  rank: z.number().int().nullable(),
  /** Calls in evaluations that chose one of the two where the other was expected. */
  confused: z.number().int(),
});
export type ListedPair = z.infer<typeof listedPair>;

const pairDetail = z.object({
  pair: similarityPair,
  sharedWords: z.array(z.string()),
  ownWords: z.tuple([z.array(z.string()), z.array(z.string())]),
  sharedParameters: z.array(z.string()),
  ownParameters: z.tuple([z.array(z.string()), z.array(z.string())]),
  /** What is unclear about the two, and what to change. */
  differentiation,
  /** The part of it that is a text to paste; empty if no rule is sure. */
  advice: z.array(advice),
  /** Cases of past evaluations in which one was expected and the other was called. */
  confusions: z.object({
    total: z.number().int(),
    cases: z.array(
      z.object({
        evaluationId: z.string(),
        evaluationNumber: z.number().int(),
        runId: z.string(),
        query: z.string(),
        expected: z.string(),
        selected: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
});
export type PairDetail = z.infer<typeof pairDetail>;

export const similarityContract = {
  /**
   * Compares the tools: progress first, the analysis last. Leaving the stream cancels it. The last
   * few analyses are kept in memory; none is stored.
   */
  analyze: procedure.input(similarityRequest).output(eventIterator(similarityEvent)),
  pairs: procedure
    .input(
      z.strictObject({
        id: z.string(),
        scope: z.enum(pairScopes).default('all'),
        search: z.string().max(500).default(''),
        limit: z.number().int().min(1).max(5_000).default(1_000),
      }),
    )
    .output(
      z.object({
        rows: z.array(listedPair),
        total: z.number().int(),
      }),
    ),
  pair: procedure
    .input(z.strictObject({ id: z.string(), a: toolIndex, b: toolIndex }))
    .output(pairDetail),
  /**
   * The heat map: the score of every pair. Tools are ordered by server, the one with the most
   * tools first, and within a server so that similar ones are next to each other. `cells` are the
   * pairs above the diagonal, row by row, as base64 of two bytes each (little-endian): the score
   * in steps of 1/60,000, rounded down.
   */
  matrix: procedure
    .input(byId)
    .output(z.object({ order: z.array(z.number().int()), cells: z.string() })),
  /** Indexes of tools that are connected by pairs at or above the cut. */
  groups: procedure
    .input(z.strictObject({ id: z.string(), cut: threshold }))
    .output(z.array(z.array(z.number().int()))),
  recommend: procedure
    .input(z.strictObject({ id: z.string(), threshold }))
    .output(z.array(differentiation)),
  /**
   * What to change in a pair, with new descriptions of its tools by a model. Fails with TROUBLE if
   * it gives none.
   */
  revise: procedure
    .input(z.strictObject({ id: z.string(), a: toolIndex, b: toolIndex, model: textModel }))
    .output(differentiation),
  /** With the rules that the settings don't turn off. */
  lint: procedure
    .input(z.strictObject({ input: similarityInput }))
    .output(
      lintReport.extend({ failed: z.array(z.object({ server: z.string(), reason: z.string() })) }),
    ),
  lintRules: procedure.output(z.array(lintRuleInfo)),
  /**
   * Asks a model to rate the description of each tool for clarity, completeness and conciseness.
   * Leaving the stream cancels it.
   */
  rate: procedure
    .input(z.strictObject({ input: similarityInput, model: textModel }))
    .output(eventIterator(ratingEvent)),
  /** Frees the memory of an analysis. */
  forget: procedure.input(byId).output(z.object({ forgotten: z.boolean() })),
};
