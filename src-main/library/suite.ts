/** `touchstone/suite`: the shape of a suite file, and how its text is read and written. */
export {
  casesOfFile,
  suiteFile,
  suiteFileCase,
  tasksOfFile,
  type FileProblem,
  type SuiteFile,
  type SuiteFileCase,
} from '../../src-shared/domain/suiteFile.ts';
export { readSuiteFile, validateSuiteText, type ReadSuite } from '../services/suites/suiteFile.ts';
export { writeSuiteText } from '../services/suites/suiteFileCodec.ts';
