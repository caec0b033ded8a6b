import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { firstLines } from './output/planProblems.ts';
import type { Output } from './output/output.ts';
import type { Client } from './session.ts';
import { onInterrupt } from './signals.ts';

interface Watched {
  /** Absent: cases. */
  unit?: EvaluationUnit;
  id: string;
  /** All its runs, those that ended before a resume included. */
  runs: number;
}

/**
 * Shows progress until the evaluation has ended. Ctrl-C cancels it and keeps its results. Returns
 * whether it was pressed.
 */
export async function watchUntilEnded(
  client: Client,
  { unit = 'case', id, runs }: Watched,
  output: Output,
  verbose = false,
): Promise<boolean> {
  const startedAt = Date.now();
  let stopped = false;
  const unsubscribe = onInterrupt(() => {
    stopped = true;
    output.note('Stopping; finished runs are kept.');
    // An evaluation that has just ended cannot be cancelled, which is fine.
    void client.evaluations.cancel({ unit, id }).catch(() => undefined);
  });
  try {
    let finished = 0;
    for await (const event of await client.evaluations.watch({ unit, id, afterSeq: 0 })) {
      if (event.type === 'ingested') {
        for (const server of event.servers)
          if (server.status === 'failed')
            output.error(`Server ${server.server}: ${server.error ?? 'It listed no tools.'}`);
          else if (server.error !== null) output.note(`Server ${server.server}: ${server.error}`);
        for (const line of firstLines(
          event.rejected.map(
            (tool) => `Tool ${tool.server}:${tool.name} was rejected: ${tool.reason}`,
          ),
          verbose,
        ))
          output.error(line);
      }
      if (event.type === 'resumed') finished = runs - event.runs;
      if (event.type !== 'runs') continue;
      finished += event.outcomes.length;
      output.progress(finished, runs, startedAt);
    }
  } finally {
    output.endProgress();
    unsubscribe();
  }
  return stopped;
}
