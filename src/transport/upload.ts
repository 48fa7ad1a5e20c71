import type { Fetch } from './environment.js';

/** A request whose sending is watched. Origin, headers and rights were settled by the caller. */
export interface UploadRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | Blob;
  /** Cookies towards the page's own origin, or none at all. */
  readonly credentials: 'same-origin' | 'omit';
  readonly signal?: AbortSignal | undefined;
}

/** The answer, read to its end. */
export interface UploadResponse {
  readonly status: number;
  readonly statusText: string;
  /** Where the answer came from; empty when the platform does not tell. The caller checks its origin. */
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/** Bytes sent so far and in all; `total` is 0 when the platform does not tell. */
export type UploadProgress = (sent: number, total: number) => void;

/** Sends and watches. Rejects when no answer came, and when the signal was aborted. */
export type Upload = (
  request: UploadRequest,
  onProgress: UploadProgress,
) => Promise<UploadResponse>;

/** Sent with every request: nothing is redirected, kept, or told of the page. */
export const SAFE_REQUEST = {
  redirect: 'error',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

/**
 * An upload by `fetch`, the only request of the platform that can refuse redirects: XMLHttpRequest would report progress, but takes
 * file and headers wherever a redirect leads. So progress is reported once, at the end.
 */
export function createFetchUpload(fetch: Fetch): Upload {
  return async ({ url, signal = null, ...request }, onProgress) => {
    const response = await fetch(url, { ...SAFE_REQUEST, ...request, signal });
    const size = request.body instanceof Blob ? request.body.size : 0;
    onProgress(size, size);
    const { status, statusText, headers } = response;
    return { status, statusText, headers, url: response.url, text: await response.text() };
  };
}
