import { serveOverStdio } from '../serveOverStdio.ts';
import { serveSessionsOverHttp, type HttpSessions } from '../sessionsOverHttp.ts';
import { createAgentServer } from './agentServer.ts';
import { checkTools } from './checkTools.ts';
import { compareTool } from './compareTool.ts';
import { readFailures } from './readFailures.ts';
import { readingTools } from './readingTools.ts';
import type { RunningOptions } from './agentRuns.ts';
import { runningTools } from './runningTools.ts';

export interface AgentOptions extends Pick<RunningOptions, 'backend' | 'readFile'> {
  /** Null if evaluations can't be started. */
  running: Pick<RunningOptions, 'models' | 'budget'> | null;
  version: string;
  redact: <Value>(value: Value) => Value;
}

export const agentTools = ({
  backend,
  readFile,
  running,
}: Pick<AgentOptions, 'backend' | 'readFile' | 'running'>) => [
  ...readingTools(backend),
  readFailures(backend, readFile),
  compareTool(backend, readFile),
  checkTools(backend, readFile),
  ...(running ? runningTools({ backend, readFile, ...running }) : []),
];

const log = (line: string): void => void process.stderr.write(`touchstone mcp: ${line}\n`);

/** Serves Touchstone to an agent over standard input and output, see `serveOverStdio`. */
export const serveAgentOverStdio = ({ version, redact, ...session }: AgentOptions): Promise<void> =>
  serveOverStdio(createAgentServer({ tools: agentTools(session), version, redact }), { log });

/** Serves it to any number of clients over HTTP; they share the budget. */
export function serveAgentOverHttp(
  { version, redact, ...session }: AgentOptions,
  { port, token }: { port: number; token: string | null },
): Promise<HttpSessions> {
  const tools = agentTools(session);
  const open = () => createAgentServer({ tools, version, redact });
  return serveSessionsOverHttp({ port, token, open, log });
}
