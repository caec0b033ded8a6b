import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programFiles } from '../runtime/programFiles.ts';
import { compiled, memoryIo, runInMemory, type Ended } from './commandLine.ts';
import {
  runAction,
  type ActionResult,
  type ActionRun,
  type ArtifactStore,
} from './compositeAction.ts';
import { testedProgram } from './testedProgram.ts';

interface Comment {
  id: number;
  body: string;
  user: { login: string; type: string };
}

interface Artifact {
  id: number;
  name: string;
  expired: boolean;
  workflow_run: {
    id: number;
    head_branch: string;
    repository_id: number;
    head_repository_id: number;
  };
}

/** A job that uses the action once. */
export interface FakeJob {
  event: string;
  /** What was pushed, or the branch of the pull request; default: main for a push. */
  branch?: string;
  inputs?: Record<string, string>;
  matrix?: Record<string, unknown>;
  job?: string;
  workflow?: string;
  /** Uses of one job share it; default: a job of its own. */
  temp?: string;
  /** Jobs of one run, and its reruns, share it; default: a new run. */
  run?: number;
  env?: Record<string, string>;
}

const ownBot = 'github-actions[bot]';

/** A call of the program on a runner. */
interface Command {
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}
/** Sends a call of the program to the process of the test, without node:http, which takes long to load. */
const commandMethod = 'PUT';
const askHere = (origin: string): string => `
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
const asked = connect(${new URL(origin).port}, '127.0.0.1');
const body = JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), env: process.env });
asked.write('${commandMethod} / HTTP/1.0\\r\\nContent-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
const answer = await text(asked);
const { code, stdout, stderr } = JSON.parse(answer.slice(answer.indexOf('\\r\\n\\r\\n') + 4));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
`;

/** Jobs run one after the other, so that a command can be given the folder of the process. */
async function runHere({ args, cwd, env }: Command): Promise<Ended> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await runInMemory(args, memoryIo({ only: env }));
  } finally {
    process.chdir(before);
  }
}

/**
 * A repository on GitHub: the action's steps run in a checkout, and its scripts find comments of one
 * pull request and artifacts at an API on loopback. The API's rules are of GitHub's REST
 * documentation ("List artifacts for a repository", "List issue comments"): lists come in pages of
 * `per_page`, artifacts newest first. Artifacts follow actions/upload-artifact v4 and later (its
 * README and docs/MIGRATION.md): a name is taken once per run, a rerun included, unless `overwrite`,
 * and holds none of `" : < > | * ? \\ /`.
 */
export class FakeGithub implements ArtifactStore {
  readonly comments: Comment[] = [];
  readonly artifacts: Artifact[] = [];
  requests: string[] = [];
  refusesComments = false;
  /** Who the token of an app or a person writes as. */
  viewer = 'acme-checks[bot]';
  readonly #folder: string;
  readonly #server: Server;
  readonly #scripts: ActionRun['scripts'];
  #runs = 100;

