/** Thrown for a file that cannot be read. The message is a sentence for the person. */
export class Unreadable extends Error {}
