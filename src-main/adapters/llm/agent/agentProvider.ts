import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { partsOfAgentModel } from '../../../../src-shared/domain/agents.ts';
import type { AgentTemplate } from '../../../../src-shared/domain/agentTemplate.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type { InstalledAgent } from '../../../../src-shared/domain/modelService.ts';
import { remoteProviders } from '../../../../src-shared/domain/provider.ts';
import { additionReference } from '../../../../src-shared/domain/requestAdditions.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../chatModel.ts';
import type { OpenParts, ProviderAdapter, WireDescription } from '../providerAdapter.ts';
import { stubResultOf } from '../wire/stubResults.ts';
import { parseAgents } from './agentFiles.ts';
import { published } from './agentGateway.ts';
import type { AgentParts } from './agentPlayer.ts';
import { AgentRun } from './agentRun.ts';
import {
  agentProgram,
  missingProgram,
  plannedAgentProgram,
  type AgentProgram,
} from './programVersion.ts';

const provider = 'agent';
const wireApi = 'mcp';
/** Calls that an agent makes at once arrive one after the other. */
const settleMs = 250;

let known: AgentTemplate[] | null = null;
export const knownAgents = (): readonly AgentTemplate[] =>
  (known ??= parseAgents(readFileSync(join(programFiles.datasets, 'agents_v1.json'), 'utf8')));

const format: WireDescription = {
  describeTools: (tools) => tools.map(published),
  mapTools: (tools) => ({
    // Each server offers its own tools under their own names.
    names: tools.map(({ server, name }) => ({
      wire: toolId(server, name),
      tool: toolId(server, name),
    })),
    excluded: [],
    relaxations: [],
    adapted: [],
  }),
};

const templateOf = ({ agent, model }: Pick<ModelConfiguration, 'agent' | 'model'>) =>
  agent ?? knownAgents().find(({ name }) => name === partsOfAgentModel(model).agent);

const unknownAgent = (name: string): [cause: string, nextStep: string] => [
  `No agent is named ${JSON.stringify(name)}.`,
  `Choose ${knownAgents()
    .map((each) => each.name)
    .join(', ')}, or give the command or the template of your own.`,
];

/** What the program of a configuration's agent is on this computer; null: it has no agent. */
export async function plannedProgram(
  configuration: Pick<ModelConfiguration, 'provider' | 'agent' | 'model'>,
): Promise<{ program: AgentProgram | null; problem: string | null } | null> {
  if (configuration.provider !== provider) return null;
  const template = templateOf(configuration);
  if (template === undefined) {
    const { agent } = partsOfAgentModel(configuration.model);
    return { program: null, problem: unknownAgent(agent).join(' ') };
  }
  const program = await plannedAgentProgram(template);
  return { program, problem: program.file === null ? missingProgram(template).join(' ') : null };
}

/** Every agent that the program knows, and its program on this computer. */
export const installedAgents = (): Promise<InstalledAgent[]> =>
  Promise.all(
    knownAgents().map(async (template) => ({
      ...{ name: template.name, command: template.command[0] ?? '' },
      ...(await agentProgram(template)),
    })),
  );

/** A client that plays a run by itself: each of its calls is a reply of the conversation. */
export const agentProvider: ProviderAdapter = {
  provider,
  wireFormats: { [wireApi]: format },
  async open({ model: name, agent, timeout }, parts) {
    const { agent: asked, model } = partsOfAgentModel(name);
    const template = templateOf({ agent, model: name });
    if (template === undefined || template.name !== asked)
      throw invalid(...unknownAgent(asked), 'model');
    const { file: program, version } = await agentProgram(template);
    if (program === null) throw invalid(...missingProgram(template), 'agent');
    const needsModel = JSON.stringify(template).includes('{{model}}');
    if (model !== null && !needsModel)
      throw invalid(
        `The template of ${template.name} has no place for the model ${JSON.stringify(model)}.`,
        'Leave the model out, or add {{model}} to its modelArguments.',
        'model',
      );
    const agentParts: AgentParts = {
      template,
      program,
      model,
      env: await environmentOf(template, parts),
      timeoutMs: timeout * 1000,
      redact: parts.secrets.redact,
    };
    const sent: ChatModel['sent'] = {
      agent: template.name,
      template: sha256(canonicalJson(template)).slice(0, 16),
      max_turns: parts.maxTurns > 1 ? parts.maxTurns : null,
      program_version: version,
    };
    return {
      provider,
      wireApi,
      sent,
      describeTools: (tools) => format.describeTools(tools, sent),
      choose: (request, signal) => choose(agentParts, request, signal),
      converse(request) {
        const run = new AgentRun(agentParts, request);
        return {
          async next(input, signal) {
            const reply = await run.next(input, signal);
            if (reply.observation.stopReason !== 'called') await run.checkConnected();
            return reply;
          },
          close: () => run.close(),
        };
      },
      close: async () => undefined,
    };
  },
};

const invalid = (cause: string, nextStep: string, field: string) =>
  new ServiceError('INVALID', { thing: 'Provider agent', cause, nextStep, field });

/**
 * One case: the run ends at the first call. With more turns, calls are answered with stub results
 * and the agent continues.
 */
async function choose(
  parts: AgentParts,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatReply> {
  const run = new AgentRun(parts, request);
  try {
    const { maximum, stubs } = request.turns ?? { maximum: 1, stubs: [] };
    let reply = await run.next({ by: 'user', text: request.query }, signal, undefined, settleMs);
    const [first, calls] = [reply, [...reply.observation.calls]];
    let { elapsedMs } = reply;
    let turns = 1;
    while (reply.observation.stopReason === 'called' && turns < maximum) {
      const results = reply.observation.calls.map((call) => stubResultOf(call, stubs));
      reply = await run.next({ by: 'tools', results }, signal, undefined, settleMs);
      turns += 1;
      calls.push(...reply.observation.calls);
      elapsedMs += reply.elapsedMs;
    }
    if (reply.observation.stopReason !== 'called') await run.checkConnected();
    const { details } = reply.observation;
    return {
      observation: {
        ...reply.observation,
        calls,
        stopReason: calls.length > 0 ? 'called' : reply.observation.stopReason,
        details: { ...(details as object | undefined), turns },
      },
      request: first.request,
      response: reply.response,
      elapsedMs,
    };
  } finally {
    await run.close();
  }
}

const keyReference = /^\$\{key:([\w-]+)\}$/;

/** The variables of an agent with the values of their references; nothing else gets a secret. */
async function environmentOf(
  { env, optional }: AgentTemplate,
  { secrets, additions }: OpenParts,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, text] of Object.entries(env)) {
    const key = remoteProviders.find((each) => each === keyReference.exec(text)?.[1]);
    if (key !== undefined) {
      const value = await secrets.get(key);
      if (value !== null) values[name] = value;
      else if (!optional.includes(name))
        throw invalid(`There is no key of ${key}.`, `Set it with the keys.`, 'agent');
      continue;
    }
    const isReference = text.search(additionReference) !== -1;
    try {
      const { body } = await additions({ provider, baseUrl: null, body: { [name]: text } });
      const value = body[name];
      if (typeof value === 'string') values[name] = value;
    } catch (error) {
      if (!isReference || !optional.includes(name)) throw error;
    }
  }
  return values;
}
