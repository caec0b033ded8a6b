import type { EventEmitter } from 'node:events';
import { sameInterruptMs } from './signals.ts';

export interface ConfirmedInterrupt {
  stop: () => void;
  /** What would be broken off. */
  running: () => Promise<string[]>;
  say: (text: string) => void;
  /** The last resort, where stopping does not come to an end. */
  exit?: () => void;
  now?: () => number;
  signals?: Pick<EventEmitter, 'on' | 'off'>;
}

/**
 * Ctrl-C ends the window's program, but not an evaluation that runs without a word: then it says
 * what would be interrupted, and the next Ctrl-C ends it. Other signals come from a system that
 * waits for no answer.
 */
export function onConfirmedInterrupt({
  stop,
  running,
  say,
  exit = () => process.exit(3),
  now = () => performance.now(),
  signals = process,
}: ConfirmedInterrupt): () => void {
  let state: 'open' | 'asking' | 'warned' | 'ending' = 'open';
  let since = 0;
  const enter = (next: typeof state): void => {
    state = next;
    since = now();
  };
  const end = (): void => {
    enter('ending');
    stop();
  };
  const ask = async (): Promise<void> => {
    enter('asking');
    const list = await running();
    if (state !== 'asking') return;
    if (list.length === 0) {
      end();
      return;
    }
    say(
      `${list.length === 1 ? 'An evaluation is' : `${list.length} evaluations are`} running.\n${list.join('\n')}\nCtrl-C once more ends the program: what was done is kept, and it can be resumed.`,
    );
    enter('warned');
  };
  const interrupt = (): void => {
    // One Ctrl-C arrives twice where npm passes it on.
    if (state !== 'open' && now() - since < sameInterruptMs) return;
    if (state === 'open') void ask();
    else if (state === 'warned') end();
    else if (state === 'ending') exit();
  };
  const terminate = (): void => {
    if (state !== 'ending') end();
  };
  signals.on('SIGINT', interrupt);
  signals.on('SIGTERM', terminate);
  signals.on('SIGHUP', terminate);
  return () => {
    signals.off('SIGINT', interrupt);
    signals.off('SIGTERM', terminate);
    signals.off('SIGHUP', terminate);
  };
}
