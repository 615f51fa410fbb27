/** Conditions, orders and facets: the storage contract says what they are. */
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
} from '@worldwright/core/store'
