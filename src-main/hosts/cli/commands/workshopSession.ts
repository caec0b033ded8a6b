import type { Command } from 'commander';
import { UsageError } from '../exitCodes.ts';
import { createOutput, type GlobalOptions, type Output } from '../output/output.ts';
import { openSession, type Client } from '../session.ts';

type Work = (client: Client, output: Output) => Promise<void>;

/** Opens the workspace, works, closes it. */
export async function inWorkshop(
  command: Command,
  access: 'read' | 'write',
  work: Work,
): Promise<void> {
  const globals = command.optsWithGlobals<GlobalOptions>();
  const session = await openSession(globals, access);
  try {
    await work(session.client, createOutput(globals));
  } finally {
    await session.close();
  }
}

export function readNumber(value: string, what: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`${what} ${value}: It is no whole number from 1 on.`);
  return number;
}
