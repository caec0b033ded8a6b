import { fileURLToPath, pathToFileURL } from 'node:url';
import { threads } from '../adapters/process/watchedWorker.ts';
import { testProgram } from './testPrograms.ts';

threads.keep = true;
threads.locate = (entry) => pathToFileURL(testProgram(fileURLToPath(entry)));
