import { bundledConfig } from '../servers/bundledServers.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import {
  evaluationRequest,
  type EvaluationRequest,
} from '../../../src-shared/domain/evaluation.ts';
import { builtinModelName } from '../../../src-shared/domain/provider.ts';
import type { SampleData } from '../../../src-shared/domain/sampleData.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import { serverUrl } from '../servers/serverUrl.ts';
import type { ServersService } from '../servers/serversService.ts';
import type { SuitesService } from '../suites/suitesService.ts';
import type { Output } from '../contractTypes.ts';

/** The suite of the sample that is evaluated when a window first opens a new workspace. */
const evaluatedSuite = 'office-sample';

/**
 * `todo` is enough for a command, which wants one suite that runs at once. A window gets the
 * whole: four servers, three suites and an evaluation, so that every page has something to show.
 */
const parts = {
  todo: { servers: ['todo'], suites: ['todo-sample'] },
  whole: {
    servers: ['todo', 'calendar', 'mail', 'files'],
    suites: [evaluatedSuite, 'todo-sample', 'todo-tasks'],
  },
} as const;
export type SamplePart = keyof typeof parts;

/** The window paints first; an evaluation that starts at the same time would slow it down. */
const startDelayMs = 1000;

const progress = z.object({
  /** `adding` is continued by the next start, `evaluating` by the next start of a window. */
  stage: z.enum(['adding', 'evaluating', 'done']),
  part: z.enum(['todo', 'whole']),
  /** Ids, because a person may rename things, or use the same names for their own. */
  servers: z.array(z.string()),
  suites: z.array(z.string()),
  /** Names of the suites that were missing when adding began: others are a person's own. */
  missing: z.array(z.string()),
  evaluation: z.string().nullable(),
});
type Progress = z.infer<typeof progress>;

const nothing: Progress = {
  stage: 'done',
  part: 'todo',
  servers: [],
  suites: [],
  missing: [],
  evaluation: null,
};

export interface SampleParts {
  store: Store;
  suites: Pick<SuitesService, 'import' | 'remove'>;
  servers: Pick<ServersService, 'remove'>;
  evaluations: Pick<EvaluationsService, 'start' | 'resume' | 'watch' | 'remove' | 'list'>;
  datasets: string;
  log?: Log | undefined;
}

