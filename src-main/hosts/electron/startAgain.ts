import { app } from 'electron';
import { spawn } from 'node:child_process';

/** Waits for the end of a process, then becomes a program: PID PROGRAM ARGUMENTS. */
const startAfter =
  'while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; shift; exec "$@" </dev/null >/dev/null 2>&1';

/**
 * Starts the program again once this process has ended, with the variables that it was started with.
 *
 * `app.relaunch` starts a helper from the program's own binary, which waits. Of an AppImage, that
 * binary is in a mount that ends with this process, and the helper with it
 * (electron-userland/electron-builder#1727); the system's shell waits there instead.
 */
export function startAgain(
  variables: NodeJS.ProcessEnv,
  args: readonly string[] = process.argv.slice(1),
  pid = process.pid,
): void {
  const image = app.isPackaged && process.platform === 'linux' ? variables['APPIMAGE'] : undefined;
  if (image === undefined) {
    // The helper inherits the environment, from which keys were taken at the start.
    Object.assign(process.env, variables);
    app.relaunch();
    return;
  }
  // The start script of an AppImage adds this one itself where it has to.
  const kept = args.filter((argument) => argument !== '--no-sandbox');
  const child = spawn('/bin/sh', ['-c', startAfter, 'sh', String(pid), image, ...kept], {
    detached: true,
    stdio: 'ignore',
    env: variables,
  });
  // Without a shell, there is nobody left to tell: the person starts the program.
  child.on('error', () => undefined);
  child.unref();
}
