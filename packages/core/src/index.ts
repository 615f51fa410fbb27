export { toFetch } from './adapters/fetch.ts'
export { andThen } from './handler/and-then.ts'
export {
  atMost,
  codingOf,
  incompleteBody,
  nothing,
  readJson,
  requireBodyType,
  textOf,
  wholeBody,
} from './handler/body.ts'
export { isKnown, isModifiedSince, matchesStrongTag } from './handler/conditional-request.ts'
export type { ContentCoding } from './handler/content-coding.ts'
export { preferredType } from './handler/content-negotiation.ts'
export type { DiscoveryAnswer } from './handler/discovery-route.ts'
export { errorResponse } from './handler/error-response.ts'
export type { Capability, Extension, Handle, Mount } from './handler/extension.ts'
export { createWorld, type WorldHandler } from './handler/handler.ts'
export type {
  Lane,
  LateFailure,
  Route,
  RouteHandler,
  RouteParams,
  WorldRequest,
  WorldResponse,
} from './handler/http.ts'
export { LIST } from './handler/level-one.ts'
export { type Answer, component, type Operation, OWN_CODES, queryParameter } from './handler/operation.ts'
export type { LogEvent, Observation, WorldOptions } from './handler/options.ts'
export type { OriginOptions, Origins } from './handler/origins.ts'
export { PassedRequest } from './handler/passed-request.ts'
export { QueryReader } from './handler/query.ts'
export { waitForPosition } from './handler/read-after.ts'
export type { Asking, RequestAdmission } from './handler/request-admission.ts'
export { HEAD_FAULTS, HOST } from './handler/request-head.ts'
export { createRequestIds, idOf } from './handler/request-id.ts'
export { splitTarget } from './handler/router.ts'
export { overloaded, unavailable } from './handler/unavailable.ts'
export type {
  Action,
  ActionAnswer,
  ActionContext,
  Caller,
  EntityWrites,
  ReadTypes,
} from './world/action.ts'
export { type CursorScope, cursorAfter, invalidCursor, positionFromCursor } from './world/cursor.ts'
export type { Authentication } from './world/discovery-document.ts'
export { ENTITIES, entitiesJson, MATCHED_IN } from './world/entities-json.ts'
export {
  type ActionErrorCode,
  damagedFault,
  type ErrorCode,
  entityNotFound,
  fieldsFault,
  statusOf,
  WorldFault,
} from './world/errors.ts'
export {
  DISCOVER_DEFAULT,
  DISCOVER_MAX,
  LIST_DEFAULT,
  LIST_MAX,
  MAX_HEADER_BYTES,
  MAX_PAGE_BYTES,
  MAX_TARGET_BYTES,
  MAX_TEXT_LENGTH,
  MAX_TYPES,
  SEARCH_BUDGET_MS,
} from './world/limits.ts'
export { cursorFromPlace, placeFromCursor } from './world/place-cursor.ts'
export { World, type WorldDescription, type WorldPage } from './world/world.ts'
