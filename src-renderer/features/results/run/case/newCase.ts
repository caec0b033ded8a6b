import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import type { CaseContent, ExpectedCall } from '../../../../../src-shared/domain/testCase.ts';

export type NewCase = CaseContent;

/**
 * The request of a run as a new case. With `made`, the calls of the model become the expected ones;
 * null if that adds nothing or cannot be said: the run passed, was not scored, or called a tool that
 * was not offered.
 */
export function newCaseOf(
  detail: Pick<RunDetail, 'case' | 'calls' | 'row'>,
  calls: 'expected',
): NewCase;
export function newCaseOf(
  detail: Pick<RunDetail, 'case' | 'calls' | 'row'>,
  calls: 'made',
): NewCase | null;
export function newCaseOf(
  { case: content, calls, row }: Pick<RunDetail, 'case' | 'calls' | 'row'>,
  which: 'expected' | 'made',
): NewCase | null {
  const copy = { ...content, name: `${content.name} (copy)` };
  if (which === 'expected') return copy;
  if (row.classification === null || row.outcome === 'passed') return null;
  const expectedCalls: ExpectedCall[] = [];
  for (const { server, tool, arguments: sent } of calls) {
    if (server === null || tool === null) return null;
    expectedCalls.push({ server, tool, ...(sent === null ? {} : { parameters: sent }) });
  }
  return { ...copy, expectedCalls };
}
