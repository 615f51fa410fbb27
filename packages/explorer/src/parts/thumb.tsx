/** Small picture next to the name of an entity. */
import type { Entity } from '@worldwright/client'
import type { Picture } from '../text/links.ts'
import { allowedHosts } from '../world/picture-hosts.ts'
import { pictureOf } from '../world/pictures.ts'
import { Bitmap, useSource } from './photo.tsx'
import { useOpenWorld } from './world-context.ts'

/** Decorative picture of an entity. Renders nothing if the entity has no picture or its picture needs consent. */
export function Thumb({ entity }: { entity: Entity }) {
  const picture = pictureOf(entity, useOpenWorld().profile)
  if (picture === undefined || !(picture.isOwn || allowedHosts.value.has(picture.host))) return null
  return <Small key={picture.href} picture={picture} />
}

function Small({ picture }: { picture: Picture }) {
  const { source, isFailed, fail } = useSource(picture)
  if (isFailed || source === undefined) return null
  return <Bitmap class="thumb" source={source} alt="" onError={fail} />
}
