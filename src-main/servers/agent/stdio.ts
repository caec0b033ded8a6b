import { serveOverStdio } from '../serveOverStdio.ts';
import { createAgentServer } from './agentServer.ts';
import { checkTools } from './checkTools.ts';
import { compareTool } from './compareTool.ts';
import { readingTools } from './readingTools.ts';
import type { RunningOptions } from './agentRuns.ts';
import { runningTools } from './runningTools.ts';

export interface AgentOptions extends Pick<RunningOptions, 'backend' | 'readFile'> {
  /** Null if evaluations can't be started. */
  running: Pick<RunningOptions, 'models' | 'budget'> | null;
  version: string;
  redact: <Value>(value: Value) => Value;
}

/** Every tool that a session offers. */
export const agentTools = ({
  backend,
  readFile,
  running,
}: Pick<AgentOptions, 'backend' | 'readFile' | 'running'>) => [
  ...readingTools(backend),
  compareTool(backend, readFile),
  checkTools(backend, readFile),
  ...(running ? runningTools({ backend, readFile, ...running }) : []),
];

/** Serves Touchstone to an agent over standard input and output, see `serveOverStdio`. */
export async function serveAgentOverStdio({
  backend,
  readFile,
  running,
  version,
  redact,
}: AgentOptions): Promise<void> {
  const tools = agentTools({ backend, readFile, running });
  await serveOverStdio(createAgentServer({ tools, version, redact }), {
    log: (line) => void process.stderr.write(`touchstone mcp: ${line}\n`),
  });
}
