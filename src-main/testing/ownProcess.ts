import { exitWith, startWithEnvironment, takeEnvironment } from '../runtime/ownEnvironment.ts';

// Starts a program as the launcher does where it needs a newer Node than its own.
const { variables } = takeEnvironment();
exitWith(startWithEnvironment(process.execPath, process.argv.slice(2), variables));
