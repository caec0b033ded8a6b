import { ServiceError } from '../../../src-shared/contract/errors.ts';

/** Another process holds the workspace. It may be free a moment later. */
export class WorkspaceInUse extends ServiceError {}
