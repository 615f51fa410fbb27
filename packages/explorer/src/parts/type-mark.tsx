/** Entity type, as a coloured mark with its title or as the title alone. */
import type { TypeProfile } from '../world/world-profile.ts'
import { Safe, ShortText } from './text.tsx'

/** Mark of a type. Its colour conveys nothing beyond the title. */
export function TypeMark({ type }: { type: TypeProfile }) {
  return (
    <span class="type-mark" style={type.style}>
      <span class="dot" aria-hidden="true" />
      <Safe text={type.title} />
    </span>
  )
}

/** Title of a type, cut after `most` characters. The type name follows it if other types have the same title. */
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
