import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { agentModel, agentNames } from '../../../../src-shared/domain/agents.ts';
import { agentTemplate, type AgentTemplate } from '../../../../src-shared/domain/agentTemplate.ts';
import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { errorCode, errorText } from '../../../../src-shared/domain/errorText.ts';
import { knownAgents } from '../../../adapters/llm/agent/agentProvider.ts';
import { readPlainFileSync } from '../../../runtime/plainFile.ts';
import { UsageError } from '../exitCodes.ts';

/** A template is a page of text. */
const maxTemplateBytes = 1024 * 1024;

const templateFile = z.looseObject({ extends: z.enum(agentNames).optional() });

/**
 * `--agent`: the name of an agent that the program knows, or a YAML or JSON file with a template,
 * which may begin with `extends: claude` and then holds what differs. The name of a file begins at
 * `folder`, and relative paths in a command begin at its file. Throws a usage error.
 */
export function readAgent(
  text: string,
  folder: string,
): { name: string; template: AgentTemplate | undefined } {
  if (agentNames.some((name) => name === text)) return { name: text, template: undefined };
  const template = readTemplate(resolve(folder, text), text);
  return { name: template.name, template };
}

function readTemplate(file: string, given: string): AgentTemplate {
  const refused = (cause: string) =>
    new UsageError(
      `--agent ${given}: ${cause} Give one of ${agentNames.join(', ')}, or a file with a template.`,
    );
  let value: unknown;
  try {
    value = parse(readPlainFileSync(file, maxTemplateBytes).toString('utf8'));
  } catch (error) {
    throw refused(
      errorCode(error) === 'ENOENT'
        ? 'There is no such agent and no such file.'
        : asSentence(errorText(error)),
    );
  }
  const outer = templateFile.safeParse(value);
  if (!outer.success) throw refused('It holds no template.');
  const { extends: base, ...own } = outer.data;
  const known = knownAgents().find(({ name }) => name === base);
  const env = known && { env: { ...known.env, ...(own['env'] as object | undefined) } };
  // Another program may not know the arguments that ask the known one.
  const version = 'command' in own ? { version: undefined } : {};
  const read = agentTemplate.safeParse({ ...known, ...version, ...own, ...env });
  const [issue] = read.error?.issues ?? [];
  if (!read.success)
    throw refused(`${issue?.path.join('.') ?? ''}: ${asSentence(issue?.message ?? '')}`);
  const fromFile = (words: readonly string[]): string[] =>
    words.map((word) => (/^\.{1,2}[/\\]/.test(word) ? resolve(dirname(file), word) : word));
  const { command, version: asked } = read.data;
  return {
    ...read.data,
    command: fromFile(command),
    ...(asked && { version: fromFile(asked) }),
  };
}

export interface AgentOptions {
  agent?: string;
  /** Where the name of a file begins. */
  commandFolder?: string;
}

/** The names of the agent of the options with the models that it is started with. */
export function agentModels(
  { agent, commandFolder }: AgentOptions,
  models: readonly string[] | undefined,
): string[] {
  if (agent === undefined)
    throw new UsageError(
      `--provider agent: It needs an agent. Give --agent NAME (${agentNames.join(', ')}), or a file ` +
        'with a template.',
    );
  const { name } = readAgent(agent, commandFolder ?? '.');
  return (models ?? [null]).map((model) => agentModel(name, model));
}
