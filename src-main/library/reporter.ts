import { writeFileSync } from 'node:fs';
import { match, type JudgedRun } from './matchers.ts';

/** What this reads of Vitest's `TestModule`. */
interface TestModule {
  relativeModuleId: string;
  children: {
    allTests(): Iterable<{ fullName: string; meta(): object }>;
  };
}

/**
 * `touchstone/reporter`, a reporter of Vitest: writes every run that a matcher of `touchstone/vitest`
 * judged as a line for `touchstone score`, and prints how many passed. A run that can't be scored
 * counts neither as passed nor as failed.
 */
export default class TouchstoneReporter {
  readonly #file: string;

  constructor({ outputFile = 'touchstone-runs.jsonl' }: { outputFile?: string } = {}) {
    this.#file = outputFile;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const runs = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) =>
        ((test.meta() as { touchstone?: JudgedRun[] }).touchstone ?? []).map((run, at) => ({
          id: `${module.relativeModuleId} > ${test.fullName}${at === 0 ? '' : ` (${at + 1})`}`,
          ...run,
        })),
      ),
    );
    writeFileSync(this.#file, runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    const passed = runs.map(passes);
    const scored = passed.filter((pass) => pass !== null);
    const unscored = runs.length - scored.length;
    process.stdout.write(
      `\nTouchstone: ${scored.filter(Boolean).length} of ${scored.length} runs passed` +
        `${unscored === 0 ? '' : `, ${unscored} not scored`}. ${this.#file} has them: ` +
        '`touchstone score --input` scores them again.\n',
    );
  }
}

function passes(run: JudgedRun): boolean | null {
  try {
    return match(run).pass;
  } catch {
    // What can’t be judged counts neither as passed nor as failed.
    return null;
  }
}
