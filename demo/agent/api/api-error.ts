import type { Json } from '../json.js';

/** One complaint about a request, in the shape of the API. */
export interface FieldProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** A refusal that is answered as `{detail}` with its status. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** What `detail` says. */
  readonly detail: Json;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail A sentence, or a list of problems for 422. */
  constructor(status: number, detail: Json, headers: Readonly<Record<string, string>> = {}) {
    super(typeof detail === 'string' ? detail : `Status ${String(status)}`);
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

/** The refusal of a request whose fields are wrong. */
export function invalidRequest(problems: readonly FieldProblem[]): ApiError {
  return new ApiError(
    422,
    problems.map(({ loc, msg, type }) => ({ loc, msg, type })),
  );
}

/** The refusal for what does not exist, or does not exist for this user: nobody learns which. */
export function notFound(what: string): ApiError {
  return new ApiError(404, `${what} not found`);
}
