/** An entity type as a small coloured mark with its title. */
import type { TypeOutlook } from '../world/outlook.ts'
import { Safe } from './text.tsx'

/** The mark of a type. The colour only repeats what the title says. */
export function TypeMark({ type }: { type: TypeOutlook }) {
  return (
    <span class={`type-mark hue-${type.hue}`}>
      <span class="dot" aria-hidden="true" />
      <Safe text={type.title} />
    </span>
  )
}
