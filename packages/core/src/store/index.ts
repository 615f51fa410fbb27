/** The store contract and the in-memory store: the API for storage engines. */

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
export { damagedEntity, StoreFault } from './contract.ts'
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
  type Offset,
  offsetFrom,
  offsetText,
  positionOf,
  type Reach,
  reachOf,
  refuseExpired,
  type Stretch,
  stretchesAfter,
} from './history.ts'
export { indexRules, RULES_KEY, rulesOfText, setIndexRules, textOfRules } from './index-rules.ts'
export { instantOf, isDay } from './instant.ts'
export type { MemoryStoreOptions } from './memory.ts'
export { createMemoryStore } from './memory.ts'
export { polled } from './polled.ts'
export { PositionWatch } from './position-watch.ts'
export { isReached, positionNow } from './positions.ts'
export { ownedIn } from './precedence.ts'
export { precedenceOf } from './precedence-of.ts'
export { preconditionHolds } from './precondition.ts'
export {
  changedFrom,
  type PreparedEntity,
  prepare,
  storedEntity,
  storedFrom,
  timestampOf,
} from './prepared.ts'
export { isJoined, kindOfOperand } from './query/conditions.ts'
export { revisionOf } from './revision.ts'
export { pagesOf, scan } from './scan.ts'
export {
  SYNONYMS_KEY,
  searchSynonyms,
  setSearchSynonyms,
  synonymsOfText,
  textOfSynonyms,
} from './search-synonyms.ts'
export { OVERLOADED_FAULT } from './store-fault.ts'
export { isBeside, namedValue } from './values.ts'
