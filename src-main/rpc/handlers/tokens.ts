import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the tokens topic with the method of the service that answers it. */
export function tokensHandlers(tokens: Services['tokens']): Handlers<'tokens'> {
  return {
    count: os.tokens.count.handler(({ input }) => tokens.count(input)),
    tryCuts: os.tokens.tryCuts.handler(({ input }) => tokens.tryCuts(input)),
    toolUse: os.tokens.toolUse.handler(() => tokens.toolUse()),
    trend: os.tokens.trend.handler(({ input }) => tokens.trend(input)),
    findTool: os.tokens.findTool.handler(({ input }) => tokens.findTool(input)),
    startFrontier: os.tokens.startFrontier.handler(({ input }) => tokens.startFrontier(input)),
    frontier: os.tokens.frontier.handler(({ input }) => tokens.frontier(input)),
    frontiers: os.tokens.frontiers.handler(() => tokens.frontiers()),
  };
}