  private constructor(folder: string, runs: ActionRun['scripts']) {
    this.#folder = folder;
    this.#scripts = runs;
    this.#server = createServer((incoming, answer) => {
      void text(incoming).then((body) => {
        const { method = '', url = '' } = incoming;
        if (method === commandMethod)
          return void runHere(JSON.parse(body) as Command).then((ended) =>
            answer.end(JSON.stringify(ended)),
          );
        const { pathname, searchParams } = new URL(url, 'http://localhost');
        this.requests.push(`${method} ${pathname}`);
        const token = incoming.headers.authorization;
        const [status, value] = /^Bearer (a|app)-token$/.test(token ?? '')
          ? this.#answer(method, pathname, searchParams, body, token === 'Bearer a-token')
          : [401, { message: 'Bad credentials' }];
        answer.writeHead(status, { 'content-type': 'application/json' });
        answer.end(JSON.stringify(value));
      });
    });
  }

  /**
   * Runners have this program as `touchstone` on their PATH.
   *
   * @param folder the checkout; `.github-fake` in it is the runner's and the server's
   * @param runs whether each call of the program and of Node is a process of its own, or runs in this one
   */
  static async start(folder: string, runs: ActionRun['scripts'] = 'process'): Promise<FakeGithub> {
    const github = new FakeGithub(folder, runs);
    mkdirSync(github.#at('bin'), { recursive: true });
    await new Promise<void>((resolve) => github.#server.listen(0, '127.0.0.1', resolve));
    const asks = github.#at('bin', 'askHere.mjs');
    writeFileSync(asks, askHere(github.origin));
    const script = `#!/bin/sh\nexec "${process.execPath}" "${runs === 'here' ? asks : testedProgram}" "$@"\n`;
    writeFileSync(github.#at('bin', 'touchstone'), script, { mode: 0o755 });
    return github;
  }

  [Symbol.dispose](): void {
    this.#server.close();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #at = (...names: string[]): string => join(this.#folder, '.github-fake', ...names);

  #answer(
    method: string,
    path: string,
    query: URLSearchParams,
    body: string,
    isJobToken: boolean,
  ): [number, unknown] {
    const page = <Item>(items: readonly Item[]): Item[] => {
      const size = Math.min(Number(query.get('per_page') ?? 30), 100);
      const at = (Number(query.get('page') ?? 1) - 1) * size;
      return items.slice(at, at + size);
    };
    const login = isJobToken ? ownBot : this.viewer;
    if (path === '/graphql') return [200, { data: { viewer: { login } } }];
    if (path.endsWith('/actions/artifacts')) {
      const found = this.artifacts.filter(({ name }) => name === query.get('name')).toReversed();
      return [200, { total_count: found.length, artifacts: page(found) }];
    }
    if (method === 'GET') return [200, page(this.comments)];
    if (this.refusesComments) return [403, { message: 'Resource not accessible by integration' }];
    const sent = (JSON.parse(body) as { body: string }).body;
    if (sent.length > 65_536) return [422, { message: 'Body is too long' }];
    if (method === 'POST') {
      this.addComment(sent, login);
      return [201, {}];
    }
    const comment = this.comments.find(({ id }) => id === Number(path.split('/').at(-1)));
    if (comment === undefined) return [404, { message: 'Not Found' }];
    comment.body = sent;
    return [200, {}];
  }

  addComment(body: string, login: string): void {
    const type = login.endsWith('[bot]') ? 'Bot' : 'User';
    this.comments.push({ id: this.comments.length + 1, body, user: { login, type } });
  }

  addArtifact(name: string, run: number, change: Partial<Artifact['workflow_run']> = {}): Artifact {
    const artifact = {
      ...{ id: this.artifacts.length + 1, name, expired: false },
      workflow_run: {
        ...{ id: run, head_branch: 'main', repository_id: 1, head_repository_id: 1 },
        ...change,
      },
    };
    this.artifacts.push(artifact);
    return artifact;
  }

  upload(run: string, name: string, path: string, overwrite: boolean): void {
    if (/[":<>|*?\r\n\\/]/.test(name)) throw new Error(`The artifact name ${name} is not valid.`);
    const target = this.artifact(Number(run), name);
    if (existsSync(target)) {
      if (!overwrite)
        throw new Error(
          'Failed to CreateArtifact: (409) Conflict: an artifact with this name already exists on ' +
            'the workflow run',
        );
      rmSync(target, { recursive: true });
      const at = this.artifacts.findIndex(
        (each) => each.name === name && each.workflow_run.id === Number(run),
      );
      this.artifacts.splice(at, 1);
    }
    mkdirSync(target, { recursive: true });
    // The root of an artifact is the deepest folder that all of its files share.
    const isFile = statSync(path).isFile();
    cpSync(path, isFile ? join(target, basename(path)) : target, { recursive: true });
    this.addArtifact(name, Number(run), { head_branch: this.#branches.get(Number(run)) ?? '' });
  }
  readonly #branches = new Map<number, string>();

  download(run: string, name: string, path: string): void {
    const source = this.artifact(Number(run), name);
    if (!existsSync(source)) throw new Error(`Artifact not found for name: ${name}`);
    cpSync(source, path, { recursive: true });
  }

  /** The folder of an artifact. */
  artifact = (run: number, name: string): string => this.#at('artifacts', String(run), name);

  /** A folder for a job that uses the action several times. */
  newJob(): string {
    return this.#at(`job-${(this.#jobs += 1)}`);
  }
  #jobs = 0;

  async use(given: FakeJob): Promise<ActionResult & { id: number }> {
    const id = given.run ?? (this.#runs += 1);
    const isPullRequest = given.event.startsWith('pull_request');
    const branch = given.branch ?? (isPullRequest ? 'feature' : 'main');
    this.#branches.set(id, branch);
    const repository = { default_branch: 'main' };
    const file = `${given.workflow ?? 'checks'}.yml`;
    const result = await runAction({
      action: programFiles.root,
      scripts: this.#scripts,
      inputs: given.inputs ?? {},
      matrix: given.matrix ?? null,
      github: {
        ...{ token: 'a-token', run_id: id, event_name: given.event },
        ...{ job: given.job ?? 'test', workflow_ref: `acme/shop/.github/workflows/${file}@main` },
        // A pull_request_target runs on the base of the pull request.
        ref_name: given.event === 'pull_request' ? '7/merge' : isPullRequest ? 'main' : branch,
        event: isPullRequest ? { repository, pull_request: { number: 7 } } : { repository },
      },
      env: {
        ...{ HOME: this.#folder, GITHUB_API_URL: this.origin },
        ...{
          GITHUB_GRAPHQL_URL: `${this.origin}/graphql`,
          GITHUB_SERVER_URL: 'https://github.test',
        },
        ...{ GITHUB_REPOSITORY: 'acme/shop', TOUCHSTONE_KEYCHAIN: 'off' },
        ...{ TOUCHSTONE_HOME: this.#at('workspace'), NODE_COMPILE_CACHE: compiled },
        ...given.env,
        PATH: [this.#at('bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
      },
      cwd: this.#folder,
      temp: given.temp ?? this.newJob(),
      artifacts: this,
    });
    return { ...result, id };
  }
}
