/** An entity type as a small coloured mark with its title, or as its title alone. */
import type { TypeProfile } from '../world/world-profile.ts'
import { Safe, ShortText } from './text.tsx'

/** The mark of a type. The colour only repeats what the title says. */
export function TypeMark({ type }: { type: TypeProfile }) {
  return (
    <span class={`type-mark hue-${type.hue}`}>
      <span class="dot" aria-hidden="true" />
      <Safe text={type.title} />
    </span>
  )
}

/** The title of a type, cut after `most` characters; with the type's name beside it if other types share the title. */
export function TypeTitle({ type, isShared, most }: { type: TypeProfile; isShared: boolean; most: number }) {
  return (
    <>
      <ShortText text={type.title} most={most} />
      {isShared && (
        <>
          {' '}
          <span class="code soft">
            <ShortText text={type.type} most={most} />
          </span>
        </>
      )}
    </>
  )
}
