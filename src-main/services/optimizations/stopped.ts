/** Thrown inside a run that was paused, cancelled or closed. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
