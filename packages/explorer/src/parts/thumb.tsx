/** Small pictures: next to the name of an entity, and as the value of a table cell. */
import type { Entity } from '@worldwright/client'
import type { Field } from '@worldwright/extensions/shown'
import type { ComponentChildren } from 'preact'
import { type Picture, pictureFrom } from '../text/links.ts'
import { words } from '../words/words.ts'
import { allowedHosts } from '../world/picture-hosts.ts'
import { pictureOf } from '../world/pictures.ts'
import { Bitmap, useSource } from './photo.tsx'
import { useOpenWorld } from './world-context.ts'

/** Decorative picture of an entity. Renders nothing if the entity has no picture or its picture needs consent. */
export function Thumb({ entity }: { entity: Entity }) {
  const picture = pictureOf(entity, useOpenWorld().profile)
  return isShown(picture) ? <Small key={picture.href} picture={picture} alt="" /> : null
}

/** Picture whose address is a value. Shows `children` if it needs consent or cannot be read. */
export function PictureCell(props: {
  text: string
  field: Pick<Field, 'label'>
  children: ComponentChildren
}) {
  const { text, field, children } = props
  const picture = pictureFrom(text, useOpenWorld().profile.origins, true)
  if (!isShown(picture)) return <>{children}</>
  return (
    <Small key={picture.href} picture={picture} alt={words.value.entity.pictureAlt(field.label)}>
      {children}
    </Small>
  )
}

function isShown(picture: Picture | undefined): picture is Picture {
  return picture !== undefined && (picture.isOwn || allowedHosts.value.has(picture.host))
}

/** Picture of small size. Shows `children` instead if it cannot be read. */
function Small(props: { picture: Picture; alt: string; children?: ComponentChildren }) {
  const { source, isFailed, fail } = useSource(props.picture)
  if (isFailed) return <>{props.children}</>
  return source === undefined ? null : <Bitmap class="thumb" source={source} alt={props.alt} onError={fail} />
}
