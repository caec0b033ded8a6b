import { z } from 'zod';
import {
  countedModel,
  cutTrial,
  findToolRequest,
  foundTools,
  frontier,
  frontierRequest,
  tokenReport,
  tokenTrend,
  toolSource,
  toolUse,
} from '../domain/tokenReport.ts';
import { encodingName } from '../domain/tokens.ts';
import { procedure } from './base.ts';

const countRequest = z.strictObject({
  source: toolSource,
  encoding: encodingName.default('cl100k_base'),
  /** Counts the tools in this model's wire format instead; `encoding` is then its own. */
  model: countedModel.nullable().default(null),
});

export const tokensContract = {
  count: procedure.input(countRequest).output(tokenReport),
  /** Makes every suggested cut on copies of the tools. No server is changed. */
  tryCuts: procedure.input(countRequest).output(cutTrial),
  toolUse: procedure.output(toolUse),
  /** Listings of one server, oldest first: the token count of each and what changed. */
  trend: procedure
    .input(z.strictObject({ serverId: z.string(), encoding: encodingName.default('cl100k_base') }))
    .output(tokenTrend),
  findTool: procedure.input(findToolRequest).output(foundTools),
  /** Starts an evaluation for each k and retriever. */
  startFrontier: procedure.input(frontierRequest).output(frontier),
  frontier: procedure.input(z.strictObject({ id: z.string() })).output(frontier),
  frontiers: procedure.output(
    z.array(
      z.object({
        id: z.string(),
        suiteName: z.string(),
        createdAt: z.string(),
        points: z.number().int(),
      }),
    ),
  ),
};
