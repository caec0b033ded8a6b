/** A failure that the adapter detected: a whole sentence and the next step. */
export class McpFault extends Error {
  override readonly name = 'McpFault';
  readonly nextStep: string;

  constructor(sentence: string, nextStep: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.nextStep = nextStep;
  }
}
