/** Conditions, orders and facets, as defined by the contract of stores. */
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
