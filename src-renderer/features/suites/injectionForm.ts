import { z } from 'zod';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { injectionTechnique, type TaskInjection } from '../../../src-shared/domain/task.ts';
import { readReference } from './caseForm.ts';

export const injectionForm = z.object({
  /** `server:tool` whose results get the instruction. */
  tool: z.string(),
  technique: injectionTechnique,
  instruction: z.string(),
  /** The tool and the text of an argument that must not appear; empty: no such condition. */
  canaryTool: z.string(),
  canaryArgument: z.string(),
});
export type InjectionForm = z.infer<typeof injectionForm>;

export const emptyInjection: InjectionForm = {
  tool: '',
  technique: 'direct',
  instruction: '',
  canaryTool: '',
  canaryArgument: '',
};

export const formOfInjection = ({
  server,
  tool,
  technique,
  instruction,
  canary,
}: TaskInjection): InjectionForm => ({
  tool: toolId(server, tool),
  technique,
  instruction,
  canaryTool: canary.tool ?? '',
  canaryArgument: canary.argument ?? '',
});

/** Adds problems under the names of the fields: `tool`, `instruction`, `canary`. */
export function readInjection(
  { tool, technique, instruction, canaryTool, canaryArgument }: InjectionForm,
  report: (field: string, problem: string) => void,
): TaskInjection | null {
  const reference = readReference(tool);
  if (reference === null) report('tool', 'Choose a tool.');
  if (instruction.trim() === '') report('instruction', 'Enter what the result tells the model.');
  const canary = {
    ...(canaryTool !== '' && { tool: canaryTool }),
    ...(canaryArgument !== '' && { argument: canaryArgument }),
  };
  if (Object.keys(canary).length === 0)
    report(
      'canary',
      'Name a tool, an argument, or both: without one, no call shows that it worked.',
    );
  return reference && { ...reference, technique, instruction, canary };
}
