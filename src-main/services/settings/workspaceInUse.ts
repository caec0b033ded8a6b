// Apart from the lock, so that commands that open no workspace don't load the database.
export { WorkspaceInUse } from '../../store/durability/workspaceInUse.ts';
