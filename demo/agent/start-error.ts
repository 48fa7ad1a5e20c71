/** Reason why the server cannot start; the message is printed to the terminal. */
export class StartError extends Error {
  /** @param message One sentence: the problem and what to do. */
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
