export { toFetch } from './adapters/fetch.ts'
export { PassedRequest } from './adapters/passed-request.ts'
export { plainAddress } from './adapters/plain-address.ts'
export { andThen } from './handler/and-then.ts'
export { atMost, codingOf, nothing, readJson, requireBodyType, textOf, wholeBody } from './handler/body.ts'
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
export { QueryReader } from './handler/query.ts'
export type { Asking, RequestAdmission } from './handler/request-admission.ts'
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
  WriteCondition,
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
export { licenceUrl } from './world/licence.ts'
export {
  CHANGES_DEFAULT,
  CHANGES_MAX,
  DISCOVER_DEFAULT,
  DISCOVER_MAX,
  LIST_DEFAULT,
  LIST_MAX,
  MAX_PAGE_BYTES,
  MAX_TARGET_BYTES,
  MAX_TEXT_LENGTH,
  MAX_TYPES,
  QUERY_DEFAULT_BUCKETS,
  QUERY_MAX_BUCKETS,
  QUERY_MAX_CONDITIONS,
  QUERY_MAX_DEPTH,
  QUERY_MAX_FACETS,
  QUERY_MAX_INCLUDED,
  QUERY_MAX_PATHS,
  QUERY_MAX_SORT_KEYS,
  QUERY_MAX_VALUES,
  SEARCH_BUDGET_MS,
} from './world/limits.ts'
export { cursorFromPlace, placeFromCursor } from './world/place-cursor.ts'
export { World, type WorldDescription, type WorldPage } from './world/world.ts'
