/** One Ctrl-C may arrive twice: from the terminal and from the npm that passes it on. */
export const sameInterruptMs = 500;

/** Ctrl-C asks once, politely; the second time it insists. */
export function onInterrupt(stop: () => void): () => void {
  let askedAt: number | null = null;
  const listener = () => {
    const now = performance.now();
    if (askedAt !== null && now - askedAt > sameInterruptMs) process.exit(3);
    if (askedAt !== null) return;
    askedAt = now;
    stop();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}
