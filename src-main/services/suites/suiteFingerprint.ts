import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import { toSuiteFile, type SuiteContent } from './suiteFileCodec.ts';

/**
 * What a suite says, in short: its settings, and all of its cases and tasks in their order. Two
 * suites with the same fingerprint are the same in a file.
 */
export class SuiteFingerprint {
  // Tasks come from another table than cases, so that each has an order of its own.
  readonly #hashes = { head: '', cases: createHash('sha256'), tasks: createHash('sha256') };

  /** Adds some of its cases and tasks. */
  add({ cases, tasks, ...settings }: SuiteContent): void {
    this.#hashes.head ||= canonicalJson(toSuiteFile({ ...settings, cases: [], tasks: [] }));
    for (const each of cases)
      this.#hashes.cases.update(
        `${canonicalJson(toSuiteFile({ ...settings, cases: [each], tasks: [] }).cases)}\n`,
      );
    for (const each of tasks)
      this.#hashes.tasks.update(
        `${canonicalJson(toSuiteFile({ ...settings, cases: [], tasks: [each] }).cases)}\n`,
      );
  }

  /** Once, after all was added. */
  end(): string {
    const { head, cases, tasks } = this.#hashes;
    return [head, cases.digest('hex'), tasks.digest('hex')].join(' ');
  }
}
