import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serverPrograms } from '../adapters/mcp/openWire.ts';
import { sweeping } from '../adapters/process/sweepLeftovers.ts';
import { threads } from '../adapters/process/watchedWorker.ts';
import { newFiles } from '../adapters/secrets/encryptedFile.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { memory } from '../runtime/v8Flags.ts';
import { copyToNewDatabases } from './emptyDatabase.ts';
import { testedProgram } from './testedProgram.ts';
import { startTodoInProcess } from './todoInProcess.ts';
import { testEmptyDatabase, testProgram } from './testPrograms.ts';

memory.isKeptSmall = false;
sweeping.atStart = false;
threads.keep = true;
threads.locate = (entry) =>
  pathToFileURL(testProgram(relative(programFiles.root, fileURLToPath(entry))));
// As cheap as scrypt gets.
newFiles.cost = { cost: 2, blockSize: 1, parallelization: 1 };
serverPrograms.start = startTodoInProcess;
// The servers that the program ships start from its bundle too.
programFiles.commandLine = testedProgram;
programFiles.emptyDatabase = testEmptyDatabase();
copyToNewDatabases();
