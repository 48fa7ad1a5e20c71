import type { Json, JsonObject } from '../agent/json.js';

/** State of a step. */
export type StepStatus = 'processing' | 'completed' | 'failed' | 'skipped';

/** One step of an answer, in the shape of the API. Times are seconds since 1970. */
export interface Step {
  readonly id: string;
  readonly stage: 'llm' | 'skill';
  readonly agent_name: string;
  status: StepStatus;
  /** A string for a model step; any JSON for a skill: null while a tool runs, and an object with the text so far while a sub-agent runs. */
  answer: Json;
  think: string;
  readonly skill_info: SkillInfo | null;
  readonly input_message: string;
  interrupted: boolean;
  readonly flags: string;
  readonly start_time: number;
  end_time: number;
  token_usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
  };
}

/** The tool, or the agent, that a skill step calls. */
export interface SkillInfo {
  readonly type: 'TOOL' | 'AGENT';
  readonly name: string;
  args: { readonly name: string; readonly value: Json; readonly type: string }[];
  readonly checked: boolean;
}

/** An answer, with the findings on which it is based. */
export interface ReplyContent {
  final_answer: {
    readonly query: string;
    answer: { text: string; cites?: Json; ask?: Json };
    thinking: string;
    skill_process: Json[];
    answer_type_other: Json;
  };
  middle_answer: {
    progress: Step[] | null;
    doc_retrieval: Json;
    graph_retrieval: Json;
    other_variables: Record<string, Json>;
  };
}

/** Members of `message.ext`; an optional one is omitted while it is empty. */
export interface ReplyExtension {
  agent_run_id: string;
  related_queries?: string[];
  total_time?: number;
  total_tokens?: number;
  ttft?: number;
  interrupt_info?: InterruptInfo;
  error?: { readonly type: string; readonly error: Json };
}

/** A tool that waits for approval. */
export interface InterruptInfo {
  readonly handle: JsonObject;
  readonly data: {
    readonly tool_name: string;
    readonly tool_description: string;
    readonly tool_args: readonly {
      readonly key: string;
      readonly value: Json;
      readonly type: string;
    }[];
    readonly interrupt_config: {
      readonly requires_confirmation: boolean;
      readonly confirmation_message: string;
    };
  };
}

/** The document whose snapshots are compared and sent. */
export interface Reply {
  conversation_id: string;
  readonly user_message_id: string;
  assistant_message_id: string;
  readonly agent_run_id: string;
  message: {
    id: string;
    readonly conversation_id: string;
    readonly role: 'assistant';
    content: ReplyContent | null;
    content_type: string;
    readonly status: '';
    readonly reply_id: string;
    readonly index: number;
    readonly agent_info: JsonObject;
    ext: ReplyExtension | null;
  };
  error: Json;
}

/**
 * Creates the content of an answer that has no steps yet.
 *
 * @param progress Null until the first step, for a reply that contains its steps; an empty list for one that leaves them out.
 */
export function createContent(query: string, progress: Step[] | null): ReplyContent {
  return {
    final_answer: {
      query,
      answer: { text: '' },
      thinking: '',
      skill_process: [],
      answer_type_other: null,
    },
    middle_answer: {
      progress,
      doc_retrieval: null,
      graph_retrieval: null,
      other_variables: {},
    },
  };
}
