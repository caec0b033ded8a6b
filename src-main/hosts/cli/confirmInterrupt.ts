import type { EventEmitter } from 'node:events';
import { duplicateInterruptMs } from './signals.ts';

/** What to do on Ctrl-C. Clock, signals and exit are replaced in tests. */
export interface ConfirmedInterrupt {
  stop: () => void;
  /** Descriptions of the evaluations that would be interrupted. */
  running: () => Promise<string[]>;
  say: (text: string) => void;
  /** Called by a third Ctrl-C, if stopping hangs. */
  exit?: () => void;
  now?: () => number;
  signals?: Pick<EventEmitter, 'on' | 'off'>;
}

/**
 * Asks before Ctrl-C ends a window's program during an evaluation: the first Ctrl-C says what would
 * be interrupted, the second stops. SIGTERM and SIGHUP stop at once, because the system does not
 * wait for an answer.
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
  let stateSince = 0;
  const setState = (next: typeof state): void => {
    state = next;
    stateSince = now();
  };
  const end = (): void => {
    setState('ending');
    stop();
  };
  const ask = async (): Promise<void> => {
    setState('asking');
    const list = await running();
    if (state !== 'asking') return;
    if (list.length === 0) {
      end();
      return;
    }
    say(
      `${list.length === 1 ? 'An evaluation is' : `${list.length} evaluations are`} ` +
        `running.\n${list.join('\n')}\nPress Ctrl-C again to quit: finished runs are ` +
        'kept, and it can be resumed.',
    );
    setState('warned');
  };
  const interrupt = (): void => {
    // npm forwards Ctrl-C, so one can arrive twice.
    if (state !== 'open' && now() - stateSince < duplicateInterruptMs) return;
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
