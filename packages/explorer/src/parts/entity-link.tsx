/** Name of an entity, linked to the page of the entity if its type and id are recognised. */
import type { Entity } from '@worldwright/client'
import { nameOf } from '../data/entity-name.ts'
import { words } from '../words/words.ts'
import { To } from './link.tsx'
import { ShortText } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Name of an entity, cut after `most` characters. Without a recognised type and id it is not a link. */
export function EntityLink(props: {
  entity: Entity
  most: number
  class?: string
  isMain?: boolean
  matched?: readonly string[]
}) {
  const { entity, most, matched = [], ...link } = props
  const { world } = useOpenWorld()
  const { notRecognised } = words.value.app
  const { type, id } = entity
  const name = <ShortText text={nameOf(entity) || `(${notRecognised})`} most={most} matched={matched} />
  if (type === '' || id === '') {
    return (
      <span class={link.class}>
        {name} <span class="soft">{id === '' && `(${words.value.entity.id}: ${notRecognised})`}</span>
      </span>
    )
  }
  return (
    <To {...link} route={{ page: 'entity', origin: world.origin, type, id }}>
      {name}
    </To>
  )
}
