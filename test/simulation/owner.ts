import assert from 'node:assert/strict';
import { createUbikBackend, type UbikBackend } from '../../src/backends/ubik/index.js';
import { ACTIVITY } from '../../src/model/part.js';
import type { Message } from '../../src/model/message.js';
import { createEnvironment } from '../../src/transport/environment.js';
import type { OwnedIds } from './foreign-ids.js';
import type { Service } from './world/service.js';
import { createUbik } from './world/tab.js';
import { listShown, World } from './world/world.js';

/** A text that only the first user may read. */
export const SECRET = 'plover';

/** The results of the tools of an answer, as JSON. */
function resultsOf({ parts }: Message): string {
  const tools = parts.children(null).flatMap((key) => [key, ...parts.children(key)]);
  return tools
    .map((key) => parts.get(key))
    .map((part) => (part?.kind === 'tool' ? part.result : ''))
    .join('\n');
}

/** A user with a secret document, an answer with checkpoints, and a run in which a tool asks. */
export async function setupOwner(service: Service): Promise<{ world: World; ids: OwnedIds }> {
  const world = new World(service, 'owner', createUbik('F1'));
  const tab = await world.tab('A');
  const { controller } = tab;
  const file = new File([`The ${SECRET} is mine.`], `${SECRET}.txt`);
  const document = await controller.uploadDocument(file);
  await service.whenDocumentsIndexed();
  await controller.send({ text: `Where is my ${SECRET}?`, attachments: [] });
  await world.settle();
  const [question, answer] = listShown(tab);
  const [checkpoint] = await controller.listCheckpoints();
  const threadId = controller.thread?.id ?? '';
  const runId = controller.thread?.run.id ?? '';
  const passageId = /"passages":\[\{"id":"([^"]+)"/u.exec(answer ? resultsOf(answer) : '')?.[1];
  controller.switchToNewThread();
  await controller.send({ text: 'Draw a chart of the longest rivers', attachments: [] });
  await world.settle();
  const drawn = listShown(tab).at(-1);
  const picture = /"url":"([^"]+chart\.png)"/u.exec(drawn ? resultsOf(drawn) : '')?.[1];
  controller.switchToNewThread();
  await controller.send({ text: `Ask me for text, ${SECRET}`, attachments: [] });
  await world.settle();
  const asking = listShown(tab).at(-1);
  const request = asking?.parts
    .children(ACTIVITY)
    .map((key) => asking.parts.get(key))
    .find((part) => part?.kind === 'request-activity');
  assert.ok(question?.id && answer?.id && checkpoint && runId && passageId && picture);
  assert.ok(request?.kind === 'request-activity' && request.executionId !== null);
  return {
    world,
    ids: {
      threadId,
      waitingThreadId: controller.thread?.id ?? '',
      documentId: document.id,
      messageId: answer.id,
      questionId: question.id,
      runId,
      checkpoint: checkpoint.name,
      executionId: request.executionId,
      picture,
      passageId,
    },
  };
}

/** The backend of a user. `received`: the bodies of all responses. */
export function connect(
  service: Service,
  token: string,
): { backend: UbikBackend; received: string[] } {
  const received: string[] = [];
  const environment = createEnvironment({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      received.push(await response.clone().text());
      return response;
    },
  });
  const backend = createUbikBackend({
    baseUrl: service.baseUrl,
    environment,
    getToken: () => token,
  });
  return { backend, received };
}
