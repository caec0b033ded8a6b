/** How endpoints of all formats say that a limit on tokens ended a reply. */
export const lengthReasons: ReadonlySet<string> = new Set([
  ...['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'max_completion_tokens'],
  ...['model_length', 'model_context_window_exceeded', 'context_length_exceeded'],
]);
