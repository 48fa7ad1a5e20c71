/**
 * Keeps what others have made (files of tools, uploaded documents, texts of a model) from running on the page's own origin, where a
 * script would act with the cookies of the person who opens it.
 *
 * @module
 */

/** Types that a browser displays and never runs. Everything else is only ever downloaded. */
const DISPLAYED =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|(?:audio|video)\/[a-z\d][a-z\d.+-]*)$/u;

/**
 * Types that keep their name although they are only downloaded: the page reads them by `fetch`. SVG is among them because an `<img>`
 * draws a blob only under that name; scripts in it do not run there.
 */
const NAMED = new Set(['application/json', 'image/svg+xml']);

const CHARSET = /;\s*charset="?([\w-]{1,40})"?\s*(?:;|$)/iu;

/** Sent with every answer of this origin that holds what others have made, whatever its type. */
export const INERT_HEADERS = {
  'x-content-type-options': 'nosniff',
  // A PDF file or a type that a browser comes to run one day runs without an origin and without scripts.
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The type without its parameters, in lower case; empty for a value that names more than one type or none. */
export function readMediaType(contentType: string | undefined): string {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z\d!#$&^_.+-]+\/[a-z\d!#$&^_.+-]+$/u.test(type) ? type : '';
}

/**
 * Headers under which content of any origin can be handed to a browser.
 *
 * A few types that cannot run are displayed. Everything else is a download, and its type is withheld unless a page needs it: a
 * `<script>` or a `<link>` ignores `content-disposition`, but takes nothing of the type `application/octet-stream`.
 *
 * @param contentType What the maker of the content says that it is.
 */
export function describeInertContent(
  contentType: string | undefined,
): Readonly<Record<string, string>> {
  const type = readMediaType(contentType);
  if (DISPLAYED.test(type)) {
    const charset = type === 'text/plain' ? CHARSET.exec(contentType ?? '')?.[1] : undefined;
    return {
      'content-type': charset === undefined ? type : `${type}; charset=${charset}`,
      ...INERT_HEADERS,
    };
  }
  return {
    'content-type': NAMED.has(type) ? type : 'application/octet-stream',
    'content-disposition': 'attachment',
    ...INERT_HEADERS,
  };
}
