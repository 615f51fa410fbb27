/** Conditions, sort orders and facets, as defined by the store contract. */
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
