import { asSentence } from '../../src-shared/domain/asSentence.ts';
import { errorText } from '../../src-shared/domain/errorText.ts';
import { FileTooLarge, NotPlainFile } from './plainFile.ts';

/**
 * Thrown for a read-only file. Replacing it by renaming would work, but would ignore the permission
 * that its owner set.
 */
export class ReadOnlyTarget extends Error {
  override readonly name = 'ReadOnlyTarget';
}

/** Why a path could not be read or written, and what the user can do about it. */
export interface FileProblem {
  cause: string;
  nextStep: string;
  /** The fault lies with the disk, so that choosing another file name does not help. */
  isDiskProblem?: true;
}

const explanations: Record<string, FileProblem> = {
  ENOENT: { cause: "The file or folder doesn't exist.", nextStep: 'Check the name.' },
  ENOTDIR: { cause: 'Part of its path is a file, not a folder.', nextStep: 'Check the name.' },
  EISDIR: { cause: "It's a folder.", nextStep: 'Choose a file.' },
  EEXIST: {
    cause: "It exists, but it isn't a folder.",
    nextStep: 'Choose a folder, or a new name.',
  },
  EACCES: {
    cause: 'Permission denied.',
    nextStep: 'Change its permissions, or choose another location.',
  },
  EPERM: {
    cause: "The operating system doesn't allow it.",
    nextStep: 'Change its permissions, or choose another location.',
  },
  ELOOP: {
    cause: 'Its symbolic links form a loop.',
    nextStep: 'Fix the links, or choose another name.',
  },
  ENAMETOOLONG: {
    cause: 'The name is longer than the system allows.',
    nextStep: 'Choose a shorter name.',
  },
  EROFS: {
    cause: 'Its disk is read-only.',
    nextStep: 'Choose another location.',
    isDiskProblem: true,
  },
  ENOSPC: {
    cause: 'Its disk is full.',
    nextStep: 'Free some space, or choose another location.',
    isDiskProblem: true,
  },
  EDQUOT: {
    cause: 'Your quota on its disk is used up.',
    nextStep: 'Free some space, or choose another location.',
    isDiskProblem: true,
  },
  EIO: {
    cause: 'Its disk reported an error.',
    nextStep: 'Check the disk, then try again.',
    isDiskProblem: true,
  },
  EMFILE: {
    cause: 'Too many files are open.',
    nextStep: 'Close other programs, then try again.',
    isDiskProblem: true,
  },
};

const missingFolder: FileProblem = {
  cause: "The file can't be created: its folder is missing or not writable.",
  nextStep: 'Choose another location, or create the folder first.',
};
const readOnlyFile: FileProblem = {
  cause: 'It exists and is read-only.',
  nextStep: 'Change its permissions, or choose another name.',
};

/**
 * Translates an error of the operating system about a path into a cause and a next step. Returns
 * null for any other error.
 */
export function explainFileProblem(error: unknown, access: 'read' | 'write'): FileProblem | null {
  if (error instanceof ReadOnlyTarget) return readOnlyFile;
  if (error instanceof NotPlainFile)
    return { cause: error.message, nextStep: 'Choose a plain file.' };
  if (error instanceof FileTooLarge) return { cause: error.message, nextStep: 'Split it.' };
  if (
    !(error instanceof Error) ||
    !('code' in error) ||
    typeof error.code !== 'string' ||
    !('syscall' in error)
  )
    return null;
  const writing = access === 'write' || error.syscall === 'mkdir';
  return (
    (error.code === 'ENOENT' && writing ? missingFolder : explanations[error.code]) ?? {
      cause: `The system refuses it (${error.code}).`,
      nextStep: 'Choose another location.',
    }
  );
}

/** Why a path could not be read or written, as a sentence. */
export const fileCause = (error: unknown, access: 'read' | 'write'): string =>
  explainFileProblem(error, access)?.cause ?? asSentence(errorText(error));
