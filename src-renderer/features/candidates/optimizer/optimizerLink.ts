/** Where an optimization is started from an evaluation. */
export function optimizerLink(evaluationId: string, model: string | null = null): string {
  const given = { evaluation: evaluationId, ...(model === null ? {} : { model }) };
  return `/results/searches?${new URLSearchParams(given).toString()}`;
}
