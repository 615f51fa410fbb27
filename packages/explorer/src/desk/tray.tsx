/** Tray of the entities of a world that are to be compared, kept until the tab is closed. */
import type { Entity } from '@worldwright/client'
import { nameOf } from '../data/entity-name.ts'
import { rowCheck } from '../edit/row-check.ts'
import { MOST_COMPARED } from '../navigation/route.ts'
import { CrossIcon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { ReferenceName } from '../parts/reference.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { isEntity } from '../question/question.ts'
import { jsonFrom } from '../text/attempt.ts'
import { plainText } from '../text/visible.ts'
import { count, words } from '../words/words.ts'
import { deskWords } from './desk-words.ts'
import { compared } from './kept-lists.ts'

type Named = Pick<Entity, 'type' | 'id'>

/** Returns the entities in the tray of the open world, and a function that puts one in or takes it out. */
function useTray() {
  const { origin } = useOpenWorld().world
  const list = jsonFrom(compared.of(origin))
  const tray: readonly Named[] = (Array.isArray(list) ? list : []).filter(isEntity).slice(0, MOST_COMPARED)
  function toggle({ type, id }: Named) {
    const others = tray.filter((one) => one.type !== type || one.id !== id)
    const isIn = others.length < tray.length
    const kept = isIn ? others : [...others, { type, id }]
    compared.set(origin, kept.length > 0 ? JSON.stringify(kept) : undefined)
  }
  return { origin, tray, toggle }
}

/** Button that puts an entity into the tray or takes it out, after the check box of its row, or with text on its page. */
export function CompareButton({ entity, isLarge }: { entity: Entity; isLarge?: boolean }) {
  const { tray, toggle } = useTray()
  const { titles } = useOpenWorld()
  const isIn = tray.some(({ type, id }) => type === entity.type && id === entity.id)
  const isFull = !isIn && tray.length === MOST_COMPARED
  const label = deskWords()[isFull ? 'full' : 'compare']
  if (entity.type === '' || entity.id === '') return null
  titles.note(entity)
  const Check = rowCheck.value
  return (
    <>
      {Check !== undefined && <Check entity={entity} />}
      <button
        type="button"
        class={`button small compare ${isLarge ? '' : 'icon-only'}`}
        aria-pressed={isIn}
        aria-label={`${label}: ${plainText(nameOf(entity)).slice(0, 120)}`}
        title={label}
        disabled={isFull}
        onClick={() => toggle(entity)}
      >
        {isLarge && label}
      </button>
    </>
  )
}

/** Moves the focus from an item that is going to be removed to the button of the next or last one, or else to the page. */
export function focusBeside(within: Element): void {
  const item = within.closest('li')
  const next = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button')
  ;(next ?? document.getElementById('main'))?.focus({ preventScroll: true })
}

/** Bar with the entities to compare, each a button that takes it out. */
export function Tray() {
  const { origin, tray, toggle } = useTray()
  const said = `${deskWords().compare}: ${count(tray.length)} / ${count(MOST_COMPARED)}`
  if (tray.length === 0) return null
  return (
    <aside class="tray row between" aria-label={deskWords().compare}>
      <ul class="chips">
        {tray.map((one) => (
          <li key={`${one.type} ${one.id}`}>
            <button
              type="button"
              class="chip removable"
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget)
                toggle(one)
              }}
            >
              <span class="hidden">{words.value.views.drop}: </span>
              <ReferenceName to={one} />
              <CrossIcon />
            </button>
          </li>
        ))}
      </ul>
      <To
        class="button primary small"
        route={{ page: 'compare', origin, of: tray.flatMap(({ type, id }) => [type, id]) }}
      >
        {said}
      </To>
      <span role="status" class="hidden">
        {said}
      </span>
    </aside>
  )
}
