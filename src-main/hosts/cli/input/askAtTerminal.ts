import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { orElse } from '../../../../src-shared/domain/orElse.ts';

const keys = { interrupt: '\u0003', end: '\u0004', backspace: /[\b\u007f]/, enter: /[\r\n]/ };

/**
 * Asks a question at the terminal, also where standard input is a file, and doesn't show what is
 * typed. Null if standard error is no terminal, or if the person types nothing.
 */
export async function askAtTerminal(question: string): Promise<string | null> {
  if (!process.stderr.isTTY) return null;
  const terminal = openTerminal();
  if (terminal === null) return null;
  // In raw mode before the question is there, so that a fast answer isn't shown either.
  terminal.setRawMode(true).setEncoding('utf8');
  process.stderr.write(question);
  try {
    return await readLine(terminal);
  } finally {
    terminal.setRawMode(false);
    process.stderr.write('\n');
    if (terminal !== process.stdin) terminal.destroy();
    else terminal.pause();
  }
}

function openTerminal(): ReadStream | null {
  if (process.platform === 'win32') return process.stdin.isTTY ? process.stdin : null;
  return orElse(() => new ReadStream(openSync('/dev/tty', 'r+')), null);
}

function readLine(terminal: ReadStream): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let line = '';
  const onData = (typed: Buffer | string): void => {
    for (const character of String(typed)) {
      if (character === keys.interrupt) {
        // In raw mode the terminal sends no signal by itself.
        process.kill(process.pid, 'SIGINT');
        resolve(null);
      } else if (keys.enter.test(character) || character === keys.end) resolve(line || null);
      else if (keys.backspace.test(character)) line = line.replace(/.$/u, '');
      else line += character;
    }
  };
  terminal.on('data', onData).once('end', () => resolve(null));
  return promise.finally(() => terminal.off('data', onData));
}
