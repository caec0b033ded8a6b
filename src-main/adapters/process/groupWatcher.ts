/**
 * One process that outlives this one for a moment: when this one ends, also if it is killed, it ends
 * the process groups that were entrusted to it. It learns of that from a pipe that ends with this
 * process.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Starts with groups as its arguments, reads `+ group` and `- group`, and at the end of its input
 * kills the groups that are left.
 */
const script = `
  left=$*
  while read -r what group; do
    if [ "$what" = + ]; then left="$left $group"; continue; fi
    others=
    for each in $left; do [ "$each" = "$group" ] || others="$others $each"; done
    left=$others
  done
  for group in $left; do kill -s KILL -- "-$group"; done`;

const groups = new Set<number>();
let watcher: ChildProcess | null = null;

function startWatcher(): void {
  // As arguments, it has them from its first moment on: this process may end before it writes.
  const started = spawn('/bin/sh', ['-c', script, 'touchstone', ...[...groups].map(String)], {
    // It stays behind if a terminal ends the group of this process.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  watcher = started;
  started.once('error', () => (watcher = null));
  started.once('exit', (_code, signal) => {
    watcher = null;
    // Somebody ended it.
    if (signal !== null && groups.size > 0) startWatcher();
  });
  started.unref();
  started.stdin.on('error', () => undefined);
  if (started.stdin instanceof Socket) started.stdin.unref();
}

const say = (what: '+' | '-', group: number): void =>
  void watcher?.stdin?.write(`${what} ${group}\n`);

/**
 * Entrusts the watcher with a process group until the returned function is called. Called in the
 * turn in which the group was started, no end of this process leaves it running.
 */
export function watchGroup(group: number): () => void {
  groups.add(group);
  if (watcher === null) startWatcher();
  else say('+', group);
  return () => {
    if (groups.delete(group)) say('-', group);
  };
}
