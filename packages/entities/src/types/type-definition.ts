/** A type as its author describes it. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Owner } from '@worldwright/core/store'

/** What an author says about a type, in a definition or in code. */
export interface TypeDefinition extends EntityTypeDescription {
  /** Attributes that are more than text; served as `x-display` in the schema. */
  readonly display?: { readonly picture?: string; readonly place?: string; readonly link?: string }
  /** How much a match in an attribute counts; served as `x-search-weight` in the schema. */
  readonly search?: Readonly<Record<string, number>>
  /** Attributes that cannot be asked for precisely: false for each; served as `x-index` in the schema. */
  readonly index?: Readonly<Record<string, false>>
  /** What entities are in the words of schema.org; served as `x-schema-org`, of the schema and of its attributes. */
  readonly schemaOrg?: { readonly type?: string; readonly properties?: Readonly<Record<string, string>> }
  /** Who decides about what others than the sources wrote; by default `api`. */
  readonly owner?: Owner
}
