import type { Page, PageRequest } from '../../backend.js';
import type { Query } from '../../../stream/http.js';
import { asFields, readFlag, readNumber } from '../wire/fields.js';
import { createShapeError } from './read-message.js';

/** Most entries that the service gives at a time. */
const LARGEST_PAGE = 100;

/** A page as the service counts it: from 1, at most 100 entries. */
export function toPageQuery({ page, limit }: PageRequest): Query {
  return { page: Math.max(1, page), limit: Math.min(LARGEST_PAGE, Math.max(1, limit)) };
}

/** One page of a list; entries that cannot be read are left out. */
export function readPage<T>(value: unknown, read: (item: unknown) => T | null): Page<T> {
  const fields = asFields(value);
  const list: unknown = Array.isArray(value) ? value : fields?.['items'];
  if (!Array.isArray(list)) throw createShapeError('a list');
  const items = list.flatMap((item: unknown) => {
    const found = read(item);
    return found === null ? [] : [found];
  });
  return {
    items,
    total: fields ? readNumber(fields, 'total') : null,
    hasMore: (fields && readFlag(fields, 'has_more')) ?? false,
  };
}
