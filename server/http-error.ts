/** A request that is not forwarded, with the status and the sentence that the page is given. */
export class HttpError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail The sentence: it says nothing about the key or about the inside of the service. */
  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}
