import { openDataAgent, type DataAgent } from '../data-agent/data-agent.js';
import { createAgentApi, type ApiHandler } from './api/agent-api.js';
import { createToken } from './api/account-routes.js';
import { ApiContext } from './api/api-context.js';
import { NO_FAULTS, type FaultInjection } from './api/fault-injection.js';
import { createClock, formatTimestamp } from './clock.js';
import { DocumentIndexer } from './documents/document-indexer.js';
import { addSampleDocuments } from './documents/sample-documents.js';
import { Deadlines } from './run/deadlines.js';
import { NO_PAUSE_POINTS, type PausePoints } from './run/pause-points.js';
import { createPace } from './run/pace.js';
import { Runner } from './run/runner.js';
import { createSkills } from './skills/skill-list.js';
import { loadOrCreateSecret } from './store/meta.js';
import { openStore } from './store/open-store.js';
import { openRiverDatabase } from './tools/river-database.js';
import type { LanguageModelOptions } from './llm/chat-completion.js';
import { createLanguageModel } from './llm/language-model.js';

/** Options of {@link openAgent}. */
export interface AgentOptions {
  /** Folder of the database; created if missing. */
  readonly dataDir: string;
  /** Root folder of the project, which contains the sample documents. */
  readonly root: URL;
  /** 1 for a natural pace, 10 for ten times as fast, 0 for no delays. */
  readonly speed: number;
  /** The API key of the account; null if only tokens are accepted. */
  readonly apiKey: string | null;
  readonly faultInjection?: FaultInjection;
  readonly pausePoints?: PausePoints;
  /** Settings of the Data Agent API, which shares the data of this agent. */
  readonly dataAgent?: {
    /** Path prefixes that are served; both by default. */
    readonly prefixes?: readonly string[];
    /** Number of frames, which are the units of work of a run (`DataAgentRun.frame`), after which a snapshot is published; 5 by default. */
    readonly publishEvery?: number;
  };
  /** The language model that plans and writes the answers of both services; null to use the built-in rules. */
  readonly model: LanguageModelOptions | null;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** A running agent. */
export interface Agent {
  /** Handles a request to a path of the API. */
  readonly handle: ApiHandler;
  /** The Data Agent API over the same data. */
  readonly dataAgent: DataAgent;
  /** Creates a token for a user, valid for a number of minutes. A user that is not stored yet is added. */
  createToken(user: string, minutes: number): string;
  /** Resolves when all added documents are indexed. */
  whenDocumentsIndexed(): Promise<void>;
  /** Stops all work. At the next start, interrupted runs are marked as failed; runs that wait for input still wait. */
  close(): Promise<void>;
}

/** Opens the data folder and starts the agent. Throws a `StartError` if the folder cannot be used. */
export function openAgent(options: AgentOptions): Agent {
  const store = openStore(options.dataDir);
  const { database } = store;
  const clock = createClock();
  const pace = createPace(options.speed);
  const rivers = openRiverDatabase(new URL('demo/sample/', options.root));
  let closed = false;
  const model = options.model === null ? null : createLanguageModel(options.model, rivers);
  const skills = createSkills(rivers);
  if (model !== null) skills.set(model.name, model.skill);
  const pausePoints = options.pausePoints ?? NO_PAUSE_POINTS;
  const deadlines = new Deadlines(pausePoints, () => clock.now(), options.onError);
  const runner = new Runner({
    database,
    clock,
    pace,
    pausePoints,
    deadlines,
    skills,
    onError: options.onError,
    get closed() {
      return closed;
    },
  });
  const now = (): string => formatTimestamp(clock.now());
  const indexer = new DocumentIndexer({ database, pace, now, onError: options.onError });
  const credentials = { secret: loadOrCreateSecret(database), apiKey: options.apiKey };
  const faultInjection = options.faultInjection ?? NO_FAULTS;
  const context = new ApiContext({
    database,
    clock,
    runner,
    indexer,
    credentials,
    faultInjection,
    rivers: rivers.schema,
    planWithModel: (session, question) => model?.plan(session, question) ?? null,
  });
  const dataAgent = openDataAgent({
    ...options.dataAgent,
    database,
    rivers,
    model: options.model,
    pace,
    pausePoints,
    credentials,
    faultInjection,
    onError: options.onError,
  });
  runner.recover();
  indexer.recover();
  addSampleDocuments(indexer, options.root);
  return {
    handle: createAgentApi(context, options.onError),
    dataAgent,
    createToken: (user, minutes) => {
      database.run('INSERT OR IGNORE INTO users (id, created_at) VALUES (?, ?)', [user, now()]);
      return createToken(credentials.secret, user, minutes);
    },
    whenDocumentsIndexed: () => indexer.whenIdle(),
    close: async () => {
      closed = true;
      deadlines.close();
      pace.close();
      await dataAgent.close();
      await runner.close();
      await indexer.close();
      await rivers.close();
      store.close();
    },
  };
}
