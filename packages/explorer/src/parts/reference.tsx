/** Reference to an entity, shown as a link with the title of the entity. */
import type { EntityRef } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../words/words.ts'
import type { Referred } from '../world/titles.ts'
import { To } from './link.tsx'
import { Safe, ShortText } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Link to a referenced entity. Shows the id of the entity until its title is known. */
export function Reference({ to, class: name }: { to: EntityRef; class?: string }) {
  const { world } = useOpenWorld()
  const { isElsewhere, title, isMissing } = useReferred(to)
  const { entity } = words.value
  if (isElsewhere) {
    return (
      <span class="reference">
        <Safe text={to.id} /> <span class="soft">({entity.elsewhere})</span>
      </span>
    )
  }
  return (
    <span class="reference">
      <To
        route={{ page: 'entity', origin: world.origin, type: to.type, id: to.id }}
        {...(name && { class: name })}
      >
        <ShortText text={title ?? to.id} most={120} />
      </To>
      {isMissing && <span class="soft"> ({entity.missing})</span>}
    </span>
  )
}

/** Title of a referenced entity, without a link. Shows the id of the entity until its title is known. */
export function ReferenceName({ to }: { to: EntityRef }) {
  return <ShortText text={useReferred(to).title ?? to.id} most={80} />
}

/** Returns what is known about a referenced entity. Requests its title if the entity belongs to the open world. */
function useReferred(to: EntityRef) {
  const { world, titles } = useOpenWorld()
  const isElsewhere = to.world !== undefined && to.world !== world.id
  const [referred, setReferred] = useState<Referred | undefined>(isElsewhere ? undefined : titles.known(to))

  useEffect(() => {
    if (isElsewhere) return
    let isWanted = true
    const known = titles.known(to)
    setReferred(known)
    if (known === undefined) titles.find(to).then((found) => isWanted && setReferred(found))
    return () => {
      isWanted = false
    }
  }, [titles, to.type, to.id, isElsewhere])

  return {
    isElsewhere,
    title: referred?.state === 'found' ? referred.title : undefined,
    isMissing: referred?.state === 'missing',
  }
}
