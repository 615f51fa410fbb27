/** The store contract and the store in memory: the API for writing another engine. */

export { abortable } from './abortable.ts'
export {
  applyOperations,
  type EntityTable,
  type PreparedOperation,
  prepareOperations,
  refusal,
  refuseStale,
  unmetValue,
  unreadable,
} from './apply.ts'
export { joinedBytes, utf8Length } from './bytes.ts'
export { compareUtf8 } from './compare-utf8.ts'
export type * from './contract.ts'
export { damagedEntity, StorageFault } from './contract.ts'
export type { CopyState } from './copy-state.ts'
export { sha256 } from './digest.ts'
export type { EntityChange, EntityIndex, SearchedEntities } from './entity-search.ts'
export { beginToFollow } from './followed.ts'
export {
  beginning,
  changesFrom,
  DELETIONS_KEPT_MS,
  epochOf,
  hasReached,
  type LogRead,
  mintEpoch,
  numberOf,
  type Place,
  placeFrom,
  placeText,
  positionOf,
  type Reach,
  reachOf,
  refuseExpired,
} from './history.ts'
export { withIndexRepair } from './index-repair.ts'
export { indexRules, RULES_KEY, rulesOfText, setIndexRules, textOfRules } from './index-rules.ts'
export { instantOf, isDay } from './instant.ts'
export type {
  Change,
  Changes,
  ChangesOptions,
  FollowedChange,
  FollowedState,
  Following,
  Position,
} from './log-contract.ts'
export type { MemoryStoreOptions } from './memory.ts'
export { createMemoryStore } from './memory.ts'
export { PositionWatch } from './position-watch.ts'
export { isReached, positionNow } from './positions.ts'
export { ownedIn } from './precedence.ts'
export type {
  AddOptions,
  ImportStart,
  Owned,
  OwnedCount,
  Precedence,
  Shadowed,
  UnstagedCount,
} from './precedence-contract.ts'
export { precedenceOf } from './precedence-of.ts'
export { type Precondition, preconditionHolds } from './precondition.ts'
export {
  changedFrom,
  type PreparedEntity,
  prepare,
  storedEntity,
  storedFrom,
  timestampOf,
} from './prepared.ts'
export type {
  Condition,
  EntityKey,
  FacetBucket,
  FacetRequest,
  FacetResult,
  Operand,
  Point,
  PropertyPath,
  SortKey,
  SortPosition,
  ValueKind,
} from './query/conditions.ts'
export type { AttributeRule, Client, IndexRules, Query, Result, SynonymRule } from './query/search-query.ts'
export { readOnly } from './read-only.ts'
export { revisionOf } from './revision.ts'
export { scan } from './scan.ts'
export {
  SYNONYMS_KEY,
  searchSynonyms,
  setSearchSynonyms,
  synonymsOfText,
  textOfSynonyms,
} from './search-synonyms.ts'
export type { Layer, Layers } from './stack.ts'
export { LAYERS, stack } from './stack.ts'
export { OVERLOADED_FAULT, type StorageFaultCode } from './storage-fault.ts'
export { storeLog, storeMoves } from './store-log.ts'
export type { CallOptions, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'
export type { StoredToken } from './tokens.ts'
export { createTokens } from './tokens.ts'
export { isBeside, namedValue } from './values.ts'
