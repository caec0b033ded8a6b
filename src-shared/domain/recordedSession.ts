import { z } from 'zod';
import { jsonObject } from './json.ts';
import { executionModes } from './task.ts';

/** The first line of a session: which server was offered to a client, and how. */
export const sessionHeader = z.strictObject({
  format: z.literal('touchstone-session'),
  version: z.literal(1),
  server: z.string(),
  mode: z.enum(executionModes),
  startedAt: z.string(),
  /** Tools that were offered with another text. */
  overrides: z.array(z.string()),
  /** Values that look like secrets or personal data are stand-ins. */
  masked: z.boolean(),
});
export type SessionHeader = z.infer<typeof sessionHeader>;

/** Who wrote a message: `gateway` answered in place of the server or the client. */
const messageSources = ['client', 'server', 'gateway'] as const;
export type MessageSource = (typeof messageSources)[number];

/** Every other line of a session. */
export const sessionLine = z.union([
  z.strictObject({
    /** Milliseconds since the start of the session. */
    ms: z.number(),
    from: z.enum(messageSources),
    message: jsonObject,
    /** Whom an answer of the gateway is for, if not the client. */
    to: z.literal('server').optional(),
    /** Size of a message that was too large to be kept whole, in characters. */
    cutFrom: z.number().int().optional(),
  }),
  z.strictObject({ ms: z.number(), ended: z.string() }),
]);
export type SessionLine = z.infer<typeof sessionLine>;

/** Whether a line holds an answer to a request of the client: both sides number their own. */
export const answersClient = ({ from, to, message }: Extract<SessionLine, { message: unknown }>) =>
  from !== 'client' && to !== 'server' && message['method'] === undefined;
