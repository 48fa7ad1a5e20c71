import { textOf, type Json } from '../json.js';
import { keywordsOf } from '../plan/words.js';
import type { LiveRun } from '../run/live-run.js';
import { ToolError } from '../run/run-errors.js';
import type { SkillContext } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import { queryCall } from '../skills/data.js';
import { searchCall } from '../skills/search.js';
import { readBranch } from '../store/messages.js';
import { evaluate } from '../tools/arithmetic.js';
import type { RiverDatabase } from '../tools/river-database.js';
import {
  readArguments,
  runToolLoop,
  type ChatMessage,
  type LanguageModelOptions,
  type ModelCall,
  type ModelEvent,
  type ModelTurn,
} from './chat-completion.js';
import { MODEL_TOOLS } from './model-tools.js';
import { createWriter } from './writer.js';

const INSTRUCTIONS = `You are the agent of a demonstration. Answer from the tools. Quote documents word for word and put
<citation id="PASSAGE ID">[1]</citation> after each quotation, with the id of the passage. Write Markdown.`;

/** Answers a question of a UBIK session with a language model: its text is streamed as the answer, and its tool calls are executed. */
export async function answerWithModel(
  options: LanguageModelOptions,
  rivers: RiverDatabase,
  work: SkillContext,
): Promise<void> {
  const request = { messages: readMessages(work), tools: MODEL_TOOLS, signal: work.run.signal };
  await runToolLoop(options, request, {
    readTurn: (events) => writeTurn(events, work.run),
    runCalls: async (calls) => {
      const outcomes = await work.tools.callAll(
        calls.map((call) => createToolCall(call, rivers, work)),
      );
      work.run.writeOnNewLine('');
      return outcomes.map((outcome): Json =>
        'result' in outcome ? outcome.result : { error: outcome.failure },
      );
    },
  });
}

async function writeTurn(events: AsyncIterable<ModelEvent>, run: LiveRun): Promise<ModelTurn> {
  const writer = createWriter(run);
  let calls: readonly ModelCall[] = [];
  try {
    for await (const event of events) {
      run.throwIfStopped();
      if (event.kind === 'calls') calls = event.calls;
      else if (event.kind === 'thinking') writer.think(event.text);
      else writer.say(event.text);
    }
  } catch (error) {
    // A stop aborts the request to the model.
    run.throwIfStopped();
    throw error;
  } finally {
    writer.end();
  }
  return { text: writer.text, calls };
}

/** Creates the call of the agent's tool that a model has called. A call of an unknown tool fails, and the model may call another one. */
function createToolCall(call: ModelCall, rivers: RiverDatabase, work: SkillContext): ToolCall {
  const given = readArguments(call.arguments);
  switch (call.name) {
    case 'search_documents':
      return searchCall(work, keywordsOf(textOf(given['query'])), null);
    case 'query_database':
      return queryCall(rivers, { sql: textOf(given['sql']), parameters: [] });
    case 'calculate': {
      const expression = textOf(given['expression']);
      return {
        name: 'calculate',
        input: { expression },
        execute: () => Promise.resolve({ result: evaluate(expression) }),
      };
    }
    default:
      return {
        name: call.name.replaceAll(/[^\w-]/gu, '_').slice(0, 60) || 'unknown',
        input: {},
        execute: () => Promise.reject(new ToolError('There is no such tool.')),
      };
  }
}

function readMessages({ run, step, database }: SkillContext): ChatMessage[] {
  const systemPrompt = step.args['system_prompt'];
  const { hint } = run.progress;
  const branch = readBranch(database, run.task.session_id, run.task.user_message_id);
  return [
    {
      role: 'system',
      content:
        typeof systemPrompt === 'string' ? `${systemPrompt}\n\n${INSTRUCTIONS}` : INSTRUCTIONS,
    },
    ...branch.map((message): ChatMessage => ({
      role: message.role,
      content: withoutTags(message.content),
    })),
    ...(hint === null
      ? []
      : [{ role: 'user' as const, content: `Take this into account: ${hint}` }]),
  ];
}

/** Removes tool calls, thinking and the other tags of the protocol from a message, because a model that reads tags starts to write them. */
function withoutTags(content: string): string {
  return content
    .replaceAll(/<<TOOL_STEP_START\/[^>]*>>[\s\S]*?<<TOOL_STEP_END\/[^>]*>>/gu, '')
    .replaceAll(/<<thinking>>[\s\S]*?<<\/thinking>>/gu, '')
    .replaceAll(/<<\/?[A-Z_]+>>/gu, '')
    .trim();
}
