/** Places for the tools of those who may write. Readers load nothing of them. */
import { loaded } from '../parts/loaded.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { tokenFor } from '../world/tokens.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import type { EntityToolsProps } from './entity-tools.tsx'
import type { ListToolsProps } from './list-tools.tsx'

const LoadedEntityTools = loaded<EntityToolsProps>(
  async () => (await import('./entity-tools.tsx')).EntityTools,
)
const LoadedListTools = loaded<ListToolsProps>(async () => (await import('./list-tools.tsx')).ListTools)

/** Tools of an entity's page. Renders nothing without a token, or if the world cannot be written. */
export function EntityTools(props: EntityToolsProps) {
  return isWritable(useOpenWorld().profile) ? <LoadedEntityTools {...props} /> : null
}

/** Tools of a list. Renders nothing without a token, or if the world cannot be written. */
export function ListTools(props: ListToolsProps) {
  return isWritable(useOpenWorld().profile) ? <LoadedListTools {...props} /> : null
}

function isWritable({ origin, extensions }: WorldProfile): boolean {
  return tokenFor(origin) !== undefined && extensions.some(([name]) => name === 'worldwright:operator')
}
