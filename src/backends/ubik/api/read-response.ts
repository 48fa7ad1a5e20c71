import type { Page, PageRequest } from '../../backend.js';
import { parseMicroseconds } from '../../../transport/timestamp.js';
import { asFields, readFlag, readList, readNumber, type Fields } from '../../fields.js';
import type { UbikClient } from './client.js';

/** Largest `limit` that the service accepts. */
const MAX_PAGE_SIZE = 100;
/** Maximum number of entries that are read from one response, because a service may ignore `limit`. */
export const MAX_ENTRIES = 1000;

/** Reads a time, in ms since the epoch; null when there is none. */
export function readTime(fields: Fields, name: string): number | null {
  const instant = parseMicroseconds(fields[name]);
  return instant === null ? null : Math.floor(instant / 1000);
}

/** Sorts by time, oldest first. Keeps the order if an item has no time. */
export function sortByTime<T extends { readonly createdAt: number | null }>(items: T[]): T[] {
  if (items.some((item) => item.createdAt === null)) return items;
  return [...items].sort((left, right) => Number(left.createdAt) - Number(right.createdAt));
}

/** Requests one page of a list. Pages count from 1. */
export async function requestPage<T>(
  client: UbikClient,
  path: string,
  { page, limit }: PageRequest,
  read: (item: unknown) => T | null,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const query = { page: Math.max(1, page), limit: Math.min(MAX_PAGE_SIZE, Math.max(1, limit)) };
  const body = await client.requestJson('GET', path, { query, signal });
  const fields = asFields(body) ?? {};
  return {
    items: readList(body, 'items', read).slice(0, MAX_ENTRIES),
    total: readNumber(fields, 'total'),
    hasMore: readFlag(fields, 'has_more') ?? false,
  };
}
