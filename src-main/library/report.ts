/** `touchstone/report`: the shapes of JSON reports. `touchstone/schemas/*` has them as JSON Schema. */
export { comparisonDocument } from '../services/reports/documents/comparisonDocument.ts';
export { evaluationDocument } from '../services/reports/documents/evaluationDocument.ts';
export { lintDocument } from '../services/reports/documents/lintDocument.ts';
export { retrievalDocument } from '../services/reports/documents/retrievalDocument.ts';
export { securityDocument } from '../services/reports/documents/securityDocument.ts';
export { similarityDocument } from '../services/reports/documents/similarityDocument.ts';
export { tasksDocument } from '../services/reports/documents/tasksDocument.ts';
export { tokensDocument } from '../services/reports/documents/tokensDocument.ts';
