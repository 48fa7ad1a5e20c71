import type { JsonObject } from '../agent/json.js';

/** The languages in which errors are described; `zh-TW` is answered in `zh-CN`. */
export type ServiceLanguage = 'zh-CN' | 'en-US';

type Texts = readonly [description: string, solution: string];

const TEXTS: ReadonlyMap<string, Readonly<Record<ServiceLanguage, Texts>>> = new Map([
  text('AgentAPP.InvalidParameter.RequestBody', {
    'en-US': ['The request is not valid.', 'Check the parameters and send it again.'],
    'zh-CN': ['请求参数无效。', '请检查参数后重试。'],
  }),
  text('AgentAPP.Unauthorized', {
    'en-US': ['The token is missing or has expired.', 'Sign in again.'],
    'zh-CN': ['令牌缺失或已过期。', '请重新登录。'],
  }),
  text('AgentAPP.Forbidden.PermissionDenied', {
    'en-US': ['You may not do this.', 'Ask the owner of the agent for access.'],
    'zh-CN': ['没有权限。', '请联系智能体的所有者授权。'],
  }),
  text('AgentAPP.NotFound', {
    'en-US': ['There is nothing at this address.', 'Check the address.'],
    'zh-CN': ['请求的地址不存在。', '请检查地址。'],
  }),
  text('AgentAPP.Agent.GetAgentFailed', {
    'en-US': ['The agent does not exist.', 'Check the agent key.'],
    'zh-CN': ['智能体不存在。', '请检查智能体标识。'],
  }),
  text('AgentAPP.Agent.GetConversationFailed', {
    'en-US': ['The conversation does not exist.', 'Start a new conversation.'],
    'zh-CN': ['会话不存在。', '请新建会话。'],
  }),
  text('AgentAPP.Agent.ResumeFailed', {
    'en-US': ['The answer cannot be resumed.', 'Load the conversation again.'],
    'zh-CN': ['无法恢复该回答。', '请重新加载会话。'],
  }),
  // "Execption" is the spelling of the service.
  text('AgentAPP.Agent.SkillExecption', {
    'en-US': ['A tool failed.', 'Change the question or try again.'],
    'zh-CN': ['工具执行失败。', '请修改问题或重试。'],
  }),
  text('AgentAPP.Agent.ModelExecption', {
    'en-US': ['The model call failed.', 'Try again later.'],
    'zh-CN': ['模型调用失败。', '请稍后重试。'],
  }),
  text('AgentAPP.InternalError', {
    'en-US': ['Internal error.', 'Try again later.'],
    'zh-CN': ['内部错误。', '请稍后重试。'],
  }),
]);

function text(
  code: string,
  texts: Readonly<Record<ServiceLanguage, Texts>>,
): [string, Readonly<Record<ServiceLanguage, Texts>>] {
  return [code, texts];
}

/** A request that is refused with an error body of the Data Agent API. */
export class DataAgentError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The `error_code`. */
  readonly code: string;
  /** The `error_details`. */
  readonly details: string;

  /** @param code A code with a description in both languages; `AgentAPP.InternalError` is described in place of any other. */
  constructor(status: number, code: string, details = '') {
    super(`${code} ${details}`.trim());
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Reads `x-language`; `en-US` unless it asks for Chinese. */
export function readLanguage(header: string | string[] | undefined): ServiceLanguage {
  return typeof header === 'string' && header.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en-US';
}

/** The general error code of a status, for an error without a more specific code. */
export function codeOfStatus(status: number): string {
  if (status >= 500) return 'AgentAPP.InternalError';
  return CODES.get(status) ?? 'AgentAPP.InvalidParameter.RequestBody';
}

const CODES: ReadonlyMap<number, string> = new Map([
  [401, 'AgentAPP.Unauthorized'],
  [403, 'AgentAPP.Forbidden.PermissionDenied'],
  [404, 'AgentAPP.NotFound'],
]);

/** Creates the error body `{error_code, description, solution, error_link, error_details}`. */
export function describeError(
  code: string,
  details: string,
  language: ServiceLanguage,
): JsonObject {
  const [description, solution] = (TEXTS.get(code) ?? TEXTS.get('AgentAPP.InternalError'))?.[
    language
  ] ?? ['', ''];
  return { error_code: code, description, solution, error_link: '', error_details: details };
}

/** Creates the value of `error` in the reply of a failed run. */
export function describeRunError(
  code: string,
  details: string,
  language: ServiceLanguage,
): JsonObject {
  return {
    HTTPCode: 500,
    Language: language,
    BaseError: describeError(code, details, language),
  };
}
