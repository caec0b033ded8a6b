import { nextStepHere } from '../../runtime/window.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolSecretKey, type ToolSecret } from '../../../src-shared/domain/toolSecrets.ts';
import type { ManagedTool, ToolContent } from '../../../src-shared/domain/workshop.ts';
import { secretVariable, type SecretsProblem } from '../../adapters/secrets/namedSecrets.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { SecretVault } from '../../adapters/secrets/secretVault.ts';
import type { Store } from '../../store/store.ts';
import { findPlaceholders } from './templates.ts';

/** The secrets of one tool, by its id, so that they outlast another name. */
export type VaultOfTool = (toolId: string) => SecretVault;

interface ToolSecretsParts {
  store: Store;
  vault: VaultOfTool;
  secretGuard: SecretGuard;
}

/** The secrets that a version needs: those it declares, then others that its settings insert. */
export function secretsOf({ executorConfig }: Pick<ToolContent, 'executorConfig'>): string[] {
  return [...new Set([...executorConfig.secrets, ...findPlaceholders(executorConfig).secrets])];
}

/**
 * Secrets of tools. A version names them; values are kept where provider keys are, per tool, and
 * read for a call of that tool only.
 */
export class ToolSecrets {
  readonly #parts: ToolSecretsParts;

  constructor(parts: ToolSecretsParts) {
    this.#parts = parts;
  }

  /**
   * What the latest version of this tool needs, or of each tool that is not deleted, and what is
   * kept for earlier versions.
   */
  async list(tool: ManagedTool | null): Promise<ToolSecret[]> {
    const tools = tool === null ? this.#parts.store.tools.withSecrets() : [tool];
    const listed = tools.map(async (each) => {
      const latest = secretsOf(each.content);
      // What only earlier versions name is listed while a value of it is kept.
      const kept = (await this.#parts.vault(each.id).names()).filter(
        (name) => !latest.includes(name),
      );
      return [...latest, ...kept].map((name) => this.#describe(each, name));
    });
    return Promise.all((await Promise.all(listed)).flat());
  }

  async set(tool: ManagedTool, name: string, value: string): Promise<ToolSecret> {
    this.#requireNamed(tool, name);
    await this.#parts.vault(tool.id).set(name, value);
    return this.#describe(tool, name);
  }

  async remove(tool: ManagedTool, name: string): Promise<ToolSecret> {
    this.#requireNamed(tool, name);
    await this.#parts.vault(tool.id).remove(name);
    return this.#describe(tool, name);
  }

  /** Removes the values of every version. Throws CONFLICT while they can't be removed. */
  async removeAll(tool: ManagedTool): Promise<void> {
    const vault = this.#parts.vault(tool.id);
    const names = this.#namesOfVersions(tool);
    if (names.length === 0) return;
    const cannotRemove = (
      why: string,
      next: { nextStep: string; onCommandLine?: string },
    ): ServiceError =>
      new ServiceError('CONFLICT', {
        thing: `The tool ${tool.content.name}`,
        cause: `Its secrets can’t be removed with it. ${why}`,
        ...next,
      });
    const problem = (await vault.problem?.()) ?? null;
    if (problem !== null)
      throw cannotRemove(
        problem.text,
        problem.locked
          ? {
              nextStep: `Unlock the keys${nextStepHere({ window: ' under Settings', terminal: '' })}, then try again.`,
              onCommandLine: 'The command is `touchstone keys unlock`.',
            }
          : { nextStep: 'Then try again.' },
      );
    for (const name of names) {
      await vault.remove(name);
      const place = await vault.place(name);
      if (place !== null && place !== 'environment')
        throw cannotRemove(
          `${name} is still in the ${place === 'file' ? 'encrypted file' : place}.`,
          { nextStep: 'Remove it there, then try again.' },
        );
    }
  }

  /**
   * The values for one call. `given` has those that the caller's environment provides; they come
   * first. A tool that is not created yet has no others. Throws INVALID where one has no value, so that nothing is recorded or run.
   */
  async read(
    tool: ManagedTool | null,
    content: ToolContent,
    given: Readonly<Record<string, string>> = {},
  ): Promise<ReadonlyMap<string, string>> {
    const { secretGuard } = this.#parts;
    const vault = tool === null ? null : this.#parts.vault(tool.id);
    const values = new Map<string, string>();
    const missing: string[] = [];
    for (const name of secretsOf(content)) {
      const value =
        (Object.hasOwn(given, name) && given[name]) || ((await vault?.get(name)) ?? null);
      if (value === null) missing.push(name);
      else {
        secretGuard.guard(value);
        values.set(name, value);
      }
    }
    if (missing.length > 0)
      throw missingSecrets(tool, content, missing, (await vault?.problem?.()) ?? null);
    return values;
  }

  async #describe(tool: ManagedTool, name: string): Promise<ToolSecret> {
    const place = await this.#parts.vault(tool.id).place(name);
    return {
      toolId: tool.id,
      tool: tool.content.name,
      name,
      status: place === null ? 'not set' : 'set',
      place,
    };
  }

  #namesOfVersions(tool: ManagedTool): string[] {
    const { versions } = this.#parts.store.tools;
    const contents = versions
      .list(tool.id)
      .flatMap(({ version }) => versions.get(tool.id, version)?.content ?? []);
    return [...new Set(contents.flatMap(secretsOf))];
  }

  #requireNamed(tool: ManagedTool, name: string): void {
    const names = this.#namesOfVersions(tool);
    if (names.includes(name)) return;
    throw new ServiceError('NOT_FOUND', {
      thing: `Secret ${name} of ${tool.content.name}`,
      cause:
        names.length === 0
          ? 'The tool names no secrets.'
          : `The tool doesn’t name it. Its secrets are: ${names.join(', ')}.`,
      nextStep: 'Add the name to the secrets of the tool and save it.',
      field: 'name',
    });
  }
}

function missingSecrets(
  tool: ManagedTool | null,
  content: ToolContent,
  missing: readonly string[],
  problem: SecretsProblem | null,
): ServiceError {
  const [first = ''] = missing;
  const isLocked = problem?.locked === true;
  const declared = content.executorConfig.secrets.includes(first);
  const names = missing.join(', ');
  return new ServiceError('INVALID', {
    thing: `The tool ${content.name}`,
    cause:
      problem === null
        ? `It was not run: its ${missing.length === 1 ? `secret ${names} has` : `secrets ${names} have`} no value.`
        : `It was not run: its ${missing.length === 1 ? `secret ${names}` : `secrets ${names}`} can’t be read. ${problem.text}`,
    nextStep:
      tool === null
        ? 'Create the tool, then set its secrets. Until then, run the draft without them.'
        : !isLocked
          ? `Set it on the tool’s page in Touchstone under Secrets, or as the variable ` +
            `${declared ? `${first} in the \`env\` block of the MCP client` : secretVariable(first)}.`
          : `Unlock the keys${nextStepHere({ window: ' under Settings', terminal: '' })}. A server that no window helps reads the passphrase ` +
            'from TOUCHSTONE_KEYS_PASSPHRASE.',
    ...(tool !== null &&
      (problem === null || isLocked) && {
        onCommandLine: `The command is \`touchstone keys ${
          isLocked ? 'unlock' : `set ${toolSecretKey(tool.content.name, first)}`
        }\`.`,
      }),
    field: `secrets.${first}`,
  });
}
