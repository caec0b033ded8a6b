import { collectCopy, printCopy } from './copy/collectCopy.ts';

// Prints every text that a person can see, by screen, to read through from top to bottom.
process.stdout.write(printCopy(collectCopy()));
