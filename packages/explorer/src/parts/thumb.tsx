/** A small picture beside the name of an entity. */
import type { Entity } from '@worldwright/client'
import { presentFields } from '../data/fields.ts'
import { pictureIn } from '../data/pictures.ts'
import type { Picture } from '../text/links.ts'
import { allowedHosts } from '../world/picture-hosts.ts'
import { typeIn } from '../world/world-profile.ts'
import { useSource } from './photo.tsx'
import { useOpenWorld } from './world-context.ts'

/** The picture of an entity where it has one that may be fetched without asking; else nothing. It repeats what its name says. */
export function Thumb({ entity }: { entity: Entity }) {
  const picture = usePicture(entity)
  if (picture === undefined || !(picture.isOwn || allowedHosts.value.has(picture.host))) return null
  return <Small key={picture.href} picture={picture} />
}

/** The picture of an entity, wherever it lies. */
export function usePicture({ type, attributes }: Entity): Picture | undefined {
  const { profile } = useOpenWorld()
  return pictureIn(presentFields(attributes, typeIn(profile, type).schema), profile.origins)?.picture
}

function Small({ picture }: { picture: Picture }) {
  const { source, isFailed, fail } = useSource(picture)
  if (isFailed || source === undefined) return null
  return (
    <img
      class="thumb"
      src={source}
      alt=""
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={fail}
    />
  )
}
