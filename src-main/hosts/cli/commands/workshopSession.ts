import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { type Output } from '../output/output.ts';
import { openSession, type Client } from '../session.ts';

type Work = (client: Client, output: Output) => Promise<void>;

/** Opens the workspace, runs `work` and closes it. */
export async function inWorkshop(
  context: CommandContext,
  access: 'read' | 'write',
  work: Work,
): Promise<void> {
  const session = await openSession(context, access);
  try {
    await work(session.client, context.output);
  } finally {
    await session.close();
  }
}

/** Parses a whole number of at least 1. */
export function readNumber(value: string, what: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`${what} ${value}: It isn't a whole number of 1 or more.`);
  return number;
}
