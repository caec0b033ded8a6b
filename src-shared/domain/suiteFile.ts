import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';
import { suiteFileTask, type SuiteFileTask } from './taskFile.ts';
import { argumentsMode, priorMessage, toolReference } from './testCase.ts';

const names = z.array(z.string().min(1));
const parameters = jsonObject
  .describe(
    'Expected arguments. Left out: the call is judged by the schema of the tool alone. An ' +
      'object whose names all begin with $ is a matcher: $any, $regex, $contains, $gte, $lte, ' +
      '$absent, $optional, $ignore, $exact, $eq, $partial, $unordered, $default.',
  )
  .optional();

const fileCall = z.union([
  toolReference.extend({ parameters }).meta({ title: 'Call', description: 'A call of one tool.' }),
  z
    .strictObject({
      any_of: z
        .array(
          toolReference.extend({
            parameters: parameters.describe(
              'Expected arguments of this alternative alone, in place of those for all.',
            ),
          }),
        )
        .min(1)
        .describe('Calls of which any one is right. A tool may be named again with others.'),
      parameters,
    })
    .meta({
      title: 'Call of one of several tools',
      description: 'A call for which several tools are equally right.',
    }),
]);

export const suiteFileCase = z
  .strictObject({
    id: z
      .string()
      .min(1)
      .describe('Unique in the suite. A case keeps its history as long as its id stays.'),
    name: z.string().min(1).describe('What the case is called in lists and reports.'),
    query: z.string().min(1).describe('What the user asks the model.'),
    tags: names.describe('Words to filter by.').optional(),
    servers: names
      .describe("Servers whose tools the model sees. Left out or empty: the suite's servers.")
      .optional(),
    expected_calls: z
      .array(fileCall)
      .describe('The calls that are right. An empty list: no tool should be called.'),
    order_dependent: z
      .boolean()
      .describe('Whether the calls must come in this order. Left out: any order.')
      .optional(),
    arguments_mode: argumentsMode
      .describe(
        'exact: arguments that a call does not list are wrong. at-least: they are fine where the ' +
          'schema of the tool allows them. Left out: as the suite, else the evaluation, says.',
      )
      .optional(),
    allowed_calls: z
      .array(toolReference)
      .describe('Tools whose calls are ignored in matching, such as a look-up before the act.')
      .optional(),
    system: z.string().describe("System prompt of this case. Left out: the suite's.").optional(),
    messages: z
      .array(priorMessage)
      .describe("Messages before the query of this case. Left out: the suite's.")
      .optional(),
    note: z.string().describe('What is kept with the case. No model sees it.').optional(),
    stub_results: z
      .array(
        z.strictObject({
          server: z.string(),
          tool: z.string(),
          result: jsonValue.describe('The tool result that the model receives.'),
        }),
      )
      .describe('Answers for calls in evaluations of several turns. No tool is ever executed.')
      .optional(),
  })
  .meta({ title: 'Test case', description: 'A query and what is right for it.' });
export type SuiteFileCase = z.infer<typeof suiteFileCase>;

/** A suite as a file; published as `datasets/suite.schema.json`. */
export const suiteFile = z
  .strictObject({
    version: z.literal(1).describe('Version of this format.'),
    name: z.string().min(1).describe('Name of the suite. Unique in a workspace.'),
    servers: names.describe(
      'Names of the servers whose tools the model sees in cases that name none themselves.',
    ),
    arguments_mode: argumentsMode
      .describe('arguments_mode of cases that have none. Left out: as the evaluation says.')
      .optional(),
    system: z.string().describe('System prompt.').optional(),
    messages: z.array(priorMessage).describe('Messages before the query of every case.').optional(),
    cases: z
      .array(z.union([suiteFileCase, suiteFileTask]))
      .describe('The test cases and tasks, in order. An entry with turns is a task.'),
  })
  .meta({
    title: 'Touchstone suite',
    description:
      'Test cases that tell whether a model picks the right MCP tools with the right arguments, ' +
      'and tasks that tell whether it gets something done with them.',
  });
export type SuiteFile = z.infer<typeof suiteFile>;

/** A suite of test cases alone: what the formats of other programs hold. */
export const caseFile = suiteFile.extend({ cases: z.array(suiteFileCase) });
export type CaseFile = z.infer<typeof caseFile>;

type Entry = SuiteFile['cases'][number];
const isTaskEntry = (entry: Entry): entry is SuiteFileTask => 'turns' in entry;
const isCaseEntry = (entry: Entry): entry is SuiteFileCase => !isTaskEntry(entry);
/** The entries that ask for one choice of tools. */
export const casesOfFile = ({ cases }: Pick<SuiteFile, 'cases'>): SuiteFileCase[] =>
  cases.filter(isCaseEntry);
/** The entries that are worked on over several turns. */
export const tasksOfFile = ({ cases }: Pick<SuiteFile, 'cases'>): SuiteFileTask[] =>
  cases.filter(isTaskEntry);

export const fileProblem = z.object({
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  /** JSON pointer into the document. */
  path: z.string(),
  message: z.string(),
});
export type FileProblem = z.infer<typeof fileProblem>;
