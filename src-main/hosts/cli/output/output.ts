import { formatDuration } from '../../../../src-shared/display/numbers.ts';
import { styleText } from 'node:util';
import {
  escapeControls,
  escapeLines,
  visibleJsonParts,
} from '../../../../src-shared/display/visibleText.ts';
import { createYielder, yieldToEventLoop } from '../../../runtime/yieldToEventLoop.ts';
import type { CommandIo } from '../commandIo.ts';
import { isInterrupted } from '../signals.ts';

export interface GlobalOptions {
  workspace?: string;
  wait?: string;
  encoding?: string[];
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
}

/** Characters of an answer that are written together. */
const maxWaiting = 64 * 1024;

const barWidth = 24;
/** Columns next to the bar, for counts and remaining time. */
const barTextWidth = 34;

/**
 * Writes the answer to standard output, and everything else (notes, errors, progress) to standard
 * error, as the global options of a command and the terminal ask for.
 */
export function createOutput(
  options: GlobalOptions,
  { stdout: out, stderr: err, env }: Pick<CommandIo, 'stdout' | 'stderr' | 'env'>,
) {
  const quiet = options.quiet ?? false;
  const json = options.json ?? false;
  // A dumb terminal supports neither color nor redrawing a line.
  const terminal = err.isTTY && env['TERM'] !== 'dumb';
  const color = terminal && (options.color ?? true) && !env['NO_COLOR'];
  let barIsDrawn = false;
  let lastTenth = -1;

  function endProgress(): void {
    if (barIsDrawn) err.write('\n');
    barIsDrawn = false;
    lastTenth = -1;
  }

  function* written(value: unknown, text: () => string): Generator<string> {
    let waiting = '';
    for (const part of json ? visibleJsonParts(value) : [escapeLines(text()).replace(/\n*$/, '')]) {
      waiting += part;
      if (waiting.length < maxWaiting) continue;
      yield waiting;
      waiting = '';
    }
    yield `${waiting}\n`;
  }

  return {
    json,
    answer: (value: unknown, text: () => string): void => {
      // The result of interrupted work is not an answer.
      if (isInterrupted()) return;
      for (const part of written(value, text)) out.write(part);
    },
    /**
     * The same for an answer of many megabytes: an interrupt is noticed while it is written, and
     * ends it by throwing the reason of `signal`.
     */
    async answerInTurns(value: unknown, text: () => string, signal: AbortSignal): Promise<void> {
      // Notices what came before, too.
      await yieldToEventLoop();
      const yieldIfDue = createYielder();
      for (const part of written(value, text)) {
        await yieldIfDue();
        signal.throwIfAborted();
        out.write(part);
      }
    },
    line: (text: string): void => void out.write(`${escapeLines(text)}\n`),
    note: (text: string): void => {
      endProgress();
      if (!quiet && !isInterrupted()) err.write(`${text}\n`);
    },
    error: (text: string): void => {
      if (isInterrupted()) return;
      endProgress();
      if (color) err.draw(`${styleText('red', escapeLines(text), { validateStream: false })}\n`);
      else err.write(`${text}\n`);
    },
    progress(done: number, total: number, startedAt: number, noun = 'runs'): void {
      if (quiet || total === 0) return;
      const share = done / total;
      if (!terminal) {
        // Logs get ten lines, not ten thousand.
        const tenth = Math.floor(share * 10);
        if (tenth > lastTenth) err.write(`${done}/${total} ${noun}\n`);
        lastTenth = tenth;
        return;
      }
      // A line wider than the terminal could not be redrawn.
      const width = Math.max(0, Math.min(barWidth, (err.columns ?? 80) - barTextWidth));
      const filled = Math.round(share * width);
      const eta =
        done > 0
          ? ` · ${formatDuration(((Date.now() - startedAt) / done) * (total - done))} left`
          : '';
      err.draw(
        `\r\u001b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}${eta}`,
      );
      barIsDrawn = true;
    },
    endProgress,
  };
}
export type Output = ReturnType<typeof createOutput>;

/** Aligns columns for a terminal. Names may hold anything, so control characters are escaped. */
export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(escapeControls));
  const widths = clean.reduce<number[]>(
    (all, row) => row.map((cell, index) => Math.max(all[index] ?? 0, cell.length)),
    [],
  );
  return clean
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
