import { startWithEnvironment, takeEnvironment } from '../runtime/ownEnvironment.ts';

// Starts a program as the launcher does where it needs a newer Node than its own.
const { variables } = takeEnvironment();
const child = startWithEnvironment(process.execPath, process.argv.slice(2), variables);
child.on('exit', (code) => process.exit(code ?? 3));
