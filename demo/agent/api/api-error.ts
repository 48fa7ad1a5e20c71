import type { Json } from '../json.js';

/** One validation error of a request, in the format of the API. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An error that is sent as `{detail}` with its HTTP status. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The value of `detail`. */
  readonly detail: Json;
  /** Additional response headers. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail A sentence, or for 422 a list of validation errors. */
  constructor(status: number, detail: Json, headers: Readonly<Record<string, string>> = {}) {
    super(typeof detail === 'string' ? detail : `Status ${String(status)}`);
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

/** The error (422) for a request with invalid fields. */
export function invalidRequest(problems: readonly FieldError[]): ApiError {
  return new ApiError(
    422,
    problems.map(({ loc, msg, type }) => ({ loc, msg, type })),
  );
}

/** The error (404) for a resource that does not exist or belongs to another user; the response does not reveal which. */
export function notFound(what: string): ApiError {
  return new ApiError(404, `${what} not found`);
}
