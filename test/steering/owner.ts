import assert from 'node:assert/strict';
import { createUbikBackend, type UbikBackend } from '../../src/backends/ubik/index.js';
import { ACTIVITY } from '../../src/model/part.js';
import type { Message } from '../../src/model/message.js';
import { createEnvironment } from '../../src/transport/environment.js';
import type { Belongings } from './foreign-ids.js';
import type { Service } from './world/service.js';
import { shownIn, World } from './world/world.js';

/** What only the first person may read. */
export const SECRET = 'plover';

/** What the tools of an answer have given, as JSON texts. */
function resultsOf({ parts }: Message): string {
  const tools = parts.children(null).flatMap((key) => [key, ...parts.children(key)]);
  return tools
    .map((key) => parts.get(key))
    .map((part) => (part?.kind === 'tool' ? part.result : ''))
    .join('\n');
}
/** A person with a secret: a document, an answer with checkpoints, a run in which a tool asks. */
export async function setupOwner(
  service: Service,
): Promise<{ world: World; belongings: Belongings }> {
  const world = new World(service, 'owner', 'F1');
  const tab = await world.tab('A');
  const { controller } = tab;
  const file = new File([`The ${SECRET} is mine.`], `${SECRET}.txt`);
  const document = await controller.uploadDocument(file);
  await service.documentsRead();
  await controller.send({ text: `Where is my ${SECRET}?`, attachments: [] });
  await world.settle();
  const [question, answer] = shownIn(tab);
  const [checkpoint] = await controller.listCheckpoints();
  const threadId = controller.thread?.id ?? '';
  const runId = controller.thread?.run.id ?? '';
  const chunkId = /"passages":\[\{"id":"([^"]+)"/u.exec(answer ? resultsOf(answer) : '')?.[1];
  controller.switchToNewThread();
  await controller.send({ text: 'Draw a chart of the longest rivers', attachments: [] });
  await world.settle();
  const drawn = shownIn(tab).at(-1);
  const picture = /"url":"([^"]+chart\.png)"/u.exec(drawn ? resultsOf(drawn) : '')?.[1];
  controller.switchToNewThread();
  await controller.send({ text: `Ask me for text, ${SECRET}`, attachments: [] });
  await world.settle();
  const asking = shownIn(tab).at(-1);
  const request = asking?.parts
    .children(ACTIVITY)
    .map((key) => asking.parts.get(key))
    .find((part) => part?.kind === 'request-activity');
  assert.ok(question?.id && answer?.id && checkpoint && runId && chunkId && picture);
  assert.ok(request?.kind === 'request-activity' && request.executionId !== null);
  return {
    world,
    belongings: {
      threadId,
      waitingId: controller.thread?.id ?? '',
      documentId: document.id,
      messageId: answer.id,
      question: question.id,
      runId,
      checkpoint: checkpoint.name,
      executionId: request.executionId,
      picture,
      chunkId,
    },
  };
}

/** The backend of a person. `heard`: everything that the service has said to them. */
export function connect(
  service: Service,
  token: string,
): { backend: UbikBackend; heard: string[] } {
  const heard: string[] = [];
  const environment = createEnvironment({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      heard.push(await response.clone().text());
      return response;
    },
  });
  const backend = createUbikBackend({
    baseUrl: service.baseUrl,
    environment,
    getToken: () => token,
  });
  return { backend, heard };
}
