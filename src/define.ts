import { createLazyDataAgentBackend } from './backends/data-agent/lazy-data-agent.js';
import { createLazyUbikBackend, loadUbikFormat } from './backends/ubik/lazy-ubik.js';
import { registerBackend, registerContentFormat } from './controller/registry.js';
import { defineElement } from './elements/define-element.js';
import { UbikBranchMap } from './elements/ubik-branch-map.js';
import { UbikChat } from './elements/ubik-chat.js';
import { UbikCheckpoints } from './elements/ubik-checkpoints.js';
import { UbikComposer } from './elements/ubik-composer.js';
import { UbikDocuments } from './elements/ubik-documents.js';
import { UbikInputRequest } from './elements/ubik-input-request.js';
import { UbikMarkdown } from './elements/ubik-markdown.js';
import { UbikMessage } from './elements/ubik-message.js';
import { UbikThreadList } from './elements/ubik-thread-list.js';
import { UbikTranscript } from './elements/ubik-transcript.js';

/** Base URL of UBIK when the host page sets none. */
const UBIK_BASE_URL = 'https://app.ubik-agent.com/api/v1';

registerBackend('ubik', ({ baseUrl, getToken, agentId, userKey, environment }) =>
  createLazyUbikBackend(
    {
      baseUrl: baseUrl ?? UBIK_BASE_URL,
      environment,
      ...(getToken ? { getToken } : {}),
      ...(agentId ? { assistantId: agentId } : {}),
    },
    userKey,
  ),
);
registerContentFormat('ubik', loadUbikFormat);
registerBackend('data-agent', createLazyDataAgentBackend);

defineElement('ubik-branch-map', UbikBranchMap);
defineElement('ubik-chat', UbikChat);
defineElement('ubik-checkpoints', UbikCheckpoints);
defineElement('ubik-composer', UbikComposer);
defineElement('ubik-documents', UbikDocuments);
defineElement('ubik-input-request', UbikInputRequest);
defineElement('ubik-markdown', UbikMarkdown);
defineElement('ubik-message', UbikMessage);
defineElement('ubik-thread-list', UbikThreadList);
defineElement('ubik-transcript', UbikTranscript);

declare global {
  interface HTMLElementTagNameMap {
    'ubik-branch-map': UbikBranchMap;
    'ubik-chat': UbikChat;
    'ubik-checkpoints': UbikCheckpoints;
    'ubik-composer': UbikComposer;
    'ubik-documents': UbikDocuments;
    'ubik-input-request': UbikInputRequest;
    'ubik-markdown': UbikMarkdown;
    'ubik-message': UbikMessage;
    'ubik-thread-list': UbikThreadList;
    'ubik-transcript': UbikTranscript;
  }
}

// Members of the global `UbikElements` of the script-tag bundle, for pages that import nothing.
export { createStreamController } from './controller/controller.js';
export { createLazyDataAgentBackend as createDataAgentBackend };
export { createLazyUbikBackend as createUbikBackend, registerBackend, registerContentFormat };
export { registerLocale } from './locales/locale.js';
export { registerPartRenderer, registerToolRenderer } from './message/parts/part-renderers.js';
