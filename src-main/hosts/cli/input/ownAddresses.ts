import { isRemote, providerTable, providers } from '../../../../src-shared/domain/provider.ts';
import { additionReference } from '../../../../src-shared/domain/requestAdditions.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import type { ModelOptions } from './modelOptions.ts';

type Environment = CommandIo['env'];

/** A model of a project file. */
interface Asked {
  options: ModelOptions;
}

/** Events of GitHub's that check files of a pull request, or commonly do. */
const pullRequestEvents = /^(pull_request.*|issue_comment|workflow_run)$/;

/** Set by other systems where a change that isn't merged is checked. */
const pullRequestVariables = [
  'CI_MERGE_REQUEST_IID', // GitLab
  'CI_EXTERNAL_PULL_REQUEST_IID', // GitLab
  'BITBUCKET_PR_ID',
  'BUILDKITE_PULL_REQUEST', // "false" in other builds
  'CHANGE_ID', // Jenkins
  'CIRCLE_PULL_REQUEST',
  'SYSTEM_PULLREQUEST_PULLREQUESTID', // Azure Pipelines
] as const;

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value !== 'false';

const isForPullRequest = (env: Environment): boolean =>
  pullRequestEvents.test(env['GITHUB_EVENT_NAME'] ?? '') ||
  pullRequestVariables.some((name) => isSet(env[name]));

const keyVariables = providers.flatMap((provider) =>
  isRemote(provider) ? [providerTable[provider].key.variable] : [],
);

/** The variables with credentials that are set here: keys of providers, and what a model names. */
function keysFor({ options }: Asked, env: Environment): string[] {
  const named = [...(options.header ?? []), ...(options.query ?? []), ...(options.body ?? [])]
    .flatMap((line) => [...line.matchAll(additionReference)])
    .flatMap(([, , variable]) => (variable === undefined ? [] : [variable]));
  return [...keyVariables, ...named].filter((name) => isSet(env[name]));
}

/** Where a model of a project file sends its requests, if the file says so itself. */
function ownAddressOf({ options }: Asked): string | null {
  if (typeof options.baseUrl === 'string') return `base_url ${options.baseUrl}`;
  if (typeof options.agent === 'string') return `agent ${options.agent}`;
  return typeof options.command === 'string' ? `command ${options.command}` : null;
}

/**
 * Refuses an address or a command that the project file of a pull request names where keys are set:
 * whoever opens the pull request would receive them. Options of the command line are the workflow's.
 */
export function refuseOwnAddresses(
  { models = [], judges = [], user }: { models?: Asked[]; judges?: Asked[]; user?: Asked },
  file: string,
  env: Environment,
): void {
  if (!isForPullRequest(env)) return;
  for (const model of [...models, ...judges, ...(user === undefined ? [] : [user])]) {
    const address = ownAddressOf(model);
    const [key, ...others] = keysFor(model, env);
    if (address === null || key === undefined) continue;
    throw refusal(`${file}: It names ${address}`, [key, ...others]);
  }
}

const refusal = (what: string, keys: readonly string[]): UsageError =>
  new UsageError(
    `${what}, this run is for a pull request, and ${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} set. ` +
      'The author of a pull request could have keys sent to an address of their choice. Unset them, ' +
      'give the address as an option of the command, or agree with --own-addresses if only people ' +
      'that you trust can change the file.',
  );

/**
 * Refuses the same of the servers that a project file starts or reaches: a key of a provider for any
 * of them, and any variable for an address.
 */
export function refuseServerKeys(
  servers: readonly { name: string; config: ServerConfig }[],
  env: Environment,
): void {
  if (!isForPullRequest(env)) return;
  for (const { name, config } of servers) {
    const named = [...JSON.stringify(config).matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)\}/g)]
      .map(([, variable = '']) => variable)
      .filter((variable) => isSet(env[variable]));
    const keys = [...new Set(named)].filter(
      (variable) => config.transport !== 'stdio' || keyVariables.some((key) => key === variable),
    );
    if (keys.length > 0) throw refusal(`servers: ${name} is given ${keys.join(', ')}`, keys);
  }
}
