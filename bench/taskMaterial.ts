import type { InlineSources } from '../src-shared/domain/evaluation.ts';
import { makeMaterial } from './material.ts';

/** Requests of one task: each of the first ones calls a tool, and the last answers. */
export const stepsPerTask = 5;
/** What every call is answered with. */
export const stubText = 'The invoice is open.';

/** The fifty tools of the cases, and tasks whose calls are answered by a stub. */
export function makeTasks(count: number): Required<InlineSources> {
  const { tools } = makeMaterial(1);
  return {
    tools,
    suite: {
      version: 1,
      name: `${count} tasks`,
      servers: ['office'],
      cases: Array.from({ length: count }, (_, index) => ({
        id: `task-${index}`,
        name: `task ${index}`,
        turns: [`Please check the invoices from number ${index} on.`],
        checks: [
          { answer: { $contains: 'done' } },
          { calls: { must: Array.from({ length: stepsPerTask - 1 }, () => 'list_invoice') } },
        ],
        stub_results: [{ server: 'office', tool: 'list_invoice', result: stubText }],
      })),
    },
  };
}
