// Numbers read the same in the window, in reports and on the command line.
export * from '../../../src-shared/display/numbers.ts';
