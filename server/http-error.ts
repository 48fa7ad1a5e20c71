/** An error with the status and message that are sent to the page. */
export class HttpError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param detail The message. It must not contain the key or internals of the service.
   * @param options The cause, which is not sent.
   */
  constructor(
    status: number,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.status = status;
    this.headers = headers;
  }
}
