/** A type as its author defines it. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Precedence } from '@worldwright/core/store'

/** Definition of a type by its author, in a definition file or in code. */
export interface TypeDefinition extends EntityTypeDescription {
  /**
   * Names of the attributes to show as a picture, a place or a link, and `rank`, the attribute by which a superlative such as
   * `largest` orders the entities. Served as `x-display` in the schema.
   */
  readonly display?: {
    readonly picture?: string
    readonly place?: string
    readonly link?: string
    readonly rank?: Readonly<Record<string, string>>
  }
  /** Search weight of each attribute; served as `x-search-weight` in the schema. */
  readonly search?: Readonly<Record<string, number>>
  /** Attributes that `worldwright:query` cannot query, each mapped to false; served as `x-index` in the schema. */
  readonly index?: Readonly<Record<string, false>>
  /** Types of the entities whose ids are the texts of an attribute; served as `x-references` in the schema. */
  readonly references?: Readonly<Record<string, string>>
  /** schema.org terms for the type and its attributes; served as `x-schema-org` in the schema and in its properties. */
  readonly schemaOrg?: { readonly type?: string; readonly properties?: Readonly<Record<string, string>> }
  /** Precedence for entities that no source has written. Default `api`. */
  readonly precedence?: Precedence
}
