export interface WorkProgress {
  done: number;
  total: number;
}

/**
 * Remaining milliseconds from the pace so far: (elapsed / done) · remaining. Null while there is no
 * pace (fewer than two done, or no time elapsed); 0 when nothing remains.
 */
export function remainingTime({ done, total }: WorkProgress, elapsedMs: number): number | null {
  if (done >= total) return 0;
  if (done < 2 || elapsedMs <= 0) return null;
  return (elapsedMs / done) * (total - done);
}

/** Percent done, rounded down, so that 100 means finished. Null while the amount is not known. */
export function percentDone({ done, total }: WorkProgress): number | null {
  if (total <= 0) return null;
  return Math.min(100, Math.floor((done / total) * 100));
}

/** The remaining time, rounded: `about 40 s left`. */
export function remainingWords(milliseconds: number | null): string {
  if (milliseconds === null) return '';
  const seconds = milliseconds / 1000;
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${Math.max(1, minutes)} min left`;
  return `about ${Math.round(minutes / 60)} h left`;
}

/** The step of 20% that a screen reader announces: six times per run instead of with every case. */
export function announcedStep(progress: WorkProgress): number {
  const percent = percentDone(progress);
  return percent === null ? 0 : Math.floor(percent / 20) * 20;
}
