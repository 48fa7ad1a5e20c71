import type { Json } from './json.js';
import type { DeclinedAnswer, RequestAnswer } from './part.js';

/** An answer in the form in which contents hold it (`InputRequestFields.answer`, as JSON): of a file its name. */
export function toAnswerData(answer: RequestAnswer<{ readonly name: string }> | DeclinedAnswer): {
  readonly input: Json;
  readonly type: string;
} {
  const { type } = answer;
  if (type === 'declined') return { input: null, type };
  if (type === 'json') return { input: answer.value, type };
  return { input: type === 'file' ? (answer.text ?? answer.file.name) : answer.text, type };
}
