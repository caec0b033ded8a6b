import { text } from 'node:stream/consumers';
import { keychainTask, openEntry } from './keychainTask.ts';

// One call to the keychain, in a process of its own: on Linux the library waits for the store on the
// calling thread, possibly forever.
const { service, account, action, value } = keychainTask.parse(
  JSON.parse(await text(process.stdin)),
);
try {
  const Entry = openEntry(await import('keytar'));
  const entry = new Entry(service, account, { linux: { store: 'secret-service' } });
  if (action === 'set') await entry.setPassword(value ?? '');
  const answer =
    action === 'get'
      ? await entry.getPassword()
      : action === 'remove'
        ? await entry.deletePassword()
        : null;
  process.stdout.write(JSON.stringify({ answer }));
} catch (error) {
  process.stdout.write(
    JSON.stringify({
      error: error instanceof Error ? error.message : 'it failed without giving a reason',
    }),
  );
}
