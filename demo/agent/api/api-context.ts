import type { Clock } from '../clock.js';
import { formatTimestamp } from '../clock.js';
import type { Credentials } from '../auth/authenticate.js';
import type { Identity } from '../auth/identity.js';
import type { DocumentIndexer } from '../documents/document-indexer.js';
import type { PlanningContext } from '../plan/plan-answer.js';
import type { Runner } from '../run/runner.js';
import { findDocument, type DocumentRow } from '../store/documents.js';
import type { Database } from '../store/database.js';
import { findSession, type OwnerFilter, type SessionRow } from '../store/sessions.js';
import { ApiError, notFound } from './api-error.js';
import { Fields } from './fields.js';
import type { FaultInjection } from './fault-injection.js';
import type { Schema } from '../query/schema.js';
import type { ApiRequest } from './router.js';

/** Dependencies of all routes, and the checks that they share. */
export class ApiContext implements PlanningContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly indexer: DocumentIndexer;
  readonly credentials: Credentials;
  readonly faultInjection: FaultInjection;
  readonly rivers: Schema;
  readonly planWithModel: PlanningContext['planWithModel'];

  /** @param dependencies The components of one agent. */
  constructor(dependencies: {
    database: Database;
    clock: Clock;
    runner: Runner;
    indexer: DocumentIndexer;
    credentials: Credentials;
    faultInjection: FaultInjection;
    rivers: Schema;
    planWithModel: PlanningContext['planWithModel'];
  }) {
    this.database = dependencies.database;
    this.clock = dependencies.clock;
    this.runner = dependencies.runner;
    this.indexer = dependencies.indexer;
    this.credentials = dependencies.credentials;
    this.faultInjection = dependencies.faultInjection;
    this.rivers = dependencies.rivers;
    this.planWithModel = dependencies.planWithModel;
  }

  /** The current time in the format of the API. */
  now(): string {
    return formatTimestamp(this.clock.now());
  }

  /** Returns the session whose id is in the path. Throws an `ApiError` (404) if it does not exist or the caller may not see it. */
  session(call: ApiRequest): SessionRow {
    const session = findSession(this.database, this.id(call, 'session_id'));
    if (session === null || !mayUse(call.identity, session.owner)) throw notFound('Session');
    return session;
  }

  /** The same as `session`, but throws an `ApiError` (409) if a run is active in the session. */
  idleSession(call: ApiRequest): SessionRow {
    const session = this.session(call);
    if (this.runner.activeTask(session.id) !== null) {
      throw new ApiError(409, 'The agent is still working in this session');
    }
    return session;
  }

  /**
   * Returns a document that the caller may read: any document for the account; for a user, their own and those of the account. Throws an
   * `ApiError` (404) for any other id.
   */
  document(call: ApiRequest, id: string): DocumentRow {
    const document = findDocument(this.database, id);
    const visible =
      document !== null && (document.owner === null || mayUse(call.identity, document.owner));
    if (!visible) throw notFound('Document');
    return document;
  }

  /** Returns an id in the path, in lower case. Throws an `ApiError` (422) unless it is a UUID. */
  id(call: ApiRequest, name: string): string {
    const fields = new Fields(Object.fromEntries(call.params), 'path');
    const id = fields.uuid(name);
    fields.throwIfInvalid();
    return id.toLowerCase();
  }

  /** Filter for the sessions that a caller may see. */
  filter(identity: Identity): OwnerFilter {
    return identity.user === null ? 'all' : { owner: identity.user };
  }

  /** Returns the requested page of a list. */
  page(call: ApiRequest): {
    readonly page: number;
    readonly limit: number;
    readonly offset: number;
  } {
    const fields = new Fields(Object.fromEntries(call.query), 'query');
    const page = fields.integer('page', 1, 1, 1_000_000);
    const limit = fields.integer('limit', 20, 1, 100);
    fields.throwIfInvalid();
    return { page, limit, offset: (page - 1) * limit };
  }
}

/** Whether a caller may access the data of an owner. */
export function mayUse(identity: Identity, owner: string | null): boolean {
  return identity.user === null || identity.user === owner;
}

/** Converts a page of a list to the format of the API. */
export function toPageJson<T>(
  items: readonly T[],
  total: number,
  page: { readonly page: number; readonly limit: number; readonly offset: number },
): object {
  return {
    items,
    total,
    page: page.page,
    limit: page.limit,
    has_more: page.offset + items.length < total,
  };
}
