/** Replication state stored beside a replica's entities: its upstream and progress. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { WorldDescription } from '@worldwright/core'
import type { IndexRules, NamedValues, Store } from '@worldwright/core/store'
import { namedValue, SYNONYMS_KEY, type SynonymRule, textOfSynonyms } from '@worldwright/core/store'

/** Upstream that a store follows, and the store's progress. Both are stored in the same commit as the changes. */
export interface KeptUpstream {
  readonly origin: string
  /** Id of the world. A world with a different id at the same origin is not followed. */
  readonly worldId: string
  /** Token to resume after the stored changes. */
  readonly next: string
  /** Time of the commit, in milliseconds since 1970. */
  readonly at: number
}

/** Description of a world, with everything that a replica needs to describe itself in the same way. */
export interface UpstreamDescription extends Omit<WorldDescription, 'types'> {
  /** Types listed in discovery. */
  readonly entityTypes: readonly EntityTypeDescription[]
  /** Index rules. With the same rules, searches on the replica return the same results. */
  readonly indexRules: IndexRules
  readonly searchSynonyms: readonly SynonymRule[]
  /** True if reads require a token. */
  readonly isPrivate: boolean
}

const UPSTREAM_KEY = 'followed'
const DESCRIPTION_KEY = 'followed-description'

/** Returns the upstream of a store, or undefined if the store is not a replica or has never caught up. */
export async function keptUpstream(store: Store): Promise<KeptUpstream | undefined> {
  return parsed((await namedValue(store, UPSTREAM_KEY))?.value)
}

/** Returns the last description of the upstream, or undefined if the store is not a replica or has never caught up. */
export async function keptDescription(store: Store): Promise<UpstreamDescription | undefined> {
  return parsed((await namedValue(store, DESCRIPTION_KEY))?.value)
}

/** Returns the values to store. If `description` is undefined, the stored description and synonyms remain. */
export function valuesOf(upstream: KeptUpstream, description: UpstreamDescription | undefined): NamedValues {
  return {
    [UPSTREAM_KEY]: JSON.stringify(upstream),
    ...(description && {
      [DESCRIPTION_KEY]: JSON.stringify(description),
      [SYNONYMS_KEY]: textOfSynonyms(description.searchSynonyms),
    }),
  }
}

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}