/** The bundled servers and suites, and one evaluation of them. Everything can be removed at once. */
export class SampleWorkspace {
  readonly #parts: SampleParts;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(sampleParts: SampleParts) {
    this.#parts = sampleParts;
  }

  /**
   * Adds the sample to an empty workspace, once: a user who deleted it does not get it again, and
   * a workspace with content is left alone. Continues where an earlier start was ended half-way.
   */
  async addToNew(part: SamplePart): Promise<void> {
    const { store } = this.#parts;
    const before = this.#read();
    if (before.stage === 'adding') {
      await this.#add(before);
      return;
    }
    if (store.settings.isMarked('sample')) return;
    if (store.servers.list().length > 0 || store.suites.list().length > 0) {
      store.settings.mark('sample');
      return;
    }
    await this.#add({ ...nothing, stage: 'adding', part, missing: [...parts[part].suites] });
  }

  /**
   * Runs the evaluation of the sample in the background where it is due, or resumes the one that
   * the end of the program interrupted.
   */
  evaluateWhenDue(delayMs = startDelayMs): void {
    if (this.#read().stage !== 'evaluating') return;
    this.#running = this.#evaluate(delayMs).catch((error: unknown) => {
      if (!this.#closing.signal.aborted)
        this.#parts.log?.error(`The sample evaluation failed: ${errorText(error)}`);
    });
  }

  /** Resolves when the evaluation that runs in the background has ended. */
  settled(): Promise<void> {
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  read(): SampleData {
    const { store } = this.#parts;
    const { servers, suites, evaluation } = this.#present();
    const names = {
      servers: new Set(store.servers.list().map(({ name }) => name)),
      suites: new Set(store.suites.list().map(({ name }) => name)),
    };
    return {
      servers: servers.map(({ name }) => name),
      suites: suites.map(({ name }) => name),
      evaluation: evaluation && { id: evaluation.id, number: evaluation.number },
      evaluating: this.#read().stage === 'evaluating',
      addable:
        parts.whole.servers.some((name) => !names.servers.has(name)) ||
        parts.whole.suites.some((name) => !names.suites.has(name)),
    };
  }

  /** Adds whatever is missing, by name, and evaluates it. */
  async add(): Promise<SampleData> {
    const before = this.#read();
    const known = new Set(this.#parts.store.suites.list().map(({ name }) => name));
    const missing = parts.whole.suites.filter((name) => !known.has(name));
    await this.#add({ ...before, stage: 'adding', part: 'whole', missing });
    this.evaluateWhenDue(0);
    return this.read();
  }

  /** Moves all that is left of the sample to the trash. Returns the tokens to undo it. */
  async remove(): Promise<Output<'settings', 'removeSample'>> {
    const { evaluations, suites, servers } = this.#parts;
    const present = this.#present();
    this.#write({ ...this.#read(), stage: 'done' });
    const tokens: string[] = [];
    const derived = present.evaluation
      ? (await evaluations.list({ limit: 500 })).filter(
          ({ origin }) => origin?.evaluationId === present.evaluation?.id,
        )
      : [];
    for (const { id } of [...derived, ...(present.evaluation ? [present.evaluation] : [])])
      tokens.push((await evaluations.remove({ id })).token);
    for (const { id } of present.suites) tokens.push((await suites.remove({ id })).token);
    for (const { id } of present.servers) tokens.push((await servers.remove({ id })).token);
    return { tokens };
  }

  async #add(started: Progress): Promise<void> {
    const { store, datasets } = this.#parts;
    const wanted = parts[started.part];
    const texts = await Promise.all(
      wanted.suites.map((name) => readFile(suiteFile(datasets, name), 'utf8')),
    );
    let now = started;
    const note = (change: Partial<Progress>): void => this.#write((now = { ...now, ...change }));
    note({});
    for (const [at, name] of wanted.suites.entries()) {
      if (!started.missing.includes(name)) continue;
      if (store.suites.list().every((suite) => suite.name !== name))
        await this.#parts.suites.import(
          { fileName: `${name}.suite.yaml`, text: texts[at] ?? '', replace: false },
          { signal: this.#closing.signal },
        );
      const made = store.suites.list().find((suite) => suite.name === name);
      if (made) note({ suites: [...new Set([...now.suites, made.id])] });
    }
    store.transaction(() => {
      for (const name of wanted.servers) {
        if (store.servers.getByName(name)) continue;
        const config = bundledConfig(name);
        const { id } = store.servers.insert({ name, config, url: serverUrl(config) });
        note({ servers: [...now.servers, id] });
      }
      note({ stage: started.part === 'whole' ? 'evaluating' : 'done' });
      store.settings.mark('sample');
    });
  }

  async #evaluate(delayMs: number): Promise<void> {
    const { signal } = this.#closing;
    await setTimeout(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const { store, evaluations } = this.#parts;
    const suite = store.suites.list().find(({ name }) => name === evaluatedSuite);
    if (suite && this.#read().stage === 'evaluating') {
      // Found by its suite, because the program may have ended before its id was written down.
      const [known] = store.evaluations.list(suite.id, 1);
      const due = known ?? (await evaluations.start(request(suite.id, store)));
      this.#write({ ...this.#read(), evaluation: due.id });
      if (due.state === 'interrupted') await evaluations.resume({ id: due.id });
      await ends(evaluations.watch({ id: due.id, afterSeq: 0 }, { signal }));
      if (this.#closing.signal.aborted) return;
    }
    this.#write({ ...this.#read(), stage: 'done' });
  }

  #present() {
    const { store } = this.#parts;
    const known = this.#read();
    const evaluation =
      known.evaluation === null ? null : store.evaluations.get('case', known.evaluation);
    return {
      servers: store.servers.list().filter(({ id }) => known.servers.includes(id)),
      suites: store.suites.list().filter(({ id }) => known.suites.includes(id)),
      evaluation: evaluation ?? null,
    };
  }

  #read(): Progress {
    const text = this.#parts.store.settings.recall('sample');
    const read = text === null ? null : progress.safeParse(JSON.parse(text));
    return read?.success ? read.data : nothing;
  }

  #write(change: Progress): void {
    this.#parts.store.settings.remember('sample', JSON.stringify(change));
  }
}

/** Reads events to the last one: the stream ends with the evaluation. */
async function ends(events: AsyncIterable<unknown>): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

const suiteFile = (datasets: string, name: string): string =>
  join(datasets, 'sample', `${name}.suite.yaml`);

/** The selector that needs no model, key or network, with the workspace's defaults. */
function request(suiteId: string, store: Store): EvaluationRequest {
  const { concurrency, highConfidence, timeout, temperature, maxRetries } = store.settings.get();
  const model = {
    provider: 'builtin',
    model: builtinModelName,
    timeout,
    temperature,
    maxRetries,
  };
  return evaluationRequest.parse({ suiteId, models: [model], concurrency, highConfidence });
}
