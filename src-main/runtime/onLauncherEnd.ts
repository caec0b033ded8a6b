import { Socket } from 'node:net';

/**
 * Calls `end` when the process that started this one has ended, however it ended: the pipe between
 * them closes even if it was killed. The pipe doesn't keep this process running.
 */
export function onLauncherEnd(launcherPipe: number | null, end: () => void): void {
  if (launcherPipe === null) return;
  const pipe = new Socket({ fd: launcherPipe });
  pipe.on('error', () => undefined);
  pipe.once('close', end);
  pipe.resume();
  pipe.unref();
}
