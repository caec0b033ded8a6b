import { z } from 'zod';
import { clientConfig, mcpClient } from '../domain/clientConfig.ts';
import { sessionHeader } from '../domain/recordedSession.ts';
import { procedure } from './base.ts';

const sessionTool = z.object({
  server: z.string(),
  tool: z.string(),
  calls: z.number().int(),
  /** Calls that ended in an error, those with refused arguments among them. */
  failed: z.number().int(),
  /** Calls whose arguments the server refused as invalid (JSON-RPC code -32602). */
  invalid: z.number().int(),
  /** Calls with the arguments of an earlier call of the same session. */
  repeated: z.number().int(),
  /** Clients that show a model nothing of one of its results, although it has something. */
  emptyIn: z.array(z.string()),
  /** Milliseconds between a call and its answer: the median and the longest; null without an answer. */
  medianMs: z.number().nullable(),
  maxMs: z.number().nullable(),
});
export type SessionTool = z.infer<typeof sessionTool>;

/** A session of a client that a gateway captured. */
const capturedSession = sessionHeader.pick({ server: true, mode: true, startedAt: true }).extend({
  /** Its file, in the workspace. */
  file: z.string(),
  bytes: z.number().int(),
  /** As the client names itself; null if it didn't. */
  client: z.string().nullable(),
  durationMs: z.number(),
  calls: z.number().int(),
  failed: z.number().int(),
  /** Why it ended; null while it runs, and after the gateway was killed. */
  ended: z.string().nullable(),
  /** Lines that can't be read. */
  damaged: z.number().int(),
});
export type CapturedSession = z.infer<typeof capturedSession>;

const ofServer = z.strictObject({ server: z.string() });

export const sessionsContract = {
  /** Captured sessions, newest first, and each tool that was called or offered in one. */
  list: procedure.output(
    z.object({ sessions: z.array(capturedSession), tools: z.array(sessionTool) }),
  ),
  /**
   * The configuration with which each MCP client starts the gateway of a server in place of the
   * server, and what that would change in the client's file. Writes nothing.
   */
  clients: procedure.input(ofServer).output(z.array(clientConfig)),
  /** Changes a client's file as previewed, after a backup. Fails if it has changed since. */
  addToClient: procedure
    .input(ofServer.extend({ client: mcpClient, revision: z.string() }))
    .output(clientConfig),
  /** Restores the backup, byte for byte. Fails if the file has changed since. */
  undoClient: procedure.input(ofServer.extend({ client: mcpClient })).output(clientConfig),
  /** Deletes every captured session, and says how many. */
  removeAll: procedure.output(z.object({ removed: z.number().int() })),
};
