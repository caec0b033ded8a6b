import { defineTable, type Row } from '../database/table.ts';
import { shownId } from './shownCases.ts';

/** All columns of a case. The `expected…` ones repeat its first call; docs/rules.md §2. */
export const caseColumns = {
  id: 'text',
  suiteId: 'text',
  key: 'text',
  position: 'integer',
  name: 'text',
  query: 'text',
  expectedMcpServerName: 'text?',
  expectedToolName: 'text?',
  expectedParameters: 'json?',
  expectedCalls: 'json',
  orderDependent: 'flag',
  allowedCalls: 'json',
  argumentsMode: 'text?',
  stubResults: 'json',
  system: 'text?',
  messages: 'json?',
  note: 'text?',
  tags: 'json',
  servers: 'json',
  origin: 'json?',
  createdAt: 'text',
  updatedAt: 'text',
} as const;
export const caseTable = defineTable('test_cases', caseColumns);
export type TestCaseRow = Row<typeof caseTable>;

/** For SELECT from the cases that people see: every column under the name of its field. */
export const shownColumns = caseTable
  .columnsOf('c')
  .replace('c.id,', `${shownId} AS id,`)
  .replace('c.suite_id AS', 'u.id AS');
