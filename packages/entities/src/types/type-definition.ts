/** A type as its author describes it. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Precedence } from '@worldwright/core/store'

/** The author's description of a type, in a definition or in code. */
export interface TypeDefinition extends EntityTypeDescription {
  /** Attributes that are more than text; served as `x-display` in the schema. */
  readonly display?: { readonly picture?: string; readonly place?: string; readonly link?: string }
  /** Weight of a match, by attribute; served as `x-search-weight` in the schema. */
  readonly search?: Readonly<Record<string, number>>
  /** Attributes excluded from precise queries: false for each; served as `x-index` in the schema. */
  readonly index?: Readonly<Record<string, false>>
  /** Terms of schema.org for the type and its attributes; served as `x-schema-org`, of the schema and of its attributes. */
  readonly schemaOrg?: { readonly type?: string; readonly properties?: Readonly<Record<string, string>> }
  /** Precedence for entities that the sources did not write; by default `api`. */
  readonly precedence?: Precedence
}
