/** Why the server cannot start, as one sentence for the person at the terminal. */
export class StartError extends Error {
  /** @param message One clear sentence: what is wrong and what to do. */
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
