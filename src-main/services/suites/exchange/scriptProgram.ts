import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { nonEmptyText } from './values.ts';

/** A program of a task: see `program` in the checks of a suite file. */
export interface ScriptProgram {
  command: string[];
  /** Seconds. */
  timeout: number;
  /** Exit code 0 passes, there and here. */
  exit_code: true;
}

/** What a script may take there if it says nothing, and at most here. */
const defaultSeconds = 300;
const maxSeconds = 600;

/** Interpreters that take a script as an argument. */
const inlineFlags: Readonly<Record<string, string>> = {
  ...{ sh: '-c', bash: '-c', zsh: '-c', python: '-c', python3: '-c' },
  ...{ node: '-e', ruby: '-e', perl: '-e' },
};

/** A script of another program as a program of a task; null if nothing here can start it. */
export function programOfScript(script: JsonObject): ScriptProgram | null {
  const words = wordsOf(script);
  return (
    words && {
      command: words,
      timeout: Math.min(secondsOf(nonEmptyText(script['timeout'])), maxSeconds),
      exit_code: true,
    }
  );
}

function wordsOf({ file, inline }: JsonObject): string[] | null {
  const path = nonEmptyText(file);
  if (path !== null) return [/^[./]/u.test(path) ? path : `./${path}`];
  const text = nonEmptyText(inline);
  if (text === null) return null;
  const [first = '', ...rest] = text.split('\n');
  if (!first.startsWith('#!')) return ['sh', '-c', text];
  const name =
    first
      .slice(2)
      .trim()
      .split(/[\s/]+/u)
      .at(-1) ?? '';
  const flag = inlineFlags[name];
  return flag === undefined ? null : [name, flag, rest.join('\n')];
}

/** A duration such as `30s`, `2m` or `1m30s`. */
function secondsOf(text: string | null): number {
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gu)];
  const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
  const seconds = parts.reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 1),
    0,
  );
  return seconds > 0 ? seconds : defaultSeconds;
}
