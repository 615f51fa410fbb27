/** Places for the tools of those who may write. Readers load nothing of them. */
import { loaded } from '../parts/loaded.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { tokenFor } from '../world/tokens.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import type { EntityEditingProps } from './entity-editing.tsx'
import type { ListEditingProps } from './list-editing.tsx'

const LoadedEntityEditing = loaded<EntityEditingProps>(
  async () => (await import('./entity-editing.tsx')).EntityEditing,
)
const LoadedListEditing = loaded<ListEditingProps>(
  async () => (await import('./list-editing.tsx')).ListEditing,
)

/** Tools of an entity's page. Renders nothing without a token, or if the world cannot be written. */
export function EntityEditing(props: EntityEditingProps) {
  return isWritable(useOpenWorld().profile) ? <LoadedEntityEditing {...props} /> : null
}

/** Tools of a list. Renders nothing without a token, or if the world cannot be written. */
export function ListEditing(props: ListEditingProps) {
  return isWritable(useOpenWorld().profile) ? <LoadedListEditing {...props} /> : null
}

function isWritable(profile: WorldProfile): boolean {
  return takesWrites(profile) && tokenFor(profile.origin) !== undefined
}

/** Reports whether a world can be written by those who have a token. */
export function takesWrites({ extensions }: WorldProfile): boolean {
  return extensions.some(([name]) => name === 'worldwright:operator')
}
