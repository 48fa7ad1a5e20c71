import type { Fetch } from '../environment.js';

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
  /** Where the answer came from, redirects followed; empty when the platform does not tell. The caller checks its origin. */
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

/** An upload by `fetch`, which tells no progress but the end. */
export function createFetchUpload(fetch: Fetch): Upload {
  return async ({ url, signal = null, ...request }, onProgress) => {
    const response = await fetch(url, { ...SAFE_REQUEST, ...request, signal });
    const size = request.body instanceof Blob ? request.body.size : 0;
    onProgress(size, size);
    const { status, statusText, headers } = response;
    return { status, statusText, headers, url: response.url, text: await response.text() };
  };
}

/**
 * An upload by XMLHttpRequest, the only way to watch what is sent. It follows redirects by itself; a browser takes the
 * `Authorization` header off when one leads to another origin, and the caller refuses the answer by its `url`.
 */
export function createRequestUpload(createRequest: () => XMLHttpRequest): Upload {
  return (request, onProgress) =>
    new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal?.aborted) return reject(signal.reason as Error);
      const transfer = createRequest();
      const abort = () => transfer.abort();
      transfer.open(request.method, request.url);
      for (const [name, value] of Object.entries(request.headers)) {
        transfer.setRequestHeader(name, value);
      }
      transfer.upload.onprogress = (event) => onProgress(event.loaded, event.total);
      transfer.onload = () => resolve(readAnswer(transfer));
      transfer.onerror = transfer.onabort = () =>
        reject((signal?.reason as Error | undefined) ?? new TypeError('The upload got no answer.'));
      transfer.onloadend = () => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort);
      transfer.send(request.body);
    });
}

function readAnswer(transfer: XMLHttpRequest): UploadResponse {
  return {
    status: transfer.status,
    statusText: transfer.statusText,
    url: transfer.responseURL,
    headers: new Headers(
      [...transfer.getAllResponseHeaders().matchAll(/^([^:\r\n]+): *(.*)/gm)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      ),
    ),
    text: transfer.responseText,
  };
}
