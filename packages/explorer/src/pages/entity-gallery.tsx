/** Gallery that shows entities as pictures with names. */
import type { Entity } from '@worldwright/client'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { CompareButton } from '../desk/parts.tsx'
import { EntityLink } from '../parts/entity-link.tsx'
import { KeyValues } from '../parts/key-values.tsx'
import { ShortText } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { initialOf } from '../text/visible.ts'
import { words } from '../words/words.ts'
import { allowedHosts, allowPictures } from '../world/picture-hosts.ts'
import { pictureOf } from '../world/pictures.ts'
import { typeIn } from '../world/world-profile.ts'
import type { RowsProps } from './entity-rows.tsx'

/** Distance from the end of the loaded entities at which more are requested, in pixels. */
const AHEAD = 1_200
/** Maximum number of entities examined for picture hosts, and maximum number of hosts offered at once. */
const LOOKED_AT = 200
const MOST_HOSTS = 5

/** Gallery of the entities loaded by `walk`. Calls `onRow` with the approximate index of the first visible entity. */
export function EntityGallery({ walk, label, onRow }: Omit<RowsProps, 'asked'>) {
  const { entities } = walk.walked
  const box = useRef<HTMLElement>(null)

  function follow() {
    const element = box.current
    if (element === null) return
    const { scrollTop, scrollHeight, clientHeight } = element
    if (scrollHeight - scrollTop - clientHeight < AHEAD && !walk.isStale && walk.failure === undefined)
      walk.reader.more()
  }

  function onScroll() {
    const { scrollTop = 0, scrollHeight = 1 } = box.current ?? {}
    walk.note(scrollTop)
    onRow(Math.floor((scrollTop / scrollHeight) * entities.length))
    follow()
  }

  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = walk.offset
  }, [walk.entry])
  useEffect(follow, [entities.length])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="scroller gallery" ref={box} tabIndex={0} aria-label={label} onScroll={onScroll}>
      <Consent entities={entities.slice(0, LOOKED_AT)} />
      <ul>
        {entities.map((entity, index) => (
          <Card key={index} entity={entity} />
        ))}
      </ul>
    </section>
  )
}

function Card({ entity }: { entity: Entity }) {
  const { style } = typeIn(useOpenWorld().profile, entity.type)
  return (
    <li>
      <div class="frame" style={style} data-initial={initialOf(nameOf(entity))}>
        <Thumb entity={entity} />
      </div>
      <EntityLink entity={entity} most={80} class="entry-title" />
      <CompareButton entity={entity} />
      <p class="soft clamp">
        <KeyValues entity={entity} />
      </p>
    </li>
  )
}

/** Buttons that allow pictures, one for each host that is not allowed yet. */
function Consent({ entities }: { entities: readonly Entity[] }) {
  const { profile } = useOpenWorld()
  const foreign = entities.flatMap((entity) => {
    const picture = pictureOf(entity, profile)
    return picture === undefined || picture.isOwn ? [] : [picture.host]
  })
  const asking = [...new Set(foreign)].filter((host) => !allowedHosts.value.has(host)).slice(0, MOST_HOSTS)
  return asking.length === 0 ? null : (
    <p class="row consent">
      {asking.map((host) => (
        <button key={host} type="button" class="button small" onClick={() => allowPictures(host)}>
          <ShortText text={words.value.entity.picturesOf(host)} most={80} />
        </button>
      ))}
    </p>
  )
}
