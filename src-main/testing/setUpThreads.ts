import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threads } from '../adapters/process/watchedWorker.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { testProgram } from './testPrograms.ts';

threads.keep = true;
threads.locate = (entry) =>
  pathToFileURL(testProgram(relative(programFiles.root, fileURLToPath(entry))));
