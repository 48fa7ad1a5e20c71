import type { Fetch } from './environment.js';

/** An upload request. The caller has validated the URL and set headers and credentials. */
export interface UploadRequest {
  readonly method: string;
  /** An absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | Blob;
  /** Sends cookies to the origin of the page only, or never. */
  readonly credentials: 'same-origin' | 'omit';
  readonly signal?: AbortSignal | undefined;
}

/** The response to an upload, with its whole body. */
export interface UploadResponse {
  readonly status: number;
  readonly statusText: string;
  /** The final URL; empty when unknown. The caller checks its origin. */
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/** Called with the number of bytes sent and the total; `total` is 0 when unknown. */
export type UploadProgress = (sent: number, total: number) => void;

/** Uploads a body and reports progress. Rejects when there is no response, and when the signal is aborted. */
export type Upload = (
  request: UploadRequest,
  onProgress: UploadProgress,
) => Promise<UploadResponse>;

/** Options with which requests and uploads call `fetch`: no redirects, no cache, no referrer. */
export const SAFE_REQUEST = {
  redirect: 'error',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

/**
 * Creates an upload function on top of `fetch`. It reports progress once, at the end. XMLHttpRequest would report progress continuously, but
 * it cannot reject redirects, and would send the file and the headers to the redirect target.
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
