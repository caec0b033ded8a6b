import { z } from 'zod';
import { clientMatrix, seenTool } from '../domain/clientView.ts';
import { toolPage } from '../domain/toolPage.ts';
import { toolList } from '../domain/toolRow.ts';
import { procedure } from './base.ts';

/**
 * IDs or names. Default: all, but those of the sample data only while there is no other, or if the
 * settings show them.
 */
const servers = z.array(z.string()).max(1000).optional();

export const toolsContract = {
  /** What clients such as Claude Code make of the last listed tools of servers. */
  clients: procedure.input(z.strictObject({ servers })).output(clientMatrix),
  /** What a model reads of one tool in each client, besides the other tools of `servers`. */
  seen: procedure
    .input(z.strictObject({ server: z.string().max(1000), tool: z.string().max(1000), servers }))
    .output(z.array(seenTool)),
  /** Everything that is known of one tool, by the names of its server and of itself. */
  get: procedure
    .input(z.strictObject({ server: z.string().max(1000), tool: z.string().max(1000) }))
    .output(toolPage),
  /**
   * What is known of the tools of registered servers, one row each, with what needs work first.
   * They are compared and checked among themselves.
   */
  list: procedure
    .input(
      z.strictObject({
        servers,
        /** False answers at once, with nulls for what would have to be computed first. */
        wait: z.boolean().default(true),
      }),
    )
    .output(toolList),
};
