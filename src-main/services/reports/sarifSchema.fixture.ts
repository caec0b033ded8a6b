import { readFileSync } from 'node:fs';

const official = new URL(
  '../../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  import.meta.url,
);
const {
  id: _id,
  $schema: _draft,
  ...body
} = JSON.parse(readFileSync(official, 'utf8')) as Record<string, unknown>;

/**
 * The published schema of SARIF 2.1.0. It says of itself that it is draft-04, and uses nothing that
 * later drafts read otherwise.
 */
export const sarifSchema = body;
