/** Thrown for a file that cannot be parsed. The message is shown to the user. */
export class UnreadableFileError extends Error {}
