import { agentTimeout } from '../../../../src-shared/domain/agents.ts';
import { environmentLine } from '../../../../src-shared/display/environmentTexts.ts';
import {
  environmentFor,
  readEnvironmentDefaults,
  type EnvironmentDefaults,
  type EnvironmentValues,
} from '../../../../src-shared/domain/environmentDefaults.ts';
import { onlyModelOf, type Provider } from '../../../../src-shared/domain/provider.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { agentModels, type AgentOptions } from './agentOption.ts';
import type { Client } from '../session.ts';
import type { Output } from '../output/output.ts';

type Given = Readonly<Record<string, unknown>>;

/** The settings of a model that the environment has, for what options and files leave out. */
export class ModelEnvironment {
  readonly #read: EnvironmentDefaults;
  #used: EnvironmentValues = {};

  /** Throws if a variable of this program can't be read, because ignoring it would go unnoticed. */
  constructor({ env }: Pick<CommandIo, 'env'>) {
    this.#read = readEnvironmentDefaults(env);
    const own = this.#read.problems.find(({ setting }) => setting !== 'baseUrl');
    if (own) throw new UsageError(own.message);
  }

  /** The models to ask: those named, else the provider's only one, else that of the environment. */
  modelsOf(
    provider: Provider,
    named: readonly string[] | undefined,
    agent: AgentOptions = {},
  ): readonly string[] {
    if (provider === 'agent') return agentModels(agent, named);
    const only = onlyModelOf(provider);
    const { model } = this.#read.values;
    if (named !== undefined) return named;
    if (only !== null) return [only];
    if (model === undefined) return [];
    this.#used = { ...this.#used, model };
    return [model];
  }

  complete(provider: Provider, given: Given): Record<string, unknown> {
    const { model: _, ...values } = environmentFor(provider, this.#read.values);
    const missing = Object.entries(values).filter(([setting]) => given[setting] === undefined);
    const unread = this.#read.problems.find(({ setting }) => setting === 'baseUrl');
    if (provider === 'openai-compatible' && unread && given['baseUrl'] === undefined)
      throw new UsageError(unread.message);
    const completed: EnvironmentValues = Object.fromEntries(missing);
    this.#used = { ...this.#used, ...completed };
    return {
      ...(provider === 'agent' && { timeout: agentTimeout }),
      ...given,
      ...completed,
    };
  }

  /**
   * Refuses to send a stored key to an address that only the environment has: whoever sets a
   * variable would otherwise receive it. A key of the environment may go there.
   */
  async checkAddress({ keys }: Pick<Client, 'keys'>): Promise<void> {
    const { baseUrl } = this.#used;
    if (baseUrl === undefined) return;
    const stored = (await keys.list()).keys.find(
      ({ provider, place }) =>
        provider === 'openai-compatible' && place !== null && place !== 'environment',
    );
    if (stored)
      throw new UsageError(
        `OPENAI_BASE_URL ${baseUrl}: The stored key of openai-compatible is only sent to an ` +
          `address that you give. Give --base-url ${baseUrl} to send it there, or remove it with ` +
          '`touchstone keys remove openai-compatible` and set OPENAI_COMPATIBLE_API_KEY.',
      );
  }

  /** Says what came from the environment, so that nobody wonders about a number. */
  note(output: Pick<Output, 'note'>): void {
    const line = environmentLine(this.#used);
    if (line !== null) output.note(line);
  }
}
