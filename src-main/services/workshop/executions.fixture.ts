import type { ToolExecution } from '../../../src-shared/domain/toolExecution.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolContent } from '../../../src-shared/domain/workshop.ts';
import { noSignal, type TestWorkshop } from '../../testing/workshop.ts';

export const createTool = async (at: TestWorkshop, content: ToolContent): Promise<string> =>
  (await at.workshop.create({ content, categoryId: null, changelog: '' }, noSignal)).id;

/** Runs the latest version of a tool by name or id, active or not, to its end. */
export const executeTool = (
  at: TestWorkshop,
  tool: string,
  args: JsonObject = {},
): Promise<ToolExecution> =>
  at.workshop.execute({ tool, arguments: args, activeOnly: false }, noSignal);

export const createAndExecute = async (
  at: TestWorkshop,
  content: ToolContent,
  args: JsonObject = {},
): Promise<ToolExecution> => executeTool(at, await createTool(at, content), args);

/** Creates the file named by `UP` once it runs, then waits until it is ended. */
export const waitingScript = `require('node:fs').writeFileSync(process.env.UP, ''); setInterval(() => {}, 1000)`;
