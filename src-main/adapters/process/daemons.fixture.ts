/**
 * Programs that leave their tree by every way there is. Each writes the pids of its processes to
 * standard output as JSON, so that a test or a benchmark can count which are left. All of them end
 * by themselves after a minute, so that a failure leaves nothing for good.
 */
const stay = `
  process.on('SIGTERM', () => {});
  process.on('SIGHUP', () => {});
  setTimeout(() => process.exit(), 60_000);
  require('node:fs').closeSync(1);`;

/**
 * Node that forks twice into a session of its own, with an empty environment, in the root folder,
 * without any of its files. It waits until the daemon ignores signals and has closed the last pipe
 * between them.
 */
const daemonize = (daemon: string): string => `
  const { spawn } = require('node:child_process');
  const between = ${JSON.stringify(`
    const daemon = require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], {
      detached: true, env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
    daemon.unref();
    daemon.stdout.resume().on('close', () => require('node:fs').writeSync(1, String(daemon.pid)));
  `)};
  const child = spawn(process.execPath, ['-e', between, ${JSON.stringify(daemon)}], {
    detached: true, env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  const daemonPid = new Promise((resolve) => child.on('close', () => resolve(Number(text))));`;

/** A script that starts a daemon and ends at once. */
export const daemonizingScript = `${daemonize(stay)}
  daemonPid.then((pid) => console.log(JSON.stringify([pid])));`;

/** A script whose daemon forks sleepers one after the other, many more than it gets to. */
export const forkingScript = `${daemonize(`${stay}
  const more = (left) => left > 0 && require('node:child_process').spawn('/bin/sleep', ['60'], {
    detached: true, env: {}, cwd: '/', stdio: 'ignore' })
    .on('error', () => {}).on('spawn', () => setImmediate(more, left - 1));
  more(1000);`)}
  daemonPid.then((pid) => console.log(JSON.stringify([pid])));`;

/** A server that turns into a daemon: it stays in the background and answers nobody. */
export const daemonizingServer = `${daemonize(stay)}
  daemonPid.then((pid) => console.log(JSON.stringify([process.pid, pid])));
  process.stdin.resume();`;
