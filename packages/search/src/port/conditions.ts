/** Conditions, sort orders, facets and groups, as defined by the store contract. */
export type {
  CalendarUnit,
  Condition,
  EntityKey,
  FacetBucket,
  FacetRequest,
  FacetResult,
  Group,
  GroupKey,
  GroupOrder,
  GroupRequest,
  GroupResult,
  JoinedPath,
  Measure,
  Operand,
  OwnPath,
  Point,
  PropertyPath,
  SortKey,
  SortPosition,
  ValueKind,
} from '@worldwright/core/store'
export { isJoined, kindOfOperand } from '@worldwright/core/store'
