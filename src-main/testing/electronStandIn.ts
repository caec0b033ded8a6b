import { writeFileSync } from 'node:fs';
import { takeEnvironment } from '../runtime/ownEnvironment.ts';
import { lookAtProcesses } from './lookAtProcesses.ts';

// Stands in for Electron's binary: takes its environment as the window's process does, and reports
// what it got and what other processes can see.
const [report = '', reversed = ''] = process.argv.slice(2);
const seen = lookAtProcesses(Buffer.from(reversed).reverse().toString());
writeFileSync(report, JSON.stringify({ ...seen, variables: takeEnvironment().variables }));
