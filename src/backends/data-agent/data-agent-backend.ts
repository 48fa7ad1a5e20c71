import { encodePath } from '../../transport/http.js';
import type { Backend, RunKeys } from '../backend.js';
import { loadCode } from '../load-code.js';
import { createDataAgentClient, type DataAgentClient } from './api/client.js';
import { createConversationMethods, markRead } from './api/conversations.js';
import { loadOnboarding } from './api/onboarding.js';
import { DATA_AGENT_INFO, type DataAgentBackendOptions } from './options.js';
import { ConversationStates } from './run/conversation-state.js';
import type { RunContext } from './run/data-agent-run.js';
import { loadThread } from './run/load-thread.js';
import { rejoinRun } from './run/rejoin-run.js';
import { editQuestion, regenerateAnswer, sendQuestion } from './run/start-run.js';
import { stopRun } from './run/stop-run.js';

/**
 * Creates a backend for a Data Agent of AISHU ADP. A conversation is a thread. Sends no request before the first method call.
 *
 * @throws {UbikError} `misuse` without the key of an agent, and for an invalid base URL.
 * @example
 * const backend = createDataAgentBackend({ baseUrl: '/', agentId: 'my-agent', getToken: () => fetchToken() });
 */
export function createDataAgentBackend(given: DataAgentBackendOptions): Backend {
  // The null prototype keeps properties that a script has added to Object.prototype from becoming options.
  const options = Object.assign(Object.create(null) as DataAgentBackendOptions, given);
  const client = createDataAgentClient(options, (error) => backend.onDiagnostic?.(error));
  const states = new ConversationStates();
  const conversations = createConversationMethods(client);
  const backend: Backend = {
    ...DATA_AGENT_INFO,
    ...conversations,
    ...createRunMethods(client, states),
    prepare: client.prepare,
    forgetToken: client.forgetToken,
    loadOnboarding: (signal) => loadOnboarding(client, signal),
    createThread: async (thread, signal) => {
      const summary = await conversations.createThread(thread, signal);
      states.getOrCreate(summary.id).hasTitle = summary.title !== '';
      return summary;
    },
    renameThread: async (id, title) => {
      await conversations.renameThread(id, title);
      states.getOrCreate(id).hasTitle = true;
    },
    loadThread: (id, signal) => loadThread(client, states.getOrCreate(id), id, signal),
    markThreadRead: async (id) => {
      const state = states.getOrCreate(id);
      // At the end of a run, this method is called just before `releaseRun`, which may change `lastIndex`.
      await Promise.resolve();
      if (state.lastIndex === Infinity) await loadThread(client, state, id);
      const { lastIndex } = state;
      if (lastIndex <= state.readIndex) return;
      await markRead(client, id, lastIndex);
      state.readIndex = lastIndex;
    },
    deleteThread: async (id, keepalive) => {
      await client.request('DELETE', encodePath`/conversation/${id}`, { keepalive });
      states.delete(id);
    },
  };
  return backend;
}

function createRunMethods(client: DataAgentClient, states: ConversationStates) {
  const createContext = (conversation: string, keys: RunKeys, signal: AbortSignal): RunContext => ({
    client,
    state: states.getOrCreate(conversation),
    conversation,
    keys,
    signal,
  });
  return {
    send: (conversation, draft, keys, signal) =>
      sendQuestion(createContext(conversation, keys, signal), draft),
    edit: (conversation, message, draft, keys, signal) =>
      editQuestion(createContext(conversation, keys, signal), message, draft),
    regenerate: (conversation, message, settings, keys, signal) =>
      regenerateAnswer(createContext(conversation, keys, signal), message, settings),
    provideInput: async function* (conversation, request, answer, keys, signal) {
      const { provideInput } = await loadProvideInput();
      yield* provideInput(createContext(conversation, keys, signal), request, answer);
    },
    rejoin: (conversation, run, signal) =>
      rejoinRun(createContext(conversation, run.keys, signal), run),
    stop: (conversation, run) => {
      return stopRun({ client, state: states.getOrCreate(conversation), conversation }, run);
    },
    releaseRun: (conversation, { keys }) => {
      const state = states.getOrCreate(conversation);
      state.answers.delete(keys.answer);
      state.stops.delete(keys.answer);
      // If another tab has read the run, the index of the answer is unknown here.
      if (!state.streamedAnswers.has(keys.answer)) state.lastIndex = Infinity;
    },
  } satisfies Partial<Backend>;
}

/** Loads the code for decisions about approvals, which most agents never ask for. */
const loadProvideInput = () => loadCode(() => import('./run/provide-input.js'));
