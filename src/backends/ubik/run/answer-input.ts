import type { InputAnswer, InputRequest } from '../../backend.js';

/** What the service can be asked to do with the answer to an agent's question. The service documents none of them. */
export type AnswerRoute =
  /** As the next message. */
  | { readonly by: 'message'; readonly content: string }
  /** By going back to the checkpoint of the question, with the answer as the hint. */
  | { readonly by: 'checkpoint'; readonly hint: string }
  /** As the input of an execution. */
  | { readonly by: 'execution'; readonly executionId: string };

/** Decides how an agent's question is answered. */
export type AnswerInput = (request: InputRequest, answer: InputAnswer) => AnswerRoute;

/** The answer as the next message; a declined one in the sentence that the person's language has for it. */
export function answerByMessage(_request: InputRequest, answer: InputAnswer): AnswerRoute {
  if (answer.type === 'json') return { by: 'message', content: JSON.stringify(answer.value) };
  const content = answer.type === 'file' ? (answer.text ?? answer.file.name) : answer.text;
  return { by: 'message', content };
}
