/** A fault that the adapter found itself: a whole sentence, and what to do about it. */
export class McpFault extends Error {
  override readonly name = 'McpFault';
  readonly nextStep: string;

  constructor(sentence: string, nextStep: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.nextStep = nextStep;
  }
}
