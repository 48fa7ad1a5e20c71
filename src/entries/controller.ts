export { createStreamController } from '../controller/controller.js';
export type {
  ChangeScope,
  ControllerNotice,
  ControllerOptions,
  HostStorage,
  PageState,
  QueuedMessage,
  StreamController,
  Uploads,
  UploadRefusal,
  UploadTask,
} from '../controller/controller-types.js';
export type { ControllerLimits } from '../controller/limits.js';
export type {
  Backend,
  Capability,
  CheckpointInfo,
  DocumentInfo,
  Draft,
  InputAnswer,
  InputRequest,
  NewThread,
  Onboarding,
  Page,
  PageRequest,
  Passage,
  RunKeys,
  RunRef,
  RunStream,
  StoredMessage,
  ThreadContent,
  ThreadSummary,
  UploadLimits,
} from '../backends/backend.js';
export { createTabLink, shareAcrossTabs, type TabLink } from '../backends/multi-tab/index.js';
export { canonicalize } from '../model/canonicalize.js';
export type { Batch, Change, ThreadChange } from '../model/change.js';
export type { Json, Key } from '../model/json.js';
export { USER_TEXT } from '../model/message.js';
export type {
  ApplicationContext,
  Attachment,
  Message,
  MessageFields,
  MessageSettings,
  MessageStatus,
  PartIndex,
  RestoreOrigin,
} from '../model/message.js';
export { ACTIVITY, CITATION_MARK_END, CITATION_MARK_START, RUN_ACTIVITY } from '../model/part.js';
export type {
  DataCell,
  DataColumn,
  Dataset,
  DeclinedAnswer,
  FieldsOf,
  CitationMark,
  CitationMarks,
  Part,
  PartFields,
  PartKind,
  PartOf,
  PartTree,
  RequestAnswer,
  RequestQuestion,
  RetrievedPassage,
  ToolFile,
  WebSearchResult,
} from '../model/part.js';
export type { TextSource } from '../model/text.js';
export { IDLE_RUN, pathTo } from '../model/thread.js';
export type { ListName, Run, RunState, Thread } from '../model/thread.js';
export { createEnvironment, type Environment } from '../transport/environment.js';
export { isUbikError, UbikError, type ServiceError, type UbikErrorCode } from '../errors.js';
