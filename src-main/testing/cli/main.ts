/*
 * The command line as its launcher starts it: with code that an earlier process compiled. A program
 * that gets few variables, as a server does, isn't told of the cache of the tests.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, 'compiled'));
await import('../../hosts/cli/main.ts');
