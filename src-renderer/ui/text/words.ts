export { counted, noun } from '../../../src-shared/display/numbers.ts';
