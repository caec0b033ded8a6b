/** How far a piece of work is. */
export interface WorkProgress {
  done: number;
  total: number;
}

/**
 * Milliseconds until the end, from the pace so far: (elapsed / done) · remaining. Null while there
 * is no pace to go by (fewer than two done, nothing elapsed); 0 when nothing remains.
 */
export function remainingTime({ done, total }: WorkProgress, elapsedMs: number): number | null {
  if (done >= total) return 0;
  if (done < 2 || elapsedMs <= 0) return null;
  return (elapsedMs / done) * (total - done);
}

/**
 * Whole per cent done, rounded down: 100 means that it is over. Null while the amount is not known.
 */
export function percentDone({ done, total }: WorkProgress): number | null {
  if (total <= 0) return null;
  return Math.min(100, Math.floor((done / total) * 100));
}

/** A coarse remaining time, as far as a pace can tell: `about 40 s left`. */
export function remainingWords(milliseconds: number | null): string {
  if (milliseconds === null) return '';
  const seconds = milliseconds / 1000;
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${Math.max(1, minutes)} min left`;
  return `about ${Math.round(minutes / 60)} h left`;
}

/**
 * The step of 20 % that a screen reader hears; it changes six times in a run, not with every case.
 */
export function spokenStep(progress: WorkProgress): number {
  const percent = percentDone(progress);
  return percent === null ? 0 : Math.floor(percent / 20) * 20;
}
