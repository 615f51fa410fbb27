/** Places for the tools of those who may write. Readers load nothing of them. */
import type { FunctionComponent } from 'preact'
import { loaded } from '../parts/loaded.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { tokenFor } from '../world/tokens.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import type { EntityEditingProps } from './entity-editing.tsx'
import type { ListEditingProps } from './list-editing.tsx'

/** Tools of an entity's page. Renders nothing without a token, or if the world cannot be written. */
export const EntityEditing = forWriters<EntityEditingProps>(
  async () => (await import('./entity-editing.tsx')).EntityEditing,
)

/** Tools of a list. Renders nothing without a token, or if the world cannot be written. */
export const ListEditing = forWriters<ListEditingProps>(
  async () => (await import('./list-editing.tsx')).ListEditing,
)

function forWriters<Props extends object>(load: () => Promise<FunctionComponent<Props>>) {
  const Tools = loaded(load)
  return (props: Props) => {
    const { profile } = useOpenWorld()
    return takesWrites(profile) && tokenFor(profile.origin) !== undefined ? <Tools {...props} /> : null
  }
}

/** Reports whether a world can be written by those who have a token. */
export function takesWrites({ extensions }: WorldProfile): boolean {
  return extensions.some(([name]) => name === 'worldwright:operator')
}
