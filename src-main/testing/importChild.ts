import { Worker } from 'node:worker_threads';
import { createServices } from '../app/createServices.ts';

/**
 * A program that imports a suite, for tests that kill it: `node importChild.ts FOLDER HOW CASES
 * [MILLISECONDS]`. It prints "begins" before it does so and "done" after it, and runs on to do what
 * follows in the background, until it kills itself after so many milliseconds, in the middle of
 * whatever it does.
 */
const [folder = '', how = 'new', count = '0', killAfterMs] = process.argv.slice(2);
const options = { signal: new AbortController().signal };
const { services } = await createServices({ host: 'cli', folder });
const { suites } = services;
const file = (name: string) => ({
  fileName: 'large.json',
  text: JSON.stringify({
    version: 1,
    name: 'large',
    servers: ['todo'],
    cases: Array.from({ length: Number(count) }, (_, at) => ({
      id: `c${at}`,
      name: `Case ${at}`,
      query: `${name} ${at} ${'word '.repeat(100)}`,
      expected_calls: [{ server: 'todo', tool: 'add_task' }],
    })),
  }),
});
const [suite] = await suites.list();
process.stdout.write('begins\n');
if (killAfterMs !== undefined)
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${Number(killAfterMs)})`, {
    eval: true,
  });
if (how === 'remove') await suites.remove({ id: suite?.id ?? '' });
else if (how === 'append')
  await suites.import({ ...file('one'), replace: false, into: suite?.id }, options);
else
  await suites.import(
    { ...file(how === 'new' ? 'one' : 'two'), replace: how === 'replace' },
    options,
  );
process.stdout.write('done\n');
setInterval(() => undefined, 1000);
