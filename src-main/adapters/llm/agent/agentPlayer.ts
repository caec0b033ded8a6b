import { delimiter, dirname, join } from 'node:path';
import type { AgentTemplate } from '../../../../src-shared/domain/agentTemplate.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { ChatFailure } from '../chatModel.ts';
import { fillText, type AgentOutput } from './agentFiles.ts';

/** An agent that writes more is ended. */
export const maxOutputBytes = 32 * 1024 * 1024;
export const floodText = 'wrote more than 32 MB.';

export interface AgentParts {
  template: AgentTemplate;
  /** The file of its program. */
  program: string;
  /** The model that it is started with; null: its own choice. */
  model: string | null;
  /** Its variables, with the values of references. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  redact: (text: string) => string;
}

/** What stands in for `{{name}}` in a template, and the folders that are the run's own. */
export type AgentValues = Readonly<Record<string, string>> & { home: string; work_dir: string };

export interface AgentPlayer {
  /** What is kept as the request. */
  describe(prompt: string): JsonObject;
  /** Plays one request to its end. Throws for every end that is no answer. */
  play(prompt: string): Promise<AgentEnd>;
  /** Ends the agent with all that it started. */
  end(): Promise<void>;
}

/** What an agent answered, and the end of what it wrote. */
export interface AgentEnd extends AgentOutput {
  output: string;
  /** Why it ended; absent: with an answer. */
  stopReason?: 'refused' | 'cut_off';
}

/** A run that isn't scored: what the agent did, as the end of a sentence that begins with its name. */
export function agentFailure(template: AgentTemplate, what: string, fatal = false): ChatFailure {
  const gap = what.startsWith(':') ? '' : ' ';
  return new ChatFailure('agent', `Agent ${template.name}${gap}${what}`, { fatal });
}

/** What to do about an agent that ended or was silent for a reason of its own. */
export const tryAgent = ({ command }: AgentTemplate): string =>
  `Try ${JSON.stringify(command[0] ?? '')} in a terminal, then resume the evaluation.`;

/** The variables of an agent: folders of its own, and those of its template. */
export const agentEnvironment = (
  { env }: AgentParts,
  values: AgentValues,
): Record<string, string> => ({
  ...homeVariables(values.home),
  ...Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, fillText(value, values)]),
  ),
});

/** Everything that programs take for the folder of the person. */
export const homeVariables = (home: string): Record<string, string> => ({
  HOME: home,
  USERPROFILE: home,
  APPDATA: join(home, 'AppData', 'Roaming'),
  LOCALAPPDATA: join(home, 'AppData', 'Local'),
  // The Node of this program is there for agents that are started by it.
  PATH: [process.env['PATH'] ?? '', dirname(process.execPath)].filter(Boolean).join(delimiter),
});
